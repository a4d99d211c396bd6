// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/merge.h"

static struct tk_fifo a, b, c;
static struct heap heap;
static struct tk_alloc alloc;
static struct tk_fifo *const fifos[] = { &a, &b, &c };

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&c, 0, sizeof c);
    c.ended = true;
    return 0;
}

static void push(struct tk_fifo *fifo, uint32_t section, uint64_t ticks, uint8_t core) {
    struct tk_event event = { .section = section, .ticks = ticks, .core = core, .raw_len = 9 };
    tk_fifo_push(fifo, &alloc, &event);
}

static void expect(int index, bool starved) {
    bool is_starved;
    int rival;
    assert_int_equal(tk_merge_next(fifos, 3, &rival, &is_starved), index);
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

static void the_rival_ends_a_run(void **state) {
    (void)state;
    bool starved;
    int rival;
    push(&a, 0, 1, 0);
    push(&a, 0, 2, 1);
    push(&a, 0, 3, 0);
    push(&b, 0, 2, 1); // the same time and core: the earlier input goes first
    assert_int_equal(tk_merge_next(fifos, 3, &rival, &starved), 0);
    assert_int_equal(rival, 1);
    tk_fifo_pop(&a);
    assert_true(tk_merge_goes_on(fifos, 0, rival));
    tk_fifo_pop(&a);
    assert_false(tk_merge_goes_on(fifos, 0, rival));
    tk_fifo_pop(&a);
    assert_false(tk_merge_goes_on(fifos, 0, TK_MERGE_DONE)); // nothing waits
    push(&a, 0, 9, 0);
    assert_true(tk_merge_goes_on(fifos, 0, TK_MERGE_DONE));
}

static void strings_are_copied(void **state) {
    (void)state;
    char text[] = "first";
    struct tk_event event = { .str = text, .str_len = 5 };
    tk_fifo_push(&a, &alloc, &event);
    memcpy(text, "other", 5);
    event.str_len = 4;
    tk_fifo_push(&a, &alloc, &event);
    event.str_len = 0;
    tk_fifo_push(&a, &alloc, &event);
    assert_memory_equal(tk_fifo_first(&a)->str, "first", 5);
    tk_fifo_pop(&a);
    assert_memory_equal(tk_fifo_first(&a)->str, "othe", 4);
    tk_fifo_pop(&a);
    assert_string_equal(tk_fifo_first(&a)->str, "");
    tk_fifo_deinit(&a, &alloc);
}

// The model knows them by their address.
static void static_strings_stay_where_they_are(void **state) {
    (void)state;
    struct tk_event event = { .kind = TK_EV_SEMAPHORE_COUNT, .str = "taken", .str_len = 5 };
    const char *text = event.str;
    tk_fifo_push(&a, &alloc, &event);
    assert_ptr_equal(tk_fifo_first(&a)->str, text);
}

static void a_string_that_finds_no_memory_is_left_out(void **state) {
    (void)state;
    struct tk_event event = { .str = "text", .str_len = 4 };
    heap.fail_from = 1;
    tk_fifo_push(&a, &alloc, &event);
    assert_true(alloc.failed);
    assert_int_equal(tk_fifo_first(&a)->str_len, 0);
}

static void enough_is_told(void **state) {
    (void)state;
    struct tk_event event = { .ticks = 1 };
    for (uint32_t i = 1; i < TK_FIFO_BATCH; i++) assert_false(tk_fifo_push(&a, &alloc, &event));
    assert_true(tk_fifo_push(&a, &alloc, &event));
    event.value_count = 1; // borrowed: one is enough
    assert_true(tk_fifo_push(&b, &alloc, &event));
}

#define CASE(test) cmocka_unit_test_setup(test, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(all_ended_is_done), CASE(an_input_that_may_still_speak_is_asked_first), CASE(time_decides), CASE(the_section_comes_before_time),
        CASE(at_one_time_the_lower_core_comes_first), CASE(at_one_time_and_core_the_order_of_inputs_holds),
        CASE(within_an_input_the_order_stays), CASE(a_fifo_holds_what_the_clock_lets_go_at_once),
        CASE(the_rival_ends_a_run), CASE(strings_are_copied), CASE(static_strings_stay_where_they_are),
        CASE(a_string_that_finds_no_memory_is_left_out), CASE(enough_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
