// SPDX-License-Identifier: MIT
#include "measure.h"

#include "../../base/attributes.h"

// The histogram begins with the second value; a single one is its minimum.
TK_NOINLINE void tk_measure_add_slow(struct tk_histogram_pool *pool, struct tk_measure *of, uint64_t at,
                                     uint64_t length) {
    if (of->durations.measured == 1) tk_histogram_add(pool, &of->histogram, of->durations.min);
    if (of->durations.measured) tk_histogram_add(pool, &of->histogram, length);
    tk_durations_add(&of->durations, at, length);
}

void tk_measure_clear(struct tk_histogram_pool *pool, struct tk_measure *of) {
    of->durations = (struct tk_durations){ 0 };
    tk_histogram_clear(pool, of->histogram);
}

uint64_t tk_measure_at(const struct tk_measure *of, uint64_t rank) {
    return of->histogram ? tk_histogram_at(of->histogram, rank, of->durations.max) : UINT64_MAX;
}

void tk_cell_percentile(const struct tk_table_sink *sink, const struct tk_measure *of, unsigned percent) {
    uint64_t rank = tk_percentile_rank(of->durations.measured, percent), bound = UINT64_MAX;
    if (of->durations.measured == 1) bound = of->durations.min;
    else bound = tk_measure_at(of, rank);
    tk_cell_ticks_if(sink, bound < UINT64_MAX, bound);
}

void tk_cells_spread(const struct tk_table_sink *sink, const struct tk_measure *of) {
    const struct tk_durations *durations = &of->durations;
    bool is_known = durations->measured > 0;
    tk_cell_ticks_if(sink, is_known, durations->min);
    tk_cell_mean(sink, durations->total, durations->measured);
    tk_cell_percentile(sink, of, 50);
    tk_cell_percentile(sink, of, 95);
    tk_cell_percentile(sink, of, 99);
    tk_cell_ticks_if(sink, is_known, durations->max);
    tk_cell_ticks_if(sink, is_known, durations->max_at);
}
