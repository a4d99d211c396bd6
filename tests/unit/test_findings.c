// SPDX-License-Identifier: MIT
//
// Rules that find faults: for each rule events that provoke it, and similar ones of which it must not say anything.
#include "model_support.h"

#include "analysis/analysis.h"

static struct tk_analysis *analysis;
static uint64_t clock_at; // time of the events, in us

static uint64_t microsecond(const void *ctx) { return (void)ctx, 1000; }

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers,
                                                         &tk_tracker_active_objects, NULL };
    (void)state;
    model_init(0, false);
    analysis = tk_analysis_new(&alloc, &diag, &model.timeline, &model.stats.histograms);
    tk_analysis_set_clock(analysis, &model.timeline.now, microsecond, NULL);
    model.host.facts = tk_analysis_facts(analysis);
    tk_model_need_trackers(&model, trackers);
    clock_at = 0;
    return 0;
}

// ---- Events ------------------------------------------------------------------------------------

// An event `after` microseconds after the last one.
static void on(uint8_t core, uint64_t after, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    clock_at += after;
    struct tk_event event = { .kind = (uint8_t)kind, .timed = true, .ticks = clock_at, .core = core };
    send(with_numbers(event, id, arg, value));
}

static void in(uint64_t after, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    on(0, after, kind, id, arg, value);
}

static void runs(uint64_t after, uint32_t task) { in(after, TK_EV_TASK_SWITCHED_IN, task, 0, 0); }
static void ready(uint64_t after, uint32_t task) { in(after, TK_EV_TASK_READY, task, 0, 0); }
static void delays(uint64_t after) { in(after, TK_EV_DELAY, 0, 5, 0); }
static void loses(uint64_t after) {
    clock_at += after;
    send((struct tk_event){ .kind = TK_EV_EVENTS_LOST,
                            .timed = true,
                            .ticks = clock_at,
                            .events_lost.since = clock_at - 1,
                            .events_lost.count = 1 });
}

enum { LOW = 1, MIDDLE = 2, HIGH = 3, IDLE = 9, QUEUE = 5, MUTEX = 6 };

static void priority(uint32_t task, uint32_t value) { in(1, TK_EV_TASK_PRIORITY_SET, task, value, 0); }

// Three tasks of different priority wait, and the idle task runs.
static void scene(void) {
    static const uint32_t tasks[] = { LOW, MIDDLE, HIGH };
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_RECORDED, 1000);
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    name(TK_EV_TASK_NAME, LOW, "low");
    name(TK_EV_TASK_NAME, MIDDLE, "middle");
    name(TK_EV_TASK_NAME, HIGH, "high");
    name(TK_EV_TASK_NAME, IDLE, "IDLE");
    name(TK_EV_QUEUE_NAME, QUEUE, "q");
    name(TK_EV_QUEUE_NAME, MUTEX, "m");
    tell(TK_EV_QUEUE_KIND, QUEUE, TK_QUEUE_BASE, 0);
    tell(TK_EV_QUEUE_KIND, MUTEX, TK_QUEUE_MUTEX, 0);
    runs(1, IDLE);
    for (unsigned i = 0; i < 3; i++) {
        in(1, TK_EV_TASK_CREATED, tasks[i], 0, 0);
        ready(1, tasks[i]);
        runs(1, tasks[i]);
        delays(1);
        runs(1, IDLE);
    }
}

static void set_priorities(void) {
    priority(IDLE, 0);
    priority(LOW, 1);
    priority(MIDDLE, 2);
    priority(HIGH, 3);
}

// ---- Findings ----------------------------------------------------------------------------------

static struct lines sentences;           // one per line
static struct lines found, not_examined; // of the second: "rule: reason\n"
static const char *table_id;
static unsigned column, row_count;

static void table_begin(void *ctx, const struct tk_table *table) {
    (void)ctx;
    table_id = table->id;
    column = 0;
}
// Of a finding: rule, severity, who, times, longest, at. Of a rule that was not examined: rule and reason.
static void table_cell(void *ctx, const struct tk_cell *cell) {
    static const bool finding_columns[10] = { [0] = true, [3] = true, [5] = true, [7] = true, [8] = true };
    bool is_finding = !strcmp(table_id, "findings");
    unsigned at = column, count = is_finding ? 10 : !strcmp(table_id, "not_examined") ? 3 : 4;
    (void)ctx;
    column = (column + 1) % count;
    row_count += is_finding && at == 0;
    if (count == 3 && at != 1) lines_add(&not_examined, at ? ": %.*s\n" : "%.*s", (int)cell->len, cell->text);
    if (is_finding && at == 4) lines_add(&sentences, "%.*s\n", (int)cell->len, cell->text);
    if (!is_finding || !finding_columns[at] || row_count > 8) return;
    if (at) lines_add(&found, " ");
    if (cell->type == TK_CELL_NONE) lines_add(&found, "-");
    else if (cell->type == TK_CELL_TEXT) lines_add(&found, "%.*s", (int)cell->len, cell->text);
    else lines_add(&found, "%lld", (long long)cell->i);
    if (at == 8) lines_add(&found, "\n");
}
static void table_end(void *ctx) { (void)ctx; }

