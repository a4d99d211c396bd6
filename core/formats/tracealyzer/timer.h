// SPDX-License-Identifier: MIT
//
// Raw timer values of a core to counts of 64 bits and to nanoseconds.
#ifndef TK_FORMATS_TRACEALYZER_TIMER_H
#define TK_FORMATS_TRACEALYZER_TIMER_H

#include "../kit/rate.h"
#include "decode.h"

// The timer of a target, shared by all its cores.
struct psf_timer {
    uint64_t turn;       // counts until it wraps; for an OS tick timer, counts per tick
    uint64_t range;      // counts until the raw value repeats
    struct tk_rate rate; // hz 0: unknown, a count is taken as a nanosecond
    uint64_t start;      // counts before the recording, from which the first value continues
    uint64_t latest;     // latest time of any core; if cores have files of their own, time of the first event of the
                         // section
    uint8_t type;
    bool has_ticks, counts_down; // follow from its type
    bool starts;                 // `start` is known
    bool apart;    // each core has a file of its own, so that the order of the files does not show the order of times
    bool leads;    // the timer begins a recording of several cores
    uint64_t lead; // added to all counts, because another core may begin earlier than the one that is read first
    uint32_t tick; // OS ticks so far, for timers that carry the lowest eight bits of them
};

struct psf_clock {
    uint64_t last;    // counts of its last event
    uint64_t before;  // counts of the event before
    uint64_t shown;   // latest counts that were returned
    uint64_t typical; // sixteen times the median of recent steps; smaller steps need no check
    bool started;
};

// Sets a timer of which only the type and the counts per turn are known.
void psf_timer_set(struct psf_timer *timer, uint8_t type, uint64_t turn);
// live: the values are those at the end of the recording.
void psf_timer_init(struct psf_timer *timer, const struct psf_timestamp *timestamp, bool live);
// Returns the counts from the last event to this one, as far as the raw value shows them.
uint64_t psf_clock_step(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw);
// Returns true for a step larger than typical, which the events after it must confirm.
bool psf_clock_is_implausible(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw);
// Returns the counts of the next event of a core, which never decrease.
uint64_t psf_clock_next(struct psf_timer *timer, struct psf_clock *clock, uint32_t raw);
// Returns true if the raw value is less than half a range before that of the last event, rather than after it.
bool psf_clock_goes_back(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw);
// Restarts the clock after a reset of the target.
void psf_clock_restart(const struct psf_timer *timer, struct psf_clock *clock, uint32_t raw);
// Sets the clock by a number of ticks from the target. raw: time stamp of the same event.
void psf_clock_anchor(const struct psf_timer *timer, struct psf_clock *clock, uint32_t tick, uint32_t raw);

#endif
