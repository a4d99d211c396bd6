// SPDX-License-Identifier: MIT
//
// Events that only some kernels record, beyond tasks, queues and interrupts: events into the model, calls of the track
// sink out.
#include "model_support.h"

#include "model/trackers/rtos/rtos_internal.h"

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };
    (void)state;
    model_init(0, true);
    tk_model_need_trackers(&model, trackers);
    return 0;
}

static void at(uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t arg, int64_t value) {
    send_at(0, ticks, kind, id, arg, value);
}

static void runs(uint64_t ticks, uint32_t task) { at(ticks, TK_EV_TASK_SWITCHED_IN, task, 0, 0); }
static void ready(uint64_t ticks, uint32_t task) { at(ticks, TK_EV_TASK_READY, task, 0, 0); }

static void end(void) { tk_model_finish(&model, false, 1); }

// Two tasks and a queue of a kernel that records every wait.
static void scene(void) {
    tell(TK_EV_TICK_LENGTH, 0, TK_TICK_RECORDED, 1);
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 0, 0);
    name(TK_EV_TASK_NAME, 1, "a");
    name(TK_EV_TASK_NAME, 2, "b");
    name(TK_EV_QUEUE_NAME, 5, "q");
    tell(TK_EV_QUEUE_KIND, 5, TK_QUEUE_BASE, 0);
    tell(TK_EV_QUEUE_CAPACITY, 5, 4, 0);
}

// The recorded line, with texts of arguments instead of their ids.
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

static void a_task_switched_out_unannounced_is_ready_at_once(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    runs(20, 2);
    ready(30, 1); // no effect: it is ready already
    runs(40, 1);
    end();
    expect("20: p301 ready c0");
    assert_int_equal(diag.entries[TK_DIAG_WAIT_UNKNOWN].count, 0);
}

static void a_call_of_a_task_aborts_its_wait(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    at(12, TK_EV_TASK_PRIORITY_INHERITED, 2, 7, 0); // an event of another task: the wait continues
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

static void after_a_tick_the_clock_is_the_waker(void **state) {
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
    at(18, TK_EV_DELAY_UNTIL, 0, 99, 0); // a time before the current tick means no timeout
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

static void a_context_without_delete_event_ends_when_switched_out(void **state) {
    (void)state;
    scene();
    tell(TK_EV_TASK_ENDS, 3, 0, 0);
    runs(10, 3);
    runs(20, 1);
    end();
    expect("20: p303 dead c0");
    assert_null(strstr(recorder.lines.text, "deleted"));
    assert_null(strstr(recorder.lines.text, "10: begin <jobs>"));
}

static void a_late_end_event_ends_the_job(void **state) {
    (void)state;
    scene();
    runs(10, 3);
    runs(20, 1);
    tell(TK_EV_TASK_ENDS, 3, 0, 0);
    runs(30, 2);
    end();
    expect("10: begin <jobs> 'job 1'");
    expect("20: end <jobs>");
    expect("20: p303 dead c0");
}

static void an_end_ends_the_wait_before_it(void **state) {
    (void)state;
    scene();
    runs(10, 3);
    at(11, TK_EV_BLOCK_ON_RECEIVE, 5, 0, TK_TIMEOUT_UNKNOWN);
    runs(20, 1);
    at(30, TK_EV_TASK_ENDS, 3, 0, 0);
    runs(40, 2);
    end();
    expect("20: begin <task #3> 'receive from q'");
    expect("30: end <task #3>");
    expect("30: p303 dead c0");
}

static void an_end_shows_that_a_task_was_switched_out(void **state) {
    (void)state;
    scene();
    runs(10, 3);
    tell(TK_EV_BLOCKING_IS_TRACED, 0, 1, 0);
    runs(20, 1);
    at(30, TK_EV_TASK_ENDS, 3, 0, 0);
    end();
    expect("20 late: p303 ready c0");
    expect("30: p303 dead c0");
}

static void runnables_of_a_task_are_shown_beside_its_calls(void **state) {
    (void)state;
    scene();
    recorder.quiet_tracks = false;
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 5, 1, 0);
    name(TK_EV_TASK_MARKER_NAME, 7, "filter");
    at(12, TK_EV_TASK_MARKER_BEGIN, 7, 0, 0);
    at(13, TK_EV_TASK_MARKER_END, 7, 0, 0);
    end();
    char line[64];
    snprintf(line, sizeof line, " in %u 'filter'", model.timeline.tasks[0].more_track);
    assert_non_null(strstr(recorder.lines.text, line));
}

// ---- Losses and sections -------------------------------------------------------------------------

static void a_loss_has_an_extent_and_a_core(void **state) {
    (void)state;
    scene();
    name(TK_EV_ISR_NAME, 3, "rx");
    runs(10, 1);
    at(20, TK_EV_ISR_ENTER, 3, 0, 0);
    send_at(1, 25, TK_EV_ISR_ENTER, 3, 0, 0);
    send((struct tk_event){
        .kind = TK_EV_EVENTS_LOST, .timed = true, .ticks = 40, .events_lost.since = 20, .events_lost.count = 34 });
    at(40, TK_EV_QUEUE_SEND, 5, 1, 0);
    send_at(1, 45, TK_EV_ISR_EXIT, 3, 0, 0);
    end();
    expect("20 late: end <Interrupts, core 0>, end lost 1");
    expect("20 late: begin <Lost events> 'lost 34 events', lost 34, core 0");
    expect("40: end <Lost events>");
    expect("45: end <Interrupts, core 1>");
    assert_int_equal(model.lost, 34);
    assert_int_equal(model.stats.isrs[1].duration.durations.measured, 1);
    assert_int_equal(model.stats.isrs[0].duration.durations.measured, 0);
}

static void an_impossible_count_of_lost_events_is_damage(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    send((struct tk_event){ .kind = TK_EV_EVENTS_LOST,
                            .timed = true,
                            .ticks = 40,
                            .events_lost.since = 20,
                            .events_lost.count = 1ll << 40 });
    end();
    assert_int_equal(model.lost, 0);
    assert_int_equal(diag.entries[TK_DIAG_DROP_COUNT_IMPOSSIBLE].count, 1);
    assert_int_equal(diag.entries[TK_DIAG_DROPPED].count, 0);
    assert_int_equal(model.timeline.lost_since, 20); // the loss itself is certain
}

static void declare(uint32_t task, int64_t created) {
    send((struct tk_event){ .kind = TK_EV_TASK_DECLARED, .task_declared = { task, 3, created } });
}

static void a_row_of_several_tasks_has_the_creation_of_the_last_one(void **state) {
    (void)state;
    scene();
    declare(1, 5);
    runs(10, 1);
    runs(20, 2);
    at(30, TK_EV_TASK_DELETED, 1, 0, 0);
    declare(7, 25);
    name(TK_EV_TASK_NAME, 7, "a"); // continues in the row of the deleted task
    runs(40, 7);
    const struct tk_rtos *rtos = model.trackers[TK_OWNER_RTOS].state;
    uint32_t row = tk_idmap_find(&rtos->task_by_id, 7);
    assert_int_equal(row, 0);
    assert_int_equal(rtos->created_at[row], 25 + 1);
    declare(7, 25); // the target repeats its names
    assert_int_equal(rtos->created_at[row], 25 + 1);
    end();
}

static void an_announced_restart_keeps_names_and_tasks(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    name(TK_EV_QUEUE_NAME, 6, "m");
    runs(10, 1);
    at(12, TK_EV_QUEUE_RECEIVE, 6, 0, 0);
    at(15, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    runs(20, 2);
    send((struct tk_event){ .kind = TK_EV_SECTION_BEGIN, .timed = true, .ticks = 100, .section_begin.lost = 12 });
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
    assert_int_equal(model.rtos->task_count, 2);
    assert_int_equal(model.lost, 12);
}

// ---- Queues --------------------------------------------------------------------------------------

static void units_and_words_per_kind_of_queue(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_STREAM_BUFFER, 0);
    tell(TK_EV_QUEUE_KIND, 7, TK_QUEUE_SEMAPHORE, 0);
    send((struct tk_event){ .kind = TK_EV_ENTITY_ADDRESS,
                            .entity_address.entity = 6,
                            .entity_address.entity_class = TK_CLASS_QUEUE,
                            .entity_address.address = 0x20001234 });
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 6, 100, 0);
    at(12, TK_EV_QUEUE_SEND, 7, 1, 0);
    at(13, TK_EV_QUEUE_SEND_TO_FRONT, 5, 5, 0); // overwrites an item of a full queue
    at(14, TK_EV_QUEUE_PEEKED, 5, 4, 0);
    at(15, TK_EV_BLOCK_ON_SEND, 7, 0, TK_TIMEOUT_UNKNOWN);
    runs(16, 2);
    end();
    expect("11: count <stream buffer 0x20001234> 100, operation send by a");
    expect("13: count <q> 4, operation send to the front by a");
    expect("14: count <q> 4, operation peek by a");
    expect("11: instant <calls> 'send to stream buffer 0x20001234', count 100"); // some bytes may be older than the
                                                                                 // recording
    expect("12: instant <calls> 'give queue #7', count 1, flow 1");
    expect("13: instant <calls> 'send to the front of q', count 4, flow 2");
    expect("16: begin <a> 'give queue #7'");
}

