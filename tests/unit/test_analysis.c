// SPDX-License-Identifier: MIT
//
// Jobs of tasks: events into the model, whose trackers tell facts to the analysis, jobs and tables out.
#include "support.h"

#include "analysis/analysis.h"
#include "model/model.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct recorder recorder;
static struct tk_model model;
static struct tk_analysis *analysis;
static struct lines jobs;

// "a 10 12 20 measured: 5 net, 1 interrupts, 1 preempted, 1 blocked, 0 room, period 30"
static void on_job(void *ctx, const struct tk_job *job) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    const char *name = tk_names_text(&model.timeline.names, job->entity, room, &len);
    (void)ctx;
    lines_add(&jobs, "\n%.*s", (int)len, name);
    if (job->has_release) lines_add(&jobs, " %llu", (unsigned long long)job->release);
    else lines_add(&jobs, " -");
    if (job->has_start) lines_add(&jobs, " %llu", (unsigned long long)job->start);
    else lines_add(&jobs, " -");
    lines_add(&jobs, " %llu %s", (unsigned long long)job->end, tk_job_state_name((enum tk_job_state)job->state));
    if (job->state != TK_JOB_MEASURED) return;
    assert_true(job->release <= job->start && job->start <= job->end);
    assert_true(tk_job_net(job) <= tk_job_gross(job)); // the parts do not exceed the job
    lines_add(&jobs, ": %llu net, %llu interrupts, %llu preempted, %llu blocked, %llu room",
              (unsigned long long)tk_job_net(job), (unsigned long long)job->interrupted,
              (unsigned long long)job->preempted, (unsigned long long)job->blocked, (unsigned long long)job->room);
    if (job->has_period) lines_add(&jobs, ", period %llu", (unsigned long long)job->period);
}

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_diag_init(&diag);
    recorder_init(&recorder, false);
    tk_model_init(&model, &alloc, &diag, &recorder.sink);
    analysis = tk_analysis_new(&alloc, &diag, &model.timeline.names);
    model.host.facts = tk_analysis_facts(analysis);
    tk_analysis_listen(analysis, &(struct tk_job_listener){ NULL, on_job });
    tk_model_need_trackers(&model, trackers);
    jobs = (struct lines){ .len = 0 };
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

// ---- Events ------------------------------------------------------------------------------------

static void send(struct tk_event event) { tk_model_event(&model, &event); }

static struct tk_event with_numbers(struct tk_event event, uint32_t id, uint32_t number, int64_t value) {
    tk_event_set_number(&event, TK_SLOT_ID, id);
    tk_event_set_number(&event, TK_SLOT_NUMBER, number);
    tk_event_set_number(&event, TK_SLOT_VALUE, value);
    return event;
}

static void tell(enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    send(with_numbers((struct tk_event){ .kind = (uint8_t)kind }, id, arg, value));
}

static void on(uint8_t core, uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    struct tk_event event = { .kind = (uint8_t)kind, .timed = true, .ticks = ticks, .core = core };
    send(with_numbers(event, id, arg, value));
}

static void at(uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    on(0, ticks, kind, id, arg, value);
}

static void name(enum tk_event_kind kind, uint32_t id, const char *text) {
    struct tk_event event = { .kind = (uint8_t)kind, .str = text, .str_len = (uint32_t)strlen(text) };
    send(with_numbers(event, id, 0, 0));
}

static void runs(uint64_t ticks, uint32_t task) { at(ticks, TK_EV_TASK_SWITCHED_IN, task, 0, 0); }
static void ready(uint64_t ticks, uint32_t task) { at(ticks, TK_EV_TASK_READY, task, 0, 0); }
static void delays(uint64_t ticks) { at(ticks, TK_EV_DELAY, 0, 5, 0); }
static void loses(uint64_t since, uint64_t ticks) {
    send((struct tk_event){
        .kind = TK_EV_EVENTS_LOST, .timed = true, .ticks = ticks, .events_lost.since = since, .events_lost.count = 1 });
}
static void end(void) { tk_model_finish(&model, false, 1); }

enum { A = 1, B = 2, IDLE = 9, QUEUE = 5, MUTEX = 6 };

// Two tasks and an idle task, which runs first.
static void scene(void) {
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_RECORDED, 1);
    name(TK_EV_TASK_NAME, A, "a");
    name(TK_EV_TASK_NAME, B, "b");
    name(TK_EV_TASK_NAME, IDLE, "IDLE");
    name(TK_EV_QUEUE_NAME, QUEUE, "q");
    name(TK_EV_QUEUE_NAME, MUTEX, "m");
    tell(TK_EV_QUEUE_KIND, QUEUE, TK_QUEUE_BASE, 0);
    tell(TK_EV_QUEUE_KIND, MUTEX, TK_QUEUE_MUTEX, 0);
    runs(1, IDLE);
    at(2, TK_EV_TASK_CREATED, A, 0, 0);
    ready(3, A);
    runs(4, A);
    delays(5);
    runs(6, IDLE);
}
#define SCENE "\na 3 4 6 measured: 2 net, 0 interrupts, 0 preempted, 0 blocked, 0 room"

