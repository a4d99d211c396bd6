// SPDX-License-Identifier: MIT
//
// The state machine of tasks, queues and interrupts without the model: events in, calls of the track sink out.
#include "support.h"

#include "model/trackers/rtos/rtos_internal.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct recorder recorder;
static struct tk_timeline tl;
static struct tk_stats stats;
static struct tk_rtos rtos;
static struct tk_tracker_host host;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_diag_init(&diag);
    recorder_init(&recorder, true);
    tk_timeline_init(&tl, &alloc, &diag, &recorder.sink);
    tk_stats_init(&stats, &alloc);
    rtos = (struct tk_rtos){ .host = NULL };
    host = (struct tk_tracker_host){ .alloc = &alloc, .diag = &diag, .timeline = &tl, .stats = &stats, .rtos = &rtos };
    tk_tracker_rtos.init(&rtos, &host);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static uint64_t count(enum tk_diag_id id) { return diag.entries[id].count; }

// In the same order as the model.
static void send(struct tk_event event) {
    if (tl.unresolved && event.timed) tk_tracker_rtos.resolve(&rtos, &event);
    if (event.timed) tk_timeline_advance(&tl, event.ticks);
    tk_rtos_event(&rtos, &event);
}

static void on(uint8_t core, uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg) {
    struct tk_event event = { .kind = (uint8_t)kind, .timed = true, .ticks = ticks, .core = core };
    tk_event_set_number(&event, TK_SLOT_ID, id);
    tk_event_set_number(&event, TK_SLOT_NUMBER, arg);
    send(event);
}

static void lose(int32_t core) {
    tk_timeline_loss(&tl, core);
    tk_stats_gap(&stats);
    tk_tracker_rtos.loss(&rtos, core);
}

static void at(uint64_t ticks, enum tk_event_kind kind, uint32_t id) { on(0, ticks, kind, id, 0); }
static void at_arg(uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg) { on(0, ticks, kind, id, arg); }

static void name(enum tk_event_kind kind, uint32_t id, const char *text) {
    struct tk_event event = { .kind = (uint8_t)kind, .str = text, .str_len = (uint32_t)strlen(text) };
    tk_event_set_number(&event, TK_SLOT_ID, id);
    send(event);
}

static void kind_is(uint32_t queue, enum tk_queue_kind kind) {
    send((struct tk_event){ .kind = TK_EV_QUEUE_KIND, .queue_kind.queue = queue, .queue_kind.queue_kind = kind });
}
static void is_idle(uint32_t task) { send((struct tk_event){ .kind = TK_EV_TASK_IS_IDLE, .idle_task.task = task }); }
static void runs(uint64_t ticks, uint32_t task) { at(ticks, TK_EV_TASK_SWITCHED_IN, task); }

static void flush(uint64_t ticks) { tk_timeline_advance(&tl, ticks); }

static void end(uint64_t ticks) {
    flush(ticks);
    tk_tracker_rtos.finish(&rtos);
    tk_timeline_close_all(&tl, true);
    tk_timeline_finish(&tl);
}

static void named_pair(void) {
    name(TK_EV_TASK_NAME, 1, "a");
    name(TK_EV_TASK_NAME, 2, "b");
    name(TK_EV_QUEUE_NAME, 5, "q");
}

// ---- Announced waits ------------------------------------------------------------------------------

static void an_announced_wait_is_a_slice_with_its_reason(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(15, TK_EV_BLOCK_ON_RECEIVE, 5, 100);
    runs(20, 2);
    at(30, TK_EV_TASK_READY, 1);
    runs(31, 1);
    flush(40);
    expect_lines(&recorder.lines, "10: p301 running c0\n"
                                  "20: begin <a> 'receive from q', timeout (ticks) 100\n"
                                  "20: p301 waiting c0\n"
                                  "20: p302 running c0\n"
                                  "30: end <a>, woken by {1}\n"
                                  "30: p301 ready c0 by task\n"
                                  "31: p301 running c0\n");
    assert_string_equal(recorder.names[TK_INTERN_TEXT][1], "b");
}

// Task a waits from `ticks` on, for a reason that a later event may replace.
static void waits_for_words(uint64_t ticks, const char *words) {
    struct tk_event event = { .kind = TK_EV_BLOCK_WITH_REASON,
                              .timed = true,
                              .ticks = ticks,
                              .str = words,
                              .str_len = (uint32_t)strlen(words),
                              .wait_reason.is_preliminary = 1 };
    send(event);
    runs(ticks, 2);
}

// A preliminary reason is replaced after the wait, or drawn when the next wait begins, another task suspends the task,
// the target restarts or the recording ends.
static void the_reason_of_a_wait_may_come_after_it(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    waits_for_words(20, "list");
    at_arg(21, TK_EV_WAITED_FOR, 5, TK_WAITED_TO_SEND); // by task b, which has not waited
    at(30, TK_EV_TASK_READY, 1);
    runs(31, 1);
    runs(32, 2); // preempted before its call
    runs(33, 1);
    assert_null(strstr(recorder.lines.text, "begin"));
    at_arg(34, TK_EV_WAITED_FOR, 5, TK_WAITED_TO_RECEIVE);
    assert_int_equal(stats.tasks[0].longest_wait, 10);
    at_arg(34, TK_EV_WAITED_FOR, 5, TK_WAITED_TO_SEND); // decided already
    waits_for_words(40, "list");
    at(45, TK_EV_TASK_READY, 1);
    runs(45, 1);
    at_arg(46, TK_EV_WAITED_FOR, 0, TK_WAITED_FOR_NOTIFICATION);
    waits_for_words(50, "list");
    at(51, TK_EV_TASK_READY, 1);
    runs(51, 1);
    waits_for_words(60, "list");
    at(61, TK_EV_TASK_READY, 1);
    at(62, TK_EV_TASK_SUSPENDED, 1);
    at(63, TK_EV_TASK_RESUMED, 1);
    runs(64, 1);
    waits_for_words(70, "other list");
    lose(-1);
    runs(71, 2);
    at(72, TK_EV_TASK_READY, 1);
    runs(73, 1);
    waits_for_words(80, "list");
    end(90);
    assert_int_equal(stats.tasks[0].waits, 7);
    assert_int_equal(stats.tasks[0].waits_unmeasured, 2);
    const char *text = recorder.lines.text;
    assert_non_null(strstr(text, "20 late: begin <a> 'receive from q'\n30 late: end <a>, woken by {1}\n"));
    assert_non_null(strstr(text, "40 late: begin <a> 'wait for notification'\n45 late: end <a>, woken by {1}\n"));
    assert_non_null(strstr(text, "50 late: begin <a> 'list'\n51 late: end <a>, woken by {1}\n"));
    assert_non_null(
        strstr(text, "60 late: begin <a> 'list'\n61 late: end <a>, woken by {1}\n62: begin <a> 'suspended by b'\n"));
    assert_non_null(
        strstr(text, "70 late: begin <a> 'other list'\n72 late: end <a>, woken by {1}, events lost meanwhile 1\n"));
    assert_non_null(strstr(text, "80 late: begin <a> 'list'\n90: end <a>, open at the end 1\n"));
}