static void failed_calls_have_a_reason(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    name(TK_EV_QUEUE_NAME, 6, "m");
    runs(10, 1);
    at(11, TK_EV_QUEUE_FAILED, 5, 4, TK_OPERATION_SEND);
    at(12, TK_EV_QUEUE_FAILED, 5, 0, TK_OPERATION_RECEIVE);
    at(13, TK_EV_QUEUE_FAILED, 6, UINT32_MAX, TK_OPERATION_RECEIVE);
    at(14, TK_EV_QUEUE_FAILED, 6, UINT32_MAX, TK_OPERATION_SEND);
    at(15, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    runs(16, 2);
    ready(17, 1);
    runs(18, 1);
    at(19, TK_EV_QUEUE_FAILED, 5, 0, TK_OPERATION_RECEIVE);
    at(20, TK_EV_QUEUE_FAILED, 5, 0, TK_OPERATION_RECEIVE);
    end();
    expect("11: instant <calls> 'send to q: full', count 4");
    expect("11: instant <Failures> 'send to q: full', by a");
    expect("12: instant <calls> 'receive from q: empty', count 0");
    expect("13: instant <calls> 'lock m: not free'");
    expect("14: instant <calls> 'unlock m: not the holder'");
    assert_false(has("14: instant <Failures> 'unlock m: not the holder', by a\n")); // a call without effect; the
                                                                                    // target continues
    expect("19: instant <calls> 'receive from q: timed out', count 0");
    expect("20: instant <calls> 'receive from q: empty', count 0");
}

static void a_new_queue_reuses_the_track_of_a_deleted_namesake(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 5, 2, 0);
    at(12, TK_EV_QUEUE_DELETED, 5, 0, 0);
    name(TK_EV_QUEUE_NAME, 9, "q");
    at(13, TK_EV_QUEUE_CREATED, 9, 0, 0);
    at(14, TK_EV_QUEUE_SEND, 9, 1, 0);
    tell(TK_EV_QUEUE_KIND, 10, TK_QUEUE_SEMAPHORE, 0); // another kind, so a separate row
    name(TK_EV_QUEUE_NAME, 10, "q");
    at(15, TK_EV_QUEUE_SEND, 10, 1, 0);
    end();
    expect("12: count <q> 0");
    expect("12: instant <calls> 'delete q'");
    expect("13: instant <calls> 'create q'");
    expect("14: count <q> 1, operation send by a");
    expect("15: count <q #10> 1, operation send by a");
}

static void late_names_apply_to_all_calls(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 8, 2, 0);
    at(12, TK_EV_QUEUE_RECEIVE, 8, 1, 0);
    name(TK_EV_QUEUE_NAME, 8, "late");
    at(13, TK_EV_QUEUE_SEND, 8, 2, 0);
    end();
    expect("11: instant <calls> 'send to late', count 2, flow 1");
    expect("12: instant <calls> 'receive from late', count 1"); // an item from before the recording
    expect("13: instant <calls> 'send to late', count 2, flow 2");
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
    expect("21: instant <Interrupts, core 0> 'send to q', count 1, flow 1");
}

