// SPDX-License-Identifier: MIT
//
// Jobs of tasks: events into the model, whose trackers tell facts to the analysis, jobs and tables out.
#include "model_support.h"

#include "analysis/analysis.h"

static struct tk_analysis *analysis;
static struct lines jobs;

// The causes add up to the parts of the job.
static void expect_sums(const struct tk_job *job, const struct tk_causes *causes) {
    uint64_t sums[TK_CAUSE_KINDS];
    if (job->state != TK_JOB_MEASURED) return;
    memcpy(sums, causes->others, sizeof sums);
    for (uint32_t i = 0; i < causes->count; i++) sums[causes->list[i].kind] += causes->list[i].ticks;
    assert_int_equal(sums[TK_CAUSE_PENDING], tk_job_pending(job));
    assert_int_equal(sums[TK_CAUSE_PREEMPTED], job->preempted);
    assert_int_equal(sums[TK_CAUSE_BLOCKED], job->blocked);
    assert_int_equal(sums[TK_CAUSE_ROOM], job->room);
    assert_int_equal(sums[TK_CAUSE_WAITED], job->waited);
}

// "a 10 12 20 measured: 5 net, 1 interrupts, 1 preempted, 1 blocked, 0 room, period 30"
static void on_job(void *ctx, const struct tk_job *job, const struct tk_causes *causes) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    const char *name = tk_names_text(&model.timeline.names, job->entity, room, &len);
    (void)ctx;
    expect_sums(job, causes);
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
    if (job->waited) lines_add(&jobs, ", %llu waited", (unsigned long long)job->waited);
    if (job->has_period) lines_add(&jobs, ", period %llu", (unsigned long long)job->period);
}

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };
    (void)state;
    model_init(0, false);
    analysis = tk_analysis_new(&alloc, &diag, &model.timeline, &model.stats.histograms);
    model.host.facts = tk_analysis_facts(analysis);
    tk_analysis_listen(analysis, &(struct tk_job_listener){ NULL, on_job });
    tk_model_need_trackers(&model, trackers);
    jobs = (struct lines){ .len = 0 };
    return 0;
}

// ---- Events ------------------------------------------------------------------------------------

static void at(uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    send_at(0, ticks, kind, id, arg, value);
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
    const struct tk_stats_isr *outer = &model.stats.isrs[0], *nested = &model.stats.isrs[1];
    assert_int_equal(outer->duration.durations.total, 1 + 4 + 1);
    assert_int_equal(outer->net_total, 1 + 3 + 1);
    assert_int_equal(outer->net_max_at, 15);
    assert_int_equal(outer->deepest, 1);
    assert_int_equal(nested->net_total, 1);
    assert_int_equal(nested->deepest, 2);
    assert_false(outer->is_net_unknown);
}

static void an_interrupt_without_the_end_of_a_nested_one_has_no_net_time(void **state) {
    (void)state;
    scene();
    at(10, TK_EV_ISR_ENTER, 1, 0, 0);
    at(12, TK_EV_ISR_ENTER, 2, 0, 0);
    at(17, TK_EV_ISR_EXIT, 1, 0, 0);
    end();
    assert_true(model.stats.isrs[0].is_net_unknown);
    assert_int_equal(model.stats.isrs[0].duration.durations.total, 7);
    assert_int_equal(model.stats.isrs[1].net_total, 0);
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
    send_at(1, 13, TK_EV_TASK_SWITCHED_IN, A, 0, 0); // core 0 does not report that it left
    send_at(1, 14, TK_EV_DELAY, 0, 5, 0);
    send_at(1, 15, TK_EV_TASK_SWITCHED_IN, B, 0, 0);
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
    assert_non_null(strstr(jobs.text,
                           "\na 15 15 22 measured: 4 net, 0 interrupts, 1 preempted, 0 blocked, 0 room, 2 waited"));
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
    else if (cell->type == TK_CELL_DOUBLE) lines_add(&table_text, " %g", cell->d);
    else lines_add(&table_text, " %lld", (long long)cell->i);
}
static void table_end(void *ctx) {
    (void)ctx;
    if (in_row) lines_add(&table_text, "\n");
}
static const char *all_tables(void) {
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, 1 };
    table_text = (struct lines){ .len = 0 };
    tk_analysis_tables(analysis, model.rtos, &sink);
    return table_text.text;
}

static void expect_tables(const char *wanted) { assert_string_equal(all_tables(), wanted); }
static void expect_line(const char *wanted) {
    if (strstr(all_tables(), wanted)) return;
    print_message("%s", table_text.text);
    fail();
}