static void expect_jobs(const char *wanted) {
    end();
    assert_string_equal(jobs.text, wanted);
}

// ---- Parts of a job ----------------------------------------------------------------------------

static void a_job_has_all_parts(void **state) {
    (void)state;
    scene();
    ready(10, A);
    at(11, TK_EV_ISR_ENTER, 1, 0, 0); // before it runs: no part of the job's interrupts
    at(12, TK_EV_ISR_EXIT, 1, 0, 0);
    runs(13, A);
    at(15, TK_EV_ISR_ENTER, 1, 0, 0);
    at(16, TK_EV_ISR_ENTER, 2, 0, 0); // nested: counts once
    at(17, TK_EV_ISR_EXIT, 2, 0, 0);
    at(19, TK_EV_ISR_EXIT, 1, 0, 0);
    runs(20, B); // preempted
    at(22, TK_EV_ISR_ENTER, 1, 0, 0);
    at(23, TK_EV_ISR_EXIT, 1, 0, 0);
    runs(27, A);
    at(28, TK_EV_BLOCK_ON_RECEIVE, MUTEX, 100, 0);
    runs(30, B);
    ready(35, A); // ready inside the job: preempted
    runs(36, A);
    at(37, TK_EV_BLOCK_ON_SEND, QUEUE, 100, 0);
    runs(38, B);
    ready(41, A);
    runs(42, A);
    delays(43);
    runs(45, B);
    ready(60, A);
    runs(60, A);
    delays(61);
    runs(62, B);
    expect_jobs(SCENE "\na 10 13 45 measured: 11 net, 4 interrupts, 9 preempted, 5 blocked, 3 room, period 7"
                      "\na 60 60 62 measured: 2 net, 0 interrupts, 0 preempted, 0 blocked, 0 room, period 50"
                      "\nb - 20 62 cut_end");
}

static void a_wait_that_is_called_off_ends_no_job(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    delays(12);
    ready(13, A); // before it leaves the core
    runs(14, A);
    delays(15);
    runs(16, IDLE);
    ready(16, A); // a wait without length
    runs(17, A);
    delays(18);
    runs(19, IDLE);
    expect_jobs(SCENE "\na 10 11 16 measured: 5 net, 0 interrupts, 0 preempted, 0 blocked, 0 room, period 7"
                      "\na 16 17 19 measured: 2 net, 0 interrupts, 0 preempted, 0 blocked, 0 room, period 6");
}

static void an_untraced_wait_is_decided_later(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(10, A);
    runs(15, IDLE); // preempted, or does it wait?
    runs(18, A);    // preempted
    runs(20, IDLE);
    ready(25, A); // it waited
    runs(26, A);
    runs(30, IDLE);
    ready(35, A);
    at(35, TK_EV_TASK_PRIORITY_INHERITED, A, 7, 0); // it was ready and moved to the list of its new priority
    runs(36, A);
    delays(37);
    runs(38, IDLE);
    expect_jobs(SCENE "\na 10 10 20 measured: 7 net, 0 interrupts, 3 preempted, 0 blocked, 0 room, period 7"
                      "\na 25 26 38 measured: 6 net, 0 interrupts, 6 preempted, 0 blocked, 0 room, period 15");
}

// ---- Jobs that are not measured ----------------------------------------------------------------

static void a_loss_makes_the_jobs_around_it_unmeasured(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    loses(12, 14);
    delays(15);
    runs(16, IDLE); // A left as the known running task only after the next switch
    ready(20, A);
    runs(21, A);
    delays(22);
    runs(23, IDLE);
    ready(30, A);
    runs(31, A);
    delays(32);
    runs(33, IDLE);
    expect_jobs(SCENE "\na 10 11 16 lost"
                      "\na 20 21 23 lost"
                      "\na 30 31 33 measured: 2 net, 0 interrupts, 0 preempted, 0 blocked, 0 room");
}

static void a_ready_event_before_a_loss_proves_no_untraced_wait(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    runs(15, IDLE);
    ready(20, A);
    loses(20, 22); // perhaps of "priority inherited"
    runs(23, A);
    delays(24);
    runs(25, IDLE);
    expect_jobs(SCENE "\na 10 11 15 lost"
                      "\na 20 23 25 lost");
}