// ---- Event groups, notifications -----------------------------------------------------------------

static void event_groups_show_bits_and_waits(void **state) {
    (void)state;
    scene();
    name(TK_EV_EVENT_GROUP_NAME, 1, "Flags");
    runs(10, 1);
    at(11, TK_EV_BLOCK_ON_EVENT_GROUP, 1, 0, 3);
    runs(12, 2);
    at(13, TK_EV_EVENT_GROUP_SET, 1, 0, 1);
    ready(14, 1);
    at(15, TK_EV_EVENT_GROUP_DEFERRED, 1, 1, 0x20); // by an interrupt without a name
    runs(16, 1);
    at(17, TK_EV_EVENT_GROUP_WAITED, 1, 0, 3);
    at(18, TK_EV_EVENT_GROUP_CLEARED, 1, 0, 4);
    at(19, TK_EV_BLOCK_ON_EVENT_GROUP, 1, 1, 0x30);
    runs(20, 2);
    ready(21, 1);
    runs(22, 1);
    at(23, TK_EV_EVENT_GROUP_WAITED, 1, TK_EVENT_GROUP_SYNC | TK_EVENT_GROUP_TIMED_OUT, 0x30);
    end();
    expect("12: begin <a> 'wait for 0x3 in Flags'");
    expect("13: instant <Flags> 'set 0x1', by b");
    expect("13: instant <calls> 'set 0x1 in Flags', flow 1");
    expect("14: end <a>, woken by b");
    expect("15: instant <Flags> 'ask to clear 0x20'");
    expect("17: instant <Flags> 'wait for 0x3: done', by a");
    expect("17: instant <calls> 'wait for 0x3 in Flags: done', flow 1");
    expect("18: instant <Flags> 'clear 0x4', by a");
    expect("21: end <a>, woken by time-out");
    expect("23: instant <Flags> 'sync on 0x30: timed out', by a");
}

static void notifications_lead_to_the_receiving_task(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_STREAM_BUFFER, 0);
    runs(10, 1);
    at(11, TK_EV_BLOCK_ON_NOTIFICATION, 0, 50, 0);
    runs(12, 2);
    at(13, TK_EV_NOTIFIED, 1, 0, 0);
    ready(14, 1);
    runs(15, 1);
    at(16, TK_EV_NOTIFICATION_TAKEN, 0, 0, 0);
    at(17, TK_EV_NOTIFICATION_MISSED, 0, 0, 0);
    at(18, TK_EV_BLOCK_ON_RECEIVE, 6, 50, 0);
    runs(19, 2);
    at(20, TK_EV_NOTIFIED, 1, 0, 0); // the buffer's own notification
    ready(21, 1);
    end();
    expect("12: begin <a> 'wait for notification', timeout (ticks) 50");
    expect("13: instant <calls> 'notify a', flow 1");
    expect("14: end <a>, woken by b");
    expect("16: instant <calls> 'take notification', flow 1");
    expect("17: instant <calls> 'no notification'");
    expect("21: end <a>, woken by b");
    assert_null(strstr(recorder.lines.text, "20: instant"));
}

static void arrows_lead_from_sends_to_receives(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_STREAM_BUFFER, 0);
    name(TK_EV_QUEUE_NAME, 6, "s");
    runs(10, 1);
    at(10, TK_EV_QUEUE_CREATED, 6, 0, 0);
    at(11, TK_EV_QUEUE_SEND, 5, 1, 0);
    at(12, TK_EV_QUEUE_SEND, 5, 2, 0);
    at(13, TK_EV_QUEUE_SEND_TO_FRONT, 5, 3, 0);
    at(14, TK_EV_QUEUE_SEND, 6, 7, 0);
    at(15, TK_EV_QUEUE_SEND, 6, 9, 0);
    runs(20, 2);
    at(21, TK_EV_QUEUE_RECEIVE, 5, 2, 0);
    at(22, TK_EV_QUEUE_RECEIVE, 5, 1, 0);
    send((struct tk_event){
        .kind = TK_EV_EVENTS_LOST, .timed = true, .ticks = 30, .events_lost.since = 22, .events_lost.count = 1 });
    at(31, TK_EV_QUEUE_RECEIVE, 5, 0, 0); // unknown interrupt
    end();
    expect("13: instant <calls> 'send to the front of q', count 3, flow 3");
    expect("14: instant <calls> 'send to s', count 7, flow 4");
    expect("15: instant <calls> 'send to s', count 9, flow 4"); // a byte buffer has no message boundaries
    expect("21: instant <calls> 'receive from q', count 2, flow 3");
    expect("22: instant <calls> 'receive from q', count 1, flow 1");
    expect("31: instant <calls> 'receive from q', count 0");
}

static void items_from_before_the_recording_have_no_arrows(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 5, 3, 0);
    at(12, TK_EV_QUEUE_RECEIVE, 5, 2, 0);
    at(13, TK_EV_QUEUE_SEND_TO_FRONT, 5, 3, 0);
    at(14, TK_EV_QUEUE_RECEIVE, 5, 2, 0);
    at(15, TK_EV_QUEUE_RECEIVE, 5, 1, 0);
    at(16, TK_EV_QUEUE_RECEIVE, 5, 0, 0);
    at(17, TK_EV_QUEUE_SEND, 5, 1, 0);
    at(18, TK_EV_QUEUE_RECEIVE, 5, 0, 0);
    end();
    expect("11: instant <calls> 'send to q', count 3, flow 1");
    expect("12: instant <calls> 'receive from q', count 2");
    expect("14: instant <calls> 'receive from q', count 2, flow 2");
    expect("15: instant <calls> 'receive from q', count 1");
    expect("16: instant <calls> 'receive from q', count 0, flow 1");
    expect("18: instant <calls> 'receive from q', count 0, flow 3");
}

