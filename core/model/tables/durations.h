// SPDX-License-Identifier: MIT
//
// How long something lasted, over all times that its begin and its end were seen; in ticks.
#ifndef TK_MODEL_TABLES_DURATIONS_H
#define TK_MODEL_TABLES_DURATIONS_H

#include <stdbool.h>
#include <stdint.h>

// Zeroed: none was measured. How often it happened is the owner's count; what that has more was not measured.
struct tk_durations {
    uint64_t measured, total, min, max, max_at; // max_at: begin of the first that lasted so long; total saturates
};

// True: none before it lasted as long.
static inline bool tk_durations_add(struct tk_durations *durations, uint64_t begin, uint64_t length) {
    bool is_first = !durations->measured++, is_longest = is_first || length > durations->max;
    if (is_first || length < durations->min) durations->min = length;
    if (is_longest) durations->max = length, durations->max_at = begin;
    durations->total = length > UINT64_MAX - durations->total ? UINT64_MAX : durations->total + length;
    return is_longest;
}

#endif