static void jobs_at_both_ends_are_cut(void **state) {
    (void)state;
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    name(TK_EV_TASK_NAME, A, "a");
    name(TK_EV_TASK_NAME, B, "b");
    runs(1, A); // its release is unknown
    delays(3);
    runs(4, B);
    ready(7, A);
    runs(9, A);
    at(12, TK_EV_TASK_SWITCHED_IN, B, 0, 0);
    expect_jobs("\na - 1 4 cut_start"
                "\na 7 9 12 cut_end"
                "\nb - 4 12 cut_end");
}

static void another_task_cuts_a_job(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    runs(12, B);
    at(14, TK_EV_TASK_SUSPENDED, A, 0, 0);
    at(16, TK_EV_TASK_RESUMED, A, 0, 0);
    runs(18, A);                           // the release of this job is known, its period is not
    at(19, TK_EV_TASK_SUSPENDED, A, 0, 0); // itself
    runs(20, B);
    at(22, TK_EV_TASK_RESUMED, A, 0, 0);
    runs(23, A);
    runs(24, B);
    at(25, TK_EV_TASK_DELETED, A, 0, 0);
    at(26, TK_EV_TASK_DELETED, B, 0, 0); // itself
    runs(27, IDLE);
    expect_jobs(SCENE "\na 10 11 14 suspended"
                      "\na 16 18 20 measured: 2 net, 0 interrupts, 0 preempted, 0 blocked, 0 room"
                      "\na 22 23 25 deleted"
                      "\nb - 12 27 cut_start");
}

static void a_restart_begins_anew(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    send((struct tk_event){ .kind = TK_EV_SECTION_BEGIN, .timed = true, .ticks = 12, .section = 1 });
    send((struct tk_event){ .kind = TK_EV_TASK_SWITCHED_IN, .timed = true, .ticks = 13, .section = 1, .task.task = A });
    end();
    assert_non_null(strstr(jobs.text, SCENE "\na 10 11 11 cut_end"));
    assert_null(strstr(jobs.text + strlen(SCENE), "measured"));
}

static void a_task_that_migrates_unseen_is_not_measured(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    on(1, 13, TK_EV_TASK_SWITCHED_IN, A, 0, 0); // core 0 does not report that it left
    on(1, 14, TK_EV_DELAY, 0, 5, 0);
    on(1, 15, TK_EV_TASK_SWITCHED_IN, B, 0, 0);
    end();
    assert_non_null(strstr(jobs.text, "\na 10 11 15 lost"));
}

// ---- Declared jobs -----------------------------------------------------------------------------

static void an_application_declares_its_jobs(void **state) {
    (void)state;
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    scene();
    ready(10, A);
    runs(11, A);
    at(12, TK_EV_ISR_ENTER, 1, 0, 0);
    at(13, TK_EV_ISR_EXIT, 1, 0, 0);
    at(15, TK_EV_JOB_DONE, A, 0, 0);
    at(16, TK_EV_QUEUE_SEND, QUEUE, 1, 0); // it goes on: the next job began at 15
    at(17, TK_EV_BLOCK_ON_RECEIVE, QUEUE, 100, 0);
    runs(18, B); // a wait inside the job
    ready(20, A);
    runs(21, A);
    at(22, TK_EV_JOB_DONE, A, 0, 0);
    delays(23); // without a call: no job began at 22
    runs(24, IDLE);
    ready(30, A);
    runs(31, A);
    at(33, TK_EV_JOB_DONE, A, 1, 0); // at the next call or wait
    delays(35);
    runs(36, IDLE);
    end();
    assert_non_null(strstr(jobs.text, "\na 10 11 15 measured: 3 net, 1 interrupts, 0 preempted, 0 blocked, 0 room"));
    assert_non_null(strstr(jobs.text, "\na 15 15 22 measured: 4 net, 0 interrupts, 1 preempted, 2 blocked, 0 room"));
    assert_null(strstr(jobs.text, "\na 22"));
    assert_non_null(strstr(jobs.text, "\na 30 31 36 measured: 5 net"));
}

// ---- Tables ------------------------------------------------------------------------------------

static struct lines table_text;
static char table_id[32];
static bool in_row;

static void table_begin(void *ctx, const struct tk_table *table) {
    (void)ctx;
    snprintf(table_id, sizeof table_id, "%s", table->id);
    in_row = false;
}
static void table_cell(void *ctx, const struct tk_cell *cell) {
    (void)ctx;
    if (!in_row) lines_add(&table_text, "%s:", table_id);
    in_row = true;
    if (cell->type == TK_CELL_NONE) lines_add(&table_text, " -");
    else if (cell->type == TK_CELL_TEXT) lines_add(&table_text, " '%.*s'", (int)cell->len, cell->text);
    else lines_add(&table_text, " %lld", (long long)cell->i);
}
static void table_end(void *ctx) {
    (void)ctx;
    if (in_row) lines_add(&table_text, "\n");
}
static void table_series(void *ctx, const struct tk_series *series) {
    (void)ctx;
    (void)series;
}