static void items_without_room_for_their_senders_have_no_arrows(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_BASE, 0);
    name(TK_EV_QUEUE_NAME, 6, "deep");
    runs(10, 1);
    at(10, TK_EV_QUEUE_CREATED, 6, 0, 0);
    for (uint32_t i = 1; i <= TK_MAX_PENDING_FLOWS + 2; i++) at(10 + i, TK_EV_QUEUE_SEND, 6, i, 0);
    for (uint32_t i = TK_MAX_PENDING_FLOWS + 2; i-- > 0;) at(1000 - i, TK_EV_QUEUE_RECEIVE, 6, i, 0);
    at(1001, TK_EV_QUEUE_SEND, 6, 1, 0);
    at(1002, TK_EV_QUEUE_RECEIVE, 6, 0, 0);
    end();
    expect("998: instant <calls> 'receive from deep', count 2, flow 128");
    expect("999: instant <calls> 'receive from deep', count 1");
    expect("1000: instant <calls> 'receive from deep', count 0");
    assert_true(has("1001: instant <calls> 'send to deep', count 1, flow 131\n"));
    expect("1002: instant <calls> 'receive from deep', count 0, flow 131");
}

static void bytes_lead_from_the_last_sender_to_the_receiver(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_STREAM_BUFFER, 0);
    tell(TK_EV_QUEUE_KIND, 7, TK_QUEUE_MESSAGE_BUFFER, 0);
    name(TK_EV_QUEUE_NAME, 6, "s");
    name(TK_EV_QUEUE_NAME, 7, "m");
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 6, 20, 0); // some of these bytes may be older
    at(12, TK_EV_QUEUE_SEND, 6, 30, 0);
    at(13, TK_EV_QUEUE_RECEIVE, 6, 12, 0);
    at(14, TK_EV_QUEUE_RECEIVE, 6, 4, 0);
    at(15, TK_EV_QUEUE_RECEIVE, 6, 0, 0);
    at(16, TK_EV_QUEUE_SEND, 7, 20, 0); // this message may be several
    at(17, TK_EV_QUEUE_SEND, 7, 28, 0);
    at(18, TK_EV_QUEUE_RECEIVE, 7, 8, 0);
    at(19, TK_EV_QUEUE_RECEIVE, 7, 0, 0);
    end();
    expect("11: instant <calls> 'send to s', count 20");
    expect("12: instant <calls> 'send to s', count 30, flow 1");
    expect("13: instant <calls> 'receive from s', count 12");
    expect("14: instant <calls> 'receive from s', count 4, flow 1");
    expect("15: instant <calls> 'receive from s', count 0");
    expect("18: instant <calls> 'receive from m', count 8");
    expect("19: instant <calls> 'receive from m', count 0, flow 2");
}

static void a_length_that_nothing_continues_is_damage(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_BASE, 0); // its capacity is unknown
    runs(10, 1);
    for (uint32_t queue = 5; queue <= 6; queue++) {
        at(10 * queue + 1, TK_EV_QUEUE_SEND, queue, 1, 0);
        at(10 * queue + 2, TK_EV_QUEUE_SEND, queue, 2, 0);
        at(10 * queue + 3, TK_EV_QUEUE_RECEIVE, queue, 0x68000000, 0);
        at(10 * queue + 4, TK_EV_QUEUE_SEND, queue, 2, 0);
    }
    end();
    assert_null(strstr(recorder.lines.text, "1744830464"));
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(model.stats.queues[i].max_len, 2);
    assert_int_equal(diag.entries[TK_DIAG_QUEUE_LENGTH_IMPOSSIBLE].count, 2);
}

static void a_length_that_the_next_operation_continues_is_drawn_late(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_BASE, 0);
    name(TK_EV_QUEUE_NAME, 6, "deep");
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 6, 1, 0);
    at(12, TK_EV_QUEUE_SEND, 6, 5, 0);
    at(13, TK_EV_QUEUE_SEND, 6, 6, 0);
    end();
    expect("12 late: count <deep> 5, operation send by a");
    expect("12: instant <calls> 'send to deep'");
    expect("13: instant <calls> 'send to deep', count 6, flow 2");
}

static void a_flow_leads_from_the_lock_call_to_the_held_slice(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    name(TK_EV_QUEUE_NAME, 6, "m");
    runs(10, 1);
    at(11, TK_EV_QUEUE_CREATED, 6, 0, 0);
    at(11, TK_EV_QUEUE_SEND, 6, 1, 0); // part of it
    at(12, TK_EV_QUEUE_RECEIVE, 6, 0, 0);
    at(20, TK_EV_QUEUE_SEND, 6, 1, 0);
    end();
    expect(
        "11: instant <calls> 'create m'\n12: instant <calls> 'lock m', flow 1\n12: begin <m> 'held by a', flow ends 1");
    expect("20: instant <calls> 'unlock m'\n20: end <m>");
}

// ---- Jobs ----------------------------------------------------------------------------------------

static void a_job_lasts_until_the_task_waits_for_more_work(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    runs(10, 1);
    at(15, TK_EV_BLOCK_ON_RECEIVE, 6, 9, 0); // a lock does not end the job
    runs(20, 2);
    ready(30, 1);
    runs(40, 1);
    at(41, TK_EV_BLOCK_ON_RECEIVE, 5, 9, 0);
    runs(50, 2);
    ready(60, 1);
    runs(65, 1);
    at(66, TK_EV_DELAY, 0, 4, 0);
    runs(70, 2);
    end();
    expect("10: begin <jobs> 'job 1'");
    expect("50: end <jobs>");
    expect("65: begin <jobs> 'job 2', waited for the core (ns) 5, since the last began (ns) 55");
    expect("70: end <jobs>");
}

static void explicit_job_events_take_precedence(void **state) {
    (void)state;
    scene();
    runs(10, 1);
    at(12, TK_EV_JOB_DONE, 1, 1, 0); // ends at its next call
    at(15, TK_EV_QUEUE_SEND, 5, 1, 0);
    at(17, TK_EV_DELAY, 0, 4, 0); // no longer an end
    runs(20, 2);
    ready(24, 1);
    runs(25, 1);
    at(26, TK_EV_JOB_DONE, 1, 0, 0); // at once, and the next job is empty
    at(27, TK_EV_DELAY, 0, 4, 0);
    runs(30, 2);
    ready(34, 1);
    runs(35, 1);
    at(36, TK_EV_JOB_DONE, 1, 0, 0);
    at(38, TK_EV_QUEUE_SEND, 5, 2, 0);
    end();
    expect("15: end <jobs>\n15: begin <jobs> 'job 2', since the last began (ns) 5");
    expect("26: end <jobs>\n30: begin <a> 'delay 4 ticks'");
    expect("35: begin <jobs> 'job 3', waited for the core (ns) 1, since the last began (ns) 20");
    expect("36: end <jobs>\n36 late: begin <jobs> 'job 4', since the last began (ns) 1");
}

