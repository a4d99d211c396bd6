// SPDX-License-Identifier: MIT
//
// An event stream is one time line: events of one clock, in order. A raw event stream judges the times that the target
// sent (clock.h); of a settled one the decoder gives times and sections that never fall.
//
// Events move through an event stream from the back to the front:  [head, settled) wait to be taken, [settled, count)
// wait for those behind them, which confirm their time or contradict it.
#ifndef TK_MODEL_TIME_EVENT_STREAM_H
#define TK_MODEL_TIME_EVENT_STREAM_H

#include "batch.h"
#include "clock.h"

enum { TK_STREAM_MAX_WAITING = 4096 }; // so many events wait for what may never come, no more

struct tk_event_stream {
    struct tk_batch batch;
    struct tk_arena other; // where borrowed bytes move to that outlive a round
    struct tk_clock clock; // of a raw event stream
    uint32_t head, resolved;
    uint32_t kept;                        // of those in front no longer borrow
    uint32_t source;                      // number of the input whose decoder fills it
    struct tk_event_stream *const *peers; // all event streams of its input, itself among them
    const uint32_t *peer_count;
    enum tk_stream_time time;
    bool ended; // its decoder is done
    // Of an event stream whose times are judged and then converted:
    uint32_t validated; // behind `settled`
    uint32_t section;   // in which its clock was placed
};

// core: of the events before the stream names one. False: no memory.
bool tk_event_stream_init(struct tk_event_stream *stream, struct tk_alloc *alloc, struct tk_diag *diag,
                          struct tk_account *account, enum tk_stream_time time, uint8_t core);
// The times of a raw event stream are judged (clock.h).
void tk_event_stream_validate_times(struct tk_event_stream *stream);
// Removes what was taken. Whatever waits no longer borrows from chunks or decoders.
void tk_event_stream_compact(struct tk_event_stream *stream);

// Nothing comes any more.
static inline bool tk_event_stream_has_ended(const struct tk_event_stream *stream) {
    return stream->ended || stream->batch.over;
}

// Decides about the times of the next events. False: there are none, or they await confirmation.
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

// Decides without those that might follow, as at the end. False: none waits.
bool tk_event_stream_resolve_now(struct tk_event_stream *stream);

static TK_INLINE bool tk_event_stream_has_event(struct tk_event_stream *stream) {
    return stream->head < stream->resolved || tk_event_stream_resolve(stream);
}
// The event whose turn it is; there is one.
static inline struct tk_event *tk_event_stream_first(const struct tk_event_stream *stream) {
    return &stream->batch.events[stream->head];
}
// The same, and it is taken: valid until the next tk_event_stream_compact.
static inline struct tk_event *tk_event_stream_pop(struct tk_event_stream *stream) {
    return &stream->batch.events[stream->head++];
}

#endif
