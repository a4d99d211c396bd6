// SPDX-License-Identifier: MIT
//
// Events on their way from a decoder, in order, with the memory that they borrow. A decoder puts events behind those
// that are there until the batch is full, and returns; whoever drives it takes events from the front.
//
//   struct tk_event *event = tk_batch_slot(batch);   fill it in, every field that its kind has
//   tk_batch_add(batch);
#ifndef TK_MODEL_TIME_BATCH_H
#define TK_MODEL_TIME_BATCH_H

#include "../../base/arena.h"
#include "../event/event.h"
#include "domain.h"

enum {
    TK_BATCH_LEN = 256,           // events that are enough for one round
    TK_BATCH_MAX_DEFERRED = 4000, // events whose times may be held
    TK_BATCH_MEMORY = 64 * 1024   // and bytes that they borrow from the batch
};

struct tk_batch {
    struct tk_alloc *alloc;
    struct tk_event *events;
    uint32_t count, capacity;
    uint32_t enough;         // full from so many events on
    bool over;               // the decoder says that none comes any more, before its recording ends
    struct tk_domain domain; // its clock, if it has one of its own
    uint32_t (*resolve)(void *stream, uint32_t count); // decides about the times of the next events. Returns how many;
                                                       // 0: they await what follows. NULL: the decoder has
    struct tk_arena memory; // what events borrow that stands neither in the chunk nor in static memory
};

// Which clock function a decoder needs:
//
//   the decoder knows each time in ns       open_stream(RESOLVED), no other call. Of counts per second: kit/rate.h
//   ... and times rise on each track only   open_stream(PER_TRACK)
//   counts of a clock with a fixed rate     open_stream(RESOLVED), then tk_batch_set_clock before the first event:
//                                           168 MHz is .ns = 125, .per_counts = 21. Also when a header contains the
//                                           rate
//   several clocks                          a stream and a tk_batch_set_clock for each; .is_compared for all but one,
//                                           and a CLOCK_SYNC event for each comparison that the recording contains
//   times that may be damaged               open_stream(RAW): Tonkopf validates them with look-ahead; with a clock of
//                                           its own: tk_batch_validate_in_domain before the first time
//   the rate is told later than times       open_stream(RAW), tk_batch_defer_times, tk_batch_restore_validation

// How the times of an event stream are to be taken: as the target sent them, to be judged; settled by the decoder,
// which fills in core and section and lets no time fall within a section; or free: likewise, and times rise only on
// each track. A raw event stream with a clock of its own becomes one that is judged and converted.
enum tk_stream_time { TK_STREAM_RAW, TK_STREAM_RESOLVED, TK_STREAM_PER_TRACK, TK_STREAM_RAW_WITH_CLOCK };

bool tk_batch_grow(struct tk_batch *batch);
// Of a raw event stream that has had no time yet: the events that come wait until their times are judged, which must be
// when TK_BATCH_MAX_DEFERRED are there.
void tk_batch_defer_times(struct tk_batch *batch);
// Events whose times are not decided are of this core, up to the first switch of core among them.
void tk_batch_set_core(struct tk_batch *batch, uint8_t core);
// Events whose times are not decided go to the event stream of their core; NULL, or not below `count`: they stay.
void tk_batch_split_by_core(struct tk_batch *batch, struct tk_batch *const *streams, uint32_t count);
// Right after an event stream that is not raw was opened: its events are timed by counts of this clock. Else counts are
// the time of the trace.
void tk_batch_set_clock(struct tk_batch *batch, const struct tk_domain *domain);
// Has a raw event stream had an event with a time, however far others have looked at it?
bool tk_batch_has_times(const struct tk_batch *batch);
// The times of a raw event stream are judged, and then they are counts of this clock. Counts of event streams without
// one are the time of the trace. False: it has had events with a time before, nothing was done.
bool tk_batch_validate_in_domain(struct tk_batch *batch, const struct tk_domain *domain);
// Ends tk_batch_defer_times: the times of the deferred events and of those that follow are validated.
void tk_batch_restore_validation(struct tk_batch *batch);

// Where the next event is put together; zeroed before its first use, later what an earlier event left. It is nobody's
// until tk_batch_add. Without memory one place serves for all: the conversion ends at the next look at tk_alloc.failed.
static inline struct tk_event *tk_batch_slot(struct tk_batch *batch) {
    if (batch->count == batch->capacity && !tk_batch_grow(batch)) batch->count--;
    return &batch->events[batch->count];
}

static inline void tk_batch_add(struct tk_batch *batch) { batch->count++; }

// Is it enough for one round? Asked between frames: what belongs to one frame always finds room.
static inline bool tk_batch_is_full(const struct tk_batch *batch) {
    return batch->count >= batch->enough || batch->memory.used >= TK_BATCH_MEMORY;
}

#endif
