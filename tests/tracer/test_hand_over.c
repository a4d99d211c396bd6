// SPDX-License-Identifier: MIT
//
// Streaming straight into a port that refuses frames at random: what the stream says was lost is what was lost.
#include "target.h"

static uint8_t bytes[1 << 20];
static size_t len;
static unsigned refuse_one_in; // 0: none

bool test_take(const uint8_t *frames, size_t frames_len) {
    assert_true(is_masked);
    if (refuse_one_in && random64() % refuse_one_in == 0) return true;
    memcpy(bytes + len, frames, frames_len);
    len += frames_len;
    return false;
}

static struct sample number(uint8_t id, uint64_t time, uint32_t value) {
    return (struct sample){ .event_id = id, .fields = "TI", .timed = true, .time = time, .id = value };
}

static void begins_with_names(void **state) {
    (void)state;
    tband_evtmarker_name(9, "heater");
    now = 50;
    assert_int_equal(tband_start_streaming(), 0);
    assert_int_equal(tband_start_streaming(), -1);
    struct sample expected[] = { number(0x00, 0, 0),
                                 { .event_id = 0x06, .fields = "IS", .id = 9, .text = "heater" },
                                 { .event_id = 0x02, .fields = "R", .value = 40 },
                                 number(0x00, 0, 0),
                                 number(0x01, 50, 0) };
    size_t at = 0;
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        size_t frame = frame_len(bytes + at, len - at);
        assert_frame(bytes + at, frame, &expected[i]);
        at += frame;
    }
    assert_int_equal(at, len);
}

static uint32_t count_in(size_t at, size_t frame) {
    uint8_t scratch[64 + TB_SCRATCH_MORE], id;
    struct tk_event event = { 0 };
    assert_int_equal(tb_decode_piece(bytes + at, frame - 1, 0, scratch, &event, &id), TB_OK);
    return id == 0x01 ? event.drop_count.count : UINT32_MAX;
}

static void losses_are_told_exactly(void **state) {
    (void)state;
    len = 0;
    refuse_one_in = 5;
    for (unsigned i = 0; i < 5000; i++) tband_isr_enter(i);
    refuse_one_in = 0;
    assert_int_equal(tband_stop_streaming(), 0);
    assert_int_equal(tband_stop_streaming(), -1);
    uint32_t next = 0, lost = 0, count;
    for (size_t at = 0, frame; at < len; at += frame) {
        frame = frame_len(bytes + at, len - at);
        if ((count = count_in(at, frame)) != UINT32_MAX) {
            next += count - lost;
            lost = count;
        } else {
            struct sample event = number(0x04, now, next++);
            assert_frame(bytes + at, frame, &event);
        }
    }
    assert_int_equal(next, 5000);
    assert_int_equal(lost, tband_get_dropped());
    assert_true(lost > 500);
}

static void a_port_that_refuses_names_is_not_started(void **state) {
    (void)state;
    refuse_one_in = 1;
    assert_int_equal(tband_start_streaming(), -2);
    assert_false(tband_tracing_enabled());
    assert_int_equal(tband_restart_streaming(), -2);
    refuse_one_in = 0;
    len = 0;
    uint32_t lost = tband_get_dropped();
    assert_int_equal(tband_restart_streaming(), 0);
    struct sample count = number(0x01, now, lost);
    assert_frame(bytes, len, &count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_names),
        cmocka_unit_test(losses_are_told_exactly),
        cmocka_unit_test(a_port_that_refuses_names_is_not_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