static void expect_findings(const char *wanted) {
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, 1 };
    tk_model_finish(&model, false, 1000);
    found = not_examined = sentences = (struct lines){ .len = 0 };
    row_count = 0;
    tk_findings_tables(analysis, model.rtos, &sink);
    assert_string_equal(found.text, wanted);
}

static void expect_text(const char *sentence) {
    if (!strstr(sentences.text, sentence)) fail_msg("%s, in:\n%s", sentence, sentences.text);
}

// The rule was not examined for this reason, or in full (reason NULL). After expect_findings.
static void expect_reason(const char *rule, const char *reason) {
    char line[256];
    snprintf(line, sizeof line, "%s: %s", rule, reason ? reason : "");
    if (!strstr(not_examined.text, line) == (reason != NULL)) fail_msg("%s, in:\n%s", line, not_examined.text);
}

// ---- Priority inversion ------------------------------------------------------------------------

// `low` takes the mutex, `high` waits for it, and `middle` runs for 500 us before `low` gives it back.
static void contend(bool inherits) {
    ready(10, LOW);
    runs(1, LOW);
    in(10, TK_EV_QUEUE_RECEIVE, MUTEX, 0, 0);
    ready(10, HIGH);
    runs(1, HIGH); // preempts low
    in(5, TK_EV_BLOCK_ON_RECEIVE, MUTEX, 100, 0);
    if (inherits) in(1, TK_EV_TASK_PRIORITY_INHERITED, LOW, 3, 0);
    runs(1, LOW);
    in(10, TK_EV_ISR_ENTER, 1, 0, 0);
    ready(1, MIDDLE);
    in(1, TK_EV_ISR_EXIT, 1, 0, 0);
    if (!inherits) {
        runs(1, MIDDLE);
        delays(500);
        runs(1, LOW);
    }
    in(10, TK_EV_QUEUE_SEND, MUTEX, 1, 0);
    if (inherits) in(1, TK_EV_TASK_PRIORITY_DISINHERITED, LOW, 1, 0);
    ready(1, HIGH);
    runs(1, HIGH);
    in(1, TK_EV_QUEUE_RECEIVE, MUTEX, 0, 0);
    in(10, TK_EV_QUEUE_SEND, MUTEX, 1, 0);
    delays(1);
    if (inherits) {
        runs(1, MIDDLE);
        delays(500);
    }
    runs(1, LOW);
    delays(5);
    runs(1, IDLE);
}

static void inversion_is_found(void **state) {
    (void)state;
    scene();
    set_priorities();
    contend(false);
    contend(false);
    expect_findings("inversion high / lock m 2 501 58\n");
    expect_reason("inversion", NULL);
    expect_reason("lower_ran", NULL);
    expect_reason("lock_held", NULL);
}

static void inheritance_prevents_inversion(void **state) {
    (void)state;
    scene();
    set_priorities();
    for (unsigned i = 0; i < 3; i++) contend(true);
    expect_findings("");
}

static void without_priorities_no_inversion_is_examined(void **state) {
    (void)state;
    scene();
    contend(false);
    expect_findings("");
    expect_reason("inversion", "priorities of tasks are not recorded");
    expect_reason("lower_ran", "priorities of tasks are not recorded");
}

static void a_loss_makes_priorities_unknown(void **state) {
    (void)state;
    scene();
    set_priorities();
    loses(5);
    contend(false);
    expect_findings("recording recording 1 - 25\n");
    expect_reason("inversion", "only in part: the priority of a task was unknown");
    expect_reason("lock_held", "only in part: events are missing or damaged");
    expect_reason("recording", NULL);
}

// ---- Lower priority ran ------------------------------------------------------------------------

