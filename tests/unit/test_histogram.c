// SPDX-License-Identifier: MIT
//
// Percentiles are never too small and at most 1/128 too large. Memory blocks by address.
#include "support.h"

#include "model/trackers/rtos/heap_blocks.h"
#include "model/tables/histogram.h"
#include "model/tables/measure.h"
#include "model/tables/parts.h"

static uint64_t next(uint64_t *seed) { return *seed = *seed * 6364136223846793005u + 1442695040888963407u; }

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void percentiles_are_close_and_never_too_small(void **state) {
    (void)state;
    static uint64_t values[1000];
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_histogram_pool pool = { .alloc = &alloc };
    struct tk_histogram *histogram = NULL;
    uint64_t seed = 1;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        for (unsigned i = 0; i < 1000; i++) tk_histogram_add(&pool, &histogram, values[i] = next(&seed) >> shift);
        qsort(values, 1000, sizeof *values, by_size);
        for (uint64_t rank = 1; rank <= 1000; rank++) {
            uint64_t exact = values[rank - 1], bound = tk_histogram_at(histogram, rank, values[999]);
            assert_true(bound >= exact && bound - exact <= exact / 128 && bound <= values[999]);
        }
        assert_true(tk_histogram_at(histogram, 0, UINT64_MAX) == UINT64_MAX &&
                    tk_histogram_at(histogram, 1001, 0) == UINT64_MAX);
        tk_histogram_clear(&pool, histogram);
        assert_int_equal(pool.octaves, 0);
    }
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
}

static void durations_have_the_same_bounds_but_not_above_the_longest(void **state) {
    (void)state;
    static uint64_t values[1000];
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_histogram_pool pool = { .alloc = &alloc };
    struct tk_measure measure = { .histogram = NULL };
    uint64_t seed = 2;
    assert_true(tk_measure_at(&measure, 1) == UINT64_MAX);
    for (unsigned shift = 0; shift < 64; shift += 7) {
        for (unsigned i = 0; i < 1000; i++) tk_measure_add(&pool, &measure, i, values[i] = next(&seed) >> shift);
        uint64_t longest_at = 0;
        for (unsigned i = 0; i < 1000; i++)
            if (values[i] > values[longest_at]) longest_at = i;
        qsort(values, 1000, sizeof *values, by_size);
        for (uint64_t rank = 1; rank <= 1000; rank++) {
            uint64_t exact = values[rank - 1], bound = tk_measure_at(&measure, rank);
            assert_true(bound >= exact && bound - exact <= exact / 128 && bound <= values[999]);
        }
        assert_true(tk_measure_at(&measure, 0) == UINT64_MAX && tk_measure_at(&measure, 1001) == UINT64_MAX);
        assert_true(measure.durations.min == values[0] && measure.durations.max == values[999]);
        assert_int_equal(measure.durations.max_at, longest_at);
        tk_measure_clear(&pool, &measure);
    }
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
}

static void the_first_values_are_exact(void **state) {
    (void)state;
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_histogram_pool pool = { .alloc = &alloc };
    struct tk_histogram *histogram = NULL;
    for (uint64_t i = 0; i < TK_HISTOGRAM_EXACT; i++) {
        tk_histogram_add(&pool, &histogram, UINT64_MAX - i / 2 * 3); // each value comes twice
        for (uint64_t rank = 1; rank <= i + 1; rank++)
            assert_true(tk_histogram_at(histogram, rank, UINT64_MAX) == UINT64_MAX - (i + 1 - rank) / 2 * 3);
    }
    assert_int_equal(pool.octaves, 0);
    tk_histogram_add(&pool, &histogram, 0);
    assert_int_equal(pool.octaves, 2);
    assert_int_equal(tk_histogram_at(histogram, 1, UINT64_MAX), 0);
    assert_true(tk_histogram_at(histogram, 2, UINT64_MAX) == UINT64_MAX); // an upper bound
    tk_alloc_free_all(&alloc);
}

static void histograms_beyond_the_limits_have_no_percentiles(void **state) {
    (void)state;
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_histogram_pool pool = { .alloc = &alloc };
    static struct tk_histogram *histograms[TK_MAX_HISTOGRAMS + 1];
    for (unsigned i = 0; i <= TK_MAX_HISTOGRAMS; i++)
        for (unsigned n = 0; n < 64; n++) tk_histogram_add(&pool, &histograms[i], (uint64_t)1 << n);
    assert_int_equal(pool.histograms, TK_MAX_HISTOGRAMS);
    assert_int_equal(pool.octaves, TK_MAX_HISTOGRAM_OCTAVES);
    assert_null(histograms[TK_MAX_HISTOGRAMS]);
    assert_true(tk_histogram_at(histograms[0], 64, (uint64_t)1 << 63) == (uint64_t)1 << 63);
    assert_true(tk_histogram_at(histograms[TK_MAX_HISTOGRAMS - 1], 1, UINT64_MAX) == UINT64_MAX);
    tk_alloc_free_all(&alloc);
}

