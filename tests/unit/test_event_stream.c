// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/time/event_stream.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct tk_account account;
static struct tk_event_stream stream;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tk_diag_init(&diag);
    return tk_event_stream_init(&stream, &alloc, &diag, &account, TK_STREAM_RESOLVED, 0) ? 0 : -1;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void add(struct tk_event event) {
    *tk_batch_slot(&stream.batch) = event;
    tk_batch_add(&stream.batch);
}

static void deferred_events_own_their_texts(void **state) {
    (void)state;
    char text[] = "first", value_text[] = "value";
    uint8_t raw[] = { 1, 2, 3 };
    struct tk_value values[] = { { .name = "a", .text = value_text, .text_len = 5, .type = TK_VALUE_TEXT },
                                 { .name = "b", .number.u = 7, .type = TK_VALUE_UINT } };
    add((struct tk_event){ .kind = TK_EV_MARKER, .marker.marker = 1 });
    add((struct tk_event){ .kind = TK_EV_MARKER,
                           .marker.marker = 2,
                           .str = text,
                           .str_len = 5,
                           .raw = raw,
                           .raw_len = 3,
                           .values = values,
                           .value_count = 2 });
    assert_true(tk_event_stream_has_event(&stream));
    assert_int_equal(tk_event_stream_pop(&stream)->marker.marker, 1);
    for (int round = 0; round < 3; round++) {
        tk_event_stream_compact(&stream);
        memset(text, 'x', 5), memset(value_text, 'x', 5), memset(raw, 9, 3), memset(values, 0, sizeof values);
    }
    assert_int_equal(stream.batch.count, 1);
    const struct tk_event *event = tk_event_stream_pop(&stream);
    assert_int_equal(event->marker.marker, 2);
    assert_memory_equal(event->str, "first", 5);
    assert_memory_equal(event->raw, ((uint8_t[]){ 1, 2, 3 }), 3);
    assert_memory_equal(event->values[0].text, "value", 5);
    assert_int_equal(event->values[1].number.u, 7);
}

// The model knows them by their address.
static void static_texts_stay_where_they_are(void **state) {
    (void)state;
    const char *text = "taken";
    add((struct tk_event){ .kind = TK_EV_SEMAPHORE_COUNT, .str = text, .str_len = 5 });
    tk_event_stream_compact(&stream);
    assert_ptr_equal(tk_event_stream_first(&stream)->str, text);
}

static void a_full_batch_still_takes_the_rest_of_a_frame(void **state) {
    (void)state;
    for (uint32_t i = 0; i < TK_BATCH_LEN; i++) {
        assert_false(tk_batch_is_full(&stream.batch));
        add((struct tk_event){ .kind = TK_EV_MARKER, .marker.marker = i });
    }
    assert_true(tk_batch_is_full(&stream.batch));
    for (uint32_t i = TK_BATCH_LEN; i < 3000; i++) add((struct tk_event){ .kind = TK_EV_MARKER, .marker.marker = i });
    for (uint32_t i = 0; i < 3000; i++) {
        assert_true(tk_event_stream_has_event(&stream));
        assert_int_equal(tk_event_stream_pop(&stream)->marker.marker, i);
    }
    assert_false(tk_event_stream_has_event(&stream));
}

static void borrowed_memory_fills_a_batch(void **state) {
    (void)state;
    assert_non_null(tk_arena_copy(&stream.batch.memory, "text", 4));
    assert_false(tk_batch_is_full(&stream.batch));
    assert_non_null(tk_arena_reserve(&stream.batch.memory, TK_BATCH_MEMORY));
    tk_arena_commit(&stream.batch.memory, TK_BATCH_MEMORY);
    assert_true(tk_batch_is_full(&stream.batch));
    tk_event_stream_compact(&stream);
    assert_false(tk_batch_is_full(&stream.batch));
}

static void without_memory_no_buffer_overflows(void **state) {
    (void)state;
    uint32_t room = stream.batch.capacity;
    char text[] = "text";
    heap.fail_from = 1;
    for (uint32_t i = 0; i < room + 9; i++) add((struct tk_event){ .str = text, .str_len = 4 });
    assert_true(alloc.failed);
    assert_int_equal(stream.batch.count, room);
    tk_event_stream_compact(&stream);
    assert_int_equal(tk_event_stream_first(&stream)->str_len, 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(deferred_events_own_their_texts),
        CASE(static_texts_stay_where_they_are),
        CASE(a_full_batch_still_takes_the_rest_of_a_frame),
        CASE(borrowed_memory_fills_a_batch),
        CASE(without_memory_no_buffer_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
