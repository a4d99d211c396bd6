// SPDX-License-Identifier: MIT
//
// RTT with several cores: a channel each, which is the ring of that core.
#include "tband_rtt.h"
#include "target.h"

extern struct {
    char id[16];
    uint32_t up, down;
    struct {
        const char *name;
        const uint8_t *buffer;
        uint32_t size;
        volatile uint32_t written, read;
        uint32_t flags;
    } channel[TEST_CORES];
} _SEGGER_RTT;

static void each_core_has_a_channel(void **state) {
    (void)state;
    assert_int_equal(tband_start_streaming(), 0);
    tband_rtt_start();
    assert_int_equal(_SEGGER_RTT.up, TEST_CORES);
    for (this_core = 0; this_core < TEST_CORES; this_core++)
        for (unsigned i = 0; i <= this_core; i++) tband_isr_enter(i);
    tband_rtt_pump();
    for (unsigned core = 0; core < TEST_CORES; core++) {
        const uint8_t *bytes;
        size_t len = tband_stream_peek(core, &bytes);
        assert_true(len > 0);
        assert_ptr_equal(_SEGGER_RTT.channel[core].buffer, bytes);
        assert_int_equal(_SEGGER_RTT.channel[core].written, len);
        _SEGGER_RTT.channel[core].read = (uint32_t)len; // as the debugger does
    }
    tband_rtt_pump();
    for (unsigned core = 0; core < TEST_CORES; core++) {
        const uint8_t *bytes;
        assert_int_equal(tband_stream_peek(core, &bytes), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_core_has_a_channel) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
