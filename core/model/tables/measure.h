// SPDX-License-Identifier: MIT
//
// Durations with their percentiles, and their columns in a table.
#ifndef TK_MODEL_TABLES_MEASURE_H
#define TK_MODEL_TABLES_MEASURE_H

#include "durations.h"
#include "histogram.h"
#include "table.h"

// Zero-initialised: none measured.
struct tk_measure {
    struct tk_durations durations;
    struct tk_histogram *histogram; // NULL: less than two values, or none of the limited number
};

// Adds the first values, and those that need a new bucket.
void tk_measure_add_slow(struct tk_histogram_pool *pool, struct tk_measure *of, uint64_t at, uint64_t length);

// Adds a duration that began at `at`.
static inline void tk_measure_add(struct tk_histogram_pool *pool, struct tk_measure *of, uint64_t at, uint64_t length) {
    if (tk_histogram_add_if_ready(of->histogram, length)) tk_durations_add(&of->durations, at, length);
    else tk_measure_add_slow(pool, of, at, length);
}

// Removes all values; keeps the room.
void tk_measure_clear(struct tk_histogram_pool *pool, struct tk_measure *of);

// Returns an upper bound of the value at a rank (1: the shortest), not above the longest; UINT64_MAX: unknown.
uint64_t tk_measure_at(const struct tk_measure *of, uint64_t rank);
// Writes a percentile (1 .. 100), or nothing if it is unknown.
void tk_cell_percentile(const struct tk_table_sink *sink, const struct tk_measure *of, unsigned percent);
// Writes seven cells: shortest, mean, 50 %, 95 %, 99 %, longest, and when that one began.
void tk_cells_spread(const struct tk_table_sink *sink, const struct tk_measure *of);

#endif
