// SPDX-License-Identifier: MIT
#include "histogram.h"

enum { FINE = TK_HISTOGRAM_FINE };

static unsigned bucket_of(uint64_t value) {
    unsigned shift = 0;
    for (; value >> shift >> (FINE + 8); shift += 8) {}
    while (value >> shift >> (FINE + 1)) shift++;
    return (shift << FINE) + (unsigned)(value >> shift);
}

// Returns the largest value in a bucket.
static uint64_t largest_in_bucket(unsigned bucket) {
    unsigned shift = bucket >> FINE ? (bucket >> FINE) - 1 : 0;
    uint64_t first = (uint64_t)(bucket - (shift << FINE)) << shift;
    return first + (((uint64_t)1 << shift) - 1);
}

void tk_histogram_add(struct tk_histogram *histogram, uint64_t value) {
    uint32_t *bucket = &histogram->buckets[bucket_of(value)];
    *bucket += *bucket < UINT32_MAX;
    histogram->count++;
}

uint64_t tk_histogram_quantile(const struct tk_histogram *histogram, unsigned percent) {
    uint64_t seen = 0, wanted = histogram->count - histogram->count * (100 - percent) / 100;
    if (!histogram->count) return 0;
    for (unsigned bucket = 0; bucket < TK_HISTOGRAM_BUCKETS; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen >= wanted) return largest_in_bucket(bucket);
    }
    return UINT64_MAX;
}