static void expect_tables(const char *wanted) {
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, table_series, 1 };
    table_text = (struct lines){ .len = 0 };
    tk_analysis_tables(analysis, model.rtos, &sink);
    assert_string_equal(table_text.text, wanted);
}

static void tables_show_what_was_measured(void **state) {
    (void)state;
    scene();
    for (uint64_t i = 0; i < 3; i++) {
        ready(20 + 20 * i, A);
        runs(21 + 20 * i, A);
        if (i == 2) loses(65, 66);
        at(25 + 20 * i + i, TK_EV_BLOCK_ON_RECEIVE, QUEUE, 100, 0);
        runs(26 + 20 * i + i, IDLE);
    }
    ready(80, A);
    runs(81, A);
    end();
    expect_tables("jobs: 'a' 4 1 3 5 6 7 7 7 40 1 1 3 2 4 5 6 6 6 40 2 4 5 6 6 6 40 0 0 0 3 0 0 3 0 17 19 17 20 20 20"
                  " 20 17 19 20 21 - 0 1 0 0\n"
                  "activations: 'a / created' 1 0 3 3 3 3 3 3 3 - - - - - - -"
                  " 'a / delay' 1 0 6 6 6 6 6 6 20 - - - - - - -"
                  " 'a / receive from q' 2 1 7 7 7 7 7 7 40 - - - - - - -\n");
}

static void further_waits_share_a_row(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 0; i < 12; i++) {
        ready(20 + 10 * i, A);
        runs(21 + 10 * i, A);
        at(22 + 10 * i, TK_EV_BLOCK_ON_RECEIVE, 20 + i, 100, 0);
        runs(23 + 10 * i, IDLE);
    }
    ready(200, A);
    runs(201, A);
    delays(202);
    runs(203, IDLE);
    end();
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, table_series, 1 };
    table_text = (struct lines){ .len = 0 };
    tk_analysis_tables(analysis, model.rtos, &sink);
    assert_non_null(strstr(table_text.text, "'a / receive from queue #25' 1 0"));
    assert_null(strstr(table_text.text, "queue #26"));
    assert_non_null(strstr(table_text.text, "'a / other' 6 0"));
}

static void a_time_range_counts_only_jobs_within_it(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    tk_model_begin_stats(&model, 12);
    delays(13);
    runs(14, IDLE);
    ready(20, A);
    runs(21, A);
    delays(22);
    runs(23, IDLE);
    end();
    assert_non_null(strstr(jobs.text, "\na 10 11 14 cut_start\na 20 21 23 measured"));
    expect_tables(
        "jobs: 'a' 1 0 3 3 3 3 3 3 20 1 1 20 2 2 2 2 2 2 20 2 2 2 2 2 2 20 0 0 0 20 0 0 20 0 - - - - - - - - -"
        " - - - 1 0 0 0\n"
        "activations: 'a / delay' 1 0 3 3 3 3 3 3 20 - - - - - - -\n");
}

static void an_open_job_has_a_lower_bound(void **state) {
    (void)state;
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    scene();
    ready(10, A);
    runs(11, A);
    at(50, TK_EV_QUEUE_SEND, QUEUE, 1, 0);
    end();
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, table_series, 1 };
    table_text = (struct lines){ .len = 0 };
    tk_analysis_tables(analysis, model.rtos, &sink);
    assert_non_null(strstr(table_text.text, " 40 0 1 0 0\nactivations"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_job_has_all_parts, reset, done),
        cmocka_unit_test_setup_teardown(a_wait_that_is_called_off_ends_no_job, reset, done),
        cmocka_unit_test_setup_teardown(an_untraced_wait_is_decided_later, reset, done),
        cmocka_unit_test_setup_teardown(a_loss_makes_the_jobs_around_it_unmeasured, reset, done),
        cmocka_unit_test_setup_teardown(a_ready_event_before_a_loss_proves_no_untraced_wait, reset, done),
        cmocka_unit_test_setup_teardown(jobs_at_both_ends_are_cut, reset, done),
        cmocka_unit_test_setup_teardown(another_task_cuts_a_job, reset, done),
        cmocka_unit_test_setup_teardown(a_restart_begins_anew, reset, done),
        cmocka_unit_test_setup_teardown(a_task_that_migrates_unseen_is_not_measured, reset, done),
        cmocka_unit_test_setup_teardown(an_application_declares_its_jobs, reset, done),
        cmocka_unit_test_setup_teardown(tables_show_what_was_measured, reset, done),
        cmocka_unit_test_setup_teardown(further_waits_share_a_row, reset, done),
        cmocka_unit_test_setup_teardown(a_time_range_counts_only_jobs_within_it, reset, done),
        cmocka_unit_test_setup_teardown(an_open_job_has_a_lower_bound, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
