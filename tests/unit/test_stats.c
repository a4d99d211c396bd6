// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/tables/stats.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_stats stats;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_stats_init(&stats, &alloc);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void need(uint32_t tasks, uint32_t cores) {
    assert_true(tk_stats_need_tasks(&stats, tasks));
    assert_true(tk_stats_need_cores(&stats, cores));
}

static uint64_t row_sum(uint32_t row) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < TK_STATS_BUCKETS; i++) sum += stats.strip[row][i];
    return sum;
}

static void events_are_counted_by_kind_and_core(void **state) {
    (void)state;
    tk_stats_event(&stats, 3);
    tk_stats_timed_event(&stats, 7, 0, 100);
    tk_stats_timed_event(&stats, 7, 1, 140);
    tk_stats_timed_event(&stats, 255, 0, 120);
    tk_stats_timed_event(&stats, 9, TK_STATS_CORES, 9999);
    assert_int_equal(stats.kinds[7], 2);
    assert_int_equal(tk_stats_event_count(&stats), 5);
    assert_int_equal(tk_stats_timed_count(&stats), 3);
    assert_int_equal(stats.start, 100);
    assert_int_equal(stats.end, 140);
    assert_int_equal(stats.cores[0].end, 120);
    assert_int_equal(stats.cores[1].end, 140);
}

static void runs_add_up_per_task_and_core(void **state) {
    (void)state;
    need(2, 1);
    tk_stats_timed_event(&stats, 0, 0, 10);
    tk_stats_run(&stats, 0, 0, 10, 30);
    tk_stats_run(&stats, 1, 0, 30, 35);
    need(20, 3); // a new core and more tasks keep the existing figures
    tk_stats_run(&stats, 0, 2, 40, 41);
    tk_stats_run(&stats, 19, 1, 50, 50);
    assert_int_equal(tk_stats_running(&stats, 0), 21);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).ticks, 20);
    assert_int_equal(tk_stats_running_on(&stats, 0, 1).ticks, 0);
    assert_int_equal(tk_stats_running_on(&stats, 0, 2).ticks, 1);
    assert_int_equal(tk_stats_running(&stats, 1), 5);
    assert_int_equal(stats.tasks[0].runs, 2);
    assert_int_equal(stats.tasks[19].runs, 1); // a run of length zero is still a run
    assert_int_equal(tk_stats_running(&stats, 19), 0);
}

// The time of interrupts within a run is theirs; an unmeasured occurrence is counted, but no figure contains it.
static void interrupts_are_taken_out_of_runs(void **state) {
    (void)state;
    need(2, 1);
    tk_stats_need_isrs(&stats, 1);
    tk_stats_isr_exit(&stats, 0, 0, 2, 9, true); // before the run
    tk_stats_run_begins(&stats, 0);
    tk_stats_isr_exit(&stats, 0, 0, 12, 13, false); // nested: within the next one
    tk_stats_isr_exit(&stats, 0, 0, 11, 15, true);
    tk_stats_unmeasured_isr(&stats, 0, 20, 26, true);
    tk_stats_unmeasured_isr(&stats, 0, 21, 26, false);
    tk_stats_run(&stats, 0, 0, 10, 30);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).ticks, 20);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).interrupted, 10);
    assert_int_equal(stats.cores[0].interrupt, 11);
    assert_int_equal(stats.cores[0].interrupt_unmeasured, 6);
    assert_int_equal(stats.isrs[0].duration.durations.measured, 3);
    assert_int_equal(stats.isrs[0].duration.durations.max, 7);
    tk_stats_run_begins(&stats, 0);
    tk_stats_isr_exit(&stats, 0, 0, 31, 33, true);
    tk_stats_idle(&stats, 0, 30, 40);
    assert_int_equal(stats.cores[0].idle, 8);
    tk_stats_unmeasured_run(&stats, 0, 0);
    tk_stats_unmeasured_wait(&stats, 0);
    assert_int_equal(stats.tasks[0].runs, 2);
    assert_int_equal(stats.tasks[0].runs_unmeasured, 1);
    assert_int_equal(stats.tasks[0].waits, 1);
    assert_int_equal(stats.tasks[0].waits_unmeasured, 1);
    assert_int_equal(tk_stats_running(&stats, 0), 20);
    tk_stats_unmeasured_run(&stats, 2, 0);
    tk_stats_unmeasured_wait(&stats, UINT32_MAX);
    tk_stats_idle(&stats, TK_STATS_CORES, 0, 5);
    tk_stats_unmeasured_isr(&stats, TK_STATS_CORES, 0, 5, true);
}