// Compares one table.
static void expect_table(const char *id, const char *wanted) {
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, 1 };
    char begin[40];
    table_text = (struct lines){ .len = 0 };
    tk_analysis_tables(analysis, model.rtos, &sink);
    snprintf(begin, sizeof begin, "%s:", id);
    char *found = strstr(table_text.text, begin);
    if (found) *strchr(found, '\n') = 0;
    assert_string_equal(found ? found + strlen(begin) : "", wanted);
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
    expect_tables("jobs: 'a' 4 1 3 5 6 7 7 7 40 1 1 3 2 4 5 6 6 6 40 2 4 5 6 6 6 40 0 0 0 3 0 0 3 0 0 17 19 17 20 20 20"
                  " 20 17 19 20 21 - 0 1 0 0\n"
                  "activations: 'a / created' 1 0 3 3 3 3 3 3 3 - - - - - - -"
                  " 'a / delay' 1 0 6 6 6 6 6 6 20 - - - - - - -"
                  " 'a / receive from q' 2 1 7 7 7 7 7 7 40 - - - - - - -\n"
                  "waits: 'delay' 'a' 1 0 14 14 14 14 14 14 6 - - 1 0 1 1 1 20"
                  " 'receive from q' 'a' 3 1 27 14 13 14 14 14 26 - - 3 1 1 1 1 40\n"
                  "worst_jobs: 'a' 1 7 40 41 47 'ran 6 ns, waited 1 ns to start while IDLE ran' 1 6 0 0 0 0 0"
                  " 'a' 2 6 20 21 26 'ran 5 ns, waited 1 ns to start while IDLE ran' 1 5 0 0 0 0 0"
                  " 'a' 3 3 3 4 6 'ran 2 ns, waited 1 ns to start while IDLE ran' 1 2 0 0 0 0 0\n"
                  "worst_causes: 'a' 1 'pending' 'IDLE' - 0 0 1 'a' 2 'pending' 'IDLE' - 0 0 1"
                  " 'a' 3 'pending' 'IDLE' - 0 0 1\n"
                  "job_distribution: 'a' 3 1 'a' 7 2\n"
                  "job_noise: 'a' 4 1 11 - - - - - - - -\n"
                  "load_windows: 'core 0' 1 - - - -\n");
}

// The first job is shorter than the others. The parts double until 80 jobs in 1600 ticks fit into 16 of them.
static void figures_have_a_noise_between_equal_parts(void **state) {
    (void)state;
    scene();
    for (uint64_t i = 0; i < 80; i++) {
        ready(20 + 20 * i, A);
        runs(21 + 20 * i, A);
        at(25 + 20 * i + i % 2, TK_EV_BLOCK_ON_RECEIVE, QUEUE, 100, 0);
        runs(26 + 20 * i + i % 2, IDLE);
    }
    end();
    expect_line("job_noise: 'a' 81 0 12 ");
    expect_line("job_distribution: 'a' 3 1 'a' 7 80\n");
}

// ---- Waits, causes and the worst jobs ----------------------------------------------------------

static void waits_have_lengths_time_outs_and_wake_latencies(void **state) {
    (void)state;
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    scene();
    at(7, TK_EV_KERNEL_TICK, 7, 0, 0);
    ready(10, A);
    runs(13, A);
    at(14, TK_EV_BLOCK_ON_RECEIVE, QUEUE, 100, 0);
    runs(15, IDLE);
    at(20, TK_EV_KERNEL_TICK, 20, 0, 0);
    ready(20, A); // timed out
    runs(22, A);
    at(23, TK_EV_BLOCK_ON_RECEIVE, QUEUE, 100, 0);
    runs(24, B);
    at(30, TK_EV_QUEUE_SEND, QUEUE, 1, 0);
    ready(30, A);
    runs(31, A);
    delays(32);
    runs(33, B);
    loses(40, 41);
    ready(42, A);
    runs(43, A);
    delays(44);
    runs(45, B);
    end();
    expect_table("waits", " 'delay' 'a' 2 1 4 4 4 4 4 4 6 0 - 2 1 3 3 3 10"
                          " 'receive from q' 'a' 2 0 11 6 5 6 6 6 24 - 1 2 0 2 2 2 20");
}