static void stack_and_heap(void **state) {
    (void)state;
    scene();
    name(TK_EV_HEAP_NAME, 1, "heap used");
    tell(TK_EV_HEAP_LEVEL, 1, 0, 1000);
    runs(10, 1);
    at(11, TK_EV_STACK_FREE, 2, 0, 80);
    send((struct tk_event){ .kind = TK_EV_ALLOCATED,
                            .allocation.level_after = UINT32_MAX,
                            .timed = true,
                            .ticks = 12,
                            .allocation.heap = 1,
                            .allocation.bytes = 112,
                            .allocation.address = 0x20000100 });
    send((struct tk_event){ .kind = TK_EV_ALLOCATED,
                            .allocation.level_after = UINT32_MAX,
                            .timed = true,
                            .ticks = 13,
                            .allocation.heap = 1,
                            .allocation.bytes = 16,
                            .allocation.address = 0x20000200 });
    send((struct tk_event){ .kind = TK_EV_FREED,
                            .allocation.level_after = UINT32_MAX,
                            .timed = true,
                            .ticks = 14,
                            .allocation.heap = 1,
                            .allocation.bytes = 120,
                            .allocation.address = 0x20000100 });
    end();
    expect("11: count <stack free> 80");
    expect("0: count <heap used> 1000");
    expect("12: count <heap used> 1112, allocated by a");
    expect("12: instant <calls> 'allocate 112 bytes', address '0x20000100'");
    expect("14: count <heap used> 1016, freed by a");
    assert_int_equal(model.rtos->heap_blocks.count, 1);
}

static void timers_that_load_themselves_are_understood(void **state) {
    (void)state;
    scene();
    name(TK_EV_TIMER_NAME, 1, "Blink");
    runs(10, 1);
    at(11, TK_EV_TIMER_STARTED, 1, TK_TIMER_START, 8);
    at(20, TK_EV_TIMER_EXPIRED, 1, 0, 0);
    at(30, TK_EV_TIMER_EXPIRED, 1, 0, 0);
    at(35, TK_EV_TIMER_STOPPED, 1, 0, 0);
    end();
    expect("11: begin <Blink> 'armed 8 ticks'");
    expect("11: instant <calls> 'start Blink'");
    expect(
        "20: end <Blink>\n20: instant <Blink> 'expired'\n20 late: begin <Blink> 'armed 8 ticks'\n30: end <Blink>\n30: "
        "instant <Blink> 'expired'\n30: begin <Blink> 'armed 8 ticks'\n35: end <Blink>\n35: instant <Blink> 'stopped'");
}

static void a_state_machine_has_one_state_at_a_time(void **state) {
    (void)state;
    scene();
    name(TK_EV_MACHINE_NAME, 1, "Mode");
    name(TK_EV_SYMBOL_NAME, 1, "IDLE");
    name(TK_EV_SYMBOL_NAME, 2, "RUN");
    at(10, TK_EV_MACHINE_STATE, 1, 1, 0);
    at(20, TK_EV_MACHINE_STATE, 1, 1, 0);
    at(30, TK_EV_MACHINE_STATE, 1, 2, 0);
    end();
    expect("10: begin <Mode> 'IDLE'\n30: end <Mode>\n30: begin <Mode> 'RUN'");
}

static void intervals_overlap_and_survive_losses(void **state) {
    (void)state;
    scene();
    name(TK_EV_INTERVAL_NAME, 1, "Lat");
    runs(10, 1);
    at(11, TK_EV_INTERVAL_BEGIN, 1, 7, 1001);
    at(12, TK_EV_INTERVAL_BEGIN, 1, 8, 1002);
    at(13, TK_EV_INTERVAL_END, 1, 0, 1001);
    send((struct tk_event){
        .kind = TK_EV_EVENTS_LOST, .timed = true, .ticks = 30, .events_lost.since = 22, .events_lost.count = 1 });
    at(31, TK_EV_INTERVAL_BEGIN, 1, 9, 1003);
    end();
    expect("11: begin <Lat> 'Lat', value 7, by a");
    expect("12: begin <Lat (2)> 'Lat', value 8, by a");
    expect("13: end <Lat>");
    expect("22 late: end <Lat (2)>, end lost 1");
    expect("31: begin <Lat> 'Lat', value 9, by a");
}

static void low_power_is_a_slice(void **state) {
    (void)state;
    scene();
    at(11, TK_EV_LOW_POWER_BEGIN, 0, 0, 5);
    at(20, TK_EV_LOW_POWER_END, 0, 0, 0);
    end();
    expect("11: begin <Low power> 'low power', expected ticks 5");
    expect("20: end <Low power>");
}

// ---- Tables --------------------------------------------------------------------------------------

static struct lines table_text;
static char table_id[32];
static bool at_start;

static void table_begin(void *ctx, const struct tk_table *table) {
    (void)ctx;
    snprintf(table_id, sizeof table_id, "%s", table->id);
    at_start = true;
}

// "jobs: a 2 0 ...": the cells of all rows of a table.
static void table_cell(void *ctx, const struct tk_cell *cell) {
    (void)ctx;
    if (at_start) lines_add(&table_text, "%s:", table_id);
    at_start = false;
    if (cell->type == TK_CELL_NONE) lines_add(&table_text, " -");
    else if (cell->type == TK_CELL_TEXT) lines_add(&table_text, " '%.*s'", (int)cell->len, cell->text);
    else if (cell->type == TK_CELL_DOUBLE) lines_add(&table_text, " %g", cell->d);
    else lines_add(&table_text, " %lld", (long long)cell->i);
}

static void table_end(void *ctx) {
    (void)ctx;
    if (!at_start) lines_add(&table_text, "\n");
}

static bool tables_have(const char *wanted) {
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, 1 };
    table_text = (struct lines){ .len = 0 };
    tk_model_tables(&model, &sink);
    if (strstr(table_text.text, wanted)) return true;
    print_message("%s", table_text.text);
    return false;
}