static void a_restart_draws_an_undecided_wait(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    waits_for_words(20, "list");
    at(30, TK_EV_TASK_READY, 1);
    runs(31, 1);
    assert_null(strstr(recorder.lines.text, "'list'"));
    tk_tracker_rtos.restart(&rtos, false);
    assert_non_null(strstr(recorder.lines.text, "20 late: begin <a> 'list'\n30 late: end <a>, woken by {1}\n"));
}

// `who` wakes task a.
static void a_wait_ends(uint64_t ticks, const char *who) {
    char line[64];
    unsigned id = 1;
    while (id < 512 && strcmp(recorder.names[TK_INTERN_TEXT][id], who)) id++;
    snprintf(line, sizeof line, "%llu: end <a>, woken by {%u}\n", (unsigned long long)ticks, id);
    assert_non_null(strstr(recorder.lines.text, line));
}

// A wait for a queue ends with an operation on the queue or with its timeout; a delay ends with the tick.
static void without_a_waker_the_clock_wakes_a_task(void **state) {
    (void)state;
    named_pair();
    name(TK_EV_ISR_NAME, 3, "rx");
    runs(10, 1);
    at_arg(15, TK_EV_BLOCK_ON_RECEIVE, 5, 100);
    runs(20, 2);
    at_arg(30, TK_EV_QUEUE_SEND, 6, 1); // another queue
    at(30, TK_EV_TASK_READY, 1);
    runs(31, 1);
    at_arg(32, TK_EV_QUEUE_RECEIVE, 5, 0);
    at_arg(33, TK_EV_BLOCK_ON_RECEIVE, 5, 100);
    runs(34, 2);
    at(35, TK_EV_TASK_READY, 1);
    runs(36, 1);
    at_arg(37, TK_EV_BLOCK_ON_RECEIVE, 5, 100);
    runs(38, 2);
    at(40, TK_EV_ISR_ENTER, 3);
    at_arg(41, TK_EV_QUEUE_SEND_FROM_ISR, 5, 1);
    at(42, TK_EV_TASK_READY, 1);
    at(43, TK_EV_ISR_EXIT, 3);
    runs(44, 1);
    at_arg(45, TK_EV_DELAY, 0, 4);
    runs(46, 2);
    at(50, TK_EV_TASK_READY, 1);
    flush(60);
    a_wait_ends(30, "b"); // the queue is unknown so far
    a_wait_ends(35, "time-out");
    a_wait_ends(42, "interrupt rx");
    a_wait_ends(50, "tick");
}

// After a loss the last operation of the running task is unknown, and an endless wait has no timeout.
static void a_timeout_is_shown_only_if_known(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(11, TK_EV_QUEUE_RECEIVE, 5, 0);
    at_arg(15, TK_EV_BLOCK_ON_RECEIVE, 5, 100);
    runs(20, 2);
    lose(-1);
    at(30, TK_EV_TASK_READY, 1);
    runs(31, 1);
    at_arg(33, TK_EV_BLOCK_ON_RECEIVE, 5, UINT32_MAX);
    runs(34, 2);
    at(35, TK_EV_TASK_READY, 1);
    flush(60);
    assert_non_null(strstr(recorder.lines.text, "30: end <a>, events lost meanwhile 1\n"));
    assert_non_null(strstr(recorder.lines.text, "35: end <a>\n"));
}

static void a_wait_for_a_mutex_names_its_holder(void **state) {
    (void)state;
    named_pair();
    kind_is(5, TK_QUEUE_MUTEX);
    runs(10, 1);
    at_arg(11, TK_EV_QUEUE_RECEIVE, 5, 0);
    runs(20, 2);
    at_arg(21, TK_EV_BLOCK_ON_RECEIVE, 5, 100);
    runs(22, 1);
    flush(30);
    assert_non_null(strstr(recorder.lines.text, "22: begin <b> 'lock q', timeout (ticks) 100, held by {1}\n"));
    assert_string_equal(recorder.names[TK_INTERN_TEXT][1], "a");
}

// Row 24 of the table in docs/formats/tonbandgeraet.md: peek, timeout, forever.
static void different_waits_have_different_names(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(11, TK_EV_BLOCK_ON_PEEK, 5, UINT32_MAX);
    runs(12, 2);
    at_arg(13, TK_EV_BLOCK_ON_SEND, 5, 1);
    runs(14, 3);
    at_arg(15, TK_EV_DELAY, 0, 1);
    runs(16, 4);
    at_arg(17, TK_EV_DELAY, 0, 300);
    runs(18, 6);
    at_arg(19, TK_EV_DELAY_UNTIL, 0, 5000);
    runs(20, 7);
    at_arg(21, TK_EV_DELAY_UNTIL, 0, UINT32_MAX);
    runs(22, 8);
    flush(30);
    assert_non_null(strstr(recorder.lines.text, "'peek q', timeout (ticks) {1}\n"));
    assert_string_equal(recorder.names[TK_INTERN_TEXT][1], "forever");
    assert_non_null(strstr(recorder.lines.text, "'send to q', timeout (ticks) 1\n"));
    assert_non_null(strstr(recorder.lines.text, "'delay 1 tick'\n"));
    assert_non_null(strstr(recorder.lines.text, "'delay 300 ticks'\n"));
    assert_non_null(strstr(recorder.lines.text, "'delay until', tick 5000\n"));
    assert_non_null(strstr(recorder.lines.text, "'delay forever'\n"));
}

