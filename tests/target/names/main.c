/* SPDX-License-Identifier: MIT */
/* Names more markers than the buffer holds. Writes the recording; as IMAGE_DUMP, the control block as a debugger reads
 * it. */
#include "board.h"
#include "tband.h"

enum { MARKERS = 20 };

extern struct tband_control tband_control;

static void write_bytes(const uint8_t *bytes, size_t len) {
    while (len--) board_write_byte(*bytes++);
}

int main(void) {
    char name[] = "marker a";
    for (uint32_t i = 0; i < MARKERS; i++) {
        name[7] = (char)('a' + i);
        tband_evtmarker_name(1 + i, name);
    }
#ifdef IMAGE_STREAMING
    const uint8_t *bytes;
    size_t len;
    tband_start_streaming();
    for (uint32_t i = 0; i < MARKERS; i++) tband_evtmarker(1 + i, "");
    tband_stop_streaming();
    for (; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len)) write_bytes(bytes, len);
#else
    tband_start_post_mortem();
    for (uint32_t i = 0; i < MARKERS; i++) tband_evtmarker(1 + i, "");
    tband_stop_post_mortem();
#ifdef IMAGE_DUMP
    write_bytes((const uint8_t *)&tband_control, 32 + 40 + 100 + 33 + 8192 + 38 + 1);
#else
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        write_bytes(bytes, len);
    }
#endif
#endif
    board_note_number(tband_get_metadata_lost(0));
    return 0;
}
