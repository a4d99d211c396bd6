/* SPDX-License-Identifier: MIT */
/* Every event that an application records, with values that use every width, to standard output. The clock is the
 * program's own. */
#include <stdio.h>

#include "tband.h"

uint64_t now = 1;

static void write_all(const volatile uint8_t *bytes, size_t len) {
    while (len--) putchar(*bytes++);
}

static void write_recording(void) {
#if tband_configUSE_BACKEND_POST_MORTEM == 1
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        write_all(bytes, len);
    }
#elif tband_configUSE_BACKEND_SNAPSHOT == 1
    write_all(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
    write_all(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
#elif tband_configUSE_BACKEND_STREAMING == 1
    const uint8_t *bytes;
    for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len)) write_all(bytes, len);
#endif
}

#if tband_configUSE_BACKEND_EXTERNAL == 1
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
    (void)is_metadata;
    write_all(buf, len);
    return false;
}
#define tband_start() 0
#define tband_stop() 0
#elif tband_configUSE_BACKEND_POST_MORTEM == 1
#define tband_start tband_start_post_mortem
#define tband_stop tband_stop_post_mortem
#elif tband_configUSE_BACKEND_SNAPSHOT == 1
#define tband_start tband_trigger_snapshot
#define tband_stop tband_stop_snapshot
#else
#define tband_start tband_start_streaming
#define tband_stop tband_stop_streaming
#endif

int main(void) {
    tband_isr_name(1, "tick");
    tband_evtmarker_name(2, "step of a long name that is cut");
    tband_valmarker_name(3, "");
    if (tband_start()) return 1;
    for (unsigned shift = 0; shift < 64; shift++, now += UINT64_C(1) << (shift < 40 ? shift : 40)) {
        uint32_t id = UINT32_C(1) << shift % 32;
        tband_isr_enter(id);
        tband_evtmarker_begin(2, shift % 3 ? "text" : NULL);
        tband_valmarker(3, (int64_t)(UINT64_C(1) << shift));
        tband_valmarker(3, -(int64_t)(UINT64_C(1) << shift % 63));
        tband_evtmarker_end(2);
        tband_isr_exit(id);
    }
    if (tband_stop()) return 1;
    write_recording();
    return 0;
}
