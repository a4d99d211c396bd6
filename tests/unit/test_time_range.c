// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/timeline/time_range.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct recorder recorder;
static struct tk_time_range range;
static struct tk_track_sink sink;
static uint64_t tick_ns;

static uint64_t known_tick_ns(const void *ctx) {
    (void)ctx;
    return tick_ns;
}

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    recorder_init(&recorder, true);
    memset(&range, 0, sizeof range);
    range.tick_ns = known_tick_ns;
    tick_ns = 1;
    tk_time_range_init(&range, &alloc, &recorder.sink);
    sink = tk_time_range_sink(&range);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void part(uint64_t from_ns, uint64_t to_ns) {
    range.from_ns = from_ns;
    range.to_ns = to_ns;
}

static void event(uint64_t ticks, uint8_t type, uint32_t track) {
    struct tk_track_event event = { .ticks = ticks, .type = type, .track = track };
    sink.event(sink.ctx, &event);
}

static void state_at(enum tk_when when, uint64_t ticks, int32_t pid, enum tk_task_state state, uint32_t core) {
    struct tk_task_change change = {
        .ticks = ticks, .pid = pid, .core = core, .when = (uint8_t)when, .state = (uint8_t)state
    };
    sink.state(sink.ctx, &change);
}

static void state_of(uint64_t ticks, int32_t pid, enum tk_task_state state) {
    state_at(TK_IN_ORDER, ticks, pid, state, 0);
}

static void open_slices_are_drawn_from_the_start(void **state) {
    (void)state;
    part(100, 200);
    state_of(10, 301, TK_STATE_RUNNING);
    event(20, TK_EVENT_BEGIN, 1);
    event(30, TK_EVENT_BEGIN, 1);
    event(40, TK_EVENT_END, 1);
    event(150, TK_EVENT_INSTANT, 2);
    event(250, TK_EVENT_END, 1);
    sink.finish(sink.ctx, &(struct tk_trace_summary){ .last_ticks = 250 });
    expect_lines(&recorder.lines,
                 "100: begin <1>\n150: instant <2>\n200: end <1>\n100 late: p301 running c0\nfinish, tick 0\n");
}

static void a_longer_tick_does_not_end_the_range_before_written_events(void **state) {
    (void)state;
    part(0, 1000);
    event(500, TK_EVENT_BEGIN, 1);
    tick_ns = 100; // the range ends at tick 10
    event(600, TK_EVENT_INSTANT, 1);
    event(700, TK_EVENT_END, 1);
    expect_lines(&recorder.lines, "500: begin <1>\n500: end <1>\n");
}

static void a_longer_tick_does_not_start_the_range_before_written_events(void **state) {
    (void)state;
    part(100, 10000);
    state_of(50, 301, TK_STATE_WAITING);
    event(100, TK_EVENT_INSTANT, 1);
    tick_ns = 50; // the range begins at tick 2
    event(101, TK_EVENT_INSTANT, 1);
    sink.finish(sink.ctx, &(struct tk_trace_summary){ .last_ticks = 101 });
    assert_false(range.tick_changed); // no slice was drawn before
    expect_lines(&recorder.lines, "100: instant <1>\n101: instant <1>\n100 late: p301 waiting c0\nfinish, tick 0\n");
}

static void a_shorter_tick_does_not_reopen_an_ended_range(void **state) {
    (void)state;
    part(0, 1000);
    tick_ns = 10;
    state_of(50, 301, TK_STATE_WAITING);
    state_of(150, 301, TK_STATE_RUNNABLE); // after it
    tick_ns = 1;
    state_of(200, 301, TK_STATE_WAITING);
    event(300, TK_EVENT_INSTANT, 1);
    expect_lines(&recorder.lines, "50: p301 waiting c0\n");
}

static void a_shorter_tick_does_not_move_the_start(void **state) {
    (void)state;
    part(1000, 100000);
    tick_ns = 10;
    state_of(150, 301, TK_STATE_WAITING);
    tick_ns = 1;
    state_of(200, 301, TK_STATE_RUNNABLE);
    event(300, TK_EVENT_INSTANT, 1);
    expect_lines(&recorder.lines, "150: p301 waiting c0\n200: p301 ready c0\n300: instant <1>\n");
    assert_true(range.tick_changed);
}

static void a_late_slice_starts_no_earlier_than_the_range(void **state) {
    (void)state;
    struct tk_track_event begin = { .ticks = 50, .type = TK_EVENT_BEGIN, .track = 1, .when = TK_LATE },
                          end = { .ticks = 120, .type = TK_EVENT_END, .track = 1, .when = TK_LATE };
    part(100, 200);
    event(130, TK_EVENT_INSTANT, 2);
    sink.event(sink.ctx, &begin);
    sink.event(sink.ctx, &end);
    expect_lines(&recorder.lines, "130: instant <2>\n100 late: begin <1>\n120 late: end <1>\n");
    end.ticks = 90; // all of it is before the range
    sink.event(sink.ctx, &begin);
    sink.event(sink.ctx, &end);
    expect_lines(&recorder.lines, "");
}