// Open occurrences are measured from there on; an occurrence across the boundary is not measured.
static void figures_begin_anew(void **state) {
    (void)state;
    need(2, 2);
    tk_stats_need_isrs(&stats, 2);
    tk_stats_need_queues(&stats, 1);
    tk_stats_timed_event(&stats, 1, 1, 10);
    tk_stats_run_begins(&stats, 0);
    tk_stats_run(&stats, 1, 1, 10, 40);
    tk_stats_wait(&stats, 1, 10, 90, 5);
    tk_stats_isr_enter(&stats, 0, 95);
    tk_stats_isr_exit(&stats, 0, 0, 95, 97, true);
    tk_stats_queue(&stats, 0, 9);
    tk_stats_isr_enter(&stats, 0, 98);
    tk_stats_reset(&stats, 100);
    tk_stats_timed_event(&stats, 2, 0, 100);
    tk_stats_isr_exit(&stats, 0, 0, 98, 103, true);
    tk_stats_isr_enter(&stats, 0, 110);
    tk_stats_isr_exit(&stats, 0, 0, 110, 114, true);
    tk_stats_run(&stats, 0, 0, 50, 120);
    tk_stats_wait(&stats, 1, 60, 130, 6);
    tk_stats_wait(&stats, 1, 101, 111, 7);
    tk_stats_queue(&stats, 0, 2);
    tk_stats_timed_event(&stats, 2, 0, 140);
    assert_int_equal(stats.start, 100);
    assert_int_equal(stats.end, 140);
    assert_int_equal(tk_stats_event_count(&stats), 2);
    assert_true(stats.cores[1].seen && !stats.cores[1].events);
    assert_int_equal(tk_stats_running(&stats, 1), 0);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).ticks, 20);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).interrupted, 7); // 3 ticks in the run across the boundary,
                                                                        // 4 in the other run
    assert_int_equal(row_sum(0), 20);
    assert_int_equal(stats.tasks[1].waits, 2);
    assert_int_equal(stats.tasks[1].waits_unmeasured, 1);
    assert_int_equal(stats.tasks[1].longest_wait, 10);
    assert_int_equal(stats.isrs[0].entered - stats.isrs[0].duration.durations.measured, 1);
    assert_int_equal(stats.isrs[0].duration.durations.max, 4);
    assert_int_equal(stats.isrs[0].period.durations.measured, 0);
    assert_int_equal(stats.cores[0].interrupt, 4);
    assert_int_equal(stats.cores[0].interrupt_unmeasured, 3);
    assert_int_equal(stats.queues[0].operations, 1);
    assert_int_equal(stats.queues[0].max_len, 2);
}

static void cores_may_come_before_tasks(void **state) {
    (void)state;
    assert_true(tk_stats_need_cores(&stats, 2));
    assert_true(tk_stats_need_tasks(&stats, 1));
    tk_stats_run(&stats, 0, 1, 0, 7);
    assert_int_equal(tk_stats_running_on(&stats, 0, 1).ticks, 7);
}