static void causes_name_who_delayed_a_job(void **state) {
    (void)state;
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    scene();
    runs(8, B);
    at(9, TK_EV_QUEUE_RECEIVE, MUTEX, 0, 0);
    ready(10, A);
    runs(13, A); // 3 behind b
    runs(20, B); // preempted by b, then by the idle task
    runs(24, IDLE);
    runs(25, A);
    at(26, TK_EV_BLOCK_ON_RECEIVE, MUTEX, 100, 0);
    runs(27, B);
    at(33, TK_EV_QUEUE_SEND, MUTEX, 1, 0);
    ready(33, A);
    runs(34, A);
    at(35, TK_EV_BLOCK_ON_SEND, QUEUE, 100, 0);
    runs(36, B);
    ready(38, A);
    runs(38, A);
    delays(40);
    runs(41, IDLE);
    end();
    expect_table(
        "worst_jobs",
        " 'a' 1 31 10 13 41 'ran 14 ns, waited 6 ns for m held by b, preempted 5 ns by b, waited 3 ns to start "
        "while b ran, waited 2 ns for room in q, preempted 1 ns by IDLE' 3 14 0 6 6 2 0"
        " 'a' 2 3 3 4 6 'ran 2 ns, waited 1 ns to start while IDLE ran' 1 2 0 0 0 0 0");
    expect_table("worst_causes",
                 " 'a' 1 'pending' 'b' - 0 0 3 'a' 1 'preempted' 'IDLE' - 0 0 1 'a' 1 'preempted' 'b' - 0 0 5"
                 " 'a' 1 'blocked' 'b' 'm' 0 0 6 'a' 1 'room' - 'q' 0 0 2"
                 " 'a' 2 'pending' 'IDLE' - 0 0 1");
}

// The runs of a core that are kept are fewer than these. A task without an announced wait may wait or not.
static void causes_of_many_switches_add_up(void **state) {
    (void)state;
    enum { SWITCHES = 500, FIRST = 20, TASKS = 12 };
    scene();
    ready(10, A);
    runs(11, A);
    for (uint64_t i = 0; i < SWITCHES; i++) runs(FIRST + i, FIRST + (uint32_t)(i % TASKS));
    runs(FIRST + SWITCHES, A);
    runs(FIRST + SWITCHES + 1, FIRST);
    for (uint64_t i = 0; i < SWITCHES; i++) runs(FIRST + SWITCHES + 2 + i, FIRST + 1 + (uint32_t)(i % TASKS));
    ready(1500, A); // it waited all the time
    runs(1501, A);
    delays(1502);
    runs(1503, IDLE);
    end();
    assert_non_null(strstr(jobs.text, "\na 10 11 521 measured: 10 net, 0 interrupts, 500 preempted"));
    assert_non_null(strstr(jobs.text, "\na 1500 1501 1503 measured: 2 net, 0 interrupts, 0 preempted"));
    expect_table("worst_causes",
                 " 'a' 1 'preempted' 'task #23' - 0 1 42 'a' 1 'preempted' 'task #30' - 0 1 41"
                 " 'a' 1 'preempted' 'task #29' - 0 1 41 'a' 1 'preempted' 'task #28' - 0 1 41"
                 " 'a' 1 'preempted' 'task #27' - 0 1 42 'a' 1 'preempted' 'task #26' - 0 1 42"
                 " 'a' 1 'preempted' 'task #25' - 0 1 42 'a' 1 'preempted' 'task #24' - 0 1 42"
                 " 'a' 1 'pending' - - 1 0 1 'a' 1 'preempted' - - 1 0 167 'a' 2 'pending' 'IDLE' - 0 0 1"
                 " 'a' 3 'pending' 'task #28' - 0 0 1");
}

static void tasks_that_are_not_analysed_are_others(void **state) {
    (void)state;
    enum { TASKS = 200, FIRST = 1000 };
    scene();
    for (uint32_t i = 0; i < TASKS; i++) name(TK_EV_TASK_NAME, FIRST + i, "further");
    ready(10, A);
    runs(11, A);
    runs(12, FIRST + TASKS - 1);
    runs(15, A);
    delays(16);
    runs(17, IDLE);
    end();
    expect_table("worst_causes",
                 " 'a' 1 'pending' 'IDLE' - 0 0 1 'a' 1 'preempted' - - 1 0 3 'a' 2 'pending' 'IDLE' - 0 0 1");
}

static void the_eight_worst_jobs_are_kept(void **state) {
    (void)state;
    enum { JOBS = 20 };
    scene();
    for (uint64_t i = 0; i < JOBS; i++) { // response times 3, 4 .. 12, 3, 4 .. 12
        ready(20 + 20 * i, A);
        runs(21 + 20 * i, A);
        delays(22 + 20 * i);
        runs(23 + 20 * i + i % 10, IDLE);
    }
    end();
    expect_table("worst_jobs", " 'a' 1 12 200 201 212 'ran 11 ns, waited 1 ns to start while IDLE ran' 1 11 0 0 0 0 0"
                               " 'a' 2 12 400 401 412 'ran 11 ns, waited 1 ns to start while IDLE ran' 1 11 0 0 0 0 0"
                               " 'a' 3 11 180 181 191 'ran 10 ns, waited 1 ns to start while IDLE ran' 1 10 0 0 0 0 0"
                               " 'a' 4 11 380 381 391 'ran 10 ns, waited 1 ns to start while IDLE ran' 1 10 0 0 0 0 0"
                               " 'a' 5 10 160 161 170 'ran 9 ns, waited 1 ns to start while IDLE ran' 1 9 0 0 0 0 0"
                               " 'a' 6 10 360 361 370 'ran 9 ns, waited 1 ns to start while IDLE ran' 1 9 0 0 0 0 0"
                               " 'a' 7 9 140 141 149 'ran 8 ns, waited 1 ns to start while IDLE ran' 1 8 0 0 0 0 0"
                               " 'a' 8 9 340 341 349 'ran 8 ns, waited 1 ns to start while IDLE ran' 1 8 0 0 0 0 0");
}

