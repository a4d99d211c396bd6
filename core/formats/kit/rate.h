// SPDX-License-Identifier: MIT
//
// Nanoseconds of the counts of a timer whose rate the recording or an option gives: also of rates such as 168 MHz,
// where one count is 5.952... ns. Exact to the nanosecond; saturates at the largest time. The decoder unwraps the
// counter before.
#ifndef TK_FORMATS_KIT_RATE_H
#define TK_FORMATS_KIT_RATE_H

#include <stdbool.h>
#include <stdint.h>

enum { TK_RATE_ROUNDS_DOWN, TK_RATE_ROUNDS_TO_NEAREST };

struct tk_rate {
    uint64_t hz;                // counts per second; 0: unknown, tk_rate_ns returns counts
    uint64_t count_ns;          // nanoseconds per count; 0: not a whole number
    uint64_t half;              // added before the division, for rounding
    uint64_t second, second_ns; // the last whole second, in counts and in ns
};

static inline struct tk_rate tk_rate_of(uint64_t hz, int rounding) {
    return (struct tk_rate){ .hz = hz,
                             .count_ns = hz && !(1000000000u % hz) ? 1000000000u / hz : 0,
                             .half = rounding == TK_RATE_ROUNDS_TO_NEAREST ? hz / 2 : 0 };
}

// Returns the nanoseconds of `counts`; saturates at INT64_MAX.
static inline uint64_t tk_rate_ns(struct tk_rate *rate, uint64_t counts) {
    if (!rate->hz) return counts;
    if (rate->count_ns && counts <= INT64_MAX / 1000000000u) return counts * rate->count_ns;
    if (counts - rate->second >= rate->hz) {
        uint64_t seconds = counts / rate->hz;
        if (seconds > INT64_MAX / 1000000000u - 1) return INT64_MAX;
        rate->second = seconds * rate->hz;
        rate->second_ns = seconds * 1000000000u;
    }
    return rate->second_ns + ((counts - rate->second) * 1000000000u + rate->half) / rate->hz;
}

#endif
