// SPDX-License-Identifier: MIT
//
// Histogram of lengths with sixteen buckets per power of two: a quantile is at most one sixteenth too large, never too
// small.
#ifndef TK_MODEL_TABLES_HISTOGRAM_H
#define TK_MODEL_TABLES_HISTOGRAM_H

#include <stdint.h>

enum { TK_HISTOGRAM_FINE = 4, TK_HISTOGRAM_BUCKETS = (64 - TK_HISTOGRAM_FINE + 1) << TK_HISTOGRAM_FINE };

struct tk_histogram {
    uint32_t buckets[TK_HISTOGRAM_BUCKETS];
    uint64_t count;
};

void tk_histogram_add(struct tk_histogram *histogram, uint64_t value);
// Returns the smallest bucket limit that at least `percent` of all values do not exceed; 0 if there are none.
uint64_t tk_histogram_quantile(const struct tk_histogram *histogram, unsigned percent);

#endif
