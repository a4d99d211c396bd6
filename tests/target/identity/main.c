/* SPDX-License-Identifier: MIT */
/* Two runs with the identity of the build and the number of the run. UART 0: the recordings, or only their names. */
#include "board.h"
#include "tband.h"

enum { STEP = 1 };

static void write_bytes(const volatile uint8_t *bytes, size_t len) {
    while (len--) board_write_byte(*bytes++);
}

int main(void) {
    tband_evtmarker_name(STEP, IMAGE_NAME);
    tband_start_post_mortem();
    for (uint32_t i = 0; i < 20; i++) tband_evtmarker(STEP, "");
    tband_stop_post_mortem();
    write_bytes(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
#ifndef IMAGE_NAMES
    for (unsigned piece = 1; piece < 3; piece++) {
        size_t len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        write_bytes(bytes, len);
    }
#endif
    if (tband_next_run() == 1) *(volatile uint32_t *)0xE000ED0Cu = 0x05FA0004u; /* AIRCR.SYSRESETREQ */
    return 0;
}
