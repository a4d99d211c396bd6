// SPDX-License-Identifier: MIT
//
// Quantiles are never too small and at most a sixteenth too large. Memory blocks by address.
#include "support.h"

#include "model/trackers/rtos/heap_blocks.h"
#include "model/tables/histogram.h"

static uint64_t next(uint64_t *seed) { return *seed = *seed * 6364136223846793005u + 1442695040888963407u; }

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void quantiles_are_close_and_never_too_small(void **state) {
    (void)state;
    static uint64_t values[1000];
    static struct tk_histogram histogram;
    uint64_t seed = 1;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        memset(&histogram, 0, sizeof histogram);
        for (unsigned i = 0; i < 1000; i++) tk_histogram_add(&histogram, values[i] = next(&seed) >> shift);
        qsort(values, 1000, sizeof *values, by_size);
        for (unsigned percent = 1; percent <= 100; percent++) {
            uint64_t exact = values[percent * 10 - 1], bound = tk_histogram_quantile(&histogram, percent);
            assert_true(bound >= exact && bound - exact <= exact / 16);
        }
    }
}

static void a_histogram_stays_within_its_limits(void **state) {
    (void)state;
    static struct tk_histogram histogram;
    memset(&histogram, 0, sizeof histogram);
    assert_int_equal(tk_histogram_quantile(&histogram, 95), 0);
    tk_histogram_add(&histogram, 0);
    assert_int_equal(tk_histogram_quantile(&histogram, 95), 0);
    tk_histogram_add(&histogram, UINT64_MAX);
    assert_true(tk_histogram_quantile(&histogram, 95) == UINT64_MAX);
    assert_int_equal(tk_histogram_quantile(&histogram, 50), 0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_close_and_never_too_small),
        cmocka_unit_test(a_histogram_stays_within_its_limits),
        cmocka_unit_test(blocks_are_found_until_they_are_removed),
        cmocka_unit_test(blocks_beyond_the_limit_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