#define expect_table(line) assert_true(tables_have("\n" line "\n"))

static void statistics_use_only_complete_intervals(void **state) {
    (void)state;
    scene();
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    name(TK_EV_QUEUE_NAME, 6, "m");
    name(TK_EV_INTERVAL_NAME, 1, "Lat");
    runs(10, 1);
    at(11, TK_EV_QUEUE_CREATED, 6, 0, 0);
    at(12, TK_EV_QUEUE_RECEIVE, 6, 0, 0);
    at(13, TK_EV_INTERVAL_BEGIN, 1, 0, 1);
    at(15, TK_EV_QUEUE_SEND, 5, 1, 0);
    at(16, TK_EV_DELAY, 0, 4, 0);
    runs(20, 2);
    at(22, TK_EV_QUEUE_RECEIVE, 5, 0, 0);
    at(23, TK_EV_INTERVAL_END, 1, 0, 1);
    at(24, TK_EV_BLOCK_ON_RECEIVE, 6, 9, 0);
    runs(25, 3);
    ready(30, 1);
    runs(32, 1);
    at(36, TK_EV_QUEUE_SEND, 6, 1, 0);
    ready(36, 2);
    at(37, TK_EV_INTERVAL_BEGIN, 1, 0, 2);
    at(40, TK_EV_DELAY, 0, 9, 0);
    runs(42, 2);
    at(43, TK_EV_QUEUE_FAILED, 5, 0, TK_OPERATION_RECEIVE);
    send((struct tk_event){
        .kind = TK_EV_EVENTS_LOST, .timed = true, .ticks = 60, .events_lost.since = 43, .events_lost.count = 1 });
    at(61, TK_EV_INTERVAL_END, 1, 0, 2);
    ready(62, 1);
    runs(63, 1);
    end();
    expect_table("queues: 'q' 5 'queue' 3 1 4 1 0 'm' 6 'mutex' 2 1 - 0 0");
    expect_table("intervals: 'Lat' 2 1 10 10 10 10 13");
}

static void memory_that_was_not_freed_has_an_owner(void **state) {
    (void)state;
    scene();
    name(TK_EV_HEAP_NAME, 1, "heap used");
    name(TK_EV_MACHINE_NAME, 1, "Mode");
    name(TK_EV_SYMBOL_NAME, 1, "IDLE");
    name(TK_EV_SYMBOL_NAME, 2, "RUN");
    tell(TK_EV_HEAP_LEVEL, 1, 1, 0);
    runs(10, 1);
    for (uint32_t i = 0; i < 3; i++)
        send((struct tk_event){ .kind = TK_EV_ALLOCATED,
                                .allocation.level_after = UINT32_MAX,
                                .timed = true,
                                .ticks = 11 + i,
                                .allocation.heap = 1,
                                .allocation.bytes = 100,
                                .allocation.address = 0x1000 + 8 * i });
    send((struct tk_event){ .kind = TK_EV_FREED,
                            .allocation.level_after = UINT32_MAX,
                            .timed = true,
                            .ticks = 14,
                            .allocation.heap = 1,
                            .allocation.bytes = 100,
                            .allocation.address = 0x1008 });
    at(15, TK_EV_STACK_FREE, 1, 0, 80);
    at(16, TK_EV_STACK_FREE, 1, 0, 60);
    at(17, TK_EV_MACHINE_STATE, 1, 1, 0);
    at(20, TK_EV_MACHINE_STATE, 1, 2, 0);
    at(25, TK_EV_MACHINE_STATE, 1, 1, 0);
    at(28, TK_EV_MACHINE_STATE, 1, 2, 0);
    end();
    expect_table("heaps: 'heap used' 300 13 200 3 1 2 200 -");
    expect_table("not_freed: 'a' 'heap used' 2 200");
    expect_table("stacks: 'a' - 60 16");
    expect_table("states: 'Mode' - 'IDLE' 1 0 - - - 'Mode' 'IDLE' 'RUN' 2 0 6 3 17 'Mode' 'RUN' 'IDLE' 1 0 5 5 20");
}

static void memory(uint64_t ticks, enum tk_event_kind kind, uint64_t address, uint32_t level) {
    send((struct tk_event){ .kind = (uint8_t)kind,
                            .timed = true,
                            .ticks = ticks,
                            .allocation = { .heap = 1, .level_after = level, .bytes = 100, .address = address } });
}

static void events_are_missing(uint64_t since, uint64_t until) {
    send((struct tk_event){
        .kind = TK_EV_EVENTS_LOST, .timed = true, .ticks = until, .events_lost.since = since, .events_lost.count = 1 });
}

// Operations after a loss change a level that is unknown, and blocks that look unfreed may have been freed.
static void heap_level_is_unknown_after_a_loss(void **state) {
    (void)state;
    scene();
    name(TK_EV_HEAP_NAME, 1, "heap used");
    tell(TK_EV_HEAP_LEVEL, 1, 1, 50);
    runs(10, 1);
    memory(11, TK_EV_ALLOCATED, 0x1000, UINT32_MAX);
    memory(12, TK_EV_ALLOCATED, 0x2000, UINT32_MAX);
    events_are_missing(12, 20);
    memory(21, TK_EV_ALLOCATED, 0x3000, UINT32_MAX);
    memory(22, TK_EV_FREED, 0x1000, UINT32_MAX);
    end();
    expect_table("heaps: 'heap used' 250 12 - 3 1 - - -");
    expect_table("not_freed: 'a' 'heap used' 1 100");
}

static void a_stack_without_task_has_a_lowest_reserve(void **state) {
    (void)state;
    scene();
    name(TK_EV_STACK_NAME, 1, "interrupts");
    runs(10, 1);
    at(11, TK_EV_STACK_LEVEL, 1, 0, 90);
    at(12, TK_EV_STACK_LEVEL, 1, 0, 40);
    at(13, TK_EV_STACK_LEVEL, 1, 0, 40);
    end();
    expect_table("stacks: 'interrupts' - 40 12");
}

