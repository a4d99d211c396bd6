// SPDX-License-Identifier: MIT
//
// The path of events: decoder -> event streams -> merge -> model.
#include "base/attributes.h"
#include "handle.h"
#include "model/time/merge.h"

enum { ALL_LANES = TK_MAX_INPUTS * TK_INPUT_STREAMS };

TK_NOINLINE static bool passes(struct tk *handle, struct tk_event *event);

static TK_INLINE void take(struct tk *handle, struct tk_event *event) {
    if (handle->intercepts && !passes(handle, event)) return;
    if (tk_model_event(&handle->model, event)) return;
    if (tk_domain_is_set(&handle->model.rate)) handle->intercepts = true;
    if ((event->kind == TK_EV_TICK_LENGTH || event->kind == TK_EV_CLOCK_HZ) && handle->writer &&
        !handle->option_tick_ns)
        tk_writer_set_tick_ns(handle->writer, handle->model.tick_ns ? handle->model.tick_ns : 1);
}

TK_NOINLINE static void take_translated(struct tk_input *input, struct tk_event *event) { take(input->handle, event); }

static bool passes(struct tk *handle, struct tk_event *event) {
    if (event->kind == TK_EV_DEFERRED_RECORD) {
        tk_pipeline_translate(handle->inputs[event->input], event, take_translated);
        return false;
    }
    tk_model_convert_time(&handle->model, event);
    return !handle->watched || tk_stats_range_filter(handle, event);
}

void tk_pipeline_translate(struct tk_input *input, const struct tk_event *record,
                           void (*take_event)(struct tk_input *input, struct tk_event *event)) {
    struct tk_batch *batch = &input->handle->translated;
    batch->alloc = batch->memory.alloc = &input->handle->alloc;
    batch->count = 0;
    tk_arena_reset(&batch->memory);
    if (!batch->capacity && !tk_batch_grow(batch)) return;
    input->kind->translate(input->decoder, record, batch);
    for (uint32_t i = 0; i < batch->count && !batch->alloc->failed; i++) take_event(input, &batch->events[i]);
}

// Returns true if another event stream confirms the last event of a stream: its next event is at the same time or
// later.
static bool is_confirmed(const struct tk_event *event, struct tk_event_stream *const *streams, uint32_t count, int of) {
    for (int i = 0; i < (int)count; i++) {
        if (i == of || !tk_event_stream_has_event(streams[i])) continue;
        const struct tk_event *other = tk_event_stream_first(streams[i]);
        if (other->section == event->section && other->ticks >= event->ticks && !other->unconfirmed) return true;
    }
    return false;
}

// Passes the events of a stream to the model up to the first event of the rival stream (TK_MERGE_DONE: all of them).
static TK_INLINE void take_run(struct tk *handle, struct tk_event_stream *const *streams, uint32_t count, int next,
                               int rival) {
    struct tk_event_stream *stream = streams[next];
    const struct tk_event *limit = rival < 0 ? NULL : tk_event_stream_first(streams[rival]);
    do {
        struct tk_event *event = tk_event_stream_first(stream), *end = &stream->batch.events[stream->resolved];
        do {
            if (event->unconfirmed && !is_confirmed(event, streams, count, next))
                tk_clock_reject_event(&stream->clock, event);
            take(handle, event++);
        } while (event < end && !tk_range_tail_is_complete(handle) &&
                 (!limit || tk_merge_is_before(event, next, limit, rival)));
        stream->head = (uint32_t)(event - stream->batch.events);
        if (tk_range_tail_is_complete(handle)) tk_range_tail_close(handle);
    } while (tk_merge_continues(streams, next, rival));
}

// Passes all events to the model whose order is final. Returns the event stream that the merge needs next, or
// TK_MERGE_DONE.
static int deliver(struct tk *handle, struct tk_event_stream *const *streams, uint32_t count) {
    for (;;) {
        bool starved;
        int rival, next = tk_merge_next(streams, count, &rival, &starved);
        if (starved || next == TK_MERGE_DONE) return next;
        take_run(handle, streams, count, next, rival);
    }
}

static void compact_streams(struct tk_input *input) {
    for (uint32_t i = 0; i < input->stream_count; i++) tk_event_stream_compact(input->streams[i]);
}

static void end_streams(struct tk_input *input) {
    for (uint32_t i = 0; i < input->stream_count; i++) input->streams[i]->ended = true;
    input->finished = true;
}

