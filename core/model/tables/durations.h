// SPDX-License-Identifier: MIT
//
// Statistics of durations whose begin and end were both recorded, in ticks.
#ifndef TK_MODEL_TABLES_DURATIONS_H
#define TK_MODEL_TABLES_DURATIONS_H

#include <stdbool.h>
#include <stdint.h>

// Zero-initialised: none measured. The owner counts all occurrences; the difference to `measured` was not measured.
struct tk_durations {
    uint64_t measured, total, min, max, max_at; // total saturates; max_at: begin of the first one with the length max
};

// Adds a duration. Returns true if it is longer than all before.
static inline bool tk_durations_add(struct tk_durations *durations, uint64_t begin, uint64_t length) {
    durations->total += length;
    if (durations->total < length) durations->total = UINT64_MAX;
    if (!durations->measured++) durations->min = length;
    else if (length < durations->min) return durations->min = length, false;
    else if (length <= durations->max) return false;
    durations->max = length;
    durations->max_at = begin;
    return true;
}

#endif
