// SPDX-License-Identifier: MIT
//
// What positions of samples mean: a number of nanoseconds per count as an exact ratio, or something that is no time.
#ifndef TK_SIGNALS_AXIS_H
#define TK_SIGNALS_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A count is num / den nanoseconds, in lowest terms; num 0: it is no time.
struct tk_unit {
    uint64_t num, den;
};

enum { TK_AXIS_LIMIT_BITS = 62 }; // results of 2^62 and more are left out

// "ns", "us100" (100 us), "10ns", "2us10" (20 us). Of other texts num is 0.
struct tk_unit tk_unit_parse(const char *text, size_t len);
bool tk_unit_is_same(struct tk_unit a, struct tk_unit b);
// The same, where everything is shown `factor` times as long.
struct tk_unit tk_unit_stretch(struct tk_unit unit, uint64_t factor);
// Is a count shorter than a nanosecond? Is this position no whole number of them?
bool tk_unit_is_fine(struct tk_unit unit);
bool tk_unit_has_fraction(struct tk_unit unit, int64_t position);
// Nanoseconds, rounded down. False: beyond the limit.
bool tk_unit_to_ns(struct tk_unit unit, int64_t position, int64_t *out_ns);

#endif
