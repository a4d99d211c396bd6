// SPDX-License-Identifier: MIT
//
// Clock domains: convert the counts of an event stream to the time of the trace. A recording may have several clocks
// with different rates. The origin of a clock other than the first one is unknown at first: events that compare two
// clocks (CLOCK_SYNC) show its origin and its true rate. Until the first comparison its event stream waits; without
// any, both clocks are aligned at their start, and the report lists this.
#ifndef TK_MODEL_TIME_DOMAIN_H
#define TK_MODEL_TIME_DOMAIN_H

#include <stdbool.h>
#include <stdint.h>

enum tk_domain_origin_kind { TK_DOMAIN_OWN_ORIGIN, TK_DOMAIN_COMPARED, TK_DOMAIN_ALIGNED_START, TK_DOMAIN_ARRIVAL };

// The decoder sets the first six members; all others are 0.
struct tk_domain {
    const char *name;        // name of the clock for the report; lives as long as the event stream
    uint32_t ns, per_counts; // per_counts counts take ns nanoseconds: 125, 4 for 32 MHz; 0, 0: counts are the time of
                             // the trace
    uint8_t core;            // core to which the clock belongs
    bool rounds_down;        // rounds down; false: to the nearest nanosecond
    bool is_compared;        // has an origin of its own; false: the origin is that of the trace
    // Position on the trace clock.
    bool placed;
    uint8_t standing;                // enum tk_domain_origin_kind
    uint64_t at, at_ns;              // a count, and its time in the trace in ns
    uint64_t slope_ns, slope_counts; // measured rate, below 2^32 each; 0: nominal rate
    uint64_t first_at, first_ns;     // count and time of the first comparison
    uint64_t comparisons, refused;   // number of accepted comparisons, and of those that contradict others
    uint64_t last_ns;                // time of the last event; times do not fall
    bool started;
    uint64_t start_ns;
};

// Reduces a fraction so that both numbers (not 0) are below 2^32; beyond that, with a relative error of at most 2^-31.
void tk_domain_reduce(uint64_t *a, uint64_t *b);
// Return the domain of a clock whose `counts` take `ns` nanoseconds, both > 0, or with hz / divisor counts per second.
// The relative error is at most 2^-31.
struct tk_domain tk_domain_of_fraction(uint64_t ns, uint64_t counts);
struct tk_domain tk_domain_of_rate(uint64_t hz, uint32_t divisor);
static inline bool tk_domain_is_set(const struct tk_domain *domain) { return domain->per_counts > 0; }
// Converts a count to nanoseconds; saturates. The domain must be placed.
uint64_t tk_domain_ns(const struct tk_domain *domain, uint64_t count);
// Converts the count of the next event: not before the time of the event before.
uint64_t tk_domain_next_ns(struct tk_domain *domain, uint64_t count);
// Adds a comparison: count `count` was at nanosecond `ns`. The first one places the domain, later ones measure its
// rate.
void tk_domain_compare(struct tk_domain *domain, uint64_t count, uint64_t ns);
void tk_domain_set_origin(struct tk_domain *domain, uint64_t count, uint64_t ns, enum tk_domain_origin_kind standing);
// Returns nanoseconds per count, measured or nominal.
double tk_domain_rate(const struct tk_domain *domain);

#endif
