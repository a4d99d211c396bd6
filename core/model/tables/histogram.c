// SPDX-License-Identifier: MIT
#include "histogram.h"

#include <string.h>

#include "../../base/attributes.h"

enum { FINE = TK_HISTOGRAM_FINE, PER_OCTAVE = 1 << FINE };

// Returns the largest value in a bucket.
static uint64_t largest_in_bucket(unsigned octave, unsigned bucket) {
    unsigned shift = octave ? octave - 1 : 0;
    uint64_t first = (uint64_t)(octave ? bucket | PER_OCTAVE : bucket) << shift;
    return first + (((uint64_t)1 << shift) - 1);
}

static void count_in_bucket(struct tk_histogram_pool *pool, struct tk_histogram *histogram, uint64_t value) {
    unsigned number = tk_histogram_octave(value);
    struct tk_histogram_octave **octave = &histogram->octaves[number];
    if (!*octave && pool->octaves < TK_MAX_HISTOGRAM_OCTAVES) {
        *octave = tk_alloc_zero(pool->alloc, sizeof **octave);
        pool->octaves += *octave != NULL;
    }
    if (!*octave) {
        histogram->incomplete = true;
        return;
    }
    uint32_t *bucket = &(*octave)->buckets[tk_histogram_bucket(value, number)];
    *bucket += *bucket < UINT32_MAX;
}

TK_COLD static void move_to_buckets(struct tk_histogram_pool *pool, struct tk_histogram *histogram) {
    uint64_t values[TK_HISTOGRAM_EXACT];
    memcpy(values, histogram->values, sizeof values);
    memset(histogram->octaves, 0, sizeof histogram->octaves);
    histogram->has_octaves = true;
    for (unsigned i = 0; i < TK_HISTOGRAM_EXACT; i++) count_in_bucket(pool, histogram, values[i]);
}

TK_COLD static struct tk_histogram *create(struct tk_histogram_pool *pool) {
    if (pool->histograms == TK_MAX_HISTOGRAMS) return NULL;
    struct tk_histogram *histogram = tk_alloc_zero(pool->alloc, sizeof *histogram);
    pool->histograms += histogram != NULL;
    return histogram;
}

void tk_histogram_add(struct tk_histogram_pool *pool, struct tk_histogram **histogram, uint64_t value) {
    if (!*histogram && !(*histogram = create(pool))) return;
    struct tk_histogram *to = *histogram;
    if (to->count < TK_HISTOGRAM_EXACT) {
        to->values[to->count++] = value;
        return;
    }
    if (!to->has_octaves) move_to_buckets(pool, to);
    count_in_bucket(pool, to, value);
}

TK_COLD void tk_histogram_clear(struct tk_histogram_pool *pool, struct tk_histogram *histogram) {
    if (!histogram) return;
    for (unsigned i = 0; histogram->has_octaves && i < TK_HISTOGRAM_OCTAVES; i++) {
        if (!histogram->octaves[i]) continue;
        tk_alloc_free(pool->alloc, histogram->octaves[i], sizeof *histogram->octaves[i]);
        pool->octaves--;
    }
    memset(histogram, 0, sizeof *histogram);
}

static uint64_t exact_value(const struct tk_histogram *histogram, uint64_t rank) {
    for (unsigned i = 0; i < histogram->count; i++) {
        uint64_t value = histogram->values[i], smaller = 0, equal = 0;
        for (unsigned j = 0; j < histogram->count; j++) {
            smaller += histogram->values[j] < value;
            equal += histogram->values[j] == value;
        }
        if (smaller < rank && rank <= smaller + equal) return value;
    }
    return UINT64_MAX;
}

TK_COLD uint64_t tk_histogram_at(const struct tk_histogram *histogram, uint64_t rank, uint64_t max) {
    uint64_t seen = 0;
    if (!rank || histogram->incomplete) return UINT64_MAX;
    if (!histogram->has_octaves) return exact_value(histogram, rank);
    for (unsigned octave = 0; octave < TK_HISTOGRAM_OCTAVES; octave++) {
        for (unsigned bucket = 0; histogram->octaves[octave] && bucket < PER_OCTAVE; bucket++) {
            seen += histogram->octaves[octave]->buckets[bucket];
            if (seen < rank) continue;
            uint64_t largest = largest_in_bucket(octave, bucket);
            return largest < max ? largest : max;
        }
    }
    return UINT64_MAX; // there are fewer values, or a bucket is full
}

unsigned tk_histogram_range(uint64_t value) {
    unsigned bits = 0;
    if (value < 2) return (unsigned)value;
    while (value >> bits > 3) bits++;
    return 2 * bits + (unsigned)(value >> bits);
}

uint64_t tk_histogram_range_end(unsigned range) {
    unsigned bits = range < 2 ? 0 : range / 2 - 1;
    uint64_t first = range < 2 ? range : (uint64_t)(2 + range % 2) << bits;
    return first + (((uint64_t)1 << bits) - 1);
}

TK_COLD bool tk_histogram_count(const struct tk_histogram *histogram, uint64_t out_counts[TK_HISTOGRAM_RANGES]) {
    memset(out_counts, 0, TK_HISTOGRAM_RANGES * sizeof *out_counts);
    if (!histogram->has_octaves) {
        for (unsigned i = 0; i < histogram->count; i++) out_counts[tk_histogram_range(histogram->values[i])]++;
        return true;
    }
    for (unsigned octave = 0; octave < TK_HISTOGRAM_OCTAVES; octave++)
        for (unsigned bucket = 0; histogram->octaves[octave] && bucket < PER_OCTAVE; bucket++)
            out_counts[tk_histogram_range(largest_in_bucket(octave, bucket))] +=
                histogram->octaves[octave]->buckets[bucket];
    return !histogram->incomplete;
}

uint64_t tk_percentile_rank(uint64_t count, unsigned percent) {
    return count / 100 * percent + (count % 100 * percent + 99) / 100;
}
