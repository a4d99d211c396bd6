// SPDX-License-Identifier: MIT
#include "support.h"

#include "base/idmap.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_idmap map;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    map = (struct tk_idmap){ 0 };
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_idmap_deinit(&map, &alloc);
    assert_int_equal(heap.in_use, 0);
    assert_int_equal(alloc.in_use, 0);
    return 0;
}

static void nothing_is_found_in_an_empty_map(void **state) {
    (void)state;
    assert_int_equal(tk_idmap_find(&map, 0), TK_NONE);
    assert_int_equal(tk_idmap_find(&map, 255), TK_NONE);
    assert_int_equal(tk_idmap_find(&map, UINT64_MAX), TK_NONE);
}

static void small_keys_need_no_memory(void **state) {
    (void)state;
    for (uint32_t key = 0; key < TK_IDMAP_DENSE; key++) assert_true(tk_idmap_set(&map, &alloc, key, key * 3));
    for (uint32_t key = 0; key < TK_IDMAP_DENSE; key++) assert_int_equal(tk_idmap_find(&map, key), key * 3);
    assert_int_equal(heap.calls, 0);
}

static void keys_of_any_size_are_found_again(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    for (uint32_t i = 0; i < COUNT; i++) assert_true(tk_idmap_set(&map, &alloc, (uint64_t)i << 32 | (i & 7), i));
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(tk_idmap_find(&map, (uint64_t)i << 32 | (i & 7)), i);
    for (uint32_t i = 1; i < COUNT; i++) assert_int_equal(tk_idmap_find(&map, (uint64_t)i << 32 | 9), TK_NONE);
    assert_true(tk_idmap_set(&map, &alloc, UINT64_MAX, 1));
    assert_int_equal(tk_idmap_find(&map, UINT64_MAX), 1);
}

static void the_last_index_of_a_key_counts(void **state) {
    (void)state;
    assert_true(tk_idmap_set(&map, &alloc, 5, 1));
    assert_true(tk_idmap_set(&map, &alloc, 5, 2));
    assert_true(tk_idmap_set(&map, &alloc, 1000, 3));
    assert_true(tk_idmap_set(&map, &alloc, 1000, 0));
    assert_int_equal(tk_idmap_find(&map, 5), 2);
    assert_int_equal(tk_idmap_find(&map, 1000), 0);
    assert_int_equal(map.used, 1);
}

static void a_failed_allocation_keeps_the_content(void **state) {
    (void)state;
    uint64_t key = 1000;
    while (tk_idmap_set(&map, &alloc, key, (uint32_t)key)) {
        key++;
        if (heap.calls == 1) heap.fail_from = 2;
    }
    assert_true(alloc.failed);
    assert_true(key > 1040);
    for (uint64_t old = 1000; old < key; old++) assert_int_equal(tk_idmap_find(&map, old), old);
    assert_int_equal(tk_idmap_find(&map, key), TK_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_found_in_an_empty_map, reset, done),
        cmocka_unit_test_setup_teardown(small_keys_need_no_memory, reset, done),
        cmocka_unit_test_setup_teardown(keys_of_any_size_are_found_again, reset, done),
        cmocka_unit_test_setup_teardown(the_last_index_of_a_key_counts, reset, done),
        cmocka_unit_test_setup_teardown(a_failed_allocation_keeps_the_content, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
