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
enum { TK_RATE_FRACTION = 34 }; // bits

struct tk_rate {
    uint64_t hz;                // counts per second; 0: unknown, tk_rate_ns returns counts
    uint64_t count_ns;          // nanoseconds per count; 0: not a whole number
    uint64_t half;              // added before the division, for rounding
    uint64_t second, second_ns; // the last whole second, in counts and in ns
    // Fixed-point numbers with TK_RATE_FRACTION binary places, rounded down. fraction: nanoseconds per count; 0: `hz`
    // is too large, so tk_rate_ns divides. half_fraction: half / hz.
    uint64_t fraction, half_fraction;
};

static inline struct tk_rate tk_rate_of(uint64_t hz, int rounding) {
    struct tk_rate rate = { .hz = hz };
    if (!hz) return rate;
    rate.count_ns = 1000000000u % hz ? 0 : 1000000000u / hz;
    rate.half = rounding == TK_RATE_ROUNDS_TO_NEAREST ? hz / 2 : 0;
    if (hz > UINT32_MAX) return rate;
    rate.fraction = (UINT64_C(1000000000) << TK_RATE_FRACTION) / hz;
    rate.half_fraction = (rate.half << 32) / hz << (TK_RATE_FRACTION - 32);
    return rate;
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
    uint64_t count = counts - rate->second, scaled = count * 1000000000u + rate->half;
    if (!rate->fraction) return rate->second_ns + scaled / rate->hz;
    // A multiplication and a check take less time than a division. The result is at most one too small.
    uint64_t ns = (count * rate->fraction + rate->half_fraction) >> TK_RATE_FRACTION;
    return rate->second_ns + ns + (scaled - ns * rate->hz >= rate->hz);
}

#endif
