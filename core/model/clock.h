// SPDX-License-Identifier: MIT
//
// Time as the target sent it -> one rising line per input, cut into sections at restarts.
//
// A step that is larger than usual waits for one frame of its core that confirms it.
// A frame's time that does not continue the line is held back with a few frames that follow it; they decide
// whether it is damaged (they continue the old line: it is dropped and counted), whether a narrow counter
// wrapped, whether the target restarted, or whether there was just a long pause (they continue the new line).
// Names wait for the time behind them: after a restart they are those of the new run.
#ifndef TK_MODEL_CLOCK_H
#define TK_MODEL_CLOCK_H

#include "../base/account.h"
#include "../base/alloc.h"
#include "../base/diag.h"
#include "../base/rare.h"
#include "event.h"

enum {
    TK_CLOCK_CORES = 32,
    TK_CLOCK_HELD = 512,     // frames held back at most, timed or not: the names at the start of tracing are among them
    TK_CLOCK_HELD_TIMED = 8, // timed ones that are enough for a decision
    TK_CLOCK_HELD_BYTES = 256 * 1024, // string bytes held back at most (more: decide with what is there)
    TK_CLOCK_END_STEPS = 65536 // a pause before the last frame of an input is believed up to so many of the largest steps
};

struct tk_clock {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_account *account; // frames that are dropped here are booked again
    struct tk_event_sink out;
    uint64_t last, before_last; // end of the line; the point before it
    uint64_t wrap;              // added to the target's time: the wraps so far
    uint64_t usual;             // sixteen times the median of the recent distances: a step up to this size needs no second look
    uint64_t max_gap;           // largest recent distance, decaying
    uint64_t step_limit;        // a step up to this size needs no more than one witness
    uint64_t last_on_core[TK_CLOCK_CORES];
    uint32_t section;
    uint32_t names_seen;        // untimed frames since the last timed one: a preamble hints at a restart
    uint8_t core, last_core;    // of the events now; of the event at `last`
    bool started;
    bool waits;                 // only one is held, and it could be: one witness is enough
    bool others;                // other inputs of the recording may confirm the last step of this one
    uint8_t bits;               // of the counter, once it wrapped; 0: not known
    uint64_t unconfirmed;       // number of the frame behind a pause beyond measure at the end, plus 1; 0: there is none
    // Held frames, in order; their strings lie in the arena, `str` holds the position there.
    struct tk_event held[TK_CLOCK_HELD];
    uint8_t held_raw[TK_CLOCK_HELD][TK_DIAG_CONTEXT];
    uint8_t first_raw[TK_DIAG_CONTEXT];
    uint32_t held_at, held_count; // the first one, and how many
    uint8_t *arena;
    uint32_t arena_len, arena_capacity;
};

// core: of the events before the stream names one.
void tk_clock_init(struct tk_clock *clock, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_account *account, struct tk_event_sink out, uint8_t core);
// Fills in core, section and the unwrapped ticks, and sends the event on, now or later.
void tk_clock_event(struct tk_clock *clock, struct tk_event *event);

static TK_INLINE void tk_clock_step(struct tk_clock *clock, uint64_t time) {
    uint64_t gap = time - clock->last;
    uint64_t change = clock->usual >> 4;
    clock->usual += gap > change ? change + 1 : 0 - change;
    clock->before_last = clock->last;
    clock->last = clock->last_on_core[clock->core] = time;
    clock->last_core = clock->core;
    clock->names_seen = 0;
}

// The usual event: something with a time happened.
static TK_INLINE bool tk_event_is_usual(const struct tk_event *event) { return event->timed && event->kind > TK_EV_PROBLEM; }

// The usual case of tk_clock_event: a usual event continues the line, its fields are filled in and the caller sends it on.
// False: nothing was done.
static TK_INLINE bool tk_clock_continues(struct tk_clock *clock, struct tk_event *event) {
    uint64_t time = event->ticks + clock->wrap;
    if (!tk_event_is_usual(event) || !clock->started || clock->held_count || time - clock->last > clock->usual) return false;
    tk_clock_step(clock, time);
    event->ticks = time;
    event->core = clock->core;
    event->section = clock->section;
    return true;
}
// Decides about everything still held.
void tk_clock_finish(struct tk_clock *clock);
// Counts an event of this clock as damaged and makes it the untimed problem that takes its place.
void tk_clock_reject(struct tk_clock *clock, struct tk_event *event);
void tk_clock_deinit(struct tk_clock *clock);

// After the merge: sections are put one behind the other on the trace clock, which never falls.
struct tk_trace_clock {
    uint64_t offset; // modulo 2^64
    uint64_t now;
    uint32_t section;
    bool started;
};

enum tk_trace_step { TK_STEP_SAME, TK_STEP_RESTART };

enum tk_trace_step tk_trace_clock_apply_slow(struct tk_trace_clock *clock, struct tk_diag *diag, struct tk_event *event);

// The usual event goes on from the one before: its time becomes trace time. False: nothing was done.
static inline bool tk_trace_clock_continues(struct tk_trace_clock *clock, struct tk_event *event) {
    uint64_t time = event->ticks + clock->offset;
    if (!clock->started || event->section != clock->section || time < clock->now || time > INT64_MAX) return false;
    event->ticks = clock->now = time;
    return true;
}

// Sets event->ticks to trace time; diag may be NULL: nothing is counted. TK_STEP_RESTART: this event is the first of a new section.
static inline enum tk_trace_step tk_trace_clock_apply(struct tk_trace_clock *clock, struct tk_diag *diag, struct tk_event *event) {
    bool has_time = event->timed && !event->no_clock;
    return has_time && tk_trace_clock_continues(clock, event) ? TK_STEP_SAME : tk_trace_clock_apply_slow(clock, diag, event);
}

#endif