static void kinds_of_queues_have_separate_terms(void **state) {
    (void)state;
    named_pair();
    kind_is(5, TK_QUEUE_MUTEX);
    kind_is(6, TK_QUEUE_BINARY_SEMAPHORE);
    name(TK_EV_QUEUE_NAME, 6, "s");
    runs(10, 1);
    at_arg(11, TK_EV_BLOCK_ON_RECEIVE, 5, 9);
    runs(12, 2);
    at_arg(13, TK_EV_BLOCK_ON_RECEIVE, 6, 9);
    runs(14, 3);
    flush(20);
    assert_non_null(strstr(recorder.lines.text, "'lock q'"));
    assert_non_null(strstr(recorder.lines.text, "12: p301 waiting for a lock c0\n"));
    assert_non_null(strstr(recorder.lines.text, "'take s'"));
    assert_non_null(strstr(recorder.lines.text, "14: p302 waiting c0\n"));
}

// Row 15 of the table in docs/formats/tonbandgeraet.md.
static void a_repeated_switch_in_changes_nothing(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    runs(20, 1);
    runs(30, 1);
    flush(40);
    expect_lines(&recorder.lines, "10: p301 running c0\n");
    at_arg(41, TK_EV_DELAY, 0, 1);
    runs(50, 1); // the wait took no time
    runs(60, 2);
    flush(70);
    assert_null(strstr(recorder.lines.text, "delay"));
}

// Row 16 of the table in docs/formats/tonbandgeraet.md.
static void a_task_made_ready_before_its_switch_out_never_waited(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(20, TK_EV_DELAY, 0, 5);
    at(25, TK_EV_TASK_READY, 1);
    runs(30, 2);
    flush(40);
    expect_lines(&recorder.lines, "10: p301 running c0\n30: p302 running c0\n");
    runs(50, 1);
    flush(60);
    assert_non_null(strstr(recorder.lines.text, "30 late: p301 ready c0\n"));
}

// Row 17 of the table in docs/formats/tonbandgeraet.md.
static void resumed_while_it_runs_it_runs_on(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at(20, TK_EV_TASK_SUSPENDED, 1);
    at(25, TK_EV_TASK_RESUMED, 1);
    flush(26);
    expect_lines(&recorder.lines, "10: p301 running c0\n");
    runs(30, 2);
    flush(40);
    expect_lines(&recorder.lines, "30: p302 running c0\n");
    runs(50, 1);
    flush(60);
    assert_non_null(strstr(recorder.lines.text, "30 late: p301 ready c0\n"));
}

// The aborted wait is not the reason of a later switch-out.
static void an_aborted_wait_is_discarded(void **state) {
    (void)state;
    named_pair();
    runs(100, 1);
    at_arg(110, TK_EV_BLOCK_ON_RECEIVE, 5, 100);
    at(111, TK_EV_TASK_READY, 1);
    runs(600, 2);
    at(5000, TK_EV_TASK_READY, 1);
    runs(5010, 1);
    flush(5020);
    assert_non_null(strstr(recorder.lines.text, "600 late: p301 waiting c0\n"));
    assert_int_equal(stats.tasks[0].longest_wait, 4400);
}

static void suspension_names_the_suspending_task(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at(20, TK_EV_TASK_SUSPENDED, 2);
    at(30, TK_EV_TASK_SUSPENDED, 1);
    runs(35, 3);
    at(40, TK_EV_TASK_RESUMED_FROM_ISR, 2);
    flush(50);
    expect_lines(&recorder.lines, "10: p301 running c0\n20: begin <b> 'suspended by a'\n20: p302 suspended c0\n35: "
                                  "begin <a> 'suspended'\n35: p301 suspended c0\n"
                                  "35: p303 running c0\n40: end <b>\n40: p302 ready c0 by interrupt\n");
}

// ---- Waits without an announcement ---------------------------------------------------------------

// Row 18 of the table in docs/formats/tonbandgeraet.md.
static void an_unannounced_switch_out_with_wake_up_was_a_wait(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    runs(20, 2);
    at(50, TK_EV_TASK_READY, 1);
    at(51, TK_EV_QUEUE_CREATED, 9); // the next event decides
    flush(60);
    expect_lines(&recorder.lines, "10: p301 running c0\n20: p302 running c0\n20 late: p301 waiting c0\n20 late: begin "
                                  "<a> 'waiting (not traced)'\n"
                                  "50: end <a>, woken by {1}\n50: p301 ready c0 by task\n");
    assert_int_equal(count(TK_DIAG_WAIT_UNKNOWN), 1);
}

static void an_unannounced_switch_out_without_wake_up_was_preemption(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    runs(20, 2);
    runs(30, 1);
    flush(40);
    assert_non_null(strstr(recorder.lines.text, "20 late: p301 ready c0\n"));
    assert_null(strstr(recorder.lines.text, "waiting"));
    assert_int_equal(count(TK_DIAG_WAIT_UNKNOWN), 0);
}

static void a_change_of_priority_is_no_wake_up(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    runs(20, 2);
    at(30, TK_EV_TASK_READY, 1); // directly before the priority inheritance
    at_arg(30, TK_EV_TASK_PRIORITY_INHERITED, 1, 7);
    flush(40);
    assert_null(strstr(recorder.lines.text, "waiting"));
    assert_non_null(strstr(recorder.lines.text, "20 late: p301 ready c0\n"));
    runs(50, 1);
    runs(60, 2);
    at_arg(70, TK_EV_TASK_PRIORITY_DISINHERITED, 1, 1);
    at(70, TK_EV_TASK_READY, 1); // directly after it
    flush(80);
    assert_null(strstr(recorder.lines.text, "waiting"));
    assert_int_equal(count(TK_DIAG_WAIT_UNKNOWN), 0);
}

