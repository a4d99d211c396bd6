// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/timeline/timeline.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct recorder recorder;
static struct tk_timeline tl;
static uint32_t task_a, task_b;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_diag_init(&diag);
    recorder_init(&recorder, true);
    tk_timeline_init(&tl, &alloc, &diag, &recorder.sink);
    task_a = tk_timeline_add_task(&tl, tk_names_add(&tl.names, TK_ENTITY_TASK, 1), 1, false);
    task_b = tk_timeline_add_task(&tl, tk_names_add(&tl.names, TK_ENTITY_TASK, 2), 2, false);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void at(uint64_t ticks) { tk_timeline_advance(&tl, ticks); }

// ---- States ------------------------------------------------------------------------------------

static void one_state_per_task_and_tick(void **state) {
    (void)state;
    at(10);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNABLE, 0);
    tk_timeline_state(&tl, task_a, TK_STATE_WAITING, 0);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 0);
    expect_lines(&recorder.lines, ""); // decided when time advances
    at(11);
    expect_lines(&recorder.lines, "10: p301 running c0\n");
}

static void the_outgoing_task_comes_first(void **state) {
    (void)state;
    at(10);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 0);
    at(20);
    tk_timeline_state(&tl, task_b, TK_STATE_RUNNING, 0);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNABLE, 0);
    at(30);
    expect_lines(&recorder.lines, "10: p301 running c0\n20: p301 ready c0\n20: p302 running c0\n");
}

static void equal_states_are_sent_once(void **state) {
    (void)state;
    at(10);
    tk_timeline_state(&tl, task_a, TK_STATE_WAITING, 0);
    at(20);
    tk_timeline_state(&tl, task_a, TK_STATE_WAITING, 0);
    at(30);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNABLE, 0);
    tk_timeline_state(&tl, task_a, TK_STATE_WAITING, 0);
    tk_timeline_finish(&tl);
    expect_lines(&recorder.lines, "10: p301 waiting c0\n");
}

static void a_task_that_moves_leaves_the_first_core_just_before(void **state) {
    (void)state;
    at(10);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 0);
    at(20);
    tk_timeline_state(&tl, task_b, TK_STATE_RUNNING, 0);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 1);
    at(21);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 2); // no space between two ticks
    tk_timeline_state(&tl, task_b, TK_STATE_RUNNING, 1);
    at(30);
    expect_lines(&recorder.lines,
                 "10: p301 running c0\n20 early: p301 ready c0\n20: p302 running c0\n20: p301 running c1\n"
                 "21: p301 ready c1\n21: p302 ready c0\n22: p301 running c2\n22: p302 running c1\n");
}

static void a_task_that_moves_within_two_ticks_appears_a_tick_later(void **state) {
    (void)state;
    at(10);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 0);
    at(11);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 1);
    tk_timeline_state(&tl, task_b, TK_STATE_RUNNING, 0);
    at(12);
    tk_timeline_state(&tl, task_b, TK_STATE_WAITING, 0);
    at(13);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 2);
    tk_timeline_finish(&tl);
    expect_lines(&recorder.lines, "10: p301 running c0\n11: p301 ready c0\n11: p302 running c0\n12: p302 waiting "
                                  "c0\n12: p301 running c1\n13: p301 ready c1\n");
}

static void a_state_can_be_cancelled(void **state) {
    (void)state;
    at(10);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNABLE, 0);
    at(20);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 0);
    tk_timeline_cancel_state(&tl, task_a);
    tk_timeline_cancel_state(&tl, task_b);
    at(30);
    expect_lines(&recorder.lines, "10: p301 ready c0\n");
}

static void a_state_may_be_added_late(void **state) {
    (void)state;
    at(10);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 0);
    at(50);
    tk_timeline_late_state(&tl, task_a, TK_STATE_WAITING, 0, 20);
    tk_timeline_late_state(&tl, task_a, TK_STATE_WAITING, 0, 25);  // the same state again
    tk_timeline_late_state(&tl, task_a, TK_STATE_RUNNABLE, 0, 15); // before the drawn states
    tk_timeline_late_state(&tl, task_a, TK_STATE_RUNNABLE, 0, 50); // not late
    at(60);
    expect_lines(&recorder.lines, "10: p301 running c0\n20 late: p301 waiting c0\n50: p301 ready c0\n");
}

static void tasks_get_unique_numbers(void **state) {
    (void)state;
    uint32_t huge = tk_timeline_add_task(&tl, tk_names_add(&tl.names, TK_ENTITY_TASK, UINT32_MAX), UINT32_MAX, false);
    uint32_t next = tk_timeline_add_task(&tl, tk_names_add(&tl.names, TK_ENTITY_TASK, 0x80000001), 0x80000001, false);
    uint32_t again = tk_timeline_add_task(&tl, tk_names_add(&tl.names, TK_ENTITY_TASK, 1), 1, true);
    assert_true(tl.tasks[huge].pid > 2 && tl.tasks[next].pid > 2 && tl.tasks[again].pid > 2);
    assert_int_not_equal(tl.tasks[huge].pid, tl.tasks[next].pid);
    assert_int_not_equal(tl.tasks[again].pid, tl.tasks[task_a].pid);
    assert_int_not_equal(tl.tasks[again].pid, tl.tasks[next].pid);
}

