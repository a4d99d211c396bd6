// SPDX-License-Identifier: MIT
//
// Events on their way: decoder -> clock -> (merge) -> model.
#include "base/rare.h"
#include "handle.h"

static void show_event(struct tk *handle, const struct tk_event *event) {
    struct tk_event shown = *event;
    struct tk_trace_clock clock = handle->model.clock; // the model moves the real one
    tk_trace_clock_apply(&clock, NULL, &shown);
    handle->event_seen(handle->event_ctx, &shown);
}

TK_APART static void to_model(struct tk *handle, struct tk_event *event) {
    if (handle->event_seen && !handle->model.side) show_event(handle, event);
    tk_model_event(&handle->model, event);
    if (event->kind == TK_EV_TICK_LENGTH && handle->writer && !handle->option_tick_ns) tk_writer_set_tick_ns(handle->writer, handle->model.tick_ns ? handle->model.tick_ns : 1);
}

static void on_single_event(void *ctx, struct tk_event *event) {
    struct tk_input *input = ctx;
    to_model(input->handle, event);
}

// The only recording, converted: its time is judged.
static void on_timed_event(void *ctx, struct tk_event *event) {
    struct tk_input *input = ctx;
    if (tk_event_is_usual(event)) tk_model_usual_event(&input->handle->model, event);
    else if (event->kind >= TK_EV_SYMBOL_NAME) tk_model_untimed_event(&input->handle->model, event);
    else to_model(input->handle, event);
}

static void on_merged_event(void *ctx, struct tk_event *event) {
    struct tk_input *input = ctx;
    bool is_name = event->kind == TK_EV_SYMBOL_NAME || event->kind == TK_EV_SYMBOL_FALLBACK;
    if (is_name && tk_fifo_is_full(input->fifo)) { // names may come in any number, and have no time
        event->section = input->handle->model.clock.section;
        to_model(input->handle, event);
        return;
    }
    input->stop |= tk_fifo_push(input->fifo, &input->handle->alloc, event);
    if (input->handle->dumping) input->stop = true; // the order of its lines must not depend on how far a chunk lets an input run ahead
    input->place = tk_fifo_place(input->fifo);
}

static void on_decoded(void *ctx, struct tk_event *event) {
    struct tk_input *input = ctx;
    if (tk_clock_continues(&input->clock, event)) {
        input->clock.out.event(input->clock.out.ctx, event);
        return;
    }
    struct tk_event copy = *event; // it may stand where the clock's next event is going to
    tk_clock_event(&input->clock, &copy);
}

// The only recording, converted: nothing but the clock is between its decoder and the model.
static void on_decoded_alone(void *ctx, struct tk_event *event) {
    struct tk_input *input = ctx;
    if (tk_clock_continues(&input->clock, event)) tk_model_usual_event(&input->handle->model, event);
    else tk_clock_event(&input->clock, event);
}

// Where the events of a decoder go: to the clock, unless the format has judged its time itself.
struct tk_event_sink tk_flow_sink(struct tk_input *input, const struct tk_decoder *kind) {
    struct tk *handle = input->handle;
    bool merged = tk_input_is_merged(input), alone = input->role == TK_RECORDING && !merged && !handle->event_seen && !handle->model.raw_events;
    struct tk_event_sink behind_clock = { input, merged ? on_merged_event : alone ? on_timed_event : on_single_event };
    tk_clock_init(&input->clock, &handle->alloc, &handle->diag, &input->account, behind_clock, (uint8_t)(input->core < 0 ? 0 : input->core));
    input->clock.others = merged;
    if (kind->keeps_time) return alone ? (struct tk_event_sink){ input, on_timed_event } : behind_clock;
    return (struct tk_event_sink){ input, alone ? on_decoded_alone : on_decoded };
}

// ---- Merge ----------------------------------------------------------------------------------------

// Decodes waiting bytes until an event waits. False: nothing to decode.
static bool decode_more(struct tk_input *input) {
    input->place = tk_fifo_place(input->fifo);
    if (input->window_at < input->window_len) {
        input->stop = false;
        input->window_at += input->kind->feed(input->decoder, input->window + input->window_at, input->window_len - input->window_at);
        return true;
    }
    if (!input->ended || input->finished) return false;
    input->stop = false;
    if (input->kind->more && input->kind->more(input->decoder)) return true;
    input->stop = false; // the last event may have set it
    input->kind->finish(input->decoder);
    tk_clock_finish(&input->clock);
    input->finished = true;
    input->fifo->ended = true;
    return true;
}

// Nothing in the input itself confirms its last event: an input that goes on behind it does.
static bool is_confirmed(const struct tk_input *input, const struct tk_event *event, struct tk_input *const *inputs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_fifo *fifo = inputs[i]->fifo;
        const struct tk_event *other = &fifo->events[fifo->head];
        if (inputs[i] == input || !fifo->count) continue;
        if (other->section == event->section && other->ticks >= event->ticks && inputs[i]->clock.unconfirmed != other->frame + 1) return true;
    }
    return false;
}

// The first event of an input, whose turn it is.
static void take_first(struct tk_input *input, struct tk_input *const *inputs, uint32_t count) {
    struct tk_event *event = tk_fifo_first(input->fifo);
    bool doubtful = input->clock.unconfirmed && input->clock.unconfirmed == event->frame + 1;
    if (doubtful && !is_confirmed(input, event, inputs, count)) tk_clock_reject(&input->clock, event);
    to_model(input->handle, event);
    tk_fifo_pop(input->fifo);
}

void tk_flow_merge(struct tk *handle) {
    struct tk_fifo *fifos[TK_MAX_INPUTS];
    struct tk_input *inputs[TK_MAX_INPUTS];
    uint32_t numbers[TK_MAX_INPUTS], count = 0;
    for (uint32_t i = 0; i < handle->input_count; i++) {
        if (handle->inputs[i]->role != TK_RECORDING) continue;
        fifos[count] = handle->inputs[i]->fifo;
        inputs[count] = handle->inputs[i];
        numbers[count++] = i;
    }
    for (;;) {
        bool starved;
        int rival, next = tk_merge_next(fifos, count, &rival, &starved);
        if (next == TK_MERGE_DONE) break;
        if (!starved) {
            do take_first(inputs[next], inputs, count);
            while (tk_merge_goes_on(fifos, next, rival));
            continue;
        }
        if (!inputs[next]->kind || !decode_more(inputs[next])) {
            handle->wanted = (int32_t)numbers[next];
            return;
        }
    }
    handle->wanted = TK_NO_INPUT;
}
