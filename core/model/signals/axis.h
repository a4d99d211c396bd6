// SPDX-License-Identifier: MIT
//
// Units of sample positions: nanoseconds per count as an exact ratio, or an axis that is not time.
#ifndef TK_SIGNALS_AXIS_H
#define TK_SIGNALS_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A count is num / den nanoseconds, in lowest terms; num 0: not time.
struct tk_unit {
    uint64_t num, den;
};

enum { TK_AXIS_LIMIT_BITS = 62 }; // results of 2^62 and more are rejected

// Parses "ns", "us100" (100 us), "10ns", "2us10" (20 us). Sets num to 0 for other texts.
struct tk_unit tk_unit_parse(const char *text, size_t len);
bool tk_unit_is_same(struct tk_unit a, struct tk_unit b);
// Returns the unit for an axis that shows everything `factor` times as long.
struct tk_unit tk_unit_stretch(struct tk_unit unit, uint64_t factor);
// Return true if a count is shorter than a nanosecond; if this position is not a whole number of nanoseconds.
bool tk_unit_is_fine(struct tk_unit unit);
bool tk_unit_has_fraction(struct tk_unit unit, int64_t position);
// Converts a position to nanoseconds, rounded down. Returns false beyond the limit.
bool tk_unit_to_ns(struct tk_unit unit, int64_t position, int64_t *out_ns);

#endif