// The damaged record may have been an allocation or a free.
static void heap_level_is_unknown_after_damage(void **state) {
    (void)state;
    scene();
    name(TK_EV_HEAP_NAME, 1, "heap used");
    tell(TK_EV_HEAP_LEVEL, 1, 1, 50);
    runs(10, 1);
    memory(11, TK_EV_ALLOCATED, 0x1000, UINT32_MAX);
    send((struct tk_event){ .kind = TK_EV_PROBLEM, .problem.diag = TK_DIAG_EVENT_UNKNOWN });
    memory(21, TK_EV_ALLOCATED, 0x3000, UINT32_MAX);
    end();
    expect_table("heaps: 'heap used' 150 11 - 2 0 - - -");
    expect_table("not_freed: 'a' 'heap used' 1 100");
}

static void a_recorded_heap_level_ends_the_unknown_state(void **state) {
    (void)state;
    scene();
    name(TK_EV_HEAP_NAME, 1, "heap used");
    runs(10, 1);
    memory(11, TK_EV_ALLOCATED, 0x1000, UINT32_MAX); // its content is unknown
    memory(12, TK_EV_ALLOCATED, 0x2000, 900);
    events_are_missing(12, 20);
    memory(21, TK_EV_ALLOCATED, 0x3000, UINT32_MAX);
    memory(22, TK_EV_FREED, 0x3000, 700);
    memory(23, TK_EV_ALLOCATED, 0x4000, UINT32_MAX);
    end();
    expect_table("heaps: 'heap used' 900 12 800 4 1 - - -");
}

static void the_initial_heap_level_is_unknown_when_recorded_after_a_loss(void **state) {
    (void)state;
    scene();
    name(TK_EV_HEAP_NAME, 1, "heap used");
    runs(10, 1);
    events_are_missing(12, 20);
    at(21, TK_EV_HEAP_LEVEL, 1, 1, 0);
    memory(21, TK_EV_ALLOCATED, 0x3000, UINT32_MAX);
    end();
    expect_table("heaps: 'heap used' - - - 1 0 - - -");
}

// ---- Markers and values --------------------------------------------------------------------------

static void numbered_markers_show_their_task(void **state) {
    (void)state;
    const struct tk_value values[] = { { .name = "argument 1", .type = TK_VALUE_INT, .number.i = -7 },
                                       { .name = "said", .type = TK_VALUE_TEXT, .text = "hex", .text_len = 3 } };
    const struct tk_value limits[] = { { .type = TK_VALUE_INT, .number.i = -5 },
                                       { .type = TK_VALUE_INT, .number.i = 100 } };
    scene();
    name(TK_EV_MARKER_NAME, 1, "Chan");
    send((struct tk_event){ .kind = TK_EV_VALUE_NAME,
                            .value_name.value = 3,
                            .value_name.in_markers = 1,
                            .str = "Chan: sent",
                            .str_len = 10 });
    name(TK_EV_VALUE_NAME, 4, "Level");
    send((struct tk_event){ .kind = TK_EV_VALUE_LIMITS, .value_limits.value = 4, .values = limits, .value_count = 2 });
    recorder.quiet_tracks = false;
    runs(10, 1);
    send((struct tk_event){ .kind = TK_EV_MARKER,
                            .timed = true,
                            .ticks = 11,
                            .marker.marker = 1,
                            .str = "sent 3",
                            .str_len = 6,
                            .values = values,
                            .value_count = 2 });
    at(12, TK_EV_VALUE, 3, 0, 3);
    end();
    expect("11: instant <Chan> 'sent 3', by a, argument 1 -7, said 'hex'");
    expect("12: count <Chan: sent> 3");
    assert_non_null(strstr(recorder.lines.text, "'Marker values'"));
}

static void a_task_shows_its_creator(void **state) {
    (void)state;
    scene();
    send((struct tk_event){ .kind = TK_EV_ENTITY_ADDRESS,
                            .entity_address.entity = 3,
                            .entity_address.entity_class = TK_CLASS_TASK,
                            .entity_address.address = 0x20000abc });
    runs(10, 1);
    at(11, TK_EV_TASK_CREATED, 3, 4, 0);
    at(12, TK_EV_TASK_PRIORITY_SET, 3, 5, TK_PRIORITY_BY_CALL);
    at(13, TK_EV_TASK_SUSPENDED, 3, 0, 0);
    at(14, TK_EV_TASK_RESUMED, 3, 0, 0);
    at(15, TK_EV_TASK_DELETED, 3, 0, 0);
    end();
    expect("11: instant <calls> 'create task 0x20000abc', priority 3\n11: instant <task 0x20000abc> 'created by a', "
           "priority 3, address '0x20000abc'");
    expect("12: instant <calls> 'set priority of task 0x20000abc', priority 5");
    expect("13: instant <calls> 'suspend task 0x20000abc'");
    expect("14: instant <calls> 'resume task 0x20000abc'");
    expect("15: instant <calls> 'delete task 0x20000abc'");
}

static void calls_and_failures_use_names_of_the_format(void **state) {
    (void)state;
    const struct tk_value values[] = { { .name = "function", .type = TK_VALUE_UINT, .number.u = 7 } };
    scene();
    runs(10, 1);
    send((struct tk_event){ .kind = TK_EV_KERNEL_CALL,
                            .timed = true,
                            .ticks = 11,
                            .str = "pend function",
                            .str_len = 13,
                            .values = values,
                            .value_count = 1 });
    send((struct tk_event){ .kind = TK_EV_FAILURE,
                            .timed = true,
                            .ticks = 12,
                            .str = "create task",
                            .str_len = 11,
                            .values = values,
                            .value_count = 1 });
    end();
    expect("11: instant <calls> 'pend function', function 7");
    expect("12: instant <Failures> 'create task', by a, function 7");
}

static void descriptions_contain_facts_that_names_omit(void **state) {
    (void)state;
    scene();
    send((struct tk_event){ .kind = TK_EV_ENTITY_ADDRESS,
                            .entity_address.entity = 5,
                            .entity_address.entity_class = TK_CLASS_QUEUE,
                            .entity_address.address = 0x20001234 });
    name(TK_EV_SYMBOL_NAME, 1, "Latencies");
    send((struct tk_event){
        .kind = TK_EV_INTERVAL_NAME, .interval_name.interval = 1, .interval_name.set = 1, .str = "Lat", .str_len = 3 });
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 5, 1, 0);
    at(12, TK_EV_INTERVAL_BEGIN, 1, 0, 1);
    end();
    assert_string_equal(recorder.descriptions[model.rtos->queues[0].track], "Queue: items in it, takes 4, 0x20001234");
    assert_string_equal(recorder.descriptions[model.rtos->objects[0].track], "Interval, set Latencies");
}

