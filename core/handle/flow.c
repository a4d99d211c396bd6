// SPDX-License-Identifier: MIT
//
// Events on their way: decoder -> lanes -> merge -> model.
#include "base/cold.h"
#include "handle.h"
#include "model/time/merge.h"

enum { ALL_LANES = TK_MAX_INPUTS * TK_INPUT_LANES };

static TK_INLINE void take(struct tk *handle, struct tk_event *event) {
    if (handle->watched && !tk_figures_take(handle, event)) return;
    if (tk_model_event(&handle->model, event)) return;
    if (event->kind == TK_EV_TICK_LENGTH && handle->writer && !handle->option_tick_ns) tk_writer_set_tick_ns(handle->writer, handle->model.tick_ns ? handle->model.tick_ns : 1);
}

// Nothing in the lane itself confirms its last event: a lane that goes on behind it does.
static bool is_confirmed(const struct tk_event *event, struct tk_lane *const *lanes, uint32_t count, int of) {
    for (int i = 0; i < (int)count; i++) {
        if (i == of || !tk_lane_has_event(lanes[i])) continue;
        const struct tk_event *other = tk_lane_first(lanes[i]);
        if (other->section == event->section && other->ticks >= event->ticks && !other->unconfirmed) return true;
    }
    return false;
}

// What the lane has before the first event of the rival (TK_MERGE_DONE: all of it).
static TK_INLINE void take_run(struct tk *handle, struct tk_lane *const *lanes, uint32_t count, int next, int rival) {
    struct tk_lane *lane = lanes[next];
    do {
        const struct tk_event *limit = rival < 0 ? NULL : tk_lane_first(lanes[rival]); // the end of a part moves what waits
        struct tk_event *event = tk_lane_first(lane), *end = &lane->batch.events[lane->settled];
        do {
            if (event->unconfirmed && !is_confirmed(event, lanes, count, next)) tk_clock_reject(&lane->clock, event);
            take(handle, event++);
        } while (event < end && !tk_part_ends(handle) && (!limit || tk_merge_is_before(event, next, limit, rival)));
        lane->head = (uint32_t)(event - lane->batch.events);
        if (tk_part_ends(handle)) tk_part_end(handle);
    } while (tk_merge_goes_on(lanes, next, rival));
}

// Gives the model what can be put in order. Returns the lane that must speak first, or TK_MERGE_DONE.
static int deliver(struct tk *handle, struct tk_lane *const *lanes, uint32_t count) {
    for (;;) {
        bool starved;
        int rival, next = tk_merge_next(lanes, count, &rival, &starved);
        if (starved || next == TK_MERGE_DONE) return next;
        take_run(handle, lanes, count, next, rival);
    }
}

static void keep_lanes(struct tk_input *input) {
    for (uint32_t i = 0; i < input->lane_count; i++) tk_lane_keep(input->lanes[i]);
}

static void end_lanes(struct tk_input *input) {
    for (uint32_t i = 0; i < input->lane_count; i++) input->lanes[i]->ended = true;
    input->finished = true;
}

TK_COLD struct tk_batch *tk_flow_open_lane(void *ctx, enum tk_lane_time time) {
    struct tk_input *input = ctx;
    struct tk *handle = input->handle;
    if (input->lane_count == TK_INPUT_LANES) return NULL;
    struct tk_lane *lane = tk_alloc_zero(&handle->alloc, sizeof *lane);
    if (!lane) return NULL;
    if (!tk_lane_init(lane, &handle->alloc, &handle->diag, &input->account, time, (uint8_t)(input->core < 0 ? 0 : input->core))) {
        tk_alloc_free(&handle->alloc, lane, sizeof *lane); // nobody reads a lane without memory
        return NULL;
    }
    input->lanes[input->lane_count++] = lane;
    lane->source = input->number;
    lane->peers = input->lanes;
    lane->peer_count = &input->lane_count;
    lane->clock.others = tk_input_is_merged(input);
    if (handle->dumping && tk_input_is_merged(input)) lane->batch.enough = 1; // the order of its lines must not depend on how far a chunk lets an input run ahead
    return &lane->batch;
}

static void deliver_input(struct tk_input *input) {
    if (input->role == TK_ROLE_RECORDING) deliver(input->handle, input->lanes, input->lane_count);
    for (uint32_t i = 0; i < input->lane_count && input->role == TK_ROLE_NAMES; i++) tk_side_take(input, input->lanes[i]);
}

void tk_flow_feed(struct tk_input *input, const uint8_t *bytes, size_t len) {
    for (size_t at = 0; at < len && !input->handle->alloc.failed;) {
        at += input->kind->decode(input->decoder, bytes + at, len - at);
        deliver_input(input);
        keep_lanes(input);
    }
}

void tk_flow_end(struct tk_input *input) {
    while (!input->finished && !input->handle->alloc.failed) {
        if (input->kind->end(input->decoder)) end_lanes(input);
        deliver_input(input);
        keep_lanes(input);
    }
}

// ---- Several recordings ------------------------------------------------------------------------

// Decodes waiting bytes. False: there are none.
static bool decode_more(struct tk_input *input) {
    keep_lanes(input);
    if (input->window_at < input->window_len) input->window_at += input->kind->decode(input->decoder, input->window + input->window_at, input->window_len - input->window_at);
    else if (!input->ended || input->finished) return false;
    else if (input->kind->end(input->decoder)) end_lanes(input);
    return true;
}

void tk_flow_keep_all(struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) keep_lanes(handle->inputs[i]);
}

void tk_flow_forget_window(struct tk_input *input) { keep_lanes(input); }

// The first recording that was not recognised yet must speak before any other.
static struct tk_input *unopened(struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) {
        struct tk_input *input = handle->inputs[i];
        if (input->role == TK_ROLE_RECORDING && !input->kind && !input->finished) return input;
    }
    return NULL;
}

static bool is_waiting(const struct tk_input *input) { return input->kind && input->kind->waits && input->kind->waits(input->decoder); }

// Who shall speak for a lane that has nothing: one that waits for what another tells lets that one go first.
static struct tk_input *speaker(struct tk *handle, struct tk_input *input) {
    if (!is_waiting(input)) return input;
    for (uint32_t i = 0; i < handle->input_count; i++) {
        struct tk_input *other = handle->inputs[i];
        if (other->role == TK_ROLE_RECORDING && !other->finished && !is_waiting(other)) return other;
    }
    return input;
}

static uint32_t collect_lanes(struct tk *handle, struct tk_lane **lanes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < handle->input_count; i++)
        for (uint32_t lane = 0; handle->inputs[i]->role == TK_ROLE_RECORDING && lane < handle->inputs[i]->lane_count; lane++) lanes[count++] = handle->inputs[i]->lanes[lane];
    return count;
}

void tk_flow_merge(struct tk *handle) {
    struct tk_lane *lanes[ALL_LANES];
    while (!handle->alloc.failed && handle->status == TK_OK) {
        struct tk_input *input = unopened(handle);
        uint32_t count = collect_lanes(handle, lanes); // decoding may open lanes
        if (!input) {
            int next = deliver(handle, lanes, count);
            if (next == TK_MERGE_DONE) {
                handle->wanted = TK_NO_INPUT;
                return;
            }
            input = speaker(handle, handle->inputs[lanes[next]->source]);
        }
        if (!input->kind || !decode_more(input)) {
            handle->wanted = (int32_t)input->number;
            return;
        }
    }
}
