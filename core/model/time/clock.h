// SPDX-License-Identifier: MIT
//
// Converts the times that the target sent to one rising line per input, divided into sections at restarts.
//
// Times are validated with look-ahead: a step larger than usual must be confirmed by the next event of the same core. A
// few later events decide about a time that does not continue the line. If they continue the old line, the time is
// damaged: the event becomes a problem and is counted. If they continue the new line, a narrow counter wrapped, the
// target restarted, or there was a long pause. Names wait for the time after them: after a restart they belong to the
// new run.
#ifndef TK_MODEL_TIME_CLOCK_H
#define TK_MODEL_TIME_CLOCK_H

#include "../../base/account.h"
#include "../../base/diag.h"
#include "../../base/attributes.h"
#include "../event/event.h"

enum {
    TK_CLOCK_CORES = 32,
    TK_CLOCK_WINDOW = 512, // number of events used for a decision, with or without a time, including the names at the
                           // start of tracing
    TK_CLOCK_WINDOW_TIMED = 8,          // number of events with a time that suffice
    TK_CLOCK_WINDOW_BYTES = 256 * 1024, // bytes of text in them; more events do not wait
    TK_CLOCK_MAX_END_STEPS = 65536 // a pause before the last event of an event stream is accepted up to this many of
                                   // the largest steps
};

struct tk_clock {
    struct tk_diag *diag;
    struct tk_account *account; // frames rejected here are moved from decoded to skipped
    uint64_t last, before_last; // end of the line, and the point before it
    uint64_t first;             // time of the first event
    uint64_t wrap;              // sum of the wraps so far, added to the target's time
    uint64_t max_common_step;   // sixteen times the median of the recent steps: a step up to this size needs no
                                // confirmation
    uint64_t max_gap;           // largest recent step, decaying
    uint64_t plausible_step;    // a step up to this size needs one confirmation
    uint64_t last_on_core[TK_CLOCK_CORES];
    uint64_t steps, falls;     // events with a time; of these, those earlier than the one before, except wraps
    uint64_t rejected_ticks;   // time of the event before, if was_rejected
    struct tk_source_pos fall; // position of the first fall; its bytes are in fall_bytes
    uint8_t fall_bytes[TK_DIAG_CONTEXT];
    uint32_t section;
    uint32_t untimed_seen;   // events without a time since the last one with a time: a preamble suggests a restart
    uint8_t core, last_core; // current core; core of the event at `last`
    bool started, has_first_time;
    bool was_rejected;
    bool may_be_start; // after a core switch without a time: a following name means that tracing was started again
    bool others;       // other event streams of the recording may confirm the last step of this one
    uint8_t bits;      // width of the counter, after a wrap; 0: unknown
};

// core: of the events before the stream contains one.
void tk_clock_init(struct tk_clock *clock, struct tk_diag *diag, struct tk_account *account, uint8_t core);
// Fast path: accepts events whose steps need no confirmation, which is true of most. Sets core, section and the
// unwrapped ticks. Returns how many events were accepted.
static TK_INLINE uint32_t tk_clock_accept_common(struct tk_clock *clock, struct tk_event *events, uint32_t count) {
    uint64_t last = clock->last, before = clock->before_last, common = clock->max_common_step; // local, so that they
                                                                                               // stay in registers
    const uint64_t wrap = clock->wrap;
    const uint32_t section = clock->section;
    const uint8_t core = clock->core;
    uint32_t done = 0;
    if (!clock->started) return 0;
    for (; done < count; done++) {
        struct tk_event *event = &events[done];
        uint64_t time = event->ticks + wrap, gap = time - last, change = common >> 4;
        if (!event->timed || tk_event_owner(event) == TK_OWNER_RECORDING || gap > common) break;
        common += gap > change ? change + 1 : 0 - change;
        before = last;
        event->ticks = last = time;
        event->core = core;
        event->section = section;
    }
    if (!done) return 0;
    clock->steps += done;
    clock->was_rejected = false;
    clock->max_common_step = common;
    clock->before_last = before;
    clock->last = clock->last_on_core[core] = last;
    clock->last_core = core;
    clock->untimed_seen = 0;
    return done;
}

// Resolves the first of `count` events and possibly more. Returns how many are resolved; 0: the first one needs
// confirmation. ended: no more events will follow.
uint32_t tk_clock_resolve(struct tk_clock *clock, struct tk_event *events, uint32_t count, bool ended);
// Reports TK_DIAG_TIME_FALLS if at least a quarter of the steps go backwards. Call it only if all frames are intact.
void tk_clock_report_falls(const struct tk_clock *clock);
// Counts an event of this clock as damaged and converts it to a problem without a time.
void tk_clock_reject_event(struct tk_clock *clock, struct tk_event *event);

// The trace clock, used after the merge: it places the sections one after the other and never falls.
struct tk_trace_clock {
    uint64_t offset; // modulo 2^64
    uint64_t now;
    uint32_t section;
    bool started;
    bool from_zero; // the first event is at 0
};

enum tk_trace_step { TK_STEP_SAME, TK_STEP_RESTART };

enum tk_trace_step tk_trace_clock_apply_slow(struct tk_trace_clock *clock, struct tk_diag *diag,
                                             struct tk_event *event);

// Converts the time of an event that continues its section. Returns false, without an effect, for any other event.
static inline bool tk_trace_clock_continues(struct tk_trace_clock *clock, struct tk_event *event) {
    uint64_t time = event->ticks + clock->offset;
    if (!clock->started || event->section != clock->section || time < clock->now || time > INT64_MAX) return false;
    event->ticks = clock->now = time;
    return true;
}

// Converts the time of an event to trace time. diag may be NULL: counts nothing. Returns TK_STEP_RESTART for the first
// event of a new section.
static inline enum tk_trace_step tk_trace_clock_apply(struct tk_trace_clock *clock, struct tk_diag *diag,
                                                      struct tk_event *event) {
    return tk_event_has_time(event) && tk_trace_clock_continues(clock, event)
               ? TK_STEP_SAME
               : tk_trace_clock_apply_slow(clock, diag, event);
}

#endif