// ---- Deadlines ----

static uint64_t length_of_tick;
static uint64_t tick_ns(const void *ctx) { return (void)ctx, length_of_tick; }
static uint64_t limit(const void *ctx, uint32_t deadline) { return ((const uint64_t *)ctx)[deadline] / length_of_tick; }
static const char *deadline_text(const void *ctx, uint32_t deadline) {
    static const char *const texts[] = { "5ns", "11ns", "5 ns" };
    return (void)ctx, texts[deadline];
}
// The last deadline is about jobs after a delay.
static bool covers(const void *ctx, uint32_t deadline, const char *name, size_t len, bool is_wait) {
    static const char *const rows[] = { "a", "a", "a / delay" };
    (void)ctx;
    assert_int_equal(is_wait, memchr(name, '/', len) != NULL);
    return len == strlen(rows[deadline]) && !memcmp(name, rows[deadline], len);
}

static void set_deadlines(void) {
    static const uint64_t ns[] = { 5, 11, 5 };
    length_of_tick = 1;
    tk_analysis_set_deadlines(analysis, &(struct tk_deadlines){ ns, 3, tick_ns, limit, covers, deadline_text });
}

static void jobs_of_a(uint64_t from, unsigned count) { // response times 3, 4 .. 12, 3, 4 .. 12
    for (uint64_t i = 0; i < count; i++) {
        ready(from + 20 * i, A);
        runs(from + 1 + 20 * i, A);
        delays(from + 2 + 20 * i);
        runs(from + 3 + 20 * i + i % 10, IDLE);
    }
}

static void jobs_beyond_a_deadline_are_counted(void **state) {
    (void)state;
    set_deadlines();
    scene();
    jobs_of_a(20, 20);
    end();
    expect_table("deadlines", " 'a' - '5ns' 21 0 14 'a' - '11ns' 21 0 2 'a' 'delay' '5 ns' 20 0 14");
}

static void a_late_job_with_a_loss_is_not_measured(void **state) {
    (void)state;
    set_deadlines();
    scene();
    jobs_of_a(20, 10);
    ready(300, A);
    runs(301, A);
    loses(305, 310);
    delays(320);
    runs(321, IDLE);
    end();
    expect_table("deadlines", " 'a' - '5ns' 12 1 7 'a' - '11ns' 12 1 1 'a' 'delay' '5 ns' 11 1 7");
}

static void late_jobs_before_a_time_range_do_not_count(void **state) {
    (void)state;
    set_deadlines();
    scene();
    jobs_of_a(20, 10);
    tk_model_begin_stats(&model, 250);
    jobs_of_a(300, 10);
    end();
    expect_table("deadlines", " 'a' - '5ns' 10 0 7 'a' - '11ns' 10 0 1 'a' 'delay' '5 ns' 10 0 7");
}

static void late_jobs_are_unknown_after_a_change_of_the_tick(void **state) {
    (void)state;
    set_deadlines();
    scene();
    jobs_of_a(20, 10);
    length_of_tick = 2;
    jobs_of_a(300, 10);
    end();
    expect_table("deadlines", " 'a' - '5ns' 21 0 - 'a' - '11ns' 21 0 - 'a' 'delay' '5 ns' 20 0 -");
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
    expect_line("'a / receive from queue #25' 1 0");
    assert_null(strstr(all_tables(), "a / receive from queue #26"));
    expect_line("'a / other' 6 0");
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
        "jobs: 'a' 1 0 3 3 3 3 3 3 20 1 1 20 2 2 2 2 2 2 20 2 2 2 2 2 2 20 0 0 0 20 0 0 20 0 0 - - - - - - - - -"
        " - - - 1 0 0 0\n"
        "activations: 'a / delay' 1 0 3 3 3 3 3 3 20 - - - - - - -\n"
        "waits: 'delay' 'a' 1 0 6 6 6 6 6 6 14 0 - 1 0 1 1 1 20\n"
        "worst_jobs: 'a' 1 3 20 21 23 'ran 2 ns, waited 1 ns to start while IDLE ran' 1 2 0 0 0 0 0\n"
        "worst_causes: 'a' 1 'pending' 'IDLE' - 0 0 1\n"
        "job_distribution: 'a' 3 1\n"
        "job_noise: 'a' 1 0 3 - - - - - - - -\n"
        "load_windows: 'core 0' 0 - - - -\n");
}

