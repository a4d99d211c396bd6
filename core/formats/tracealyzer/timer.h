// SPDX-License-Identifier: MIT
//
// Raw timer values of a core -> counts without end -> nanoseconds.
#ifndef TK_FORMATS_TRACEALYZER_TIMER_H
#define TK_FORMATS_TRACEALYZER_TIMER_H

#include "../kit/rate.h"
#include "decode.h"

// The timer of a target, which all its cores share.
struct psf_timer {
    uint64_t turn;       // counts until it starts again; of an OS tick timer, counts of a tick
    uint64_t range;      // how far it counts before it starts again, as far as its raw value tells
    struct tk_rate rate; // hz 0: unknown, counts are nanoseconds
    uint64_t start;      // counts before the recording, from which the first value goes on
    uint64_t latest;     // of any core so far; where they are apart, of the first event of the section
    uint8_t type;
    bool has_ticks, counts_down; // by its type
    bool starts;                 // `start` is known
    bool apart;                  // each core has a file of its own: what stands where in them tells nothing about times
    bool leads;                  // it begins a recording of several cores
    uint64_t lead; // added to all counts, so that a core has room that begins before the one that was read first
    uint32_t tick; // OS ticks so far, for the timers that carry the lowest eight bits of them
};

struct psf_clock {
    uint64_t last;    // counts of its last event
    uint64_t before;  // and of the one before
    uint64_t shown;   // the latest that was given out
    uint64_t typical; // sixteen times the median of recent steps: one up to this size needs no second look
    bool started;
};

// One of which nothing else is known.
void psf_timer_set(struct psf_timer *timer, uint8_t type, uint64_t turn);
// live: the values are those of the end of the recording.
void psf_timer_init(struct psf_timer *timer, const struct psf_timestamp *timestamp, bool live);
// Counts from its last event to this one, as far as the raw value tells.
uint64_t psf_clock_step(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw);
// A step that is larger than typical: the events after it tell whether it is true.
bool psf_clock_is_implausible(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw);
// The counts of the next event of a core, which never fall.
uint64_t psf_clock_next(struct psf_timer *timer, struct psf_clock *clock, uint32_t raw);
// Less than half a range behind its last event, or more than that later.
bool psf_clock_goes_back(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw);
// The target was reset: the timer began anew.
void psf_clock_restart(const struct psf_timer *timer, struct psf_clock *clock, uint32_t raw);
// The target tells how many ticks there were: the lower bits go on from there. raw: of the same event.
void psf_clock_anchor(const struct psf_timer *timer, struct psf_clock *clock, uint32_t tick, uint32_t raw);

#endif