// `high` is made ready, and `low` goes on for `length` us, of which interrupts take `interrupted`.
static void keep_waiting(uint64_t length, uint64_t interrupted) {
    ready(10, LOW);
    runs(1, LOW);
    ready(10, HIGH);
    in(1, TK_EV_ISR_ENTER, 1, 0, 0);
    in(interrupted, TK_EV_ISR_EXIT, 1, 0, 0);
    runs(length - interrupted, HIGH);
    delays(1);
    runs(1, LOW);
    delays(1);
    runs(1, IDLE);
}

static void a_ready_task_waits_for_a_lower_one(void **state) {
    (void)state;
    scene();
    set_priorities();
    keep_waiting(1500, 10);
    expect_findings("lower_ran high 1 1501 41\n");
    expect_reason("inversion", "no lock is recorded");
}

static void a_short_delay_of_the_switch_is_normal(void **state) {
    (void)state;
    scene();
    set_priorities();
    keep_waiting(900, 10);
    keep_waiting(2500, 1800);
    expect_findings("");
}

static void on_several_cores_a_lower_priority_may_run(void **state) {
    (void)state;
    scene();
    set_priorities();
    on(1, 1, TK_EV_TASK_SWITCHED_IN, 10, 0, 0);
    keep_waiting(1500, 10);
    expect_findings("");
    expect_reason("lower_ran", "several cores: on which of them a task may run is not recorded");
}

// ---- Periods -----------------------------------------------------------------------------------

static void wake_until(uint64_t after, uint32_t tick) {
    ready(after, MIDDLE);
    runs(1, MIDDLE);
    in(10, TK_EV_DELAY_UNTIL, 0, tick, 0);
    runs(1, IDLE);
}

static void a_missed_period_is_found(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 1; i <= 10; i++) wake_until(988, 10 * i);
    wake_until(1988, 120);
    for (uint32_t i = 13; i <= 15; i++) wake_until(988, 10 * i);
    expect_findings("overrun middle 1 2000 10016\n");
    expect_reason("overrun", NULL);
}

static void different_delays_are_no_period(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 1; i <= 30; i++) wake_until(988, 10 * i * i);
    expect_findings("");
    expect_reason("overrun", NULL);
}

static void no_period_is_missed_across_a_loss(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 1; i <= 10; i++) wake_until(988, 10 * i);
    loses(500);
    wake_until(1488, 120);
    expect_findings("recording recording 1 - 10516\n");
}

static void wake(uint64_t after) {
    ready(after, HIGH);
    runs(1, HIGH);
    delays(10);
    runs(1, IDLE);
}

static void an_irregular_period_is_found(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 0; i < 30; i++) wake(988);
    wake(1988);
    for (uint32_t i = 0; i < 10; i++) wake(988);
    expect_findings("jitter high / delay 1 2000 30004\n");
}

static void irregular_work_has_no_jitter(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 0; i < 60; i++) wake(i % 3 ? 300 : 988);
    wake(1988);
    expect_findings("");
    expect_reason("jitter", NULL);
    expect_reason("starvation", NULL);
}

static void starve(uint64_t for_us) {
    for (uint32_t i = 0; i < 30; i++) {
        ready(88, LOW);
        runs(1, LOW);
        delays(10);
        runs(1, IDLE);
    }
    ready(88, HIGH);
    runs(1, HIGH);
    ready(10, LOW);
    delays(for_us);
    runs(1, LOW);
    delays(1);
    runs(1, IDLE);
}

static void starvation_is_found(void **state) {
    (void)state;
    scene();
    starve(1500);
    expect_findings("starvation low 1 1501 3115\n");
}

static void a_short_preemption_is_no_starvation(void **state) {
    (void)state;
    scene();
    starve(40);
    expect_findings("");
}

// Many short preemptions are no starvation, however long they are together.
static void a_job_with_many_preemptions_is_no_starvation(void **state) {
    (void)state;
    scene();
    starve(40);
    ready(88, LOW);
    runs(1, LOW);
    for (unsigned i = 0; i < 40; i++) {
        ready(1, MIDDLE);
        runs(1, MIDDLE);
        delays(50);
        runs(1 + i % 7 * 20, LOW); // MIDDLE is not regular
    }
    delays(10);
    runs(1, IDLE);
    expect_findings("");
}