static void idle_tasks_never_wait(void **state) {
    (void)state;
    named_pair();
    is_idle(2);
    runs(10, 2);
    runs(20, 1);
    flush(25);
    expect_lines(&recorder.lines, "10: p302 running c0\n20: p302 ready c0\n20: p301 running c0\n");
}

static void at_the_end_only_idle_time_proves_a_wait(void **state) {
    (void)state;
    named_pair();
    is_idle(2);
    runs(10, 1);
    runs(20, 2);
    end(90);
    assert_non_null(strstr(
        recorder.lines.text,
        "20 late: p301 waiting c0\n20 late: begin <a> 'waiting (not traced)'\n90: end <a>, open at the end 1\n"));
}

// ---- Several cores ---------------------------------------------------------------------------------

// Row 19 of the table in docs/formats/tonbandgeraet.md.
static void a_late_switch_out_does_not_stop_the_new_core(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    on(1, 20, TK_EV_TASK_SWITCHED_IN, 1, 0);
    runs(25, 2);
    flush(30);
    expect_lines(&recorder.lines,
                 "10: p301 running c0\n10 late: p0 not recorded c0\n20 early: p301 ready c0\n20: p301 running c1\n"
                 "25: p302 running c0\n");
    assert_int_equal(count(TK_DIAG_TASK_ON_TWO_CORES), 1);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).ticks, 0); // the time at which it left is unknown
    assert_int_equal(stats.tasks[0].runs_unmeasured, 1);
}

static void each_core_has_its_own_running_task(void **state) {
    (void)state;
    named_pair();
    on(0, 10, TK_EV_TASK_SWITCHED_IN, 1, 0);
    on(1, 10, TK_EV_TASK_SWITCHED_IN, 2, 0);
    on(1, 20, TK_EV_DELAY, 0, 3);
    on(1, 22, TK_EV_TASK_SWITCHED_IN, 3, 0);
    flush(30);
    assert_non_null(strstr(recorder.lines.text, "22: p302 waiting c1\n22: p303 running c1\n"));
    assert_null(strstr(recorder.lines.text, "22: p301"));
}

static void interrupts_belong_to_a_core(void **state) {
    (void)state;
    on(0, 10, TK_EV_ISR_ENTER, 4, 0);
    on(1, 11, TK_EV_ISR_EXIT, 4, 0);
    assert_int_equal(count(TK_DIAG_ISR_END_WITHOUT_BEGIN), 1);
    on(0, 12, TK_EV_ISR_EXIT, 4, 0);
    expect_lines(&recorder.lines, "10: begin <Interrupts, core 0> [1]\n12: end <Interrupts, core 0>\n");
}

// ---- Deleted tasks, equal names ----------------------------------------------------------------------

// Row 20 of the table in docs/formats/tonbandgeraet.md.
static void a_deleted_task_stays_dead(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at(20, TK_EV_TASK_DELETED, 2);
    at(30, TK_EV_TASK_READY, 2);
    at(31, TK_EV_TASK_RESUMED, 2);
    at(32, TK_EV_TASK_SUSPENDED, 2);
    runs(35, 2);
    flush(40);
    expect_lines(&recorder.lines, "10: p301 running c0\n20: instant <b> 'deleted by a'\n20: p302 dead c0\n");
    assert_int_equal(count(TK_DIAG_TASK_AFTER_DELETE), 3);
}

static void a_task_deletes_itself_when_it_leaves(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at(20, TK_EV_TASK_DELETED, 1);
    at_arg(21, TK_EV_DELAY, 0, 5); // too late to wait
    flush(22);
    expect_lines(&recorder.lines, "10: p301 running c0\n");
    runs(30, 2);
    flush(40);
    expect_lines(&recorder.lines, "30: instant <a> 'deleted'\n30: p301 dead c0\n30: p302 running c0\n");
}

static void a_new_task_reuses_the_track_of_a_deleted_namesake(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at(20, TK_EV_TASK_DELETED, 2);
    at(30, TK_EV_TASK_CREATED, 9);
    name(TK_EV_TASK_NAME, 9, "b");
    runs(40, 9);
    flush(50);
    assert_non_null(strstr(recorder.lines.text, "40: p302 running c0\n"));
}

// ---- Queues ------------------------------------------------------------------------------------------

static void queue_level_is_a_counter_with_the_actor(void **state) {
    (void)state;
    named_pair();
    name(TK_EV_ISR_NAME, 3, "UART");
    at_arg(5, TK_EV_QUEUE_SEND, 5, 1); // row 14: no task runs yet
    runs(10, 1);
    at_arg(11, TK_EV_QUEUE_RECEIVE, 5, 0);
    at(12, TK_EV_ISR_ENTER, 3);
    at_arg(13, TK_EV_QUEUE_SEND_FROM_ISR, 5, 1);
    at_arg(14, TK_EV_QUEUE_OVERWRITE, 5, 2); // row 23: the level as recorded
    at(15, TK_EV_ISR_EXIT, 3);
    at(16, TK_EV_QUEUE_RESET, 5);
    at_arg(17, TK_EV_QUEUE_LENGTH, 5, 3);
    flush(20);
    expect_lines(&recorder.lines, "5: count <q> 1, operation {1}\n10: p301 running c0\n11: count <q> 0, operation "
                                  "{2}\n12: begin <Interrupts, core 0> 'UART'\n"
                                  "13: count <q> 1, operation {3}\n14: count <q> 2, operation {4}\n15: end "
                                  "<Interrupts, core 0>\n16: count <q> 0, operation {5}\n17: count <q> 3\n");
    static const char *const words[] = { "send", "receive by a", "send from interrupt UART",
                                         "overwrite from interrupt UART", "reset by a" };
    for (unsigned i = 0; i < 5; i++) assert_string_equal(recorder.names[TK_INTERN_TEXT][i + 1], words[i]);
}

