// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/merge.h"

static struct tk_fifo a, b, c;
static struct tk_fifo *const fifos[] = { &a, &b, &c };

static int reset(void **state) {
    (void)state;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&c, 0, sizeof c);
    c.ended = true;
    return 0;
}

static void push(struct tk_fifo *fifo, uint32_t section, uint64_t ticks, uint8_t core) {
    struct tk_event event = { .section = section, .ticks = ticks, .core = core, .raw_len = 9 };
    tk_fifo_push(fifo, &event);
}

static void expect(int index, bool starved) {
    bool is_starved;
    assert_int_equal(tk_merge_next(fifos, 3, &is_starved), index);
    assert_int_equal(is_starved, starved);
    if (!starved && index >= 0) tk_fifo_pop(fifos[index]);
}

static void all_ended_is_done(void **state) {
    (void)state;
    a.ended = b.ended = true;
    expect(TK_MERGE_DONE, false);
}

static void an_input_that_may_still_speak_is_asked_first(void **state) {
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

static void at_one_time_and_core_the_order_of_inputs_holds(void **state) {
    (void)state;
    a.ended = b.ended = true;
    for (int i = 0; i < 3; i++) push(&b, 0, 5, 0);
    for (int i = 0; i < 3; i++) push(&a, 0, 5, 0);
    for (int i = 0; i < 3; i++) expect(0, false);
    for (int i = 0; i < 3; i++) expect(1, false);
}

static void within_an_input_the_order_stays(void **state) {
    (void)state;
    a.ended = b.ended = true;
    push(&a, 0, 50, 0);
    push(&a, 0, 40, 0); // out of step, told by the trace clock
    push(&b, 0, 45, 1);
    expect(1, false);
    expect(0, false);
    expect(0, false);
}

static void a_fifo_holds_what_the_clock_lets_go_at_once(void **state) {
    (void)state;
    for (uint32_t i = 0; i < TK_FIFO_LEN; i++) push(&a, 0, i, 0);
    assert_int_equal(a.count, TK_FIFO_LEN);
    push(&a, 0, 99, 0); // no room: nothing is written beside it
    assert_int_equal(a.count, TK_FIFO_LEN);
    for (uint32_t i = 0; i < TK_FIFO_LEN; i++) {
        assert_int_equal(a.events[a.head].ticks, i);
        assert_int_equal(a.events[a.head].raw_len, 0); // the bytes may be gone
        tk_fifo_pop(&a);
    }
    push(&a, 0, 7, 0); // empty again: all the room is there
    assert_int_equal(a.head, 0);
}

#define CASE(test) cmocka_unit_test_setup(test, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(all_ended_is_done), CASE(an_input_that_may_still_speak_is_asked_first), CASE(time_decides), CASE(the_section_comes_before_time),
        CASE(at_one_time_the_lower_core_comes_first), CASE(at_one_time_and_core_the_order_of_inputs_holds),
        CASE(within_an_input_the_order_stays), CASE(a_fifo_holds_what_the_clock_lets_go_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