static void an_open_job_has_a_lower_bound(void **state) {
    (void)state;
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    scene();
    ready(10, A);
    runs(11, A);
    at(50, TK_EV_QUEUE_SEND, QUEUE, 1, 0);
    end();
    expect_line(" 40 0 1 0 0\nactivations");
}

// ---- Mutexes -----------------------------------------------------------------------------------

static void takes(uint64_t ticks, uint32_t mutex) { at(ticks, TK_EV_QUEUE_RECEIVE, mutex, 0, 0); }
static void gives(uint64_t ticks, uint32_t mutex) { at(ticks, TK_EV_QUEUE_SEND, mutex, 1, 0); }

// a holds the mutex from 21 to 50 and delays meanwhile, b waits for it from 32 on.
static void contention(void) {
    scene();
    ready(20, A);
    runs(20, A);
    takes(21, MUTEX);
    delays(22);
    runs(23, B);
    at(30, TK_EV_BLOCK_ON_RECEIVE, MUTEX, 100, 0);
    runs(32, IDLE);
    ready(40, A);
    runs(41, A);
}

static void holds_of_a_mutex_and_waits_for_it(void **state) {
    (void)state;
    contention();
    gives(50, MUTEX);
    ready(51, B);
    delays(52);
    runs(53, B);
    takes(54, MUTEX);
    gives(57, MUTEX);
    takes(58, MUTEX); // without a wait
    gives(59, MUTEX);
    runs(60, IDLE);
    end();
    expect_line("mutexes: 'm' 'a' 1 0 29 29 29 21 0 1 0 17 23 'm' 'b' 2 0 4 2 3 54 1 0 0 - -\n");
    expect_line("mutex_waits: 'm' 'b' 'a' 1 0 19 19 19 32\n");
}

static void a_loss_makes_holds_and_waits_unmeasured(void **state) {
    (void)state;
    contention();
    loses(42, 45);
    gives(50, MUTEX); // a may have left the core
    ready(51, B);
    runs(53, B);
    takes(54, MUTEX);
    gives(57, MUTEX);
    end();
    expect_line("mutexes: 'm' 'a' 1 1 - - - - 0 1 0 17 23 'm' 'b' 1 0 3 3 3 54 1 0 0 - -\n");
    expect_line("mutex_waits: 'm' 'b' 'a' 1 1 - - - -\n");
}

static void a_take_right_after_a_loss_is_of_no_known_task(void **state) {
    (void)state;
    scene();
    ready(20, A);
    runs(20, A);
    loses(21, 25);
    takes(26, MUTEX);
    gives(27, MUTEX);
    runs(30, IDLE);
    end();
    expect_line("mutexes: 'm' - 1 1 - - - - 0 0 0 - -\n");
    assert_null(strstr(all_tables(), "mutex_waits"));
}

static void a_mutex_that_is_taken_twice_was_given_unseen(void **state) {
    (void)state;
    scene();
    ready(20, A);
    runs(20, A);
    takes(26, MUTEX);
    takes(30, MUTEX);
    gives(35, MUTEX);
    runs(40, IDLE);
    end();
    expect_line("mutexes: 'm' 'a' 2 1 5 5 5 30 0 0 0 - -\n");
}

static void holds_within_a_time_range(void **state) {
    (void)state;
    contention();
    tk_model_begin_stats(&model, 45);
    gives(50, MUTEX);
    ready(51, B);
    runs(53, B);
    takes(54, MUTEX);
    gives(57, MUTEX);
    end();
    expect_line("mutexes: 'm' 'a' 1 1 - - - - 0 0 0 - - 'm' 'b' 1 0 3 3 3 54 1 0 0 - -\n");
    expect_line("mutex_waits: 'm' 'b' 'a' 1 1 - - - -\n");
}

static void a_task_that_holds_many_mutexes(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 0; i < 20; i++) tell(TK_EV_QUEUE_KIND, 30 + i, TK_QUEUE_MUTEX, 0);
    ready(20, A);
    runs(20, A);
    for (uint32_t i = 0; i < 20; i++) takes(21 + i, 30 + i);
    delays(50);
    runs(51, IDLE);
    ready(60, A);
    runs(61, A);
    for (uint32_t i = 0; i < 20; i++) gives(70 + i, 30 + i);
    end();
    expect_line("'queue #45' 'a' 1 0 49 49 49 36 0 1 0 9 51");
    expect_line("'queue #46' 'a' 1 0 49 49 49 37 0 - - - -"); // beyond the limit
}

// ---- Queues ------------------------------------------------------------------------------------

static void sends(uint64_t ticks, uint32_t length) { at(ticks, TK_EV_QUEUE_SEND, QUEUE, length, 0); }
static void receives(uint64_t ticks, uint32_t length) { at(ticks, TK_EV_QUEUE_RECEIVE, QUEUE, length, 0); }

