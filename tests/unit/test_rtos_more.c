// SPDX-License-Identifier: MIT
//
// What some kernels tell beyond tasks, queues and interrupts: events into the model, calls of the track sink out.
#include "support.h"

#include "model/model.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct recorder recorder;
static struct tk_model model;

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos_more, NULL };
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_diag_init(&diag);
    recorder_init(&recorder, true);
    tk_model_init(&model, &alloc, &diag, &recorder.sink);
    return !tk_model_need_trackers(&model, trackers);
}

static int done(void **state) {
    (void)state;
    tk_model_deinit(&model);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void send(struct tk_event event) { tk_model_event(&model, &event); }

static void tell(enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) { send((struct tk_event){ .kind = (uint8_t)kind, .id = id, .arg = arg, .value = value }); }

static void on(uint8_t core, uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    send((struct tk_event){ .kind = (uint8_t)kind, .timed = true, .ticks = ticks, .core = core, .id = id, .arg = arg, .value = value });
}

static void at(uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) { on(0, ticks, kind, id, arg, value); }

static void name(enum tk_event_kind kind, uint32_t id, const char *text) { send((struct tk_event){ .kind = (uint8_t)kind, .id = id, .str = text, .str_len = (uint32_t)strlen(text) }); }

static void runs(uint64_t ticks, uint32_t task) { at(ticks, TK_EV_TASK_SWITCHED_IN, task, 0, 0); }
static void ready(uint64_t ticks, uint32_t task) { at(ticks, TK_EV_TASK_READY, task, 0, 0); }

static void end(void) {
    tk_model_finish(&model, false, 1);
}

// Two tasks and a queue of a kernel that traces every wait.
static void scene(void) {
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_TOLD, 1);
    tell(TK_EV_WAITS_ARE_TRACED, 0, 0, 0);
    name(TK_EV_TASK_NAME, 1, "a");
    name(TK_EV_TASK_NAME, 2, "b");
    name(TK_EV_QUEUE_NAME, 5, "q");
    tell(TK_EV_QUEUE_KIND, 5, TK_QUEUE_PLAIN, 0);
    tell(TK_EV_QUEUE_CAPACITY, 5, 4, 0);
}

// The line, with texts of arguments instead of their numbers.
static bool has(const char *wanted) {
    static char text[sizeof recorder.lines.text];
    size_t len = 0;
    for (const char *from = recorder.lines.text; *from; from++) {
        unsigned id = 0;
        int used = 0;
        if (*from == '{' && sscanf(from, "{%u}%n", &id, &used) == 1 && used) {
            len += (size_t)snprintf(text + len, sizeof text - len, "%s", recorder.names[TK_INTERN_TEXT][id]);
            from += used - 1;
        } else if (*from == '[' && sscanf(from, "[%u]%n", &id, &used) == 1 && used) {
            len += (size_t)snprintf(text + len, sizeof text - len, "'%s'", recorder.names[TK_INTERN_NAME][id]);
            from += used - 1;
        } else {
            text[len++] = *from;
        }
    }
    text[len] = 0;
    if (strstr(text, wanted)) return true;
    print_message("%s", text);
    return false;
}

#define expect(line) assert_true(has(line "\n"))

// ---- Waits and wake-ups --------------------------------------------------------------------------

static void who_leaves_without_a_word_is_ready_at_once(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    runs(20, 2);
    ready(30, 1); // means nothing: it is
    runs(40, 1);
    end();
    expect("20: p301 ready c0");
    assert_int_equal(diag.entries[TK_DIAG_WAIT_UNKNOWN].count, 0);
}

