// SPDX-License-Identifier: MIT
//
// Streaming through a ring with a consumer that is sometimes too slow: the losses in the stream are the real ones.
#include "stream.h"

static struct sample events[MOST_EVENTS];
static uint8_t bytes[MOST_BYTES];
static struct stream stream = { events, 0, bytes, 0 };

static void receive_all(void) {
    for (int half = 0; half < 2; half++) receive(&stream, 0, SIZE_MAX);
}

static void begins_with_names_and_a_count(void **state) {
    (void)state;
    assert_int_equal(tband_stop_streaming(), -1);
    tband_isr_name(3, "pump");
    assert_int_equal(tband_start_streaming(), 0);
    assert_int_equal(tband_start_streaming(), -1);
    receive_all();
    struct sample name = { .event_id = 0x03, .fields = "IS", .id = 3, .text = "pump" };
    struct sample resolution = { .event_id = 0x02, .fields = "R", .value = 40 };
    struct sample count = { .event_id = 0x01, .fields = "TI", .timed = true, .time = now, .id = 0 };
    const struct sample *expected[] = { &name, &resolution, &count };
    size_t at = 0;
    for (unsigned i = 0; i < 3; i++) {
        size_t len = frame_len(bytes + at, stream.len - at);
        assert_frame(bytes + at, len, expected[i]);
        at += len;
    }
    assert_int_equal(at, stream.len);
    assert_false(tband_tracing_finished());
    assert_int_equal(tband_stop_streaming(), 0);
    assert_false(tband_tracing_finished()); // the last count has not been sent
    receive_all();
    assert_true(tband_tracing_finished());
}

// pace: bytes received per event, on average.
static uint32_t stream_at(unsigned pace) {
    uint32_t before = tband_get_dropped();
    stream.event_count = 0;
    stream.len = 0;
    assert_int_equal(tband_restart_streaming(), 0);
    for (unsigned i = 0; i < 3000; i++) {
        stream_event(&stream);
        receive(&stream, 0, random64() % (2 * pace + 1));
    }
    assert_int_equal(tband_stop_streaming(), 0);
    receive_all();
    assert_true(tband_tracing_finished());
    uint32_t lost = tband_get_dropped() - before;
    assert_int_equal(assert_stream(&stream), lost);
    return lost;
}

static void losses_are_reported_exactly(void **state) {
    (void)state;
    assert_int_equal(stream_at(1000), 0);
    for (unsigned pace = 1; pace < 30; pace++) stream_at(pace);
    assert_true(stream_at(3) > 1000);
}

static bool holds(const struct sample *expected) {
    for (size_t at = 0, len; at < stream.len; at += len) {
        len = frame_len(bytes + at, stream.len - at);
        if (is_frame_of(bytes + at, len, expected)) return true;
    }
    return false;
}

static void a_name_waits_for_room(void **state) {
    (void)state;
    struct sample name = { .event_id = 0x03, .fields = "IS", .id = 9, .text = "x" };
    uint32_t before = tband_get_dropped(), kept = (uint32_t)tband_get_metadata_buf_amnt(0);
    assert_int_equal(tband_restart_streaming(), 0);
    while (tband_get_dropped() == before) tband_isr_enter(9);
    tband_isr_name(9, "x");
    assert_int_equal(tband_get_metadata_buf_amnt(0), kept + 5);
    assert_int_equal(tband_get_dropped(), before + 1);
    stream.len = 0;
    receive_all();
    assert_false(holds(&name));
    tband_isr_exit(9);
    assert_int_equal(tband_stop_streaming(), 0);
    receive_all();
    assert_true(holds(&name));
    assert_int_equal(tband_get_dropped(), before + 1);
}

static void a_full_ring_refuses_to_start(void **state) {
    (void)state;
    assert_int_equal(tband_restart_streaming(), 0);
    for (unsigned i = 0; i < 100; i++) tband_isr_enter(i);
    assert_int_equal(tband_stop_streaming(), 0);
    assert_int_equal(tband_start_streaming(), -2);
    assert_false(tband_tracing_enabled());
    receive_all();
    assert_int_equal(tband_start_streaming(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_names_and_a_count),
        cmocka_unit_test(a_name_waits_for_room),
        cmocka_unit_test(losses_are_reported_exactly),
        cmocka_unit_test(a_full_ring_refuses_to_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