static void starvation_until_the_end_of_a_section_is_found(void **state) {
    (void)state;
    scene();
    starve(40);
    ready(88, HIGH);
    runs(1, HIGH);
    ready(10, LOW);
    in(5000, TK_EV_ISR_ENTER, 7, 0, 0);
    in(1, TK_EV_ISR_EXIT, 7, 0, 0);
    send((struct tk_event){ .kind = TK_EV_SECTION_BEGIN, .timed = true, .ticks = ++clock_at, .section = 1 });
    send((struct tk_event){
        .kind = TK_EV_TASK_SWITCHED_IN, .timed = true, .ticks = ++clock_at, .section = 1, .task.task = IDLE });
    expect_findings("starvation low 1 5001 3257\n");
}

static void compute(uint64_t for_us) {
    ready(500, LOW);
    runs(1, LOW);
    delays(for_us);
    runs(1, IDLE);
}

static void an_overload_is_found(void **state) {
    (void)state;
    scene();
    for (unsigned i = 0; i < 20; i++) compute(2000);
    compute(15000);
    for (unsigned i = 0; i < 20; i++) compute(2000);
    for (unsigned i = 0; i < 40; i++) {
        ready(40, LOW); // 4 % idle
        runs(1, LOW);
        delays(1000);
        runs(1, IDLE);
    }
    ready(500, LOW);
    expect_findings("overload core 0 2 43836 113569\n");
}

static void a_long_overload_is_one_place(void **state) {
    (void)state;
    scene();
    for (unsigned i = 0; i < 20; i++) compute(2000);
    compute(700000);
    for (unsigned i = 0; i < 20; i++) compute(2000);
    expect_findings("overload core 0 1 744120 28081\njitter low / delay 1 700502 50556\n");
}

static void a_busy_start_and_a_loss_are_no_overload(void **state) {
    (void)state;
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_RECORDED, 1000);
    name(TK_EV_TASK_NAME, IDLE, "IDLE");
    runs(1, LOW);
    runs(50000, IDLE);
    ready(100, LOW);
    runs(1, LOW);
    loses(5000);
    runs(6000, IDLE);
    runs(8000, LOW);
    expect_findings("recording recording 1 - 55102\n");
    expect_reason("overload", "only in part: events are missing or damaged");
    expect_reason("send_refused", "operations that failed are not recorded");
    expect_reason("never_ran", "the creation of tasks is not recorded");
}

static void on_several_cores_no_load_is_examined(void **state) {
    (void)state;
    scene();
    on(1, 1, TK_EV_TASK_SWITCHED_IN, 10, 0, 0);
    compute(15000);
    expect_findings("");
    expect_reason("overload", "several cores");
}

static void schedules(uint64_t after, uint32_t number) { in(after, TK_EV_PRIORITY_SCHEDULED, 0, number, 0); }

// The scheduler of active objects runs priority 0 while the core is idle.
static void an_overload_of_active_objects_is_found(void **state) {
    (void)state;
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_RECORDED, 1000);
    schedules(1, 3);
    schedules(40000, 0); // a busy start is none
    for (unsigned i = 0; i < 40; i++) {
        schedules(500, 3);
        schedules(i == 20 ? 15000 : 2000, i % 2 ? 0 : 5);
        schedules(100, 0);
    }
    schedules(500, 3);
    expect_findings("overload core 0 1 15912 92105\n");
    expect_reason("overload", NULL);
}

static void a_loss_between_active_objects_is_no_overload(void **state) {
    (void)state;
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_RECORDED, 1000);
    schedules(1, 3);
    schedules(1000, 0);
    schedules(500, 3);
    loses(6000);
    schedules(6000, 0);
    schedules(500, 3);
    expect_findings("recording recording 1 - 7501\n");
    expect_reason("overload", "only in part: events are missing or damaged");
}

// ---- Queues, tasks, losses ---------------------------------------------------------------------

static void a_full_queue_is_found(void **state) {
    (void)state;
    scene();
    ready(10, LOW);
    runs(1, LOW);
    in(5, TK_EV_BLOCK_ON_SEND, QUEUE, 100, 0);
    runs(1, IDLE);
    ready(300, LOW);
    runs(1, LOW);
    in(1, TK_EV_QUEUE_SEND, QUEUE, 0, 3);
    delays(1);
    runs(1, IDLE);
    expect_findings("queue_full send to q 1 300 33\n");
    expect_reason("queue_full", NULL);
}