// ---- Slices ------------------------------------------------------------------------------------

static uint32_t slices(const char *title) {
    struct tk_track_spec override = { .kind = TK_TRACK_SLICES, .entity = TK_NONE, .title = title, .pid = -1 };
    return tk_timeline_add_track(&tl, &override);
}

static struct tk_label_text text(const char *words) {
    return (struct tk_label_text){ 0, words, (uint32_t)strlen(words) };
}

static void begins_and_ends_balance(void **state) {
    (void)state;
    uint32_t track = slices("work");
    at(5);
    tk_timeline_end(&tl, track, NULL, 0); // no slice is open
    tk_timeline_begin(&tl, track, text("outer"), NULL, 0);
    at(6);
    tk_timeline_begin(&tl, track, text("inner"), NULL, 0);
    at(7);
    tk_timeline_end(&tl, track, NULL, 0);
    tk_timeline_end(&tl, track, NULL, 0);
    tk_timeline_end(&tl, track, NULL, 0);
    expect_lines(&recorder.lines, "5: begin <work> 'outer'\n6: begin <work> 'inner'\n7: end <work>\n7: end <work>\n");
}

static void slices_open_at_the_end_are_closed_and_marked(void **state) {
    (void)state;
    uint32_t track = slices("work");
    at(5);
    tk_timeline_begin(&tl, track, text("a"), NULL, 0);
    at(9);
    tk_timeline_close_all(&tl, true);
    tk_timeline_close_all(&tl, true);
    expect_lines(&recorder.lines, "5: begin <work> 'a'\n9: end <work>, open at the end 1\n");
}

static void too_deep_slices_are_counted_and_not_drawn(void **state) {
    (void)state;
    uint32_t track = slices("work");
    at(1);
    for (int i = 0; i < TK_MAX_DEPTH + 3; i++) tk_timeline_begin(&tl, track, text("x"), NULL, 0);
    assert_int_equal(recorder.depth[track], TK_MAX_DEPTH);
    assert_int_equal(diag.entries[TK_DIAG_TOO_DEEP].count, 3);
    for (int i = 0; i < 3; i++) tk_timeline_end(&tl, track, NULL, 0);
    assert_int_equal(recorder.depth[track], TK_MAX_DEPTH);
    tk_timeline_end(&tl, track, NULL, 0);
    assert_int_equal(recorder.depth[track], TK_MAX_DEPTH - 1);
    tk_timeline_close_all(&tl, false);
    assert_int_equal(recorder.depth[track], 0);
}

static void after_a_loss_a_slice_that_begins_again_was_never_ended(void **state) {
    (void)state;
    uint32_t track = slices("work"), name = tk_names_define(&tl.names, TK_INTERN_NAME, "busy", 4);
    struct tk_label_text busy = { .id = name };
    at(1);
    tk_timeline_begin(&tl, track, busy, NULL, 0);
    at(2);
    tk_timeline_begin(&tl, track, busy, NULL, 0); // nested
    tk_timeline_end(&tl, track, NULL, 0);
    tk_timeline_loss(&tl, -1);
    at(3);
    tk_timeline_begin(&tl, track, busy, NULL, 0);
    expect_lines(&recorder.lines, "1: begin <work> 'busy'\n2: begin <work> 'busy'\n2: end <work>\n3: end <work>, end "
                                  "lost 1\n3: begin <work> 'busy'\n");
}

// Each slice knows the losses and interrupts within it, nested ones separately; a loss on one core does not affect the
// others.
static void slices_across_a_loss_are_marked(void **state) {
    (void)state;
    uint32_t track = slices("work"), other = slices("core 1");
    tl.tracks[other - 1].of_core = 2;
    at(1);
    tk_timeline_begin(&tl, track, text("outer"), NULL, 0);
    tk_timeline_begin(&tl, other, text("apart"), NULL, 0);
    assert_false(tk_timeline_crosses_loss(&tl, track, 0));
    tk_timeline_loss(&tl, 0);
    at(2);
    tk_timeline_begin(&tl, track, text("inner"), NULL, 0);
    assert_true(tk_timeline_crosses_loss(&tl, track, 0));
    assert_false(tk_timeline_crosses_loss(&tl, track, 1));
    assert_false(tk_timeline_crosses_loss(&tl, other, 0));
    tk_timeline_end(&tl, track, NULL, 0);
    tk_timeline_end(&tl, track, NULL, 0);
    tk_timeline_end(&tl, other, NULL, 0);
    tk_timeline_begin(&tl, track, text("next"), NULL, 0);
    tk_timeline_end(&tl, track, NULL, 0);
    tk_timeline_begin(&tl, track, text("uncertain"), NULL, 0);
    tk_timeline_invalidate_open(&tl, track);
    tk_timeline_end(&tl, track, NULL, 0);
    tk_timeline_begin(&tl, track, text("forced"), NULL, 0);
    tk_timeline_end_lost(&tl, track);
    assert_true(tk_timeline_crosses_loss(&tl, 0, 0));
    expect_lines(&recorder.lines, "1: begin <work> 'outer'\n1: begin <core 1> 'apart'\n2: begin <work> 'inner'\n2: end "
                                  "<work>\n2: end <work>, events lost meanwhile 1\n"
                                  "2: end <core 1>\n2: begin <work> 'next'\n2: end <work>\n2: begin <work> "
                                  "'uncertain'\n2: end <work>, events lost meanwhile 1\n"
                                  "2: begin <work> 'forced'\n2: end <work>, end lost 1\n");
}