TK_COLD struct tk_batch *tk_pipeline_open_stream(void *ctx, enum tk_stream_time time) {
    struct tk_input *input = ctx;
    struct tk *handle = input->handle;
    if (input->stream_count == TK_INPUT_STREAMS) return NULL;
    struct tk_event_stream *stream = tk_alloc_zero(&handle->alloc, sizeof *stream);
    if (!stream) return NULL;
    if (!tk_event_stream_init(stream, &handle->alloc, &handle->diag, &input->account, time,
                              (uint8_t)(input->core < 0 ? 0 : input->core))) {
        tk_alloc_free(&handle->alloc, stream, sizeof *stream); // without memory no stream is used
        return NULL;
    }
    input->streams[input->stream_count++] = stream;
    stream->source = input->number;
    stream->peers = input->streams;
    stream->peer_count = &input->stream_count;
    stream->clock.others = tk_input_is_one_of_several(input);
    if (handle->dumping && tk_input_is_merged(input))
        stream->batch.enough = 1; // the order of the lines must not depend on the size of the chunks
    return &stream->batch;
}

static void deliver_input(struct tk_input *input) {
    if (input->role == TK_ROLE_RECORDING) deliver(input->handle, input->streams, input->stream_count);
    for (uint32_t i = 0; i < input->stream_count && input->role == TK_ROLE_NAMES; i++)
        tk_side_input_read(input, input->streams[i]);
}

void tk_pipeline_feed(struct tk_input *input, const uint8_t *bytes, size_t len) {
    for (size_t at = 0; at < len && !input->handle->alloc.failed;) {
        at += input->kind->decode(input->decoder, bytes + at, len - at);
        deliver_input(input);
        compact_streams(input);
    }
}

void tk_pipeline_end(struct tk_input *input) {
    while (!input->finished && !input->handle->alloc.failed) {
        if (input->kind->end(input->decoder)) end_streams(input);
        deliver_input(input);
        compact_streams(input);
    }
}

// ---- Several recordings ------------------------------------------------------------------------

// Decodes pending bytes. Returns false if there are none.
static bool decode_more(struct tk_input *input) {
    compact_streams(input);
    if (input->window_at < input->window_len)
        input->window_at +=
            input->kind->decode(input->decoder, input->window + input->window_at, input->window_len - input->window_at);
    else if (!input->ended || input->finished) return false;
    else if (input->kind->end(input->decoder)) end_streams(input);
    return true;
}

// ---- Packets beside a recording ------------------------------------------------------------------

enum { ARRIVALS = 16 }; // first events of the recording whose arrival is looked up

struct arrivals {
    const struct tk_event *first; // NULL: none
    unsigned events, known;
    bool are_decided;      // no arrival becomes known later
    uint64_t count, ticks; // of the event that arrived with the least delay
};

static bool is_full(const struct tk_input *input) {
    bool full = false;
    for (uint32_t i = 0; i < input->stream_count; i++) full |= tk_batch_is_full(&input->streams[i]->batch);
    return full;
}

// Removes the timed events of the packets: all, or those before the time `from` of the trace.
static void omit_events(struct tk_input *packets, const uint64_t *from) {
    struct tk_event_stream *stream = packets->streams[0];
    const struct tk_domain *domain = &stream->batch.domain;
    uint32_t kept = stream->resolved;
    for (uint32_t i = kept; i < stream->batch.count; i++) {
        const struct tk_event *event = &stream->batch.events[i];
        double counts = (double)event->ticks - (double)domain->at; // the time may be negative
        double ticks = (double)domain->at_ns + counts * domain->ns / domain->per_counts;
        if (tk_event_has_time(event) && (!from || ticks < (double)*from)) packets->omitted++;
        else stream->batch.events[kept++] = *event;
    }
    stream->batch.count = kept;
    if (stream->kept > kept) stream->kept = kept;
}

// Returns the rate of the packets' clock in ticks of the recording; none if their length is unknown.
static struct tk_domain rate_of_packets(const struct tk *handle) {
    const struct tk_domain *clock = &handle->beside->beside.clock, *rate = &handle->model.rate;
    uint64_t ns = clock->ns, counts = clock->per_counts, tick_ns = handle->model.tick_ns;
    if (tk_domain_is_set(rate)) ns *= rate->per_counts, counts *= rate->ns;
    else if (!tick_ns || tick_ns > UINT32_MAX) return (struct tk_domain){ 0 };
    else counts *= tick_ns;
    struct tk_domain domain = tk_domain_of_fraction(ns, counts);
    domain.name = clock->name;
    domain.is_compared = true;
    return domain;
}