static void a_send_with_room_is_none(void **state) {
    (void)state;
    scene();
    ready(10, LOW);
    runs(1, LOW);
    in(1, TK_EV_QUEUE_SEND, QUEUE, 0, 3);
    delays(1);
    runs(1, IDLE);
    expect_findings("");
    expect_reason("overrun", "no task has 8 delays until a tick without a loss");
    expect_reason("jitter", "no task has 20 measured periods");
    expect_reason("starvation", "no task has 20 measured periods");
    expect_reason("lock_held", "no lock is recorded");
    expect_reason("lock_cycle", "no lock is recorded");
    expect_reason("send_refused", NULL);
    expect_reason("polling", NULL);
    expect_reason("given_again", NULL);
    expect_reason("queue_full", "no wait for a queue is recorded");
    expect_reason("never_ran", NULL);
    expect_reason("overload", NULL);
}

static void refused(enum tk_queue_operation operation, uint32_t length) {
    in(1, TK_EV_QUEUE_FAILED, QUEUE, length, operation);
}

static void a_refused_send_is_found(void **state) {
    (void)state;
    scene();
    ready(10, LOW);
    runs(1, LOW);
    refused(TK_OPERATION_SEND, 4);
    refused(TK_OPERATION_SEND, 4);
    refused(TK_OPERATION_RECEIVE, 0);
    delays(1);
    runs(1, IDLE);
    expect_findings("send_refused q 2 - 28\n");
}

static void a_semaphore_given_again_is_a_note(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, QUEUE, TK_QUEUE_BINARY_SEMAPHORE, 0);
    ready(10, LOW);
    runs(1, LOW);
    refused(TK_OPERATION_SEND, 1);
    delays(1);
    runs(1, IDLE);
    expect_findings("given_again q 1 - 28\n");
}

static void poll(unsigned times) {
    ready(10, LOW);
    runs(1, LOW);
    for (unsigned i = 0; i < times; i++) refused(TK_OPERATION_RECEIVE, 0);
    delays(1);
    runs(1, IDLE);
}

static void polling_is_found(void **state) {
    (void)state;
    scene();
    poll(25);
    poll(20);
    expect_findings("polling low / q 2 - 47\n");
}

static void a_few_receives_in_vain_are_no_polling(void **state) {
    (void)state;
    scene();
    for (unsigned i = 0; i < 5; i++) poll(19);
    expect_findings("");
}

static void take(uint32_t mutex) { in(1, TK_EV_QUEUE_RECEIVE, mutex, 0, 0); }

// `low` and `middle` take a mutex each and then wait for that of the other.
static void lock_each_other(bool gives) {
    enum { OTHER = 7 };
    tell(TK_EV_QUEUE_KIND, OTHER, TK_QUEUE_MUTEX, 0);
    ready(10, LOW);
    runs(1, LOW);
    take(MUTEX);
    ready(1, MIDDLE);
    runs(1, MIDDLE);
    take(OTHER);
    in(1, TK_EV_BLOCK_ON_RECEIVE, MUTEX, 100, 0);
    runs(1, LOW);
    if (gives) {
        in(1, TK_EV_QUEUE_SEND, MUTEX, 1, 0);
        ready(1, MIDDLE);
    }
    in(1, TK_EV_BLOCK_ON_RECEIVE, OTHER, 100, 0);
    if (gives) runs(1, MIDDLE);
    if (gives) take(MUTEX);
    else runs(1, IDLE);
    ready(500, HIGH);
}

static void a_cycle_of_locks_is_found(void **state) {
    (void)state;
    scene();
    lock_each_other(false);
    expect_findings("lock_cycle low / lock queue #7 1 500 35\n");
}

static void a_chain_of_locks_is_no_cycle(void **state) {
    (void)state;
    scene();
    lock_each_other(true);
    expect_findings("");
}

// ---- Locks held across waits -------------------------------------------------------------------

// `low` holds the mutex while it delays; `high` waits for it meanwhile.
static void hold_across(bool gives_before) {
    ready(10, LOW);
    runs(1, LOW);
    take(MUTEX);
    if (gives_before) in(1, TK_EV_QUEUE_SEND, MUTEX, 1, 0);
    delays(1);
    runs(1, IDLE);
    ready(100, HIGH);
    runs(1, HIGH);
    if (!gives_before) {
        in(5, TK_EV_BLOCK_ON_RECEIVE, MUTEX, 100, 0);
        runs(1, IDLE);
    } else {
        delays(5);
        runs(1, IDLE);
    }
    ready(500, LOW);
    runs(1, LOW);
    if (!gives_before) {
        in(1, TK_EV_QUEUE_SEND, MUTEX, 1, 0);
        ready(1, HIGH);
    }
    delays(1);
    runs(1, IDLE);
}

static void a_lock_held_across_a_wait_is_found(void **state) {
    (void)state;
    scene();
    hold_across(false);
    expect_findings("lock_held low / m 1 607 30\n");
    expect_text(
        "The task waited 1 time while it held the lock, 607 ns; meanwhile high waited for the lock up to 500 ns.");
}

