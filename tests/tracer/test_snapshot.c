// SPDX-License-Identifier: MIT
//
// The buffer that is filled once: whole frames, and an end when it is full.
#include "target.h"

static void fills_once_and_stops(void **state) {
    (void)state;
    const struct sample event = { .event_id = 0x04, .fields = "TI", .timed = true, .time = 1000, .id = 0 };
    now = 1000;
    assert_int_equal(tband_stop_snapshot(), -1);
    assert_int_equal(tband_trigger_snapshot(), 0);
    assert_int_equal(tband_trigger_snapshot(), -1);
    assert_int_equal(tband_reset_snapshot(), -1);
    unsigned sent = 0;
    for (; tband_tracing_enabled() && sent < 1000; sent++) {
        assert_int_equal(tband_get_core_snapshot_buf_amnt(0), 0);
        tband_isr_enter(0);
    }
    assert_int_equal(times_full, 1);
    assert_true(tband_tracing_finished());
    tband_isr_enter(0);
    const uint8_t *bytes = (const uint8_t *)tband_get_core_snapshot_buf(0);
    size_t len = tband_get_core_snapshot_buf_amnt(0), frame = least_len(&event);
    assert_int_equal(len, sent * frame);
    assert_true(len <= tband_configBACKEND_SNAPSHOT_BUF_SIZE &&
                len > tband_configBACKEND_SNAPSHOT_BUF_SIZE - TBAND_LONGEST_FRAME);
    for (size_t at = 0; at < len; at += frame) assert_frame(bytes + at, frame, &event);
}

static void a_full_one_stays_until_reset(void **state) {
    (void)state;
    size_t len = tband_get_core_snapshot_buf_amnt(0);
    assert_int_equal(tband_trigger_snapshot(), 0);
    tband_isr_enter(0);
    assert_false(tband_tracing_enabled());
    assert_int_equal(tband_get_core_snapshot_buf_amnt(0), len);
    assert_int_equal(tband_reset_snapshot(), 0);
    assert_int_equal(tband_get_core_snapshot_buf_amnt(0), 0);
    assert_int_equal(tband_trigger_snapshot(), 0);
    tband_isr_name(1, "in line");
    assert_int_equal(tband_stop_snapshot(), 0);
    struct sample name = { .event_id = 0x03, .fields = "IS", .id = 1, .text = "in line" };
    assert_frame((const uint8_t *)tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0), &name);
}

static void any_events_stay_within_the_buffer(void **state) {
    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        assert_int_equal(tband_reset_snapshot(), 0);
        assert_int_equal(tband_trigger_snapshot(), 0);
        while (tband_tracing_enabled()) {
            now = random_number(64);
            struct sample sample = random_event();
            record(&sample);
        }
        assert_true(tband_get_core_snapshot_buf_amnt(0) <= tband_configBACKEND_SNAPSHOT_BUF_SIZE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_once_and_stops),
        cmocka_unit_test(a_full_one_stays_until_reset),
        cmocka_unit_test(any_events_stay_within_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
