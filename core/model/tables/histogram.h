// SPDX-License-Identifier: MIT
//
// Log-linear histogram of lengths. Up to 32 values are kept as they are, and percentiles are exact. More values are
// counted in 128 buckets per power of two: a percentile is at most 1/128 too large, never too small, and never above
// the largest value. A power of two gets its buckets when its first value comes.
#ifndef TK_MODEL_TABLES_HISTOGRAM_H
#define TK_MODEL_TABLES_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "../../base/alloc.h"

enum {
    TK_HISTOGRAM_FINE = 7, // 2^7 buckets per octave
    TK_HISTOGRAM_OCTAVES = 64 - TK_HISTOGRAM_FINE + 1,
    TK_HISTOGRAM_EXACT = 32,        // number of values that are kept as they are
    TK_MAX_HISTOGRAMS = 1024,       // of one pool
    TK_MAX_HISTOGRAM_OCTAVES = 8192 // of all histograms of one pool: 4 MiB
};

struct tk_histogram_octave {
    uint32_t buckets[1 << TK_HISTOGRAM_FINE];
};

struct tk_histogram {
    uint8_t count;    // of `values`
    bool has_octaves; // there are more values than fit in `values`
    bool incomplete;  // a value had no room: the percentiles are unknown
    union {
        uint64_t values[TK_HISTOGRAM_EXACT];
        struct tk_histogram_octave *octaves[TK_HISTOGRAM_OCTAVES]; // NULL: no value
    };
};

// Limits the memory of all histograms of an owner. Zero-initialised apart from `alloc`.
struct tk_histogram_pool {
    struct tk_alloc *alloc;
    uint32_t histograms, octaves;
};

// Returns the octave of a value: the number of its bits above the lowest TK_HISTOGRAM_FINE ones. The octave 0 contains
// the values below 2^TK_HISTOGRAM_FINE, a bucket each.
static inline unsigned tk_histogram_octave(uint64_t value) {
#if defined(__GNUC__)
    return 64 - TK_HISTOGRAM_FINE - (unsigned)__builtin_clzll(value | ((1u << TK_HISTOGRAM_FINE) - 1));
#else
    unsigned bits = 0;
    for (value >>= TK_HISTOGRAM_FINE; value; value >>= 1) bits++;
    return bits;
#endif
}

// Returns the bucket of a value in its octave.
static inline unsigned tk_histogram_bucket(uint64_t value, unsigned octave) {
    return (unsigned)(value >> (octave - (octave > 0))) & ((1u << TK_HISTOGRAM_FINE) - 1);
}

// Adds a value to a histogram, which is created with its first value. Above the limits the histogram stays NULL or
// becomes incomplete.
void tk_histogram_add(struct tk_histogram_pool *pool, struct tk_histogram **histogram, uint64_t value);

// Adds a value if a bucket for it exists. Returns false if there is none: then tk_histogram_add adds it.
static inline bool tk_histogram_add_if_ready(struct tk_histogram *histogram, uint64_t value) {
    if (!histogram || !histogram->has_octaves) return false;
    unsigned number = tk_histogram_octave(value);
    struct tk_histogram_octave *octave = histogram->octaves[number];
    if (!octave) return false;
    uint32_t *bucket = &octave->buckets[tk_histogram_bucket(value, number)];
    if (!++*bucket) *bucket = UINT32_MAX;
    return true;
}
// Removes all values.
void tk_histogram_clear(struct tk_histogram_pool *pool, struct tk_histogram *histogram);
// Returns an upper bound of the value at a rank (1: the smallest value); UINT64_MAX if it is unknown, and for ranks
// above the number of values. max: the largest value, which the bound does not exceed.
uint64_t tk_histogram_at(const struct tk_histogram *histogram, uint64_t rank, uint64_t max);
// Ranges of half a power of two: 0, 1, 2, 3, 4 to 5, 6 to 7, 8 to 11, 12 to 15 and so on.
enum { TK_HISTOGRAM_RANGES = 128 };
// Returns the range of a value, and the largest value of a range.
unsigned tk_histogram_range(uint64_t value);
uint64_t tk_histogram_range_end(unsigned range);
// Counts the values per range. Returns false if some had no room.
bool tk_histogram_count(const struct tk_histogram *histogram, uint64_t out_counts[TK_HISTOGRAM_RANGES]);
// Returns the nearest rank of a percentile (1 .. 100) of `count` values: ceil(count * percent / 100).
uint64_t tk_percentile_rank(uint64_t count, unsigned percent);

#endif