static void entries_above_the_limit_are_ignored(void **state) {
    (void)state;
    need(1, 1);
    tk_stats_run(&stats, 1, 0, 0, 5);
    tk_stats_run(&stats, UINT32_MAX, 0, 0, 5);
    tk_stats_run(&stats, 0, 31, 0, 5);
    tk_stats_run(&stats, 0, 0, 9, 5);
    tk_stats_wait(&stats, 1, 0, 5, 1);
    tk_stats_isr_enter(&stats, 0, 5);
    tk_stats_isr_exit(&stats, 0, 0, 5, 6, false);
    tk_stats_isr_exit(&stats, 0, 99, 5, 6, true);
    tk_stats_queue(&stats, 0, 3);
    assert_int_equal(tk_stats_running(&stats, 0), 0);
    assert_int_equal(tk_stats_running(&stats, 7), 0);
    for (uint32_t row = 0; row < TK_STATS_ROWS; row++) assert_int_equal(row_sum(row), 0);
}

static void longest_wait_is_kept_with_its_reason(void **state) {
    (void)state;
    need(1, 1);
    tk_stats_wait(&stats, 0, 10, 15, 111);
    tk_stats_wait(&stats, 0, 20, 60, UINT64_MAX);
    tk_stats_wait(&stats, 0, 70, 110, 333); // equally long: the first one counts
    tk_stats_wait(&stats, 0, 200, 190, 444);
    assert_int_equal(stats.tasks[0].longest_wait, 40);
    assert_int_equal(stats.tasks[0].longest_wait_from, 20);
    assert_true(stats.tasks[0].longest_wait_reason == UINT64_MAX);
}

static void interrupts_have_durations_and_periods(void **state) {
    (void)state;
    assert_true(tk_stats_need_isrs(&stats, 1));
    const uint64_t enters[] = { 100, 200, 290, 1000 }, lengths[] = { 5, 9, 0, 3 };
    for (unsigned i = 0; i < 4; i++) {
        if (i == 3) tk_stats_gap(&stats);
        tk_stats_isr_enter(&stats, 0, enters[i]);
        tk_stats_isr_exit(&stats, 0, 0, enters[i], enters[i] + lengths[i], true);
    }
    const struct tk_stats_isr *isr = &stats.isrs[0];
    assert_int_equal(isr->entered, 4);
    assert_int_equal(isr->duration.durations.measured, 4);
    assert_int_equal(isr->duration.durations.total, 17);
    assert_int_equal(isr->duration.durations.min, 0);
    assert_int_equal(isr->duration.durations.max, 9);
    assert_int_equal(isr->duration.durations.max_at, 200);
    assert_int_equal(isr->period.durations.measured, 2); // none across the gap
    assert_int_equal(isr->period.durations.min, 90);
    assert_int_equal(isr->period.durations.max, 100);
    assert_int_equal(isr->period.durations.total, 190);
    assert_int_equal(stats.cores[0].interrupt, 17);
}

static void nested_interrupts_count_once_for_the_core(void **state) {
    (void)state;
    assert_true(tk_stats_need_isrs(&stats, 2));
    tk_stats_isr_enter(&stats, 0, 10);
    tk_stats_isr_enter(&stats, 1, 12);
    tk_stats_isr_exit(&stats, 1, 4, 12, 15, false);
    tk_stats_isr_exit(&stats, 0, 4, 10, 20, true);
    assert_int_equal(stats.cores[4].interrupt, 10);
    assert_int_equal(stats.isrs[0].duration.durations.total + stats.isrs[1].duration.durations.total, 13);
}

static void queues_keep_the_highest_fill(void **state) {
    (void)state;
    assert_true(tk_stats_need_queues(&stats, 3));
    tk_stats_queue(&stats, 2, 4);
    tk_stats_queue(&stats, 2, UINT32_MAX);
    tk_stats_queue(&stats, 2, 0);
    assert_int_equal(stats.queues[2].operations, 3);
    assert_int_equal(stats.queues[2].max_len, UINT32_MAX);
}

