// SPDX-License-Identifier: MIT
#include "model_support.h"

#include "model/trackers/calls/calls.h"

static int setup(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_calls, NULL };
    (void)state;
    model_init(0, true);
    tk_model_need_trackers(&model, trackers);
    return 0;
}

static void named(enum tk_event_kind kind, uint32_t id, uint32_t arg, const char *text) {
    struct tk_event event = { .kind = (uint8_t)kind, .str = text, .str_len = (uint32_t)strlen(text) };
    tk_event_set_number(&event, TK_SLOT_ID, id);
    tk_event_set_number(&event, TK_SLOT_NUMBER, arg);
    send(event);
}

enum { MAIN = 0, TIMER = 20, UART = 21 };

// Functions a, b, c ... begin at 0x100, 0x200, 0x300 ...; their trace points are 6 bytes after the start.
static void site(uint32_t number, char function, char caller, uint64_t from, enum tk_call_entry entry) {
    struct tk_call_site call_site = { .function = (uint32_t)(function - 'a' + 1),
                                      .caller = caller ? (uint32_t)(caller - 'a' + 1) : 0,
                                      .from = from,
                                      .entry = (uint8_t)entry };
    call_site.point = call_site.function * 0x100 + 6;
    send((struct tk_event){ .kind = TK_EV_CALL_SITE, .call_site.site = number, .call_site.definition = &call_site });
}

static void seen(uint64_t at, uint32_t context, uint32_t number) {
    send((struct tk_event){ .kind = TK_EV_FUNCTION_CALL,
                            .timed = true,
                            .ticks = at,
                            .function_call.context = context,
                            .function_call.site = number });
}

static void begin(void) {
    static const char *const names[] = { "a", "b", "c", "d" };
    for (uint32_t i = 0; i < 4; i++) named(TK_EV_SYMBOL_NAME, i + 1, 0, names[i]);
    named(TK_EV_CONTEXT_NAME, MAIN, TK_CONTEXT_THREAD, "main");
    named(TK_EV_CONTEXT_NAME, TIMER, TK_CONTEXT_HANDLER, "TIMER");
    named(TK_EV_CONTEXT_NAME, UART, TK_CONTEXT_HANDLER, "UART");
    site(0, 'a', 0, 0, TK_CALL_FROM_OUTSIDE);
    site(1, 'b', 'a', 0x110, TK_CALL_FROM_FUNCTION);
    site(2, 'c', 'b', 0x210, TK_CALL_FROM_FUNCTION);
    site(3, 'c', 0, 0, TK_CALL_FROM_THREAD);
    site(4, 'd', 0, 0, TK_CALL_FROM_HANDLER);
    site(5, 'b', 'b', 0x220, TK_CALL_FROM_FUNCTION);
    site(6, 'b', 'b', 0x230, TK_CALL_FROM_FUNCTION);
    site(7, 'b', 'b', 0x204, TK_CALL_FROM_FUNCTION); // the trace point comes after a call, so LR was overwritten
    recorder.lines.len = 0;
}

static void end(uint64_t at) {
    send((struct tk_event){ .kind = TK_EV_CALLS_END, .timed = true, .ticks = at });
    tk_model_finish(&model, false, 1);
}

static void return_addresses_end_frames(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 0);
    seen(1, MAIN, 1);
    seen(2, MAIN, 2);
    seen(3, MAIN, 1);
    expect_lines(&recorder.lines, "0: begin <main> 'a'\n0: p300 running c0\n1: begin <main> 'b'\n2: begin <main> "
                                  "'c'\n3: end <main>\n3: end <main>\n3: begin <main> 'b'\n");
    end(4);
}

static void a_caller_without_a_record_becomes_an_implicit_frame(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 2);
    expect_lines(&recorder.lines, "0: begin <main> 'b', implicit {1}\n0: begin <main> 'c'\n");
    end(1);
}

static void handlers_nest_in_what_they_interrupt(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 0);
    seen(1, TIMER, 3);
    seen(2, UART, 4);
    seen(3, MAIN, 1);
    expect_lines(&recorder.lines,
                 "0: begin <main> 'a'\n0: p300 running c0\n"
                 "1: begin <main> 'TIMER interrupts'\n1: begin <TIMER> 'c'\n1: p300 ready c0\n1: p320 running c0\n"
                 "2: begin <TIMER> 'UART interrupts'\n2: begin <UART> 'd'\n2: p320 ready c0\n2: p321 running c0\n"
                 "3: end <UART>\n3: end <TIMER>\n3: end <TIMER>\n3: end <main>\n3: begin <main> 'b'\n");
    end(4);
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->functions[0].self, 1 + 0); // a: without the interrupt and without b
    assert_int_equal(calls->functions[0].total, 4);
    assert_int_equal(calls->contexts[TIMER]->figures.durations.max, 2);
    assert_int_equal(calls->contexts[UART]->figures.durations.max, 1);
    assert_int_equal(calls->contexts[MAIN]->running, 2);
    assert_int_equal(calls->interruption_count, 2);
}

