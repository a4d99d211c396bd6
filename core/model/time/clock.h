// SPDX-License-Identifier: MIT
//
// Time as the target sent it -> one rising line per input, cut into sections at restarts.
//
// Time is judged, not believed, by looking ahead: a step that is larger than common awaits confirmation by the next
// event of its core. A time that does not continue the line is decided by a few events after it: it is damaged (they
// continue the old line: it becomes a problem and is counted), a narrow counter wrapped, the target restarted, or there
// was a long pause (they continue the new line). Names wait for the time behind them: after a restart they are those of
// the new run.
#ifndef TK_MODEL_TIME_CLOCK_H
#define TK_MODEL_TIME_CLOCK_H

#include "../../base/account.h"
#include "../../base/diag.h"
#include "../../base/attributes.h"
#include "../event/event.h"

enum {
    TK_CLOCK_CORES = 32,
    TK_CLOCK_WINDOW = 512, // events that are looked at for a decision, timed or not: the names at the start of tracing
                           // are among them
    TK_CLOCK_WINDOW_TIMED = 8,          // timed ones that are enough for it
    TK_CLOCK_WINDOW_BYTES = 256 * 1024, // text in them: no more wait
    TK_CLOCK_MAX_END_STEPS = 65536 // a pause before the last event of an event stream is believed up to so many of the
                                   // largest steps
};

struct tk_clock {
    struct tk_diag *diag;
    struct tk_account *account; // frames that are dropped here are booked again
    uint64_t last, before_last; // end of the line; the point before it
    uint64_t first;             // time of the first event of all
    uint64_t wrap;              // added to the target's time: the wraps so far
    uint64_t max_common_step;   // sixteen times the median of the recent distances: a step up to this size needs no
                                // second look
    uint64_t max_gap;           // largest recent distance, decaying
    uint64_t plausible_step;    // a step up to this size needs no more than one confirmation
    uint64_t last_on_core[TK_CLOCK_CORES];
    uint64_t steps, falls;     // events with a time; of these, earlier than the one before, wraps excluded
    uint64_t rejected_ticks;   // of the event before, where was_rejected
    struct tk_source_pos fall; // the first one; its bytes are in fall_bytes
    uint8_t fall_bytes[TK_DIAG_CONTEXT];
    uint32_t section;
    uint32_t untimed_seen;   // untimed events since the last timed one: a preamble hints at a restart
    uint8_t core, last_core; // of the events now; of the event at `last`
    bool started, has_first_time;
    bool was_rejected;
    bool may_be_start; // a switch of core without a time: with a name after it tracing was started again
    bool others;       // other event streams of the recording may confirm the last step of this one
    uint8_t bits;      // of the counter, once it wrapped; 0: not known
};

// core: of the events before the stream names one.
void tk_clock_init(struct tk_clock *clock, struct tk_diag *diag, struct tk_account *account, uint8_t core);
// Goes past events that happened by steps which need no second look: what most are. Core, section and the unwrapped
// ticks are filled in. Returns how many there are in front.
static TK_INLINE uint32_t tk_clock_accept_common(struct tk_clock *clock, struct tk_event *events, uint32_t count) {
    uint64_t last = clock->last, before = clock->before_last, common = clock->max_common_step; // of this run, so that
                                                                                               // they stay in registers
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

// Decides about the first of `count` events and fills in the same. Returns how many are decided; 0: the first awaits
// confirmation. ended: nothing will follow.
uint32_t tk_clock_resolve(struct tk_clock *clock, struct tk_event *events, uint32_t count, bool ended);
// Reports TK_DIAG_TIME_FALLS if at least a quarter of the steps go backwards. Call it only if all frames are intact.
void tk_clock_report_falls(const struct tk_clock *clock);
// Counts an event of this clock as damaged and makes it the untimed problem that takes its place.
void tk_clock_reject_event(struct tk_clock *clock, struct tk_event *event);

// After the merge: sections are put one behind the other on the trace clock, which never falls.
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

// The event goes on from the one before: its time becomes trace time. False: nothing was done.
static inline bool tk_trace_clock_continues(struct tk_trace_clock *clock, struct tk_event *event) {
    uint64_t time = event->ticks + clock->offset;
    if (!clock->started || event->section != clock->section || time < clock->now || time > INT64_MAX) return false;
    event->ticks = clock->now = time;
    return true;
}

// Sets event->ticks to trace time; diag may be NULL: nothing is counted. TK_STEP_RESTART: this event is the first of a
// new section.
static inline enum tk_trace_step tk_trace_clock_apply(struct tk_trace_clock *clock, struct tk_diag *diag,
                                                      struct tk_event *event) {
    return tk_event_has_time(event) && tk_trace_clock_continues(clock, event)
               ? TK_STEP_SAME
               : tk_trace_clock_apply_slow(clock, diag, event);
}

#endif