static void sums_saturate(void **state) {
    (void)state;
    need(1, 2);
    assert_true(tk_stats_need_isrs(&stats, 1));
    for (int i = 0; i < 3; i++) {
        tk_stats_run(&stats, 0, 0, 1, UINT64_MAX);
        tk_stats_isr_exit(&stats, 0, 0, 1, UINT64_MAX, true);
    }
    tk_stats_run(&stats, 0, 1, 0, 10);
    assert_true(tk_stats_running(&stats, 0) == UINT64_MAX);
    assert_true(stats.isrs[0].duration.durations.total == UINT64_MAX);
    assert_true(stats.cores[0].interrupt == UINT64_MAX);
    assert_true(stats.shift <= 56);
}

static void strip_begins_with_single_ticks(void **state) {
    (void)state;
    need(1, 1);
    tk_stats_timed_event(&stats, 0, 0, 1000);
    tk_stats_run(&stats, 0, 0, 1000, 1003);
    tk_stats_run(&stats, 0, 0, 1010, 1011);
    tk_stats_timed_event(&stats, 0, 0, 1020);
    assert_int_equal(stats.shift, 0);
    assert_int_equal(tk_stats_bucket_count(&stats), 20);
    for (uint32_t i = 0; i < 20; i++) assert_int_equal(stats.strip[0][i], i < 3 || i == 10 ? 1 : 0);
}

static void strip_widens_and_loses_nothing(void **state) {
    (void)state;
    need(TK_STATS_TASK_ROWS + 1, 1);
    assert_true(tk_stats_need_isrs(&stats, TK_STATS_ISR_ROWS + 1));
    tk_stats_timed_event(&stats, 0, 0, 50);
    uint64_t sum = 0, at = 50;
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t length = i * i * i % 977;
        tk_stats_run(&stats, 47, 0, at, at + length);
        tk_stats_run(&stats, 48, 0, at, at + length); // no row
        tk_stats_isr_exit(&stats, 15, 0, at, at + length, true);
        tk_stats_isr_exit(&stats, 16, 0, at, at + length, true); // no row
        sum += length;
        at += length + i * 13;
        tk_stats_timed_event(&stats, 0, 0, at);
        assert_int_equal(row_sum(47), sum);
        assert_int_equal(row_sum(TK_STATS_FIRST_ISR_ROW + 15), sum);
    }
    uint32_t buckets = tk_stats_bucket_count(&stats);
    assert_in_range(buckets, TK_STATS_BUCKETS / 2, TK_STATS_BUCKETS);
    assert_int_equal(row_sum(0), 0);
}

// The same spans, whole or split, before or after the strip was widened, give the same strip.
static void strip_does_not_depend_on_when_it_widened(void **state) {
    (void)state;
    need(2, 1);
    tk_stats_timed_event(&stats, 0, 0, 7);
    tk_stats_run(&stats, 0, 0, 7, 100007);
    for (uint64_t at = 7; at < 100007; at += 10) tk_stats_run(&stats, 1, 0, at, at + 10);
    tk_stats_timed_event(&stats, 0, 0, 100007);
    assert_memory_equal(stats.strip[0], stats.strip[1], sizeof stats.strip[0]);
    assert_int_equal(row_sum(0), 100000);
}

static void strip_takes_any_time(void **state) {
    (void)state;
    need(1, 1);
    tk_stats_timed_event(&stats, 0, 0, 1000);
    tk_stats_run(&stats, 0, 0, 0, 999);    // before the start
    tk_stats_run(&stats, 0, 0, 990, 1005); // crosses it
    assert_int_equal(row_sum(0), 5);
    tk_stats_run(&stats, 0, 0, UINT64_MAX - 10, UINT64_MAX);
    tk_stats_timed_event(&stats, 0, 0, UINT64_MAX);
    assert_int_equal(row_sum(0), 15);
    assert_int_equal(tk_stats_bucket_count(&stats), TK_STATS_BUCKETS);
    assert_int_equal(stats.strip[0][255], 10);
    tk_stats_run(&stats, 0, 0, UINT64_MAX / 2, UINT64_MAX);
    assert_true(stats.strip[0][200] == (uint64_t)1 << stats.shift);
}