static void a_handler_that_interrupts_an_unknown_one_has_no_known_parent(void **state) {
    (void)state;
    begin();
    seen(0, UART, 4);
    expect_lines(&recorder.lines, "0: begin <UART> 'd'\n");
    end(1);
    assert_int_equal(((const struct tk_calls *)model.trackers[TK_OWNER_CALLS].state)->interruption_count, 0);
}

static void a_handler_inside_an_unknown_one_adds_no_self_time_to_thread_mode(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 0);
    seen(1, UART, 4);
    seen(5, MAIN, 1);
    end(6);
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->functions[0].self, 1);
    assert_int_equal(calls->functions[0].total, 6);
    assert_int_equal(calls->interruption_count, 0);
}

static void a_handler_open_at_the_end_adds_no_self_time_to_thread_mode(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 0);
    seen(1, UART, 4);
    end(6);
    assert_int_equal(((const struct tk_calls *)model.trackers[TK_OWNER_CALLS].state)->functions[0].self, 1);
}

static void recursion_is_detected_by_return_addresses(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 1); // a (implicit), b
    seen(1, MAIN, 5); // b in b
    seen(2, MAIN, 5); // the same call site again: the inner activation calls
    seen(3, MAIN, 6); // a later call site: the outer activation continues
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->contexts[MAIN]->deepest, 4);
    assert_int_equal(calls->contexts[MAIN]->frame_count, 4);
    assert_int_equal(calls->functions[1].total, 0); // only the outermost, which continues
    end(4);
    assert_int_equal(calls->functions[1].total, 4);
    assert_int_equal(calls->functions[1].self, 4);
}

static void a_second_trace_point_in_a_call_is_no_call(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 1);
    seen(1, MAIN, 7);
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->contexts[MAIN]->frame_count, 2);
    end(2);
}

static void a_stack_that_only_grows_is_abandoned(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 1);
    for (uint32_t i = 1; i < 600; i++) {
        site(8, 'b', 'b', 0x1000 - i, TK_CALL_FROM_FUNCTION);
        seen(i, MAIN, 8);
    }
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->contexts[MAIN]->deepest, TK_MAX_FRAMES);
    assert_true(diag.entries[TK_DIAG_TOO_DEEP].count > 0);
    end(600);
    assert_null(strstr(recorder.lines.text, "begin <main> 'b', open"));
}

static void runs_before_a_pause_are_not_extended(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 0);
    seen(1, TIMER, 3);
    send((struct tk_event){ .kind = TK_EV_CALLS_PAUSE,
                            .timed = true,
                            .ticks = 2,
                            .calls_pause.context = MAIN,
                            .calls_pause.entry = TK_CALL_FROM_FUNCTION });
    send((struct tk_event){ .kind = TK_EV_GAP_BEGIN, .timed = true, .ticks = 2 });
    seen(50, MAIN, 1);
    end(51);
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->contexts[TIMER]->figures.durations.max, 1);
    assert_int_equal(calls->contexts[MAIN]->not_recorded, 48);
    assert_int_equal(calls->functions[0].self, 1);
    assert_non_null(strstr(recorder.lines.text, "2: begin <main> 'nothing recorded'\n"));
    assert_non_null(strstr(recorder.lines.text, "50: end <main>\n50: begin <main> 'b'\n"));
}

static void skipped_bytes_are_reported_and_not_measured(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 0);
    seen(1, MAIN, 1);
    send((struct tk_event){ .kind = TK_EV_PROBLEM, .problem.diag = TK_DIAG_SYNC_LOST });
    send((struct tk_event){ .kind = TK_EV_FUNCTION_CALL,
                            .timed = true,
                            .ticks = 2,
                            .function_call.context = MAIN,
                            .function_call.site = 2,
                            .function_call.skipped = 17 });
    seen(3, MAIN, 1);
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_non_null(strstr(recorder.lines.text, "2: begin <main> 'c', after gap '17 bytes skipped just before'\n"));
    assert_int_equal(calls->functions[1].figures.durations.measured, 0); // b crosses the loss
    assert_int_equal(calls->functions[2].figures.durations.measured, 1);
    end(4);
}