// a fills the queue of two places from 20 on and waits for room from 30 to 40; b receives.
static void full_queue(void) {
    scene();
    ready(20, A);
    runs(20, A);
    sends(20, 1);
    sends(25, 2);
    at(28, TK_EV_BLOCK_ON_SEND, QUEUE, 100, 0);
    runs(30, B);
    receives(40, 1);
    ready(40, A);
}

static void fill_of_a_queue_over_time(void **state) {
    (void)state;
    full_queue();
    receives(50, 0);
    runs(60, IDLE);
    end();
    // 40 known, two places proven, (5 + 2 * 15 + 10) / 40 = 1.125 in it, 15 full, 10 empty
    expect_line("queue_times: 'q' 40 2 1.125 15 375000 10 1 2 0 20 23 20 25 25 25 25");
    expect_line("communication: 'a' 'q' 'b' 2 0 23 25 25\n");
}

static void a_length_that_does_not_fit_has_no_latency(void **state) {
    (void)state;
    full_queue();
    receives(50, 5);
    receives(55, 4);
    runs(60, IDLE);
    end();
    expect_line("queue_times: 'q' 40 - 2.25 - - 0 1 3 2 20");
    expect_line("communication: 'a' 'q' 'b' 1 0 20 20 20\n");
}

static void a_loss_interrupts_fill_and_latency(void **state) {
    (void)state;
    full_queue();
    loses(41, 45);
    receives(50, 0); // at least one operation is missing, or none
    sends(53, 1);    // by a task that is not known
    runs(55, B);
    receives(58, 0);
    runs(60, IDLE);
    end();
    expect_line("queue_times: 'q' 30 2 1.33333 15 500000 5 1 3 1 5 ");
    expect_line("communication: 'a' 'q' 'b' 1 0 20 20 20\n");
}

static void an_item_that_is_overwritten_has_no_receive(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_CAPACITY, QUEUE, 1, 0);
    ready(20, A);
    runs(20, A);
    sends(20, 1);
    at(25, TK_EV_QUEUE_OVERWRITE, QUEUE, 1, 0);
    runs(30, B);
    receives(32, 0);
    runs(60, IDLE);
    end();
    expect_line("queue_times: 'q' 40 1 0.3 12 300000 28 0 1 0 7 7 7 7 7 7 25");
}

static void buffers_of_bytes_have_no_latency(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, QUEUE, TK_QUEUE_STREAM_BUFFER, 0);
    ready(20, A);
    runs(20, A);
    sends(20, 10);
    sends(25, 20);
    runs(30, B);
    receives(40, 0);
    runs(60, IDLE);
    end();
    expect_line("queue_times: 'q' 40 - 8.75 - - 20 0 - - - - - - - - -\n");
    expect_line("communication: 'a' 'q' 'b' 1 1 - - -\n");
}

static void queues_within_a_time_range(void **state) {
    (void)state;
    full_queue();
    tk_model_begin_stats(&model, 45);
    receives(50, 0);
    sends(52, 1);
    receives(54, 0);
    runs(60, IDLE);
    end();
    expect_line("queue_times: 'q' 15 2 0.466667 0 0 8 0 2 1 2 2 2 2 2 2 52");
    expect_line("communication: 'a' 'q' 'b' 1 1 - - - 'b' 'q' 'b' 1 0 2 2 52\n");
}

// ---- Largest load ------------------------------------------------------------------------------

enum { SPANS = 2000 };
static uint64_t idle_from[SPANS], idle_to[SPANS]; // when the idle task ran without interrupts
static unsigned span_count;

static uint64_t microsecond(const void *ctx) { return (void)ctx, 1000; }

// The idle task runs and has an interrupt; then another task runs.
static uint64_t idle_and_work(uint64_t now, uint64_t idle, uint64_t work) {
    recorder.lines.len = 0; // the trace does not matter
    uint64_t interrupt = now + idle / 3, resumes = interrupt + idle / 5;
    idle_from[span_count] = now;
    idle_to[span_count++] = interrupt;
    idle_from[span_count] = resumes;
    idle_to[span_count++] = now + idle;
    at(interrupt, TK_EV_ISR_ENTER, 7, 0, 0);
    at(resumes, TK_EV_ISR_EXIT, 7, 0, 0);
    ready(now + idle, A);
    runs(now + idle, A);
    delays(now + idle + work);
    runs(now + idle + work, IDLE);
    return now + idle + work;
}

static uint64_t idle_in(uint64_t from, uint64_t to) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < span_count; i++) {
        uint64_t begin = idle_from[i] > from ? idle_from[i] : from, end_at = idle_to[i] < to ? idle_to[i] : to;
        if (begin < end_at) sum += end_at - begin;
    }
    return sum;
}