// A wait for a lock or for room is a part of the work with the lock.
static void a_lock_given_back_before_the_wait_is_none(void **state) {
    (void)state;
    scene();
    hold_across(true);
    contend(true);
    expect_findings("");
    expect_reason("lock_held", NULL);
}

// ---- Stacks ------------------------------------------------------------------------------------

static void measure_stack(uint32_t task, int64_t free_words) { in(1000, TK_EV_STACK_FREE, task, 0, free_words); }

static void a_stack_that_is_nearly_full_is_found(void **state) {
    (void)state;
    scene();
    measure_stack(LOW, 40);
    measure_stack(LOW, 31);
    measure_stack(LOW, 12);
    tell(TK_EV_TASK_STACK_SIZE, HIGH, 1000, 0);
    measure_stack(HIGH, 99);
    expect_findings("stack low 2 - 2016\nstack high 1 - 4016\n");
    expect_text("Only 12 words of its stack were never used, as the target measured 2 times.");
    expect_text("Only 99 of 1000 words of its stack were never used, as the target measured 1 time.");
    expect_reason("stack", NULL);
}

static void the_limit_of_a_stack_is_not_rounded_down(void **state) {
    (void)state;
    scene();
    tell(TK_EV_TASK_STACK_SIZE, HIGH, 1001, 0);
    measure_stack(HIGH, 100);
    expect_findings("stack high 1 - 1016\n");
}

static void a_stack_with_room_is_none(void **state) {
    (void)state;
    scene();
    measure_stack(LOW, 32);
    tell(TK_EV_TASK_STACK_SIZE, HIGH, 1000, 0);
    measure_stack(HIGH, 100);
    measure_stack(MIDDLE, -1);
    expect_findings("");
    expect_reason("stack", NULL);
}

static void without_free_space_no_stack_is_examined(void **state) {
    (void)state;
    scene();
    tell(TK_EV_TASK_STACK_SIZE, HIGH, 1000, 0);
    ready(1000, HIGH);
    expect_findings("");
    expect_reason("stack", "free space of stacks is not recorded");
}

// ---- Heaps -------------------------------------------------------------------------------------

enum { HEAP = 1 };

static void use_heap(enum tk_event_kind kind, uint32_t level_after) {
    clock_at += 1000;
    send((struct tk_event){
        .kind = (uint8_t)kind,
        .timed = true,
        .ticks = clock_at,
        .allocation = { .heap = HEAP, .level_after = level_after, .bytes = 64, .address = 0x1000 + clock_at } });
}

// Allocates and frees `times` times; `kept` bytes of each block are not given back.
static void cycle_heap(uint32_t times, uint32_t kept) {
    for (uint32_t i = 0; i < times; i++) {
        use_heap(TK_EV_ALLOCATED, 1000 + i * kept + 64);
        use_heap(TK_EV_FREED, 1000 + (i + 1) * kept);
    }
}

static void a_heap_that_fills_up_is_found(void **state) {
    (void)state;
    scene();
    cycle_heap(40, 16);
    expect_findings("heap_trend heap #1 1 - 1016\n");
    expect_reason("heap_trend", NULL);
}

static void a_heap_that_is_given_back_is_none(void **state) {
    (void)state;
    scene();
    cycle_heap(20, 16);
    use_heap(TK_EV_FREED, 1000);
    cycle_heap(20, 16);
    expect_findings("");
    expect_reason("heap_trend", NULL);
}

static void a_heap_with_few_frees_or_a_loss_is_not_examined(void **state) {
    (void)state;
    scene();
    cycle_heap(40, 16);
    loses(10);
    cycle_heap(7, 16);
    expect_findings("recording recording 1 - 80026\n");
    expect_reason("heap_trend", "no heap has 8 frees without a loss");
}

static void without_a_heap_no_trend_is_examined(void **state) {
    (void)state;
    scene();
    ready(1000, HIGH);
    expect_findings("");
    expect_reason("heap_trend", "the use of heaps is not recorded");
}

// ---- Interrupts --------------------------------------------------------------------------------

enum { UART = 3 };

static void interrupt(uint64_t after, uint64_t length) {
    in(after, TK_EV_ISR_ENTER, UART, 0, 0);
    in(length, TK_EV_ISR_EXIT, UART, 0, 0);
}

