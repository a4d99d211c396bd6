// SPDX-License-Identifier: MIT
//
// Clocks of their own: rates, comparisons, and lanes that wait for the first of them.
#include "support.h"

#include "model/time/merge.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct tk_account account;
static struct tk_event_stream first, second;
static struct tk_event_stream *streams[] = { &first, &second };
static uint32_t stream_count = 2;

static void open_stream(struct tk_event_stream *stream, uint8_t core, uint32_t ns, uint32_t per_counts,
                        bool is_compared) {
    assert_true(tk_event_stream_init(stream, &alloc, &diag, &account, TK_STREAM_RESOLVED, core));
    stream->peers = streams;
    stream->peer_count = &stream_count;
    tk_batch_set_clock(&stream->batch,
                       &(struct tk_domain){
                           .name = "c", .ns = ns, .per_counts = per_counts, .core = core, .is_compared = is_compared });
}

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_diag_init(&diag);
    open_stream(&first, 0, 1000, 1, false);     // 1 MHz
    open_stream(&second, 1, 1000000, 32, true); // 32 kHz
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void put(struct tk_event_stream *stream, enum tk_event_kind kind, uint64_t ticks, uint32_t id, int64_t value) {
    struct tk_event *event = tk_batch_slot(&stream->batch);
    *event = (struct tk_event){ .kind = (uint8_t)kind, .timed = true, .ticks = ticks };
    tk_event_set_number(event, TK_SLOT_ID, id);
    tk_event_set_number(event, TK_SLOT_VALUE, value);
    tk_batch_add(&stream->batch);
}

static void happens(struct tk_event_stream *stream, uint64_t count) { put(stream, TK_EV_VALUE, count, 1, 1); }
static uint64_t next_time(struct tk_event_stream *stream) {
    assert_true(tk_event_stream_has_event(stream));
    return tk_event_stream_pop(stream)->ticks;
}

static void counts_become_nanoseconds_without_doubles(void **state) {
    (void)state;
    struct tk_domain d = { .ns = 1000000000, .per_counts = 3, .placed = true };
    assert_int_equal(tk_domain_ns(&d, 1), 333333333);
    assert_int_equal(tk_domain_ns(&d, 2), 666666667);
    d.rounds_down = true;
    assert_int_equal(tk_domain_ns(&d, 2), 666666666);
    assert_int_equal(tk_domain_ns(&d, 3000000000u), 1000000000000000000u);
    assert_int_equal(tk_domain_ns(&d, UINT64_MAX), INT64_MAX);
}

static void an_event_stream_waits_for_its_clock_sync(void **state) {
    (void)state;
    happens(&first, 5);
    happens(&second, 1000);
    assert_false(tk_event_stream_has_event(&second));
    put(&second, TK_EV_CLOCK_SYNC, 1032, 0, 4000); // one millisecond later: 4000 us
    happens(&second, 1064);
    assert_int_equal(next_time(&first), 5000);
    assert_int_equal(next_time(&second), 3000000);
    assert_int_equal(next_time(&second), 4000000);
    assert_int_equal(next_time(&second), 5000000);
    assert_int_equal(second.batch.domain.comparisons, 1);
    assert_int_equal(diag.entries[TK_DIAG_CLOCKS_NOT_SYNCED].count, 0);
}

static void the_second_clock_sync_gives_the_rate(void **state) {
    (void)state;
    happens(&first, 0);
    assert_int_equal(next_time(&first), 0);
    put(&second, TK_EV_CLOCK_SYNC, 0, 0, 0);
    put(&second, TK_EV_CLOCK_SYNC, 32000, 0, 1001000); // a second of its own is 1.001 s
    happens(&second, 64000);
    assert_int_equal(next_time(&second), 0);
    assert_int_equal(next_time(&second), 1001000000);
    assert_int_equal(next_time(&second), 2002000000);
    assert_true(tk_domain_rate(&second.batch.domain) > 31281.2 && tk_domain_rate(&second.batch.domain) < 31281.3);
}

static void an_impossible_clock_sync_is_rejected(void **state) {
    (void)state;
    happens(&first, 0);
    assert_int_equal(next_time(&first), 0);
    put(&second, TK_EV_CLOCK_SYNC, 0, 0, 0);
    put(&second, TK_EV_CLOCK_SYNC, 32000, 0, 7000000); // damaged
    put(&second, TK_EV_CLOCK_SYNC, 32000, 9, 1000000); // of a core that is not there
    happens(&second, 32000);
    for (unsigned i = 0; i < 3; i++) next_time(&second);
    assert_int_equal(next_time(&second), 1000000000);
    assert_int_equal(second.batch.domain.refused, 1);
    assert_int_equal(second.batch.domain.comparisons, 1);
}

static void times_of_a_clock_never_fall(void **state) {
    (void)state;
    happens(&first, 0);
    assert_int_equal(next_time(&first), 0);
    put(&second, TK_EV_CLOCK_SYNC, 0, 0, 100);
    happens(&second, 32000);                          // 1.0001 s as told
    put(&second, TK_EV_CLOCK_SYNC, 32001, 0, 999000); // it ran faster
    happens(&second, 32002);
    assert_int_equal(next_time(&second), 100000);
    assert_int_equal(next_time(&second), 1000100000);
    assert_int_equal(next_time(&second), 1000100000);
    assert_int_equal(next_time(&second), 1000100000);
}

static void without_a_clock_sync_both_streams_start_together(void **state) {
    (void)state;
    happens(&first, 7);
    happens(&second, 500);
    happens(&second, 532);
    first.ended = second.ended = true;
    assert_int_equal(next_time(&first), 7000);
    assert_int_equal(next_time(&second), 7000);
    assert_int_equal(next_time(&second), 1007000);
    assert_int_equal(diag.entries[TK_DIAG_CLOCKS_NOT_SYNCED].count, 1);
    assert_int_equal(second.batch.domain.standing, TK_DOMAIN_ALIGNED_START);
}

static void a_stream_waits_for_a_bounded_number_of_events(void **state) {
    (void)state;
    for (unsigned i = 0; i < TK_STREAM_MAX_WAITING - 1; i++) happens(&second, i);
    assert_false(tk_event_stream_has_event(&second));
    happens(&second, TK_STREAM_MAX_WAITING);
    assert_true(tk_event_stream_has_event(&second));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, reset, done)
    const struct CMUnitTest tests[] = {
        CASE(counts_become_nanoseconds_without_doubles),
        CASE(an_event_stream_waits_for_its_clock_sync),
        CASE(the_second_clock_sync_gives_the_rate),
        CASE(an_impossible_clock_sync_is_rejected),
        CASE(times_of_a_clock_never_fall),
        CASE(without_a_clock_sync_both_streams_start_together),
        CASE(a_stream_waits_for_a_bounded_number_of_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