static void track_zero_is_ignored(void **state) {
    (void)state;
    struct tk_track_event event = { .type = TK_EVENT_INSTANT };
    tk_timeline_begin(&tl, 0, text("x"), NULL, 0);
    tk_timeline_end(&tl, 0, NULL, 0);
    tk_timeline_instant(&tl, 0, text("x"), NULL, 0);
    tk_timeline_counter(&tl, 0, 1, NULL, 0);
    tk_timeline_event(&tl, &event);
    expect_lines(&recorder.lines, "");
}

// ---- Tracks ------------------------------------------------------------------------------------

static void equal_names_get_numbers(void **state) {
    (void)state;
    recorder.quiet_tracks = false;
    uint32_t first = tk_names_add(&tl.names, TK_ENTITY_QUEUE, 4), second = tk_names_add(&tl.names, TK_ENTITY_QUEUE, 9);
    tk_names_set(&tl.names, first, "rx", 2);
    tk_names_set(&tl.names, second, "rx", 2);
    struct tk_track_spec override = { .kind = TK_TRACK_COUNTER, .entity = first, .pid = -1 };
    tk_timeline_add_track(&tl, &override);
    override.entity = second;
    tk_timeline_add_track(&tl, &override);
    expect_lines(&recorder.lines, "track 1 in 0 'rx'\ntrack 2 in 0 'rx #9'\n");
}

static void a_track_gets_a_late_name(void **state) {
    (void)state;
    recorder.quiet_tracks = false;
    uint32_t queue = tk_names_add(&tl.names, TK_ENTITY_QUEUE, 4);
    struct tk_track_spec override = { .kind = TK_TRACK_COUNTER, .entity = queue, .pid = -1 };
    tk_timeline_add_track(&tl, &override);
    tk_names_set(&tl.names, queue, "rx", 2);
    tk_timeline_finish(&tl);
    expect_lines(&recorder.lines, "track 1 in 0 'queue #4'\ntrack 1 in 0 'rx'\n");
}

static void groups_hang_below_the_target(void **state) {
    (void)state;
    recorder.quiet_tracks = false;
    uint32_t queues = tk_timeline_group(&tl, TK_GROUP_QUEUES);
    assert_int_equal(tk_timeline_group(&tl, TK_GROUP_QUEUES), queues);
    expect_lines(&recorder.lines, "track 1 in 0 'Target'\ntrack 2 in 1 'Queues and locks'\n");
}

static void tasks_are_announced_before_their_states_and_once(void **state) {
    (void)state;
    recorder.quiet_tracks = false;
    at(1);
    tk_timeline_state(&tl, task_a, TK_STATE_RUNNING, 0);
    at(2);
    tk_names_set(&tl.names, tl.tasks[task_a].entity, "main", 4);
    tk_timeline_finish(&tl);
    tk_timeline_finish(&tl);
    expect_lines(&recorder.lines, "task p301 'task #1'\n1: p301 running c0\ntask p301 'main'\n");
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    for (size_t fail = 0; fail < 10; fail++) {
        done(NULL);
        reset(NULL);
        heap.fail_from = heap.calls + 1 + fail;
        for (uint32_t i = 0; i < 40; i++) {
            uint32_t row = tk_timeline_add_task(&tl, 0, i + 10, false), track = slices("same");
            at(i);
            tk_timeline_begin(&tl, track, text("x"), NULL, 0);
            if (row != TK_NONE) tk_timeline_state(&tl, row, TK_STATE_RUNNING, 0);
        }
        tk_timeline_close_all(&tl, true);
        tk_timeline_finish(&tl);
        assert_true(alloc.failed);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(one_state_per_task_and_tick),
        CASE(the_outgoing_task_comes_first),
        CASE(equal_states_are_sent_once),
        CASE(a_task_that_moves_leaves_the_first_core_just_before),
        CASE(a_task_that_moves_within_two_ticks_appears_a_tick_later),
        CASE(a_state_can_be_cancelled),
        CASE(a_state_may_be_added_late),
        CASE(tasks_get_unique_numbers),
        CASE(begins_and_ends_balance),
        CASE(slices_open_at_the_end_are_closed_and_marked),
        CASE(too_deep_slices_are_counted_and_not_drawn),
        CASE(after_a_loss_a_slice_that_begins_again_was_never_ended),
        CASE(slices_across_a_loss_are_marked),
        CASE(track_zero_is_ignored),
        CASE(equal_names_get_numbers),
        CASE(a_track_gets_a_late_name),
        CASE(groups_hang_below_the_target),
        CASE(tasks_are_announced_before_their_states_and_once),
        CASE(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