// The window with the least idle time begins where the idle task stops, or ends where it goes on.
static uint64_t least_idle(uint64_t length, uint64_t end_at) {
    uint64_t least = length;
    for (unsigned i = 0; i < span_count; i++) {
        uint64_t from = idle_to[i], until = idle_from[i];
        uint64_t idle = from + length <= end_at ? idle_in(from, from + length) : length;
        if (until >= idle_from[0] + length && idle_in(until - length, until) < idle)
            idle = idle_in(until - length, until);
        if (idle < least) least = idle;
    }
    return least;
}

// Compares the largest load in windows of `length` ticks; a bucket has `width` of them.
static void expect_load(long long shown, long long shown_at, uint64_t length, uint64_t width, uint64_t end_at) {
    long long largest = (long long)((length - least_idle(length, end_at)) * 1000000 / length);
    long long there =
        (long long)((length - idle_in((uint64_t)shown_at, (uint64_t)shown_at + length)) * 1000000 / length);
    assert_true(shown <= largest + 1 && shown >= largest - (long long)(width * 1000000 / length) - 1);
    assert_true(shown >= there - 1 && shown <= there + 1);
}

static void the_largest_load_is_found(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (unsigned round = 0; round < 9; round++) {
        reset(NULL);
        tk_analysis_set_clock(analysis, &model.timeline.now, microsecond, NULL);
        tk_analysis_listen(analysis, &(struct tk_job_listener){ NULL, NULL });
        scene();
        span_count = 0;
        static const uint64_t longest[] = { 3000, 60000, 900000 };
        uint64_t now = 6, most = longest[round % 3];
        for (unsigned i = 0; i < SPANS / 2; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            now = idle_and_work(now, 10 + (seed >> 33) % most, 5 + (seed >> 40) % (most / 2));
        }
        end();
        long long numbers[4];
        const char *line = strstr(all_tables(), "load_windows: 'core 0' ");
        assert_non_null(line);
        assert_int_equal(sscanf(line, "load_windows: 'core 0' 0 %lld %lld %lld %lld", &numbers[0], &numbers[1],
                                &numbers[2], &numbers[3]),
                         4);
        expect_load(numbers[0], numbers[1], 64 * 156, 156, now);
        expect_load(numbers[2], numbers[3], 640 * 156, 1560, now);
        if (round < 8) done(NULL);
    }
}

static void a_core_that_is_always_idle_has_no_load(void **state) {
    (void)state;
    tk_analysis_set_clock(analysis, &model.timeline.now, microsecond, NULL);
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_RECORDED, 1000);
    name(TK_EV_TASK_NAME, IDLE, "IDLE");
    runs(1, IDLE);
    ready(1 + 640 * 156 + 200, A);
    end();
    expect_line("load_windows: 'core 0' 0 0 1 0 1\n");
}

static void a_window_with_a_loss_has_no_load(void **state) {
    (void)state;
    tk_analysis_set_clock(analysis, &model.timeline.now, microsecond, NULL);
    scene();
    span_count = 0;
    uint64_t now = idle_and_work(6, 5000, 3000);
    loses(now + 1, now + 2000);
    runs(now + 2010, IDLE);
    now = idle_and_work(now + 2010, 6000, 3000);
    loses(now + 1, now + 2); // no idle task runs after this one
    end();
    expect_line("load_windows: 'core 0' 2 - - - -\n");
}

static void the_load_within_a_time_range(void **state) {
    (void)state;
    tk_analysis_set_clock(analysis, &model.timeline.now, microsecond, NULL);
    scene();
    span_count = 0;
    uint64_t now = idle_and_work(6, 5000, 30000);
    tk_model_begin_stats(&model, now + 1);
    runs(now + 1, IDLE);
    for (unsigned i = 0; i < 3; i++) now = idle_and_work(now + 1, 9000, 3000);
    end();
    const char *line = strstr(all_tables(), "load_windows: 'core 0' 0 ");
    assert_true(line && atoi(line + strlen("load_windows: 'core 0' 0 ")) < 500000); // not the busy time before
    assert_true(line && atoi(line + strlen("load_windows: 'core 0' 0 ")) > 300000);
}

// ---- Response times in the trace ---------------------------------------------------------------

// A job of task A: ready at `since`, runs a tick later, waits after `response` ticks.
static void job_of(uint64_t since, uint64_t response) {
    ready(since, A);
    runs(since + 1, A);
    delays(since + response);
    runs(since + response, IDLE);
}

static void a_wait_that_is_open_at_the_end_has_a_lower_bound(void **state) {
    (void)state;
    scene();
    ready(10, A);
    runs(11, A);
    at(13, TK_EV_BLOCK_ON_RECEIVE, QUEUE, 100, 0);
    runs(14, IDLE);
    ready(40, B);
    runs(41, B);
    end();
    const char *line = strstr(all_tables(), "waits: ");
    assert_non_null(line);
    assert_memory_equal(
        line, "waits: 'delay' 'a' 1 0 4 4 4 4 4 4 6 - - 1 0 1 1 1 10 'receive from q' 'a' 0 0 - - - - - - - 27 0", 90);
}

