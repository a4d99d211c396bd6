// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/tables/load.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_load load;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_load_init(&load, &alloc);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static uint64_t sum_of(const struct tk_load_windows *windows, const struct tk_load_row *row) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < windows->count; i++) sum += tk_load_in_window(&load, windows, row, i);
    return sum;
}

static void the_window_is_the_smallest_round_one(void **state) {
    static const struct {
        uint64_t length, tick_ns, window;
    } cases[] = {
        { 250, 1, 1 },
        { 251, 1, 2 },
        { 501, 1, 5 },
        { 1251, 1, 10 },
        { 100, 1000, 1000 },
        { 1000, 1000, 5000 },
        { 700000, 1000, 5000000 },
        { 10, 62, 100 },
        { 1000000, 7, 50000 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reset(NULL);
        tk_load_start(&load, 12345);
        tk_load_run(&load, 0, 0, 12345, 12345 + cases[i].length, 0);
        struct tk_load_windows windows = tk_load_windows(&load, 12345 + cases[i].length, cases[i].tick_ns);
        assert_int_equal(windows.ns, cases[i].window);
        assert_in_range(windows.count, 1, TK_LOAD_VALUES);
        assert_int_equal(windows.length_ns, cases[i].length * cases[i].tick_ns);
        for (uint32_t window = 0; window < windows.count; window++)
            assert_int_equal(tk_load_share(&windows,
                                           tk_load_in_window(&load, &windows, load.cores[0]->tasks[0], window), window),
                             1000000);
        done(NULL);
    }
    reset(NULL);
}

// Load in every second millisecond, for ten seconds in ticks of a microsecond: windows of 50 ms contain exactly 25 ms
// of it.
static void buckets_grow_without_a_rounding(void **state) {
    (void)state;
    tk_load_start(&load, 500);
    for (uint64_t at = 0; at < 10000000; at += 2000) tk_load_run(&load, 3, 0, 500 + at, 500 + at + 1000, 0);
    struct tk_load_windows windows = tk_load_windows(&load, 500 + 10000000, 1000);
    assert_int_equal(windows.ns, 50000000);
    assert_int_equal(windows.count, 200);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(tk_load_in_window(&load, &windows, load.cores[0]->tasks[3], i), 25000000);
    assert_int_equal(tk_load_share(&windows, 25000000, 7), 500000);
}

static void time_is_neither_lost_nor_doubled_by_odd_ticks(void **state) {
    (void)state;
    uint64_t total = 0;
    tk_load_start(&load, 0);
    for (uint64_t at = 0; at < 777777; at += 91) {
        tk_load_run(&load, 1, 2, at, at + at % 90 + 1, 0);
        total += at % 90 + 1;
    }
    struct tk_load_windows windows = tk_load_windows(&load, 777777, 62);
    uint64_t sum = sum_of(&windows, load.cores[2]->tasks[1]);
    assert_in_range(sum, total * 62 - windows.count * 2, total * 62);
}

static void interrupts_are_no_time_of_a_task(void **state) {
    (void)state;
    tk_load_start(&load, 0);
    tk_load_interrupt(&load, 5, 0, 10, 20, true);
    tk_load_interrupt(&load, 6, 0, 3000, 3300, false);
    tk_load_interrupt(&load, 5, 0, 2900, 3400, true);
    tk_load_unmeasured_interrupt(&load, 0, 3990, 4000);
    tk_load_run(&load, 0, 0, 0, 4000, 10 + 500 + 10);
    struct tk_load_windows windows = tk_load_windows(&load, 4000, 1);
    const struct tk_load_core *core = load.cores[0];
    assert_int_equal(sum_of(&windows, core->interrupts), 510);
    assert_int_equal(sum_of(&windows, core->tasks[0]), 4000 - 520);
    assert_int_equal(sum_of(&windows, core->isrs[0]), 510);
    assert_int_equal(sum_of(&windows, core->isrs[1]), 300);
    for (uint32_t i = 0; i < windows.count; i++) {
        uint64_t all = tk_load_in_window(&load, &windows, core->interrupts, i) +
                       tk_load_in_window(&load, &windows, core->tasks[0], i);
        assert_int_equal(all, windows.ns - (i + 1 == windows.count ? 10 : 0)); // unmeasured time is not load
    }
}

static void interrupts_above_the_limit_share_an_entry(void **state) {
    (void)state;
    tk_load_start(&load, 0);
    for (uint32_t i = 0; i < 9; i++) tk_load_interrupt(&load, i, 0, 10 * i, 10 * i + 5, true);
    assert_true(load.cores[0]->isr_count > TK_LOAD_ISRS);
    struct tk_load_windows windows = tk_load_windows(&load, 100, 1);
    assert_int_equal(sum_of(&windows, load.cores[0]->interrupts), 45);
}

static void without_room_the_core_is_incomplete(void **state) {
    (void)state;
    tk_load_start(&load, 0);
    for (uint32_t core = 0; core < TK_LOAD_CORES; core++)
        for (uint32_t task = 0; task < 8; task++) tk_load_run(&load, task, core, 10 * task, 10 * task + 5, 0);
    assert_int_equal(load.row_count, TK_LOAD_ROWS);
    assert_false(load.cores[0]->incomplete);
    assert_true(load.cores[31]->incomplete);
    heap.fail_from = 1;
    tk_load_interrupt(&load, 0, 0, 100, 101, true);
    assert_true(load.cores[0]->incomplete);
}

static void huge_and_early_times_do_no_harm(void **state) {
    (void)state;
    tk_load_start(&load, 1000);
    tk_load_run(&load, 0, 0, 10, 20, 0); // before the start
    tk_load_run(&load, 0, 0, 1000, 1001, 0);
    tk_load_run(&load, 0, 0, UINT64_MAX - 5, UINT64_MAX, 0);
    struct tk_load_windows windows = tk_load_windows(&load, INT64_MAX, 1);
    assert_in_range(windows.count, 1, TK_LOAD_VALUES);
    assert_int_equal(tk_load_windows(&load, 1000, 1).count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_window_is_the_smallest_round_one, reset, done),
        cmocka_unit_test_setup_teardown(buckets_grow_without_a_rounding, reset, done),
        cmocka_unit_test_setup_teardown(time_is_neither_lost_nor_doubled_by_odd_ticks, reset, done),
        cmocka_unit_test_setup_teardown(interrupts_are_no_time_of_a_task, reset, done),
        cmocka_unit_test_setup_teardown(interrupts_above_the_limit_share_an_entry, reset, done),
        cmocka_unit_test_setup_teardown(without_room_the_core_is_incomplete, reset, done),
        cmocka_unit_test_setup_teardown(huge_and_early_times_do_no_harm, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
