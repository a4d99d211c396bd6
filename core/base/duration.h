// SPDX-License-Identifier: MIT
//
// Durations in nanoseconds, and as text for users.
#ifndef TK_BASE_DURATION_H
#define TK_BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

// Converts a duration in ticks of `tick_ns` nanoseconds. Returns false if that is 0, which stands for an unknown
// length, or if the product needs more than 64 bits. Divides only where a number is above 32 bits: this runs for each
// event.
static inline bool tk_ticks_to_ns(uint64_t ticks, uint64_t tick_ns, uint64_t *ns) {
    bool is_ok = tick_ns && ((ticks | tick_ns) <= UINT32_MAX || ticks <= UINT64_MAX / tick_ns);
    if (is_ok) *ns = ticks * tick_ns;
    return is_ok;
}

// Adds a duration in the largest unit in which it is at least one, with three decimals: "1.250 ms". per_ns: number of
// units of `value` in a nanosecond: 1, 1000 or 1000000.
void tk_text_duration(struct tk_text *text, uint64_t value, uint64_t per_ns);
// Adds value / 10^places with all decimals.
void tk_text_fixed(struct tk_text *text, uint64_t value, unsigned places);

#endif