static void what_a_task_does_calls_its_wait_off(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    at(12, TK_EV_TASK_PRIORITY_INHERITED, 2, 7, 0); // of another task: the wait stays
    runs(13, 2);
    expect("13: begin <a> 'receive from q', timeout (ticks) 9");
    ready(14, 1);
    runs(15, 1);
    at(16, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    at(17, TK_EV_QUEUE_RECEIVE, 5, 0, 0);
    runs(18, 2);
    end();
    expect("18: p301 ready c0");
}

static void behind_a_tick_the_clock_wakes(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    runs(12, 2);
    at(13, TK_EV_QUEUE_SEND, 5, 1, 0);
    at(14, TK_EV_KERNEL_TICK, 0, 0, 100);
    ready(14, 1);
    runs(15, 1);
    at(16, TK_EV_DELAY_UNTIL, 0, 104, 0);
    runs(17, 2);
    at(18, TK_EV_DELAY_UNTIL, 0, 99, 0); // one before the present tick: without end
    runs(19, 1);
    end();
    expect("14: end <a>, woken by time-out");
    expect("17: begin <a> 'delay until tick 104'");
    expect("19: begin <b> 'delay forever'");
}

static void a_wait_until_a_tick_or_without_a_known_end(void **state) {
    (void)state;
    scene();
    at(9, TK_EV_KERNEL_TICK, 0, 0, 100);
    runs(10, 1);
    at(11, TK_EV_BLOCK_ON_RECEIVE, 5, 120, TK_TIMEOUT_UNTIL);
    runs(12, 2);
    at(13, TK_EV_BLOCK_ON_SEND, 5, 0, TK_TIMEOUT_UNKNOWN);
    runs(14, 3);
    at(15, TK_EV_BLOCK_ON_RECEIVE, 5, 99, TK_TIMEOUT_UNTIL);
    runs(16, 4);
    end();
    expect("12: begin <a> 'receive from q', until tick 120");
    expect("14: begin <b> 'send to q'");
    expect("16: begin <task #3> 'receive from q', timeout (ticks) forever");
}

static void a_context_that_nobody_deletes_is_over_when_it_leaves(void **state) {
    (void)state;
    scene();
    tell(TK_EV_TASK_ENDED, 3, 0, 0);
    runs(10, 3);
    runs(20, 1);
    end();
    expect("20: p303 dead c0");
    assert_null(strstr(recorder.lines.text, "deleted"));
}

// ---- Losses and sections -------------------------------------------------------------------------

static void a_loss_has_an_extent_and_a_core(void **state) {
    (void)state;
    scene();
    name(TK_EV_ISR_NAME, 3, "rx");
    runs(10, 1);
    at(20, TK_EV_ISR_ENTER, 3, 0, 0);
    on(1, 25, TK_EV_ISR_ENTER, 3, 0, 0);
    send((struct tk_event){ .kind = TK_EV_LOST, .timed = true, .ticks = 40, .since = 20, .value = 34 });
    at(40, TK_EV_QUEUE_SEND, 5, 1, 0);
    on(1, 45, TK_EV_ISR_EXIT, 3, 0, 0);
    end();
    expect("20 late: end <Interrupts, core 0>, end lost 1");
    expect("20 late: begin <Lost events> 'lost 34 events', lost 34, core 0");
    expect("40: end <Lost events>");
    expect("45: end <Interrupts, core 1>");
    assert_int_equal(model.lost, 34);
    assert_int_equal(model.stats.isrs[1].measured, 1);
    assert_int_equal(model.stats.isrs[0].measured, 0);
}

static void a_told_restart_keeps_names_and_rows(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    name(TK_EV_QUEUE_NAME, 6, "m");
    runs(10, 1);
    at(12, TK_EV_QUEUE_RECEIVE, 6, 0, 0);
    at(15, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    runs(20, 2);
    send((struct tk_event){ .kind = TK_EV_SECTION_BEGIN, .timed = true, .ticks = 100, .value = 12 });
    runs(100, 1);
    at(110, TK_EV_QUEUE_SEND, 6, 1, 0); // taken before this section
    end();
    expect("20: end <a>, open at the end 1");
    expect("20: end <m>, open at the end 1");
    expect("20: p301 suspended c0");
    expect("20: instant <Problems> 'recording stopped'");
    expect("20 late: begin <Not recorded> 'not recorded, 12 events lost'");
    expect("100: instant <Problems> 'recording restarted'");
    expect("100: p301 running c0");
    expect("20 late: begin <m> 'held by a', since before the recording");
    assert_int_equal(model.rtos.task_count, 2);
    assert_int_equal(model.lost, 12);
}

// ---- Queues --------------------------------------------------------------------------------------

static void units_and_words_per_kind_of_queue(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_STREAM_BUFFER, 0);
    tell(TK_EV_QUEUE_KIND, 7, TK_QUEUE_SEMAPHORE, 0);
    send((struct tk_event){ .kind = TK_EV_ENTITY_ADDRESS, .id = 6, .arg = TK_CLASS_QUEUE, .address = 0x20001234 });
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 6, 100, 0);
    at(12, TK_EV_QUEUE_SEND, 7, 1, 0);
    at(13, TK_EV_QUEUE_SEND_FIRST, 5, 5, 0); // an overwrite on a full one
    at(14, TK_EV_QUEUE_PEEKED, 5, 4, 0);
    at(15, TK_EV_BLOCK_ON_SEND, 7, 0, TK_TIMEOUT_UNKNOWN);
    runs(16, 2);
    end();
    expect("11: count <stream buffer 0x20001234> 100, operation send by a");
    expect("13: count <q> 4, operation send to the front by a");
    expect("14: count <q> 4, operation peek by a");
    expect("11: instant <calls> 'send to stream buffer 0x20001234', count 100");
    expect("12: instant <calls> 'give queue #7', count 1");
    expect("13: instant <calls> 'send to the front of q', count 4");
    expect("16: begin <a> 'give queue #7'");
}