static void periods_go_from_entry_to_entry_and_not_across_a_loss(void **state) {
    (void)state;
    begin();
    for (uint64_t at = 10; at <= 30; at += at < 20 ? 7 : 13) seen(at, TIMER, 3); // 10, 17, 24, then 37 after a loss
    send((struct tk_event){ .kind = TK_EV_PROBLEM, .problem.diag = TK_DIAG_SYNC_LOST });
    seen(37, TIMER, 3);
    seen(46, TIMER, 3);
    end(50);
    const struct tk_measure *periods =
        &((const struct tk_calls *)model.trackers[TK_OWNER_CALLS].state)->contexts[TIMER]->periods;
    assert_int_equal(periods->durations.measured, 3);
    assert_int_equal(periods->durations.min, 7);
    assert_int_equal(periods->durations.max, 9);
    assert_int_equal(periods->durations.total, 7 + 7 + 9);
    assert_int_equal(tk_measure_at(periods, 2), 7);
    assert_int_equal(tk_measure_at(periods, 3), 9);
}

// A call from outside, such as from secure code, starts a new stack; the earlier activation continues later.
static void bytes_that_are_skipped_early_in_a_handler_are_not_forgotten(void **state) {
    (void)state;
    begin();
    seen(0, MAIN, 0);
    seen(1, TIMER, 3);
    send((struct tk_event){ .kind = TK_EV_PROBLEM, .problem.diag = TK_DIAG_SYNC_LOST });
    seen(4, TIMER, 0);
    seen(6, MAIN, 1);
    seen(7, TIMER, 3);
    seen(8, TIMER, 0);
    seen(9, MAIN, 1);
    end(10);
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->contexts[TIMER]->activations, 2);
    assert_int_equal(calls->contexts[TIMER]->figures.durations.measured, 1);
    assert_int_equal(calls->contexts[TIMER]->figures.durations.max, 2);
}

static void a_call_site_without_description_is_ignored(void **state) {
    (void)state;
    begin();
    send((struct tk_event){ .kind = TK_EV_CALL_SITE, .call_site.site = 9 });
    seen(0, MAIN, 9);
    expect_lines(&recorder.lines, "");
    end(1);
}

static void numbers_above_the_limit_share_an_entry(void **state) {
    (void)state;
    begin();
    for (uint32_t i = 0; i < TK_MAX_FUNCTIONS + 20; i++) {
        struct tk_call_site call_site = { .function = 100 + i, .entry = TK_CALL_FROM_OUTSIDE };
        send((struct tk_event){ .kind = TK_EV_CALL_SITE,
                                .call_site.site = i % (TK_MAX_CALL_SITES + 5),
                                .call_site.definition = &call_site });
    }
    recorder.quiet_tracks = true;
    seen(0, UINT32_MAX, 1);
    seen(1, 100000, 1);
    const struct tk_calls *calls = model.trackers[TK_OWNER_CALLS].state;
    assert_int_equal(calls->function_count, TK_MAX_FUNCTIONS + 1);
    assert_int_equal(calls->contexts[TK_MAX_CONTEXTS - 1]->calls, 2);
    assert_true(diag.entries[TK_DIAG_TOO_MANY].count > 0);
    end(2);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(return_addresses_end_frames),
        CASE(a_caller_without_a_record_becomes_an_implicit_frame),
        CASE(handlers_nest_in_what_they_interrupt),
        CASE(a_handler_that_interrupts_an_unknown_one_has_no_known_parent),
        CASE(recursion_is_detected_by_return_addresses),
        CASE(a_second_trace_point_in_a_call_is_no_call),
        CASE(a_stack_that_only_grows_is_abandoned),
        CASE(runs_before_a_pause_are_not_extended),
        CASE(skipped_bytes_are_reported_and_not_measured),
        CASE(bytes_that_are_skipped_early_in_a_handler_are_not_forgotten),
        CASE(numbers_above_the_limit_share_an_entry),
        CASE(a_call_site_without_description_is_ignored),
        CASE(a_handler_inside_an_unknown_one_adds_no_self_time_to_thread_mode),
        CASE(a_handler_open_at_the_end_adds_no_self_time_to_thread_mode),
        CASE(periods_go_from_entry_to_entry_and_not_across_a_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