static void semaphores_are_counted_to_one(void **state) {
    (void)state;
    kind_is(5, TK_QUEUE_BINARY_SEMAPHORE);
    kind_is(6, TK_QUEUE_COUNTING_SEMAPHORE);
    at_arg(10, TK_EV_QUEUE_SEND, 5, 2);
    at_arg(11, TK_EV_QUEUE_SEND, 6, 2);
    assert_non_null(strstr(recorder.lines.text, "10: count <queue #5> 1"));
    assert_non_null(strstr(recorder.lines.text, "11: count <queue #6> 2"));
    assert_int_equal(count(TK_DIAG_QUEUE_CLAMPED), 1);
}

// Row 22 of the table in docs/formats/tonbandgeraet.md.
static void a_mutex_is_not_taken_by_its_creation(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at(11, TK_EV_QUEUE_CREATED, 5);
    kind_is(5, TK_QUEUE_RECURSIVE_MUTEX);
    at_arg(11, TK_EV_QUEUE_LENGTH, 5, 0);
    at_arg(11, TK_EV_QUEUE_SEND, 5, 1);
    flush(12);
    expect_lines(&recorder.lines, "10: p301 running c0\n");
    at_arg(20, TK_EV_QUEUE_RECEIVE, 5, 0);
    at_arg(30, TK_EV_QUEUE_SEND, 5, 1);
    flush(40);
    expect_lines(&recorder.lines,
                 "20: instant <a> 'took q', flow 1\n20: begin <q> 'held by a', flow ends 1\n30: end <q>\n");
}

static void a_late_queue_kind_applies_from_then_on(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(11, TK_EV_QUEUE_SEND, 5, 1);
    kind_is(5, TK_QUEUE_MUTEX);
    at_arg(12, TK_EV_QUEUE_RECEIVE, 5, 0);
    flush(13);
    assert_int_equal(count(TK_DIAG_KIND_LATE), 1);
    assert_non_null(strstr(recorder.lines.text, "11: count <q> 1"));
    assert_non_null(strstr(recorder.lines.text, "12: begin <q (lock)> 'held by a'"));
    kind_is(6, (enum tk_queue_kind)99);
    assert_int_equal(count(TK_DIAG_KIND_UNKNOWN), 1);
}

// ---- Current task unknown --------------------------------------------------------------------------------

static void before_the_first_switch_no_task_waits(void **state) {
    (void)state;
    at_arg(10, TK_EV_DELAY, 0, 5);
    at_arg(11, TK_EV_BLOCK_ON_RECEIVE, 5, 5);
    at(12, TK_EV_TASK_READY, 1);
    flush(20);
    expect_lines(&recorder.lines, "12: p301 ready c0\n");
    assert_int_equal(count(TK_DIAG_NO_CURRENT_TASK), 2);
}

// ---- Interrupts ------------------------------------------------------------------------------------------

// Row 25 of the table in docs/formats/tonbandgeraet.md.
static void an_interrupt_entered_twice_nests(void **state) {
    (void)state;
    name(TK_EV_ISR_NAME, 9, "T");
    at(10, TK_EV_ISR_ENTER, 9);
    at(11, TK_EV_ISR_ENTER, 9);
    at(12, TK_EV_ISR_EXIT, 9);
    at(13, TK_EV_ISR_EXIT, 9);
    at(14, TK_EV_ISR_EXIT, 9); // row 26
    expect_lines(&recorder.lines, "10: begin <Interrupts, core 0> 'T'\n11: begin <Interrupts, core 0> 'T'\n12: end "
                                  "<Interrupts, core 0>\n13: end <Interrupts, core 0>\n");
    assert_int_equal(count(TK_DIAG_ISR_END_WITHOUT_BEGIN), 1);
}

static void an_outer_end_ends_those_inside(void **state) {
    (void)state;
    at(10, TK_EV_ISR_ENTER, 1);
    at(11, TK_EV_ISR_ENTER, 2);
    at(12, TK_EV_ISR_EXIT, 1);
    expect_lines(&recorder.lines, "10: begin <Interrupts, core 0> [1]\n11: begin <Interrupts, core 0> [2]\n12: end "
                                  "<Interrupts, core 0>, end lost 1\n12: end <Interrupts, core 0>\n");
    assert_int_equal(stats.isrs[0].duration.durations.measured, 1);
    assert_int_equal(stats.isrs[1].duration.durations.measured, 0);
    assert_int_equal(count(TK_DIAG_ISR_END_LOST), 1);
    at(13, TK_EV_ISR_ENTER, 1);
    end(20);
    assert_non_null(strstr(recorder.lines.text, "20: end <Interrupts, core 0>, open at the end 1\n"));
    assert_int_equal(count(TK_DIAG_ISR_OPEN_AT_END), 1);
}

static void endless_nesting_is_bounded(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) at(i, TK_EV_ISR_ENTER, 1);
    assert_int_equal(rtos.cores[0].depth, TK_RTOS_NESTED);
    assert_true(count(TK_DIAG_TOO_DEEP) > 0);
    assert_int_equal(stats.isrs[0].entered - stats.isrs[0].duration.durations.measured, stats.isrs[0].entered);
    end(300);
}

static void after_a_loss_no_interrupt_outlives_a_wait(void **state) {
    (void)state;
    runs(5, 1);
    at(10, TK_EV_ISR_ENTER, 1);
    lose(-1);
    at_arg(20, TK_EV_DELAY, 0, 5);
    assert_int_equal(rtos.cores[0].depth, 0);
    assert_non_null(strstr(recorder.lines.text, "20: end <Interrupts, core 0>, end lost 1\n"));
}

// With or without a loss, no task runs or waits inside an interrupt.
static void no_interrupt_outlives_a_switch(void **state) {
    (void)state;
    named_pair();
    runs(5, 1);
    at(10, TK_EV_ISR_ENTER, 1);
    at(12, TK_EV_ISR_EXIT, 1);
    at(20, TK_EV_ISR_ENTER, 1); // its exit is missing
    at(30, TK_EV_ISR_ENTER, 1); // the missing exit is unknown, so the interrupt nests
    at(31, TK_EV_ISR_EXIT, 1);
    runs(40, 2);
    assert_int_equal(rtos.cores[0].depth, 0);
    assert_non_null(strstr(recorder.lines.text, "40: end <Interrupts, core 0>, end lost 1\n"));
    assert_int_equal(stats.isrs[0].entered, 3);
    assert_int_equal(stats.isrs[0].duration.durations.measured, 2);
    assert_int_equal(stats.isrs[0].duration.durations.max, 2);
    assert_int_equal(stats.cores[0].interrupt, 2);
    assert_int_equal(stats.cores[0].interrupt_unmeasured, 20);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).ticks, 35);
    assert_int_equal(tk_stats_running_on(&stats, 0, 0).interrupted, 22);
}