static void what_is_refused_says_why(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    name(TK_EV_QUEUE_NAME, 6, "m");
    runs(10, 1);
    at(11, TK_EV_QUEUE_REFUSED, 5, 4, TK_OPERATION_SEND);
    at(12, TK_EV_QUEUE_REFUSED, 5, 0, TK_OPERATION_RECEIVE);
    at(13, TK_EV_QUEUE_REFUSED, 6, UINT32_MAX, TK_OPERATION_RECEIVE);
    at(14, TK_EV_QUEUE_REFUSED, 6, UINT32_MAX, TK_OPERATION_SEND);
    at(15, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    runs(16, 2);
    ready(17, 1);
    runs(18, 1);
    at(19, TK_EV_QUEUE_REFUSED, 5, 0, TK_OPERATION_RECEIVE);
    at(20, TK_EV_QUEUE_REFUSED, 5, 0, TK_OPERATION_RECEIVE);
    end();
    expect("11: instant <calls> 'send to q: full', count 4");
    expect("11: instant <Failures> 'send to q: full', by a");
    expect("12: instant <calls> 'receive from q: empty', count 0");
    expect("13: instant <calls> 'lock m: not free'");
    expect("14: instant <Failures> 'unlock m: not the holder', by a");
    expect("19: instant <calls> 'receive from q: timed out', count 0");
    expect("20: instant <calls> 'receive from q: empty', count 0");
}

static void a_new_queue_with_the_name_of_a_deleted_one_goes_on_in_its_row(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 5, 2, 0);
    at(12, TK_EV_QUEUE_DELETED, 5, 0, 0);
    name(TK_EV_QUEUE_NAME, 9, "q");
    at(13, TK_EV_QUEUE_CREATED, 9, 0, 0);
    at(14, TK_EV_QUEUE_SEND, 9, 1, 0);
    tell(TK_EV_QUEUE_KIND, 10, TK_QUEUE_SEMAPHORE, 0); // of another kind: a row of its own
    name(TK_EV_QUEUE_NAME, 10, "q");
    at(15, TK_EV_QUEUE_SEND, 10, 1, 0);
    end();
    expect("12: count <q> 0");
    expect("12: instant <calls> 'delete q'");
    expect("13: instant <calls> 'create q'");
    expect("14: count <q> 1, operation send by a");
    expect("15: count <q #10> 1, operation send by a");
}

static void names_that_come_late_reach_all_calls(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 8, 2, 0);
    at(12, TK_EV_QUEUE_RECEIVE, 8, 1, 0);
    name(TK_EV_QUEUE_NAME, 8, "late");
    at(13, TK_EV_QUEUE_SEND, 8, 2, 0);
    end();
    expect("11: instant <calls> 'send to late', count 2");
    expect("12: instant <calls> 'receive from late', count 1");
    expect("13: instant <calls> 'send to late', count 2");
}

static void interrupts_have_priorities_and_calls_inside(void **state) {
    (void)state;
    scene();
    name(TK_EV_ISR_NAME, 3, "rx");
    tell(TK_EV_ISR_PRIORITY, 3, 0, 0);
    runs(10, 1);
    at(20, TK_EV_ISR_ENTER, 3, 0, 0);
    at(21, TK_EV_QUEUE_SEND_FROM_ISR, 5, 1, 0);
    at(22, TK_EV_ISR_EXIT, 3, 0, 0);
    end();
    expect("20: begin <Interrupts, core 0> 'rx', priority 0");
    expect("21: instant <Interrupts, core 0> 'send to q', count 1");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(who_leaves_without_a_word_is_ready_at_once), CASE(what_a_task_does_calls_its_wait_off), CASE(behind_a_tick_the_clock_wakes),
        CASE(a_wait_until_a_tick_or_without_a_known_end), CASE(a_context_that_nobody_deletes_is_over_when_it_leaves), CASE(a_loss_has_an_extent_and_a_core),
        CASE(a_told_restart_keeps_names_and_rows), CASE(units_and_words_per_kind_of_queue), CASE(what_is_refused_says_why),
        CASE(a_new_queue_with_the_name_of_a_deleted_one_goes_on_in_its_row), CASE(names_that_come_late_reach_all_calls), CASE(interrupts_have_priorities_and_calls_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