// ---- Memory --------------------------------------------------------------------------------------

// One event of every kind.
static void everything(void) {
    const struct tk_value values[] = { { .name = "function", .type = TK_VALUE_UINT, .number.u = 7 } };
    scene();
    name(TK_EV_INTERVAL_NAME, 1, "Lat");
    name(TK_EV_HEAP_NAME, 1, "heap used");
    name(TK_EV_SYMBOL_NAME, 1, "IDLE");
    tell(TK_EV_QUEUE_KIND, 6, TK_QUEUE_MUTEX, 0);
    send((struct tk_event){ .kind = TK_EV_ENTITY_ADDRESS,
                            .entity_address.entity = 5,
                            .entity_address.entity_class = TK_CLASS_QUEUE,
                            .entity_address.address = 0x20001234 });
    runs(10, 1);
    at(11, TK_EV_QUEUE_SEND, 5, 1, 0);
    at(12, TK_EV_QUEUE_RECEIVE, 6, 0, 0);
    at(13, TK_EV_INTERVAL_BEGIN, 1, 0, 1);
    at(14, TK_EV_MACHINE_STATE, 1, 1, 0);
    at(15, TK_EV_TIMER_STARTED, 1, TK_TIMER_START, 8);
    at(16, TK_EV_EVENT_GROUP_SET, 1, 0, 1);
    at(17, TK_EV_STACK_FREE, 1, 0, 80);
    at(18, TK_EV_LOW_POWER_BEGIN, 0, 0, 5);
    send((struct tk_event){ .kind = TK_EV_ALLOCATED,
                            .allocation.level_after = UINT32_MAX,
                            .timed = true,
                            .ticks = 19,
                            .allocation.heap = 1,
                            .allocation.bytes = 100,
                            .allocation.address = 0x1000 });
    send((struct tk_event){ .kind = TK_EV_FAILURE,
                            .timed = true,
                            .ticks = 20,
                            .str = "create task",
                            .str_len = 11,
                            .values = values,
                            .value_count = 1 });
    at(21, TK_EV_BLOCK_ON_EVENT_GROUP, 1, 0, 3);
    runs(22, 2);
    at(23, TK_EV_QUEUE_RECEIVE, 5, 0, 0);
    at(24, TK_EV_QUEUE_FAILED, 5, 0, TK_OPERATION_RECEIVE);
    at(25, TK_EV_QUEUE_DELETED, 5, 0, 0);
    send((struct tk_event){
        .kind = TK_EV_EVENTS_LOST, .timed = true, .ticks = 30, .events_lost.since = 26, .events_lost.count = 1 });
    at(31, TK_EV_NOTIFIED, 1, 0, 0);
    ready(32, 1);
    send((struct tk_event){ .kind = TK_EV_SECTION_BEGIN, .timed = true, .ticks = 40, .section_begin.lost = 2 });
    runs(41, 1);
    end();
    tables_have("");
}

static void no_memory_at_any_moment(void **state) {
    size_t from = 1;
    do {
        done(state);
        static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };
        model_init(from++, true);
        tk_model_need_trackers(&model, trackers);
        everything();
    } while (alloc.failed && from < 10000);
    assert_in_range(from, 20, 9999);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_task_switched_out_unannounced_is_ready_at_once),
        CASE(a_call_of_a_task_aborts_its_wait),
        CASE(after_a_tick_the_clock_is_the_waker),
        CASE(a_wait_until_a_tick_or_without_a_known_end),
        CASE(a_context_without_delete_event_ends_when_switched_out),
        CASE(a_late_end_event_ends_the_job),
        CASE(an_end_ends_the_wait_before_it),
        CASE(an_end_shows_that_a_task_was_switched_out),
        CASE(runnables_of_a_task_are_shown_beside_its_calls),
        CASE(a_loss_has_an_extent_and_a_core),
        CASE(an_impossible_count_of_lost_events_is_damage),
        CASE(a_row_of_several_tasks_has_the_creation_of_the_last_one),
        CASE(an_announced_restart_keeps_names_and_tasks),
        CASE(units_and_words_per_kind_of_queue),
        CASE(failed_calls_have_a_reason),
        CASE(a_new_queue_reuses_the_track_of_a_deleted_namesake),
        CASE(late_names_apply_to_all_calls),
        CASE(interrupts_have_priorities_and_calls_inside),
        CASE(event_groups_show_bits_and_waits),
        CASE(notifications_lead_to_the_receiving_task),
        CASE(arrows_lead_from_sends_to_receives),
        CASE(items_from_before_the_recording_have_no_arrows),
        CASE(items_without_room_for_their_senders_have_no_arrows),
        CASE(bytes_lead_from_the_last_sender_to_the_receiver),
        CASE(a_length_that_nothing_continues_is_damage),
        CASE(a_length_that_the_next_operation_continues_is_drawn_late),
        CASE(a_flow_leads_from_the_lock_call_to_the_held_slice),
        CASE(a_job_lasts_until_the_task_waits_for_more_work),
        CASE(explicit_job_events_take_precedence),
        CASE(stack_and_heap),
        CASE(timers_that_load_themselves_are_understood),
        CASE(a_state_machine_has_one_state_at_a_time),
        CASE(intervals_overlap_and_survive_losses),
        CASE(low_power_is_a_slice),
        CASE(statistics_use_only_complete_intervals),
        CASE(memory_that_was_not_freed_has_an_owner),
        CASE(heap_level_is_unknown_after_a_loss),
        CASE(a_stack_without_task_has_a_lowest_reserve),
        CASE(heap_level_is_unknown_after_damage),
        CASE(a_recorded_heap_level_ends_the_unknown_state),
        CASE(the_initial_heap_level_is_unknown_when_recorded_after_a_loss),
        CASE(numbered_markers_show_their_task),
        CASE(a_task_shows_its_creator),
        CASE(calls_and_failures_use_names_of_the_format),
        CASE(descriptions_contain_facts_that_names_omit),
        CASE(no_memory_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
