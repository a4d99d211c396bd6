// SPDX-License-Identifier: MIT
//
// The port for POSIX: threads of one program record together, each event whole, times never fall.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "formats/tonbandgeraet/decode.h"
#include "tband.h"

enum { THREADS = 4, EVENTS = 5000 };

static void *run_thread(void *argument) {
    uint32_t id = *(const uint32_t *)argument;
    for (int64_t i = 0; i < EVENTS; i++) tband_valmarker(id, i);
    return NULL;
}

static void threads_record_together(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    uint32_t ids[THREADS];
    int64_t next[THREADS] = { 0 };
    assert_int_equal(tband_trigger_snapshot(), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        ids[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &ids[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(tband_stop_snapshot(), 0);
    const uint8_t *at = (const uint8_t *)tband_get_core_snapshot_buf(0),
                  *end = at + tband_get_core_snapshot_buf_amnt(0);
    uint64_t time = 0;
    while (at < end) {
        const uint8_t *zero = memchr(at, 0, (size_t)(end - at));
        uint8_t scratch[64 + TB_SCRATCH_MORE], event_id;
        struct tk_event event = { 0 };
        assert_non_null(zero);
        assert_int_equal(tb_decode_piece(at, (size_t)(zero - at), 0, scratch, &event, &event_id), TB_OK);
        assert_true(event.value_sample.value < THREADS &&
                    event.value_sample.number == next[event.value_sample.value]++);
        assert_true(event.ticks >= time);
        time = event.ticks;
        at = zero + 1;
    }
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(next[i], EVENTS);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(threads_record_together) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
