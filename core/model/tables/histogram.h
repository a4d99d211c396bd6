// SPDX-License-Identifier: MIT
//
// How often which length: sixteen buckets per power of two, so that a quantile is at most a sixteenth too large, never
// too small.
#ifndef TK_MODEL_TABLES_HISTOGRAM_H
#define TK_MODEL_TABLES_HISTOGRAM_H

#include <stdint.h>

enum { TK_HISTOGRAM_FINE = 4, TK_HISTOGRAM_BUCKETS = (64 - TK_HISTOGRAM_FINE + 1) << TK_HISTOGRAM_FINE };

struct tk_histogram {
    uint32_t buckets[TK_HISTOGRAM_BUCKETS];
    uint64_t count;
};

void tk_histogram_add(struct tk_histogram *histogram, uint64_t value);
// The smallest bound that at least `percent` of all values do not exceed. 0 when there are none.
uint64_t tk_histogram_quantile(const struct tk_histogram *histogram, unsigned percent);

#endif