static void interrupts(unsigned count, uint64_t after, uint64_t length) {
    for (unsigned i = 0; i < count; i++) {
        interrupt(after, length);
        recorder.lines.len = 0;
    }
}

static void a_burst_of_interrupts_is_found(void **state) {
    (void)state;
    scene();
    name(TK_EV_ISR_NAME, UART, "Uart");
    interrupts(100, 1995, 5);
    interrupts(21, 95, 5);
    interrupts(100, 1995, 5);
    expect_findings("storm Uart 1 2000 200011\n");
    expect_text("The interrupt came 20 times within 2.000 us; in the mean it comes every 1.818 us.");
    expect_reason("storm", NULL);
}

// 20 in 10 ms are none, neither is a burst at the start, and frequent interrupts may be frequent.
static void frequent_interrupts_are_no_storm(void **state) {
    (void)state;
    scene();
    interrupts(40, 95, 5);
    interrupts(200, 1995, 5);
    interrupts(1000, 95, 45);
    expect_findings("");
    expect_reason("storm", NULL);
}

static void interrupts_that_take_the_core_are_found(void **state) {
    (void)state;
    scene();
    name(TK_EV_ISR_NAME, UART, "Uart");
    interrupts(100, 1800, 200);
    interrupts(10, 900, 1100); // 55 % of 20 ms
    interrupts(100, 1800, 200);
    expect_findings("storm Uart 1 10000 199816\n");
    expect_text("The interrupt, with those that interrupted it, took up to 55 % of 10 ms.");
}

static void an_interrupt_of_a_whole_window_is_found(void **state) {
    (void)state;
    scene();
    interrupts(100, 900, 100);
    interrupt(900, 25000);
    expect_findings("overload core 0 1 25428 100465\nstorm ISR #3 1 10000 100916\n");
    expect_text("took up to 100 % of 10 ms.");
}

// The inner one counts, and of the outer one what is after it.
static void an_interrupt_within_itself_counts_once(void **state) {
    (void)state;
    scene();
    interrupts(100, 900, 100);
    for (unsigned i = 0; i < 10; i++) {
        in(1000, TK_EV_ISR_ENTER, UART, 0, 0);
        interrupt(0, 900);
        in(0, TK_EV_ISR_EXIT, UART, 0, 0);
    }
    expect_findings("");
}

static void half_of_the_core_is_no_storm(void **state) {
    (void)state;
    scene();
    interrupts(60, 500, 500);
    interrupts(60, 5000, 5000); // at most half of any 10 ms
    expect_findings("");
    expect_reason("storm", NULL);
}

static void few_interrupts_are_not_examined(void **state) {
    (void)state;
    scene();
    interrupts(99, 10, 90);
    expect_findings("");
    expect_reason("storm", "no interrupt was recorded 100 times");
}

static void create_and_end(uint64_t after) {
    in(1, TK_EV_TASK_CREATED, 4, 0, 0);
    name(TK_EV_TASK_NAME, 4, "never");
    ready(1, 4);
    runs(after, IDLE); // it does not leave its core
}

static void a_task_that_never_ran_is_found(void **state) {
    (void)state;
    scene();
    create_and_end(60000);
    expect_findings("never_ran never 1 60000 18\n");
}

static void a_task_created_at_the_end_is_none(void **state) {
    (void)state;
    scene();
    create_and_end(40000);
    expect_findings("");
}

static void a_loss_is_found(void **state) {
    (void)state;
    scene();
    loses(10);
    loses(10);
    expect_findings("recording recording 2 - 26\n");
}

