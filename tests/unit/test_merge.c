// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/time/merge.h"

static struct tk_event_stream a, b, c;
static struct heap heap;
static struct tk_alloc alloc;
static struct tk_event_stream *const streams[] = { &a, &b, &c };

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    for (uint32_t i = 0; i < 3; i++) {
        if (!tk_event_stream_init(streams[i], &alloc, NULL, NULL, TK_STREAM_RESOLVED, 0)) return -1;
        streams[i]->source = i;
    }
    c.ended = true;
    return 0;
}

static void push(struct tk_event_stream *stream, uint32_t section, uint64_t ticks, uint8_t core) {
    *tk_batch_slot(&stream->batch) =
        (struct tk_event){ .section = section, .ticks = ticks, .core = core, .timed = true };
    tk_batch_add(&stream->batch);
}

static void expect(int index, bool starved) {
    bool is_starved;
    int rival;
    assert_int_equal(tk_merge_next(streams, 3, &rival, &is_starved), index);
    assert_int_equal(is_starved, starved);
    if (!starved && index >= 0) tk_event_stream_pop(streams[index]);
}

static void all_ended_is_done(void **state) {
    (void)state;
    a.ended = b.ended = true;
    expect(TK_MERGE_DONE, false);
}

static void an_input_with_pending_data_is_read_first(void **state) {
    (void)state;
    push(&a, 0, 5, 0);
    expect(1, true);
    push(&b, 0, 7, 1);
    expect(0, false);
    expect(0, true);
    a.ended = true;
    expect(1, false);
    b.ended = true;
    expect(TK_MERGE_DONE, false);
}

static void time_decides(void **state) {
    (void)state;
    a.ended = b.ended = true;
    push(&a, 0, 10, 0);
    push(&a, 0, 30, 0);
    push(&b, 0, 20, 1);
    push(&b, 0, 25, 1);
    expect(0, false);
    expect(1, false);
    expect(1, false);
    expect(0, false);
    expect(TK_MERGE_DONE, false);
}

static void the_section_comes_before_time(void **state) {
    (void)state;
    a.ended = b.ended = true;
    push(&a, 1, 5, 0);
    push(&b, 0, 1000, 1);
    expect(1, false);
    expect(0, false);
}

static void at_one_time_the_lower_core_comes_first(void **state) {
    (void)state;
    a.ended = b.ended = true;
    push(&a, 0, 5, 3);
    push(&b, 0, 5, 1);
    expect(1, false);
    expect(0, false);
}

static void events_of_one_time_and_core_keep_the_order_of_inputs(void **state) {
    (void)state;
    a.ended = b.ended = true;
    for (int i = 0; i < 3; i++) push(&b, 0, 5, 0);
    for (int i = 0; i < 3; i++) push(&a, 0, 5, 0);
    for (int i = 0; i < 3; i++) expect(0, false);
    for (int i = 0; i < 3; i++) expect(1, false);
}

// The stream of a core may be opened after a pending event of a core with a higher number.
static void events_before_any_time_keep_the_order_of_streams(void **state) {
    (void)state;
    a.ended = b.ended = true;
    push(&a, 0, 0, 3);
    push(&b, 0, 0, 1);
    push(&b, 0, 0, 1);
    tk_event_stream_first(&a)->timed = false;
    tk_event_stream_first(&b)->timed = false;
    expect(0, false);
    expect(1, false);
    push(&a, 0, 0, 0);
    tk_event_stream_first(&a)->time_invalid = true;
    expect(0, false);
    expect(1, false);
}

static void within_an_input_the_order_stays(void **state) {
    (void)state;
    a.ended = b.ended = true;
    push(&a, 0, 50, 0);
    push(&a, 0, 40, 0); // out of order, which the trace clock reports
    push(&b, 0, 45, 1);
    expect(1, false);
    expect(0, false);
    expect(0, false);
}

static void an_earlier_event_of_another_stream_ends_a_run(void **state) {
    (void)state;
    bool starved;
    int rival;
    push(&a, 0, 1, 0);
    push(&a, 0, 2, 1);
    push(&a, 0, 3, 0);
    push(&b, 0, 2, 1); // equal time and core: the event of the earlier input comes first
    assert_int_equal(tk_merge_next(streams, 3, &rival, &starved), 0);
    assert_int_equal(rival, 1);
    tk_event_stream_pop(&a);
    assert_true(tk_merge_continues(streams, 0, rival));
    tk_event_stream_pop(&a);
    assert_false(tk_merge_continues(streams, 0, rival));
    tk_event_stream_pop(&a);
    assert_false(tk_merge_continues(streams, 0, TK_MERGE_DONE)); // no stream is waiting
    push(&a, 0, 9, 0);
    assert_true(tk_merge_continues(streams, 0, TK_MERGE_DONE));
}

// Two streams of one input.
static void the_merge_waits_a_bounded_time_for_a_silent_stream(void **state) {
    (void)state;
    b.source = a.source;
    for (uint32_t i = 0; i < TK_MERGE_MAX_WAITING - 1; i++) push(&a, 0, i, 0);
    expect(1, true);
    push(&a, 0, TK_MERGE_MAX_WAITING, 0);
    expect(0, false);
    push(&b, 0, 0, 1); // too late for its place in the order, but not lost
    expect(1, false);
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(all_ended_is_done),
        CASE(an_input_with_pending_data_is_read_first),
        CASE(time_decides),
        CASE(the_section_comes_before_time),
        CASE(at_one_time_the_lower_core_comes_first),
        CASE(events_of_one_time_and_core_keep_the_order_of_inputs),
        CASE(events_before_any_time_keep_the_order_of_streams),
        CASE(within_an_input_the_order_stays),
        CASE(an_earlier_event_of_another_stream_ends_a_run),
        CASE(the_merge_waits_a_bounded_time_for_a_silent_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
