// SPDX-License-Identifier: MIT
//
// Before the first name and the first start, the recorder's RAM has any content if the start-up code does not clear it:
// the recorder must not use it.
#include "target.h"

#include "../../tracer/src/tband_control.h"

#ifdef TEST_BACKEND_SNAPSHOT
static int start(void) { return tband_trigger_snapshot(); }
static size_t recorded(void) { return tband_get_core_snapshot_buf_amnt(0); }
#else
static int start(void) { return tband_start_streaming(); }
static size_t recorded(void) {
    const uint8_t *bytes;
    return tband_stream_peek(0, &bytes);
}
#endif

static void ram_with_any_content_contains_no_recording(void **state) {
    (void)state;
    for (unsigned round = 0; round < 1000; round++) {
        uint8_t *bytes = (uint8_t *)&tband_control;
        for (size_t i = 0; i < sizeof tband_control; i++) bytes[i] = (uint8_t)random64();
        assert_int_equal(recorded(), 0);
        assert_int_equal(tband_get_dropped(), 0);
        assert_int_equal(tband_get_metadata_buf_amnt(0), 0);
        assert_int_equal(tband_get_metadata_lost(0), 0);
        assert_false(tband_tracing_enabled());
        assert_true(tband_tracing_finished());
    }
}

static void the_start_begins_empty(void **state) {
    (void)state;
    tband_isr_enter(1); // discarded
    assert_int_equal(start(), 0);
    assert_int_equal(tband_get_dropped(), 0);
    assert_in_range(tband_get_metadata_buf_amnt(0), 1, 12); // the length of a tick
    assert_memory_equal(tband_control.header.magic, "Tonkopf Ring", 12);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(ram_with_any_content_contains_no_recording),
                                        cmocka_unit_test(the_start_begins_empty) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