static void rows_and_places_are_limited(void **state) {
    (void)state;
    scene();
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t queue = 100 + i;
        tell(TK_EV_QUEUE_KIND, queue, TK_QUEUE_BASE, 0);
        recorder.lines.len = 0;
        for (uint32_t n = 0; n < 12; n++) {
            ready(10, LOW);
            runs(1, LOW);
            in(5, TK_EV_BLOCK_ON_SEND, queue, 100, 0);
            runs(1, IDLE);
            ready(100 + i, LOW);
            runs(1, LOW);
            delays(1);
            runs(1, IDLE);
        }
    }
    expect_findings("queue_full send to queue #115 12 115 22893\n"
                    "queue_full send to queue #114 12 114 21285\n"
                    "queue_full send to queue #113 12 113 19689\n"
                    "queue_full send to queue #112 12 112 18105\n"
                    "queue_full send to queue #111 12 111 16533\n"
                    "queue_full send to queue #110 12 110 14973\n"
                    "queue_full send to queue #109 12 109 13425\n"
                    "queue_full send to queue #108 12 108 11889\n");
    assert_int_equal(row_count, 16);
    expect_reason("queue_full", "only in part: the rule found more rows than the report can list");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(inversion_is_found, reset, done),
        cmocka_unit_test_setup_teardown(inheritance_prevents_inversion, reset, done),
        cmocka_unit_test_setup_teardown(without_priorities_no_inversion_is_examined, reset, done),
        cmocka_unit_test_setup_teardown(a_loss_makes_priorities_unknown, reset, done),
        cmocka_unit_test_setup_teardown(a_ready_task_waits_for_a_lower_one, reset, done),
        cmocka_unit_test_setup_teardown(a_short_delay_of_the_switch_is_normal, reset, done),
        cmocka_unit_test_setup_teardown(on_several_cores_a_lower_priority_may_run, reset, done),
        cmocka_unit_test_setup_teardown(a_missed_period_is_found, reset, done),
        cmocka_unit_test_setup_teardown(different_delays_are_no_period, reset, done),
        cmocka_unit_test_setup_teardown(no_period_is_missed_across_a_loss, reset, done),
        cmocka_unit_test_setup_teardown(an_irregular_period_is_found, reset, done),
        cmocka_unit_test_setup_teardown(irregular_work_has_no_jitter, reset, done),
        cmocka_unit_test_setup_teardown(starvation_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_short_preemption_is_no_starvation, reset, done),
        cmocka_unit_test_setup_teardown(a_job_with_many_preemptions_is_no_starvation, reset, done),
        cmocka_unit_test_setup_teardown(starvation_until_the_end_of_a_section_is_found, reset, done),
        cmocka_unit_test_setup_teardown(an_overload_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_long_overload_is_one_place, reset, done),
        cmocka_unit_test_setup_teardown(an_overload_of_active_objects_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_loss_between_active_objects_is_no_overload, reset, done),
        cmocka_unit_test_setup_teardown(a_busy_start_and_a_loss_are_no_overload, reset, done),
        cmocka_unit_test_setup_teardown(on_several_cores_no_load_is_examined, reset, done),
        cmocka_unit_test_setup_teardown(a_full_queue_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_refused_send_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_semaphore_given_again_is_a_note, reset, done),
        cmocka_unit_test_setup_teardown(polling_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_few_receives_in_vain_are_no_polling, reset, done),
        cmocka_unit_test_setup_teardown(a_cycle_of_locks_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_chain_of_locks_is_no_cycle, reset, done),
        cmocka_unit_test_setup_teardown(a_send_with_room_is_none, reset, done),
        cmocka_unit_test_setup_teardown(a_task_that_never_ran_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_task_created_at_the_end_is_none, reset, done),
        cmocka_unit_test_setup_teardown(a_loss_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_lock_held_across_a_wait_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_lock_given_back_before_the_wait_is_none, reset, done),
        cmocka_unit_test_setup_teardown(a_stack_that_is_nearly_full_is_found, reset, done),
        cmocka_unit_test_setup_teardown(the_limit_of_a_stack_is_not_rounded_down, reset, done),
        cmocka_unit_test_setup_teardown(a_stack_with_room_is_none, reset, done),
        cmocka_unit_test_setup_teardown(without_free_space_no_stack_is_examined, reset, done),
        cmocka_unit_test_setup_teardown(a_heap_that_fills_up_is_found, reset, done),
        cmocka_unit_test_setup_teardown(a_heap_that_is_given_back_is_none, reset, done),
        cmocka_unit_test_setup_teardown(a_heap_with_few_frees_or_a_loss_is_not_examined, reset, done),
        cmocka_unit_test_setup_teardown(without_a_heap_no_trend_is_examined, reset, done),
        cmocka_unit_test_setup_teardown(a_burst_of_interrupts_is_found, reset, done),
        cmocka_unit_test_setup_teardown(frequent_interrupts_are_no_storm, reset, done),
        cmocka_unit_test_setup_teardown(interrupts_that_take_the_core_are_found, reset, done),
        cmocka_unit_test_setup_teardown(an_interrupt_of_a_whole_window_is_found, reset, done),
        cmocka_unit_test_setup_teardown(an_interrupt_within_itself_counts_once, reset, done),
        cmocka_unit_test_setup_teardown(half_of_the_core_is_no_storm, reset, done),
        cmocka_unit_test_setup_teardown(few_interrupts_are_not_examined, reset, done),
        cmocka_unit_test_setup_teardown(rows_and_places_are_limited, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