// An exit whose number has a flipped bit.
static void an_exit_without_enter_is_damage(void **state) {
    (void)state;
    at(10, TK_EV_ISR_ENTER, 1);
    at(12, TK_EV_ISR_EXIT, 3);
    at(20, TK_EV_ISR_ENTER, 1);
    at(22, TK_EV_ISR_EXIT, 1);
    expect_lines(&recorder.lines, "10: begin <Interrupts, core 0> [1]\n20: end <Interrupts, core 0>, end lost 1\n20: "
                                  "begin <Interrupts, core 0> [1]\n22: end <Interrupts, core 0>\n");
    assert_int_equal(stats.isrs[0].duration.durations.measured, 1);
}

static void a_loss_on_another_core_does_not_affect_an_interrupt(void **state) {
    (void)state;
    at(10, TK_EV_ISR_ENTER, 1);
    lose(1);
    at(12, TK_EV_ISR_ENTER, 1);
    at(13, TK_EV_ISR_EXIT, 1);
    lose(0);
    at(15, TK_EV_ISR_EXIT, 1);
    expect_lines(&recorder.lines, "10: begin <Interrupts, core 0> [1]\n12: begin <Interrupts, core 0> [1]\n13: end "
                                  "<Interrupts, core 0>\n15: end <Interrupts, core 0>, events lost meanwhile 1\n");
    assert_int_equal(stats.isrs[0].duration.durations.measured, 1);
}

// The running task after the loss is unknown, and so is the time at which the earlier task left.
static void a_task_switched_out_during_a_loss_has_no_known_time(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(11, TK_EV_DELAY, 0, 5);
    lose(-1);
    runs(50, 2);
    at(60, TK_EV_TASK_READY, 1);
    runs(61, 1);
    lose(0);
    runs(70, 2);
    at(80, TK_EV_TASK_READY, 1); // without a wait
    runs(81, 1);
    at_arg(85, TK_EV_DELAY, 0, 5);
    runs(86, 2);
    at(90, TK_EV_TASK_READY, 1);
    end(100);
    assert_non_null(strstr(recorder.lines.text, "50: begin <a> 'delay 5 ticks'\n"));
    assert_non_null(strstr(recorder.lines.text, "60: end <a>, woken by {1}, events lost meanwhile 1\n"));
    assert_int_equal(stats.tasks[0].waits, 3);
    assert_int_equal(stats.tasks[0].waits_unmeasured, 2);
    assert_int_equal(stats.tasks[0].longest_wait, 4);
    assert_int_equal(stats.tasks[0].longest_wait_from, 86);
}

// The suspended task may be the one that has been running since the loss; in that case it is switched out later.
static void a_task_suspended_after_a_loss_has_no_known_switch_out(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    runs(20, 2);
    lose(-1);
    at(30, TK_EV_TASK_SUSPENDED, 1);
    runs(35, 2); // reported again: it may have run all the time
    runs(36, 3);
    at(40, TK_EV_TASK_RESUMED, 1);
    at(50, TK_EV_TASK_SUSPENDED, 1); // now the running task is known
    at(60, TK_EV_TASK_RESUMED, 1);
    end(70);
    assert_int_equal(stats.tasks[0].waits, 2);
    assert_int_equal(stats.tasks[0].waits_unmeasured, 1);
    assert_int_equal(stats.tasks[0].longest_wait_from, 50);
}

// Another core reports the task of this core; the next task of this core is unknown until its switch event.
static void events_of_a_core_without_its_task_have_no_actor(void **state) {
    (void)state;
    named_pair();
    on(0, 10, TK_EV_TASK_SWITCHED_IN, 1, 0);
    on(1, 20, TK_EV_TASK_SWITCHED_IN, 1, 0);
    at_arg(25, TK_EV_QUEUE_SEND, 5, 1);
    at(30, TK_EV_TASK_SUSPENDED, 2);
    assert_int_equal(tk_rtos_running(&rtos, 0), TK_NONE);
    assert_int_equal(tk_rtos_running(&rtos, 1), 0);
    assert_null(strstr(recorder.lines.text, "suspended by a"));
    assert_non_null(strstr(recorder.lines.text, "30: begin <b> 'suspended'\n"));
}

// The lost events of core 1 may be anywhere before its next event: one may have ended the wait on core 0.
static void damage_on_one_core_affects_waits_on_others_until_it_continues(void **state) {
    (void)state;
    named_pair();
    on(0, 10, TK_EV_TASK_SWITCHED_IN, 1, 0);
    on(1, 11, TK_EV_TASK_SWITCHED_IN, 2, 0);
    lose(1);
    at_arg(20, TK_EV_DELAY, 0, 5);
    runs(21, 3);
    runs(40, 1); // the reason was lost
    runs(50, 3);
    at(60, TK_EV_TASK_READY, 1); // without a wait
    runs(61, 1);
    on(1, 70, TK_EV_QUEUE_SEND, 5, 1);
    at_arg(80, TK_EV_DELAY, 0, 5);
    runs(81, 3);
    at(90, TK_EV_TASK_READY, 1);
    assert_int_equal(stats.tasks[0].waits, 3);
    assert_int_equal(stats.tasks[0].waits_unmeasured, 2);
    assert_int_equal(stats.tasks[0].longest_wait, 9);
    assert_int_equal(tl.unresolved, 0);
}

// The event after a ready event, which would make it a priority change, was lost.
static void a_ready_event_before_a_loss_proves_no_wait(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    runs(20, 2);
    at(30, TK_EV_TASK_READY, 1);
    lose(-1);
    at(40, TK_EV_QUEUE_SEND, 5);
    assert_int_equal(stats.tasks[0].waits, 1);
    assert_int_equal(stats.tasks[0].waits_unmeasured, 1);
}

