// SPDX-License-Identifier: MIT
//
// Durations as text for users.
#ifndef TK_BASE_DURATION_H
#define TK_BASE_DURATION_H

#include "text.h"

// Adds a duration in the largest unit in which it is at least one, with three decimals: "1.250 ms". per_ns: number of
// units of `value` in a nanosecond: 1, 1000 or 1000000.
void tk_text_duration(struct tk_text *text, uint64_t value, uint64_t per_ns);
// Adds value / 10^places with all decimals.
void tk_text_fixed(struct tk_text *text, uint64_t value, unsigned places);

#endif