static void ranks_are_the_nearest_ones(void **state) {
    (void)state;
    for (uint64_t count = 1; count < 1000; count++)
        for (unsigned percent = 1; percent <= 100; percent++) {
            uint64_t rank = tk_percentile_rank(count, percent);
            assert_true(rank * 100 >= count * percent && (rank - 1) * 100 < count * percent);
        }
    assert_true(tk_percentile_rank(UINT64_MAX, 100) == UINT64_MAX);
}

static void blocks_are_found_until_they_are_removed(void **state) {
    (void)state;
    enum { BLOCKS = 500 };
    static bool there[BLOCKS];
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_heap_blocks blocks = { 0 };
    uint64_t seed = 1;
    for (unsigned round = 0; round < 20000; round++) {
        uint32_t i = (uint32_t)(next(&seed) >> 33) % BLOCKS;
        struct tk_heap_block *found = tk_heap_blocks_find(&blocks, i & 1, (uint64_t)i << 4);
        assert_int_equal(found != NULL, there[i]);
        if (found) assert_int_equal(found->size, i + 1);
        if (found) tk_heap_blocks_remove(&blocks, found);
        else
            assert_true(tk_heap_blocks_add(
                &blocks, &alloc, &(struct tk_heap_block){ .address = (uint64_t)i << 4, .heap = i & 1, .size = i + 1 }));
        there[i] = !there[i];
    }
    tk_heap_blocks_deinit(&blocks, &alloc);
    assert_int_equal(heap.in_use, 0);
}

static void blocks_beyond_the_limit_are_counted(void **state) {
    (void)state;
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_heap_blocks blocks = { 0 };
    for (uint64_t i = 0; i < TK_MAX_HEAP_BLOCKS + 5; i++)
        tk_heap_blocks_add(&blocks, &alloc, &(struct tk_heap_block){ .address = i * 8 });
    assert_int_equal(blocks.count, TK_MAX_HEAP_BLOCKS);
    assert_int_equal(blocks.refused, 5);
    tk_heap_blocks_deinit(&blocks, &alloc);
}

static void ranges_are_half_a_power_of_two(void **state) {
    (void)state;
    static const uint64_t ends[] = { 0, 1, 2, 3, 5, 7, 11, 15, 23 };
    for (unsigned range = 0; range < sizeof ends / sizeof *ends; range++)
        assert_true(tk_histogram_range_end(range) == ends[range]);
    assert_int_equal(tk_histogram_range(UINT64_MAX), TK_HISTOGRAM_RANGES - 1);
    assert_true(tk_histogram_range_end(TK_HISTOGRAM_RANGES - 1) == UINT64_MAX);
    for (unsigned range = 0; range + 1 < TK_HISTOGRAM_RANGES; range++) {
        uint64_t end = tk_histogram_range_end(range);
        assert_int_equal(tk_histogram_range(end), range);
        assert_int_equal(tk_histogram_range(end + 1), range + 1);
    }
}

// With kept values and with buckets, each value is counted in its range.
static void ranges_count_all_values(void **state) {
    (void)state;
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_histogram_pool pool = { .alloc = &alloc };
    struct tk_histogram *histogram = NULL;
    uint64_t seed = 3, expected[TK_HISTOGRAM_RANGES] = { 0 }, counts[TK_HISTOGRAM_RANGES];
    for (unsigned i = 0; i < 500; i++) {
        uint64_t value = next(&seed) >> i % 64;
        expected[tk_histogram_range(value)]++;
        tk_histogram_add(&pool, &histogram, value);
        assert_true(tk_histogram_count(histogram, counts));
        assert_memory_equal(counts, expected, sizeof counts);
    }
    tk_alloc_free_all(&alloc);
}

static void noise_is_a_median_and_half_the_distance_of_the_quarters(void **state) {
    (void)state;
    double few[] = { 1, 2, 3, 4, 5, 6, 7 }, eight[] = { 8, 1, 100, 4, 5, 6, 7, 3 },
           odd[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1 };
    assert_false(tk_noise_of(few, 7).is_known);
    struct tk_noise noise = tk_noise_of(eight, 8); // 1 3 4 5 6 7 8 100
    assert_true(noise.is_known && noise.typical == 5.5 && noise.spread == 1.5);
    noise = tk_noise_of(odd, 9);
    assert_true(noise.is_known && noise.typical == 5 && noise.spread == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_close_and_never_too_small),
        cmocka_unit_test(durations_have_the_same_bounds_but_not_above_the_longest),
        cmocka_unit_test(the_first_values_are_exact),
        cmocka_unit_test(histograms_beyond_the_limits_have_no_percentiles),
        cmocka_unit_test(ranks_are_the_nearest_ones),
        cmocka_unit_test(ranges_are_half_a_power_of_two),
        cmocka_unit_test(ranges_count_all_values),
        cmocka_unit_test(noise_is_a_median_and_half_the_distance_of_the_quarters),
        cmocka_unit_test(blocks_are_found_until_they_are_removed),
        cmocka_unit_test(blocks_beyond_the_limit_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