// Another interrupt may have run meanwhile.
static void a_loss_between_interrupts_leaves_that_time_unknown(void **state) {
    (void)state;
    for (uint64_t ticks = 10; ticks < 50; ticks += 10) {
        at(ticks, TK_EV_ISR_ENTER, 1);
        at(ticks + 2, TK_EV_ISR_EXIT, 1);
        if (ticks == 20) lose(0);
        if (ticks == 30) lose(1);
    }
    assert_int_equal(stats.cores[0].interrupt_unmeasured, 8); // 22 to 30
    lose(0);
    end(60);
    assert_int_equal(stats.cores[0].interrupt_unmeasured, 8 + 18);
    assert_int_equal(stats.cores[0].interrupt, 8);
}

static void slices_across_a_loss_or_the_end_are_not_measured(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(20, TK_EV_DELAY, 0, 5);
    runs(21, 2);
    lose(-1);
    at(90, TK_EV_TASK_READY, 1);
    runs(91, 1);
    at_arg(95, TK_EV_DELAY, 0, 5);
    runs(96, 2);
    end(200);
    assert_non_null(strstr(recorder.lines.text, "90: end <a>, "));
    assert_int_equal(stats.tasks[0].waits, 2);
    assert_int_equal(stats.tasks[0].waits_unmeasured, 2);
    assert_int_equal(stats.tasks[0].longest_wait, 0);
    assert_int_equal(stats.tasks[1].runs, 2);
    assert_int_equal(stats.tasks[1].runs_unmeasured, 1);
    assert_int_equal(tk_stats_running(&stats, 1), 104); // from 96 to the end
}

// The idle task has run since, while this task did not: so it waited, regardless of the task that runs at the end.
static void a_task_replaced_by_the_idle_task_was_blocked(void **state) {
    (void)state;
    named_pair();
    name(TK_EV_TASK_NAME, 3, "IDLE");
    runs(100, 1);
    runs(200, 3);
    runs(900, 2);
    name(TK_EV_TASK_IS_IDLE, 3, "");
    runs(950, 4);
    end(1000);
    assert_non_null(strstr(recorder.lines.text, "200 late: p301 waiting c0\n"));
    assert_non_null(strstr(recorder.lines.text, "950 late: p302 ready c0\n"));
}

// A recorder without an idle task says that no task runs.
static void a_core_is_idle_without_an_idle_task(void **state) {
    (void)state;
    named_pair();
    stats.started = true;
    tk_stats_need_cores(&stats, 1);
    runs(100, 1);
    at(200, TK_EV_CORE_IDLE, 0);
    at(300, TK_EV_ISR_ENTER, 7);
    at(340, TK_EV_ISR_EXIT, 7);
    at(400, TK_EV_CORE_IDLE, 0); // it still is
    runs(500, 2);
    at_arg(600, TK_EV_CORE_IDLE, 0, 1);
    runs(610, 1);
    end(700);
    // Task 1 was not ready while the core was idle. Task 2 may have been ready while the scheduler ran.
    assert_non_null(strstr(recorder.lines.text, "200 late: p301 waiting c0\n"));
    assert_non_null(strstr(recorder.lines.text, "610: p301 running c0\n"));
    assert_non_null(strstr(recorder.lines.text, "600 late: p302 ready c0\n"));
    assert_int_equal(stats.cores[0].idle, 300 - 40 + 10);
    assert_int_equal(tk_stats_running(&stats, 0), 100 + 90);
    assert_int_equal(tk_stats_running(&stats, 1), 100);
    assert_false(tk_rtos_hides_idle(&rtos, 0));
}

static void idle_time_that_crosses_a_loss_is_not_measured(void **state) {
    (void)state;
    named_pair();
    stats.started = true;
    tk_stats_need_cores(&stats, 1);
    runs(100, 1);
    at(200, TK_EV_CORE_IDLE, 0);
    lose(-1);
    at(300, TK_EV_CORE_IDLE, 0);
    runs(400, 2);
    end(500);
    assert_int_equal(stats.cores[0].idle, 100);
    assert_true(stats.cores[0].run_unmeasured);
}

static void a_repeated_queue_kind_changes_nothing(void **state) {
    (void)state;
    named_pair();
    kind_is(5, TK_QUEUE_MUTEX);
    runs(50, 1);
    at_arg(100, TK_EV_QUEUE_RECEIVE, 5, 0);
    kind_is(5, TK_QUEUE_MUTEX);
    at_arg(300, TK_EV_QUEUE_SEND, 5, 1);
    assert_non_null(strstr(recorder.lines.text, "300: end <"));
}

// ---- Priority ----------------------------------------------------------------------------------------------

static void priority_is_drawn_when_it_changes(void **state) {
    (void)state;
    named_pair();
    at_arg(10, TK_EV_TASK_PRIORITY_SET, 1, 3);
    at_arg(20, TK_EV_TASK_PRIORITY_SET, 1, 3);
    expect_lines(&recorder.lines, "");
    at_arg(30, TK_EV_TASK_PRIORITY_INHERITED, 1, 7);
    at_arg(40, TK_EV_TASK_PRIORITY_DISINHERITED, 1, 3);
    expect_lines(&recorder.lines, "10 late: count <priority> 3\n30: count <priority> 7\n40: count <priority> 3\n");
}

static void a_run_replaced_before_it_is_drawn_draws_nothing(void **state) {
    (void)state;
    on(0, 10, TK_EV_TASK_SWITCHED_IN, 1, 0);
    on(1, 11, TK_EV_TASK_SWITCHED_IN, 1, 0); // shown there at 12
    on(1, 12, TK_EV_TASK_SWITCHED_IN, 2, 0);
    on(1, 20, TK_EV_TASK_SWITCHED_IN, 1, 0);
    on(1, 25, TK_EV_TASK_SWITCHED_IN, 2, 0);
    flush(30);
    expect_lines(&recorder.lines, "10: p301 running c0\n10 late: p0 not recorded c0\n11: p301 ready c0\n12: p302 "
                                  "running c1\n20: p301 running "
                                  "c1\n20 late: p302 ready c1\n25: p302 running c1\n");
}