static void a_task_has_one_state_at_the_start(void **state) {
    (void)state;
    part(100, 1000);
    state_of(10, 301, TK_STATE_RUNNING);
    state_of(10, 302, TK_STATE_RUNNABLE);
    state_of(10, 303, TK_STATE_SUSPENDED);
    event(150, TK_EVENT_INSTANT, 1);
    state_at(TK_LATE, 40, 301, TK_STATE_WAITING, 0); // the task had been switched out, and no other task ran there
    state_at(TK_LATE, 50, 301, TK_STATE_RUNNABLE, 0);
    state_of(200, 301, TK_STATE_RUNNING);
    state_of(210, 302, TK_STATE_WAITING);
    sink.finish(sink.ctx, &(struct tk_trace_summary){ .last_ticks = 210 });
    expect_lines(&recorder.lines, "150: instant <1>\n100 late: p301 ready c0\n200: p301 running c0\n100 late: p302 "
                                  "ready c0\n210: p302 waiting c0\n100 late: p303 suspended c0\nfinish, tick 0\n");
}

static void count(enum tk_when when, uint64_t ticks, uint32_t track, int64_t value) {
    sink.event(sink.ctx,
               &(struct tk_track_event){
                   .ticks = ticks, .type = TK_EVENT_COUNTER, .when = (uint8_t)when, .track = track, .value = value });
}

// The first value of a priority is drawn when it changes.
static void a_late_counter_has_its_value_at_the_start(void **state) {
    (void)state;
    part(100, 1000);
    count(TK_IN_ORDER, 60, 3, 7);
    event(150, TK_EVENT_INSTANT, 2);
    count(TK_LATE, 50, 1, 5);
    count(TK_LATE, 50, 3, 6); // older than the known times
    sink.finish(sink.ctx, &(struct tk_trace_summary){ .last_ticks = 150 });
    expect_lines(&recorder.lines, "100: count <3> 7\n150: instant <2>\n100 late: count <1> 5\nfinish, tick 0\n");
}

// A load is drawn at the end, with all its values.
static void of_late_counters_the_last_before_the_range_is_drawn(void **state) {
    (void)state;
    part(100, 1000);
    event(150, TK_EVENT_INSTANT, 2);
    for (uint64_t ticks = 40; ticks <= 120; ticks += 20) count(TK_LATE, ticks, 1, (int64_t)ticks);
    expect_lines(&recorder.lines, "150: instant <2>\n100 late: count <1> 100\n120 late: count <1> 120\n");
}

// Separate time lines, each placed after the one before.
static void of_counters_out_of_order_the_last_before_the_range_is_drawn(void **state) {
    (void)state;
    part(100, 1000);
    recorder.free_times = true;
    event(150, TK_EVENT_INSTANT, 3);
    for (uint64_t ticks = 50; ticks < 100; ticks++)
        count(TK_IN_ORDER, ticks, 1, (int64_t)ticks), count(TK_IN_ORDER, ticks, 2, -(int64_t)ticks);
    count(TK_IN_ORDER, 160, 1, 1);
    count(TK_IN_ORDER, 170, 1, 2);
    count(TK_IN_ORDER, 1001, 2, 3);
    sink.finish(sink.ctx, &(struct tk_trace_summary){ .last_ticks = 1001 });
    expect_lines(&recorder.lines, "150: instant <3>\n100 late: count <1> 99\n160: count <1> 1\n170: count <1> 2\n100 "
                                  "late: count <2> -99\nfinish, tick 0\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(open_slices_are_drawn_from_the_start, reset, done),
        cmocka_unit_test_setup_teardown(a_longer_tick_does_not_end_the_range_before_written_events, reset, done),
        cmocka_unit_test_setup_teardown(a_longer_tick_does_not_start_the_range_before_written_events, reset, done),
        cmocka_unit_test_setup_teardown(a_shorter_tick_does_not_reopen_an_ended_range, reset, done),
        cmocka_unit_test_setup_teardown(a_shorter_tick_does_not_move_the_start, reset, done),
        cmocka_unit_test_setup_teardown(a_late_slice_starts_no_earlier_than_the_range, reset, done),
        cmocka_unit_test_setup_teardown(a_task_has_one_state_at_the_start, reset, done),
        cmocka_unit_test_setup_teardown(a_late_counter_has_its_value_at_the_start, reset, done),
        cmocka_unit_test_setup_teardown(of_late_counters_the_last_before_the_range_is_drawn, reset, done),
        cmocka_unit_test_setup_teardown(of_counters_out_of_order_the_last_before_the_range_is_drawn, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