static void response_times_are_a_counter(void **state) {
    (void)state;
    tk_analysis_set_clock(analysis, &model.timeline.now, microsecond, NULL);
    scene();
    job_of(10, 5);
    job_of(20, 5); // an equal value is not drawn again
    ready(30, A);
    loses(31, 32); // not measured
    runs(33, A);
    delays(40);
    runs(40, IDLE);
    job_of(50, 7);
    end();
    const char *drawn = recorder.lines.text;
    assert_non_null(strstr(drawn, "6: count <response time> 3000\n"));
    assert_non_null(strstr(drawn, "15: count <response time> 5000\n"));
    assert_non_null(strstr(drawn, "57: count <response time> 7000\n"));
    unsigned count = 0;
    while ((drawn = strstr(drawn, "count <response time>")) != NULL) drawn++, count++;
    assert_int_equal(count, 3);
}

static void response_times_are_in_ticks_if_their_length_is_unknown(void **state) {
    (void)state;
    scene();
    end();
    assert_non_null(strstr(recorder.lines.text, "6: count <response time> 3\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wait_that_is_open_at_the_end_has_a_lower_bound, reset, done),
        cmocka_unit_test_setup_teardown(response_times_are_a_counter, reset, done),
        cmocka_unit_test_setup_teardown(response_times_are_in_ticks_if_their_length_is_unknown, reset, done),
        cmocka_unit_test_setup_teardown(a_job_has_all_parts, reset, done),
        cmocka_unit_test_setup_teardown(an_interrupt_without_the_end_of_a_nested_one_has_no_net_time, reset, done),
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
        cmocka_unit_test_setup_teardown(figures_have_a_noise_between_equal_parts, reset, done),
        cmocka_unit_test_setup_teardown(waits_have_lengths_time_outs_and_wake_latencies, reset, done),
        cmocka_unit_test_setup_teardown(causes_name_who_delayed_a_job, reset, done),
        cmocka_unit_test_setup_teardown(causes_of_many_switches_add_up, reset, done),
        cmocka_unit_test_setup_teardown(tasks_that_are_not_analysed_are_others, reset, done),
        cmocka_unit_test_setup_teardown(the_eight_worst_jobs_are_kept, reset, done),
        cmocka_unit_test_setup_teardown(jobs_beyond_a_deadline_are_counted, reset, done),
        cmocka_unit_test_setup_teardown(a_late_job_with_a_loss_is_not_measured, reset, done),
        cmocka_unit_test_setup_teardown(late_jobs_before_a_time_range_do_not_count, reset, done),
        cmocka_unit_test_setup_teardown(late_jobs_are_unknown_after_a_change_of_the_tick, reset, done),
        cmocka_unit_test_setup_teardown(further_waits_share_a_row, reset, done),
        cmocka_unit_test_setup_teardown(a_time_range_counts_only_jobs_within_it, reset, done),
        cmocka_unit_test_setup_teardown(an_open_job_has_a_lower_bound, reset, done),
        cmocka_unit_test_setup_teardown(holds_of_a_mutex_and_waits_for_it, reset, done),
        cmocka_unit_test_setup_teardown(a_loss_makes_holds_and_waits_unmeasured, reset, done),
        cmocka_unit_test_setup_teardown(a_take_right_after_a_loss_is_of_no_known_task, reset, done),
        cmocka_unit_test_setup_teardown(a_mutex_that_is_taken_twice_was_given_unseen, reset, done),
        cmocka_unit_test_setup_teardown(holds_within_a_time_range, reset, done),
        cmocka_unit_test_setup_teardown(a_task_that_holds_many_mutexes, reset, done),
        cmocka_unit_test_setup_teardown(fill_of_a_queue_over_time, reset, done),
        cmocka_unit_test_setup_teardown(a_length_that_does_not_fit_has_no_latency, reset, done),
        cmocka_unit_test_setup_teardown(a_loss_interrupts_fill_and_latency, reset, done),
        cmocka_unit_test_setup_teardown(an_item_that_is_overwritten_has_no_receive, reset, done),
        cmocka_unit_test_setup_teardown(buffers_of_bytes_have_no_latency, reset, done),
        cmocka_unit_test_setup_teardown(queues_within_a_time_range, reset, done),
        cmocka_unit_test_setup_teardown(the_largest_load_is_found, NULL, done),
        cmocka_unit_test_setup_teardown(a_core_that_is_always_idle_has_no_load, reset, done),
        cmocka_unit_test_setup_teardown(a_window_with_a_loss_has_no_load, reset, done),
        cmocka_unit_test_setup_teardown(the_load_within_a_time_range, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
