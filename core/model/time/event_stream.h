// SPDX-License-Identifier: MIT
//
// An event stream is one time line: events of one clock, in order. Times of a raw event stream are validated (clock.h);
// those of a resolved one come from the decoder, with sections, and never fall.
//
// Events pass through an event stream from back to front: [head, resolved) can be taken, [resolved, count) need later
// events to confirm or contradict their times.
#ifndef TK_MODEL_TIME_EVENT_STREAM_H
#define TK_MODEL_TIME_EVENT_STREAM_H

#include "batch.h"
#include "clock.h"

enum { TK_STREAM_MAX_WAITING = 4096 }; // largest number of events that wait for confirmation

struct tk_event_stream {
    struct tk_batch batch;
    struct tk_arena other; // memory for borrowed data that outlives a round
    struct tk_clock clock; // clock of a raw event stream
    uint32_t head, resolved;
    uint32_t kept;                        // number of pending events at the front that do not borrow any more
    uint32_t source;                      // index of the input whose decoder fills the stream
    struct tk_event_stream *const *peers; // all event streams of its input, including itself
    const uint32_t *peer_count;
    enum tk_stream_time time;
    bool ended; // its decoder has ended
    // For an event stream whose times are validated and then converted:
    uint32_t validated; // number of validated events after `resolved`
    uint32_t section;   // section for which its clock was placed
};

// core: of the events before the stream contains one. Returns false when out of memory.
bool tk_event_stream_init(struct tk_event_stream *stream, struct tk_alloc *alloc, struct tk_diag *diag,
                          struct tk_account *account, enum tk_stream_time time, uint8_t core);
// Makes a raw event stream validate its times (clock.h).
void tk_event_stream_validate_times(struct tk_event_stream *stream);
// Removes the taken events. Pending events do not borrow from chunks or decoders any more.
void tk_event_stream_compact(struct tk_event_stream *stream);

// Returns true if no more events will come.
static inline bool tk_event_stream_has_ended(const struct tk_event_stream *stream) {
    return stream->ended || stream->batch.over;
}

// Resolves the times of the next events. Returns false if there are none, or they need confirmation.
static TK_INLINE bool tk_event_stream_resolve(struct tk_event_stream *stream) {
    struct tk_batch *batch = &stream->batch;
    uint32_t left = batch->count - stream->resolved, decided = 0;
    if (!left) return false;
    if (stream->time == TK_STREAM_RAW)
        decided = tk_clock_accept_common(&stream->clock, &batch->events[stream->resolved], left);
    if (!decided) decided = batch->resolve ? batch->resolve(stream, left) : left;
    stream->resolved += decided;
    return decided;
}

// Resolves events without waiting for later ones, as at the end. Returns false if none is pending.
bool tk_event_stream_resolve_now(struct tk_event_stream *stream);

static TK_INLINE bool tk_event_stream_has_event(struct tk_event_stream *stream) {
    return stream->head < stream->resolved || tk_event_stream_resolve(stream);
}
// Returns the next event. There must be one.
static inline struct tk_event *tk_event_stream_first(const struct tk_event_stream *stream) {
    return &stream->batch.events[stream->head];
}
// Takes the next event and returns it; valid until the next tk_event_stream_compact.
static inline struct tk_event *tk_event_stream_pop(struct tk_event_stream *stream) {
    return &stream->batch.events[stream->head++];
}

#endif
