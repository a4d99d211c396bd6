// SPDX-License-Identifier: MIT
//
// Names of the units of time that users write: "s", "ms", "us", "\u00b5s", "ns", "ps", "fs".
#ifndef TK_BASE_TIME_UNITS_H
#define TK_BASE_TIME_UNITS_H

#include <stddef.h>

// Returns the name of a unit, from the longest to the shortest; NULL after the last one. *out_power: the unit is
// 10^*out_power femtoseconds.
const char *tk_time_unit_at(size_t index, int *out_power);
// Returns the power of ten of a unit in femtoseconds (ns: 6); -1: no unit of time.
int tk_time_unit_power(const char *name, size_t len);

#endif
