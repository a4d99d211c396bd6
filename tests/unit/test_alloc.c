// SPDX-License-Identifier: MIT
#include "base/alloc.h"

#include "support.h"

static struct heap heap;
static struct tk_alloc alloc;

struct numbers {
    uint32_t *items, capacity;
};

static int setup(void **unused) {
    (void)unused;
    heap = (struct heap){ 0 };
    alloc = (struct tk_alloc){ .realloc = heap_realloc, .ctx = &heap };
    return 0;
}

static int no_leak(void **unused) {
    (void)unused;
    tk_alloc_free_all(&alloc);
    return alloc.in_use || heap.in_use;
}

static bool grow(struct numbers *numbers, uint32_t needed) {
    return tk_alloc_grow(&alloc, (void **)&numbers->items, &numbers->capacity, needed, sizeof *numbers->items);
}

static struct numbers ascending(uint32_t count) {
    struct numbers numbers = { 0 };
    assert_true(grow(&numbers, count));
    for (uint32_t i = 0; i < count; i++) numbers.items[i] = i;
    return numbers;
}

static void assert_ascending(const struct numbers *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) assert_int_equal(numbers->items[i], i);
}

static void a_rollback_restores_bytes_and_frees_newer_blocks(void **unused) {
    (void)unused;
    struct numbers first = ascending(8), second = ascending(64);
    size_t in_use = alloc.in_use, of_heap = heap.in_use;
    assert_true(tk_alloc_savepoint(&alloc));
    first.items[3] = 77;
    memset(second.items, 0xFF, 64 * sizeof *second.items);
    ascending(1000);
    void *passing = tk_alloc_zero(&alloc, 100);
    tk_alloc_free(&alloc, passing, 100);
    tk_alloc_rollback(&alloc);
    assert_ascending(&first, 8);
    assert_ascending(&second, 64);
    assert_int_equal(alloc.in_use, in_use);
    assert_int_equal(heap.in_use, of_heap);
}

static void blocks_of_a_savepoint_are_neither_freed_nor_moved(void **unused) {
    (void)unused;
    struct numbers freed = ascending(8), grown = ascending(8), before = grown;
    assert_true(tk_alloc_savepoint(&alloc));
    tk_alloc_free(&alloc, freed.items, 8 * sizeof *freed.items);
    assert_true(grow(&grown, 100));
    assert_ptr_not_equal(grown.items, before.items);
    assert_ascending(&grown, 8);
    for (uint32_t i = 8; i < grown.capacity; i++) assert_int_equal(grown.items[i], 0);
    assert_true(grow(&grown, 1000)); // realloc may move the block
    assert_ascending(&grown, 8);
    tk_alloc_rollback(&alloc);
    assert_ascending(&freed, 8);
    assert_ascending(&before, 8);
    assert_true(grow(&before, 100)); // after the rollback it is freed like any other block
    assert_ascending(&before, 8);
    tk_alloc_free(&alloc, freed.items, 8 * sizeof *freed.items);
}

static void savepoints_are_nested(void **unused) {
    (void)unused;
    struct numbers old = ascending(8);
    assert_true(tk_alloc_savepoint(&alloc));
    old.items[0] = 1;
    struct numbers newer = ascending(16);
    assert_true(tk_alloc_savepoint(&alloc));
    old.items[0] = 2;
    newer.items[0] = 2;
    tk_alloc_free(&alloc, newer.items, 16 * sizeof *newer.items);
    ascending(32);
    tk_alloc_rollback(&alloc);
    assert_int_equal(old.items[0], 1);
    assert_ascending(&newer, 16);
    tk_alloc_rollback(&alloc);
    assert_ascending(&old, 8);
    assert_int_equal(alloc.in_use, heap.in_use);
    assert_null(alloc.blocks->next);
}

static void without_memory_there_is_no_savepoint(void **unused) {
    (void)unused;
    struct numbers first = ascending(8), second = ascending(8), third = ascending(8);
    size_t of_heap = heap.in_use;
    for (size_t outer = 0; outer < 2; outer++) {
        if (outer) assert_true(tk_alloc_savepoint(&alloc));
        size_t with_outer = heap.in_use;
        for (size_t n = 1; n <= 3; n++) {
            heap.calls = 0;
            heap.fail_from = n;
            assert_false(tk_alloc_savepoint(&alloc));
            heap.fail_from = 0;
            assert_int_equal(heap.in_use, with_outer);
        }
    }
    first.items[0] = second.items[0] = third.items[0] = 9;
    tk_alloc_rollback(&alloc); // size of the existing block
    assert_int_equal(heap.in_use, of_heap);
    assert_ascending(&first, 8);
    assert_ascending(&second, 8);
    assert_ascending(&third, 8);
}

static void an_array_that_cannot_grow_is_unchanged(void **unused) {
    (void)unused;
    struct numbers numbers = ascending(8), before = numbers;
    assert_true(tk_alloc_savepoint(&alloc));
    heap.calls = 0;
    heap.fail_from = 1;
    assert_false(grow(&numbers, 100));
    heap.fail_from = 0;
    assert_memory_equal(&numbers, &before, sizeof numbers);
    assert_ascending(&numbers, 8);
    assert_true(alloc.failed);
    tk_alloc_rollback(&alloc);
    assert_ascending(&numbers, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_rollback_restores_bytes_and_frees_newer_blocks, setup, no_leak),
        cmocka_unit_test_setup_teardown(blocks_of_a_savepoint_are_neither_freed_nor_moved, setup, no_leak),
        cmocka_unit_test_setup_teardown(savepoints_are_nested, setup, no_leak),
        cmocka_unit_test_setup_teardown(without_memory_there_is_no_savepoint, setup, no_leak),
        cmocka_unit_test_setup_teardown(an_array_that_cannot_grow_is_unchanged, setup, no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