static struct arrivals look_up_arrivals(const struct tk_input *packets, const struct tk_event_stream *stream,
                                        const struct tk_domain *rate) {
    struct arrivals found = { .are_decided = true };
    int64_t least = INT64_MAX;
    for (uint32_t i = stream->head; i < stream->resolved && found.events < ARRIVALS; i++) {
        const struct tk_event *event = &stream->batch.events[i];
        uint64_t count;
        if (!tk_event_has_time(event)) continue;
        if (!found.events++) found.first = event;
        if (!packets->kind->arrival(packets->decoder, event->offset, &count)) {
            found.are_decided = false;
            continue;
        }
        if (count == UINT64_MAX) continue;
        int64_t delay = (int64_t)(tk_domain_ns(rate, count) - event->ticks);
        if (found.known++ && delay >= least) continue;
        least = delay;
        found.count = count;
        found.ticks = event->ticks;
    }
    return found;
}

// Places the clock of the packets: the event of the recording that arrived with the least delay arrived at its time.
// Returns the input that must be read first; NULL: the clock is placed, or cannot be.
static struct tk_input *place_beside(struct tk *handle, struct tk_input *recording) {
    struct tk_input *packets = handle->beside;
    if (!recording->stream_count || !packets->stream_count) return NULL;
    struct tk_event_stream *stream = recording->streams[0];
    struct tk_domain *domain = &packets->streams[0]->batch.domain;
    if (packets->is_unplaced) omit_events(packets, NULL);
    if (domain->placed) return NULL;
    while (tk_event_stream_has_event(stream) && !tk_event_has_time(tk_event_stream_first(stream)))
        take(handle, tk_event_stream_pop(stream)); // precedes all events of other inputs
    while (tk_event_stream_resolve(stream)) {}
    compact_streams(recording); // makes room for what follows the events that were taken
    struct tk_domain rate = rate_of_packets(handle);
    struct arrivals found = { .are_decided = true };
    if (tk_domain_is_set(&rate)) found = look_up_arrivals(packets, stream, &rate);
    if (found.events < ARRIVALS && !recording->finished && !is_full(recording)) return recording;
    if (found.first) packets->beside.from = found.first->offset;
    if (!found.are_decided && !found.known && is_full(packets)) omit_events(packets, NULL); // long before the recording
    if (!found.are_decided && !packets->finished && !is_full(packets)) return packets;
    packets->is_unplaced = !found.known;
    if (found.known) {
        *domain = rate;
        tk_domain_set_origin(domain, found.count, found.ticks, TK_DOMAIN_ARRIVAL);
        omit_events(packets, &found.first->ticks);
    } else {
        domain->placed = true; // all their events with times are omitted
        omit_events(packets, NULL);
    }
    return NULL;
}

void tk_pipeline_release_window(struct tk_input *input) { compact_streams(input); }

// Returns the first recording that was not recognised yet; it must be opened before the merge goes on.
static struct tk_input *unopened(struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) {
        struct tk_input *input = handle->inputs[i];
        if (input->role == TK_ROLE_RECORDING && !input->kind && !input->finished) return input;
    }
    return NULL;
}

static bool is_waiting(const struct tk_input *input) {
    return input->kind && input->kind->waits && input->kind->waits(input->decoder);
}

// Returns the input to read for an empty event stream: its own one, or another one if its decoder waits for that (see
// `waits` of struct tk_decoder).
static struct tk_input *input_to_read(struct tk *handle, struct tk_input *input) {
    if (!is_waiting(input)) return input;
    for (uint32_t i = 0; i < handle->input_count; i++) {
        struct tk_input *other = handle->inputs[i];
        if (other->role == TK_ROLE_RECORDING && !other->finished && !is_waiting(other)) return other;
    }
    return input;
}

static uint32_t collect_streams(struct tk *handle, struct tk_event_stream **streams) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < handle->input_count; i++)
        for (uint32_t stream = 0;
             handle->inputs[i]->role == TK_ROLE_RECORDING && stream < handle->inputs[i]->stream_count; stream++)
            streams[count++] = handle->inputs[i]->streams[stream];
    return count;
}

// Returns the recording that the packets beside it carry.
static struct tk_input *recording_of(struct tk *handle) {
    uint32_t i = 0;
    while (handle->inputs[i] == handle->beside || handle->inputs[i]->role != TK_ROLE_RECORDING) i++;
    return handle->inputs[i];
}

void tk_pipeline_merge(struct tk *handle) {
    struct tk_event_stream *streams[ALL_LANES];
    while (!handle->alloc.failed && handle->status == TK_OK) {
        struct tk_input *input = unopened(handle);
        uint32_t count = collect_streams(handle, streams); // decoding may open event streams
        if (!input && handle->beside) input = place_beside(handle, recording_of(handle));
        if (!input) {
            int next = deliver(handle, streams, count);
            if (next == TK_MERGE_DONE) {
                handle->wanted = TK_NO_INPUT;
                return;
            }
            input = input_to_read(handle, handle->inputs[streams[next]->source]);
        }
        if (!input->kind || !decode_more(input)) {
            handle->wanted = (int32_t)input->number;
            return;
        }
    }
}