static void without_a_duration_there_is_no_strip(void **state) {
    (void)state;
    assert_int_equal(tk_stats_bucket_count(&stats), 0);
    tk_stats_timed_event(&stats, 0, 0, 1000);
    assert_int_equal(tk_stats_bucket_count(&stats), 0);
}

static void use_everything(struct tk_stats *all) {
    tk_stats_timed_event(all, 0, 0, 5);
    for (uint32_t i = 0; i < 40; i++) {
        tk_stats_need_cores(all, 1 + i / 10);
        tk_stats_need_tasks(all, i + 1);
        tk_stats_need_isrs(all, i + 1);
        tk_stats_need_queues(all, i + 1);
        tk_stats_run(all, i, i % 4, 10 * i, 10 * i + 2000);
        tk_stats_wait(all, i, 1, 2, 3);
        tk_stats_isr_enter(all, i, 10 * i);
        tk_stats_isr_exit(all, i, 0, 10 * i, 10 * i + 3, true);
        tk_stats_queue(all, i, i);
    }
    tk_stats_timed_event(all, 0, 0, 5000);
    for (uint32_t row = 0; row < TK_STATS_ROWS; row++) tk_stats_noise(all, row);
    for (uint32_t task = 0; task < 40; task++) tk_stats_running(all, task);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (unsigned n = 0;; n++) {
        struct heap small = { .fail_from = n + 1 };
        struct tk_alloc of_small = heap_alloc(&small);
        struct tk_stats all;
        tk_stats_init(&all, &of_small);
        use_everything(&all);
        bool failed = of_small.failed;
        tk_alloc_free_all(&of_small);
        assert_int_equal(small.in_use, 0);
        if (!failed) {
            assert_true(n > 10);
            break;
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, done)

static void percentiles_of_interrupts(void **state) {
    (void)state;
    tk_stats_timed_event(&stats, 0, 0, 0);
    tk_stats_need_isrs(&stats, 1);
    for (uint64_t i = 1; i <= 100; i++) { // lengths 1 .. 100, periods 200
        tk_stats_isr_enter(&stats, 0, 200 * i);
        tk_stats_isr_exit(&stats, 0, 0, 200 * i, 200 * i + i, true);
    }
    const struct tk_stats_isr *isr = &stats.isrs[0];
    assert_int_equal(tk_measure_at(&isr->duration, 95), 95);
    assert_int_equal(isr->period.durations.measured, 99);
    assert_in_range(tk_measure_at(&isr->period, 50), 200, 201);
    tk_stats_reset(&stats, 30000); // a call from before is not measured
    tk_stats_isr_exit(&stats, 0, 0, 29990, 30010, true);
    assert_int_equal(isr->entered, 1);
    assert_int_equal(isr->duration.durations.measured, 0);
    assert_int_equal(isr->duration.histogram->count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(events_are_counted_by_kind_and_core),
        TEST(percentiles_of_interrupts),
        TEST(runs_add_up_per_task_and_core),
        TEST(interrupts_are_taken_out_of_runs),
        TEST(figures_begin_anew),
        TEST(cores_may_come_before_tasks),
        TEST(entries_above_the_limit_are_ignored),
        TEST(longest_wait_is_kept_with_its_reason),
        TEST(interrupts_have_durations_and_periods),
        TEST(nested_interrupts_count_once_for_the_core),
        TEST(queues_keep_the_highest_fill),
        TEST(sums_saturate),
        TEST(strip_begins_with_single_ticks),
        TEST(strip_widens_and_loses_nothing),
        TEST(strip_does_not_depend_on_when_it_widened),
        TEST(strip_takes_any_time),
        TEST(without_a_duration_there_is_no_strip),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
