// SPDX-License-Identifier: MIT
//
// Without a metadata buffer, each recording contains the names and facts that are recorded while it is active, and the
// length of a tick.
#include "target.h"

static uint8_t bytes[1 << 16];
static size_t len;

static void take(const uint8_t *from, size_t from_len) {
    memcpy(bytes + len, from, from_len);
    len += from_len;
}

#if defined(TEST_BACKEND_POST_MORTEM)
static int start(void) { return tband_start_post_mortem(); }
static int stop(void) { return tband_stop_post_mortem(); }
static void collect(void) {
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t piece_len;
        const uint8_t *from = tband_get_post_mortem_piece(0, piece, &piece_len);
        take(from, piece_len);
    }
}
#elif defined(TEST_BACKEND_SNAPSHOT)
static int start(void) {
    assert_int_equal(tband_reset_snapshot(), 0);
    return tband_trigger_snapshot();
}
static int stop(void) { return tband_stop_snapshot(); }
static void collect(void) {
    assert_int_equal(tband_get_metadata_buf_amnt(0), 0);
    take((const uint8_t *)tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
}
#else
static int start(void) { return tband_start_streaming(); }
static int stop(void) { return tband_stop_streaming(); }
#ifdef TEST_HAND_OVER
bool test_take(const uint8_t *frames, size_t frames_len) {
    take(frames, frames_len);
    return false;
}
static void collect(void) {}
#else
static void collect(void) {
    const uint8_t *from;
    for (size_t some; (some = tband_stream_peek(0, &from)) != 0; tband_stream_consume(0, some)) take(from, some);
}
#endif
#endif

static unsigned count_of(const struct sample *expected) {
    unsigned count = 0;
    for (size_t at = 0, frame; at < len; at += frame) {
        frame = frame_len(bytes + at, len - at);
        count += is_frame_of(bytes + at, frame, expected);
    }
    return count;
}

static void each_recording_contains_all_names_and_facts(void **state) {
    (void)state;
    const struct sample resolution = { .event_id = 0x02, .fields = "R", .value = 40 },
                        name = { .event_id = 0x03, .fields = "IS", .id = 3, .text = "pump" };
    tband_isr_name(3, "pump"); // not recording: discarded
    for (unsigned round = 0; round < 3; round++) {
        len = 0;
        now += 1000;
        assert_int_equal(start(), 0);
        tband_isr_name(3, "pump");
        tband_isr_enter(3);
        const struct sample event = { .event_id = 0x04, .fields = "TI", .timed = true, .time = now, .id = 3 };
        assert_int_equal(stop(), 0);
        collect();
        assert_int_equal(count_of(&resolution), 1);
        assert_int_equal(count_of(&name), 1);
        assert_int_equal(count_of(&event), 1);
    }
    assert_int_equal(tband_get_metadata_lost(0), 0);
    assert_int_equal(tband_get_dropped(), 0);
}

#if defined(TEST_BACKEND_STREAMING) && !defined(TEST_HAND_OVER)
static void each_name_finds_the_space_that_there_is(void **state) {
    enum { NAMES = 3000 }; // the ring begins again many times
    const struct sample name = { .event_id = 0x03, .fields = "IS", .id = 3, .text = "pump" };
    (void)state;
    len = 0;
    assert_int_equal(start(), 0);
    for (unsigned i = 0; i < NAMES; i++) {
        tband_isr_name(3, "pump");
        collect();
    }
    assert_int_equal(stop(), 0);
    collect();
    assert_int_equal(count_of(&name), NAMES);
    assert_int_equal(tband_get_dropped(), 0);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_recording_contains_all_names_and_facts),
#if defined(TEST_BACKEND_STREAMING) && !defined(TEST_HAND_OVER)
        cmocka_unit_test(each_name_finds_the_space_that_there_is),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
