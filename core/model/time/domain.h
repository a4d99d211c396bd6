// SPDX-License-Identifier: MIT
//
// Clocks: how the counts of an event stream become the time of the trace. A recording may have several, each with a
// rate of its own. The zero of a clock that is not the first one is anywhere: events that compare two clocks
// (CLOCK_SYNC) tell where it stands, and how fast it really runs. Until the first of them its event stream waits;
// without any, both begin side by side, and the report says so.
#ifndef TK_MODEL_TIME_DOMAIN_H
#define TK_MODEL_TIME_DOMAIN_H

#include <stdbool.h>
#include <stdint.h>

enum tk_domain_origin_kind { TK_DOMAIN_OWN_ORIGIN, TK_DOMAIN_COMPARED, TK_DOMAIN_ALIGNED_START };

// The decoder sets the first five; all others 0.
struct tk_domain {
    const char *name;        // for the report; lives as long as the event stream
    uint32_t ns, per_counts; // so many nanoseconds are so many counts: 125, 4 for 32 MHz; 0, 0: counts are the time of
                             // the trace
    uint8_t core;            // whose clock it is
    bool rounds_down;        // else to the nearest nanosecond
    bool is_compared;        // its zero is its own; else it is the time of the trace
    // Where it stands
    bool placed;
    uint8_t standing;                // enum tk_domain_origin_kind
    uint64_t at, at_ns;              // a count, and the nanosecond of the trace that it is
    uint64_t slope_ns, slope_counts; // measured, below 2^32 each; 0: as told
    uint64_t first_at, first_ns;     // of the first comparison
    uint64_t comparisons, refused;   // those that were used, and those that contradict the others
    uint64_t last_ns;                // time does not fall
    bool started;
    uint64_t start_ns;
};

static inline bool tk_domain_is_set(const struct tk_domain *domain) { return domain->per_counts > 0; }
// Nanosecond of a count; saturates. The domain is placed.
uint64_t tk_domain_ns(const struct tk_domain *domain, uint64_t count);
// The same for the next event: not before the one before.
uint64_t tk_domain_next_ns(struct tk_domain *domain, uint64_t count);
// Count `count` was nanosecond `ns`: the domain is placed there, or its slope is measured.
void tk_domain_compare(struct tk_domain *domain, uint64_t count, uint64_t ns);
void tk_domain_set_origin(struct tk_domain *domain, uint64_t count, uint64_t ns, enum tk_domain_origin_kind standing);
// Nanoseconds per count, as measured or as told.
double tk_domain_rate(const struct tk_domain *domain);

#endif