// ---- Restart, limits ----------------------------------------------------------------------------------------

static void a_restart_ends_everything(void **state) {
    (void)state;
    named_pair();
    runs(10, 1);
    at_arg(11, TK_EV_DELAY, 0, 5);
    runs(12, 2);
    at(13, TK_EV_ISR_ENTER, 4);
    flush(50);
    tk_tracker_rtos.restart(&rtos, false);
    name(TK_EV_TASK_NAME, 1, "other firmware");
    runs(60, 1);
    end(70);
    assert_non_null(strstr(recorder.lines.text, "50: end <a>, open at the end 1\n"));
    assert_non_null(strstr(recorder.lines.text, "50: p301 dead c0\n50: p302 dead c0\n"));
    assert_int_equal(rtos.task_count, 3); // number 1 is another task now
    assert_null(strstr(recorder.lines.text, "60: p301"));
}

static void entities_are_limited(void **state) {
    (void)state;
    for (uint32_t i = 0; i < TK_MAX_QUEUES + 10; i++) at(1, TK_EV_QUEUE_CREATED, i * 7919);
    for (uint32_t i = 0; i < TK_MAX_TASKS + 10; i++) at(1, TK_EV_TASK_CREATED, i * 104729);
    for (uint32_t i = 0; i < TK_MAX_ISRS + 10; i++) name(TK_EV_ISR_NAME, i << 8, "x");
    assert_int_equal(rtos.queue_count, TK_MAX_QUEUES + 1); // the last entry is shared by all further tasks
    assert_int_equal(rtos.task_count, TK_MAX_TASKS + 1);
    assert_int_equal(rtos.isr_count, TK_MAX_ISRS + 1);
    assert_int_equal(count(TK_DIAG_TOO_MANY), 30);
    for (uint32_t i = 0; i < 20; i++) runs(10 + i, UINT32_MAX - i); // all of them above the limit
    at_arg(50, TK_EV_DELAY, 0, 1);
    end(60);
    assert_true(alloc.peak < 8 * 1024 * 1024);
    assert_false(alloc.failed);
}

// A task without a name that runs once exists only because of a damaged number, if the recording lacks its
// announcement.
static void a_task_that_no_list_announces_is_uncertain(void **state) {
    (void)state;
    for (int is_unannounced = 0; is_unannounced < 2; is_unannounced++) {
        done(state);
        reset(state);
        if (is_unannounced) tk_diag_note(&diag, TK_DIAG_TASK_UNANNOUNCED, NULL, 9);
        named_pair();
        runs(10, 1);
        runs(20, 2);
        runs(30, 9);
        runs(40, 1);
        end(50);
        assert_int_equal(rtos.tasks[2].uncertain, is_unannounced);
        assert_int_equal(count(TK_DIAG_ENTITY_UNCERTAIN), is_unannounced);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_run_replaced_before_it_is_drawn_draws_nothing),
        CASE(a_task_that_no_list_announces_is_uncertain),
        CASE(an_announced_wait_is_a_slice_with_its_reason),
        CASE(the_reason_of_a_wait_may_come_after_it),
        CASE(a_restart_draws_an_undecided_wait),
        CASE(without_a_waker_the_clock_wakes_a_task),
        CASE(a_timeout_is_shown_only_if_known),
        CASE(a_wait_for_a_mutex_names_its_holder),
        CASE(different_waits_have_different_names),
        CASE(kinds_of_queues_have_separate_terms),
        CASE(a_repeated_switch_in_changes_nothing),
        CASE(a_task_made_ready_before_its_switch_out_never_waited),
        CASE(resumed_while_it_runs_it_runs_on),
        CASE(suspension_names_the_suspending_task),
        CASE(an_unannounced_switch_out_with_wake_up_was_a_wait),
        CASE(an_unannounced_switch_out_without_wake_up_was_preemption),
        CASE(a_change_of_priority_is_no_wake_up),
        CASE(idle_tasks_never_wait),
        CASE(at_the_end_only_idle_time_proves_a_wait),
        CASE(a_late_switch_out_does_not_stop_the_new_core),
        CASE(each_core_has_its_own_running_task),
        CASE(interrupts_belong_to_a_core),
        CASE(a_deleted_task_stays_dead),
        CASE(a_task_deletes_itself_when_it_leaves),
        CASE(a_new_task_reuses_the_track_of_a_deleted_namesake),
        CASE(queue_level_is_a_counter_with_the_actor),
        CASE(semaphores_are_counted_to_one),
        CASE(a_mutex_is_not_taken_by_its_creation),
        CASE(a_late_queue_kind_applies_from_then_on),
        CASE(before_the_first_switch_no_task_waits),
        CASE(an_interrupt_entered_twice_nests),
        CASE(an_outer_end_ends_those_inside),
        CASE(endless_nesting_is_bounded),
        CASE(after_a_loss_no_interrupt_outlives_a_wait),
        CASE(no_interrupt_outlives_a_switch),
        CASE(an_exit_without_enter_is_damage),
        CASE(a_loss_on_another_core_does_not_affect_an_interrupt),
        CASE(a_task_switched_out_during_a_loss_has_no_known_time),
        CASE(a_ready_event_before_a_loss_proves_no_wait),
        CASE(a_task_suspended_after_a_loss_has_no_known_switch_out),
        CASE(events_of_a_core_without_its_task_have_no_actor),
        CASE(damage_on_one_core_affects_waits_on_others_until_it_continues),
        CASE(a_loss_between_interrupts_leaves_that_time_unknown),
        CASE(slices_across_a_loss_or_the_end_are_not_measured),
        CASE(a_task_replaced_by_the_idle_task_was_blocked),
        CASE(a_core_is_idle_without_an_idle_task),
        CASE(idle_time_that_crosses_a_loss_is_not_measured),
        CASE(a_repeated_queue_kind_changes_nothing),
        CASE(an_aborted_wait_is_discarded),
        CASE(priority_is_drawn_when_it_changes),
        CASE(a_restart_ends_everything),
        CASE(entities_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
