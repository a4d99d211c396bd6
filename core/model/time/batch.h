// SPDX-License-Identifier: MIT
//
// A batch: the events of a decoder in order, with the memory that they borrow. The decoder appends events until the
// batch is full, and returns; the owner of the batch takes events from its front.
//
//   struct tk_event *event = tk_batch_slot(batch);   fill it in, every field that its kind has
//   tk_batch_add(batch);
#ifndef TK_MODEL_TIME_BATCH_H
#define TK_MODEL_TIME_BATCH_H

#include "../../base/arena.h"
#include "../event/event.h"
#include "domain.h"

enum {
    TK_BATCH_LEN = 256,           // number of events that make a batch full
    TK_BATCH_MAX_DEFERRED = 4000, // largest number of events with deferred times
    TK_BATCH_MEMORY = 64 * 1024   // number of borrowed bytes that make a batch full
};

struct tk_batch {
    struct tk_alloc *alloc;
    struct tk_event *events;
    uint32_t count, capacity;
    uint32_t enough;         // number of events from which on the batch is full
    bool over;               // the decoder will add no more events, although its recording has not ended
    struct tk_domain domain; // clock of the events, if they have one of their own
    uint32_t (*resolve)(void *stream, uint32_t count); // Resolves the times of the next events. Returns how many are
                                                       // resolved; 0: the first one needs later events. NULL: the
                                                       // decoder has resolved the times
    struct tk_arena memory; // data borrowed by events that is neither in the chunk nor static
};

// Which clock function a decoder needs:
//
//   the decoder knows each time in ns       open_stream(RESOLVED), no other call. Of counts per second: kit/rate.h
//   ... and times rise on each track only   open_stream(PER_TRACK)
//   counts of a clock with a fixed rate     open_stream(RESOLVED), then tk_batch_set_clock before the first event:
//                                           168 MHz is .ns = 125, .per_counts = 21, or .ns = 1000000000 and
//                                           .per_counts = 168000000. Also when a header contains the rate. The decoder
//                                           unwraps the counter
//   several clocks                          a stream and a tk_batch_set_clock for each; .is_compared for all but one,
//                                           and a CLOCK_SYNC event for each comparison that the recording contains
//   times that may be damaged               open_stream(RAW): Tonkopf validates them with look-ahead, unwraps the
//                                           counter and finds restarts. Times in counts instead of ns, also when a
//                                           header contains the rate: tk_batch_validate_in_domain before the first time
//   the rate follows after the first times  open_stream(RAW), tk_batch_defer_times, tk_batch_restore_validation

// Times of an event stream. RAW: as the target sent them; they are validated. RESOLVED: the decoder resolves them: it
// sets core and section, and times never fall within a section. PER_TRACK: like RESOLVED, but times rise only on each
// track. RAW_WITH_CLOCK: set by tk_batch_validate_in_domain, not for open_stream: times are validated and converted.
enum tk_stream_time { TK_STREAM_RAW, TK_STREAM_RESOLVED, TK_STREAM_PER_TRACK, TK_STREAM_RAW_WITH_CLOCK };

bool tk_batch_grow(struct tk_batch *batch);
// Defers the times of a raw event stream that has had no time yet: later events wait until their times are validated,
// at the latest when there are TK_BATCH_MAX_DEFERRED.
void tk_batch_defer_times(struct tk_batch *batch);
// Sets the core of events with unresolved times, up to the first core switch among them.
void tk_batch_set_core(struct tk_batch *batch, uint8_t core);
// Moves the last event, which has no time, before all events with unresolved times: they depend on it.
void tk_batch_move_first(struct tk_batch *batch);
// Moves events with unresolved times to the event stream of their core. Events of a core without a stream (NULL, or not
// below `count`) stay.
void tk_batch_split_by_core(struct tk_batch *batch, struct tk_batch *const *streams, uint32_t count);
// Sets the clock of an event stream that is not raw, right after it was opened: its times are counts of this clock.
// Without it, they are the time of the trace.
void tk_batch_set_clock(struct tk_batch *batch, const struct tk_domain *domain);
// Returns true if a raw event stream has had an event with a time, resolved or not.
bool tk_batch_has_times(const struct tk_batch *batch);
// Validates the times of a raw event stream and then converts them from counts of this clock. Counts of event streams
// without a clock are the time of the trace. Returns false, without an effect, if the stream has had an event with a
// time.
bool tk_batch_validate_in_domain(struct tk_batch *batch, const struct tk_domain *domain);
// Ends tk_batch_defer_times: validates the times of the deferred and of all later events.
void tk_batch_restore_validation(struct tk_batch *batch);

// Returns the slot of the next event: zeroed before its first use, later with the contents of an earlier event.
// tk_batch_add adds it. When out of memory, all events share one slot; the conversion ends at the next check of
// tk_alloc.failed.
static inline struct tk_event *tk_batch_slot(struct tk_batch *batch) {
    if (batch->count == batch->capacity && !tk_batch_grow(batch)) batch->count--;
    return &batch->events[batch->count];
}

static inline void tk_batch_add(struct tk_batch *batch) { batch->count++; }

// Returns true if the batch is full. Check between frames: the events of one frame always find room.
static inline bool tk_batch_is_full(const struct tk_batch *batch) {
    return batch->count >= batch->enough || batch->memory.used >= TK_BATCH_MEMORY;
}

#endif
