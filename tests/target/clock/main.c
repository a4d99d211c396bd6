/* SPDX-License-Identifier: MIT */
/* Records a marker at each second of an hour. The 32-bit counter wraps, at 480 MHz 402 times. */
#include "board.h"
#include "tband.h"

enum { SECOND = 1, SECONDS = 3600, UPDATES = 1000 };

uint32_t counter;

/* One second, with an update of the clock in each kernel tick of a millisecond. */
static void pass_second(void) {
    const uint32_t step = IMAGE_HZ / UPDATES, rest = IMAGE_HZ - step * UPDATES;
    for (uint32_t i = 0; i < UPDATES; i++) {
        counter += i ? step : step + rest;
        tband_clock_update(counter);
    }
}

int main(void) {
    size_t len;
    tband_evtmarker_name(SECOND, "second");
    tband_start_post_mortem();
    for (uint32_t i = 0; i <= SECONDS; i++) {
        if (i % 600 == 0) tband_evtmarker(SECOND, "");
        if (i < SECONDS) pass_second();
    }
    tband_stop_post_mortem();
    for (unsigned piece = 0; piece < 3; piece++) {
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        while (len--) board_write_byte(*bytes++);
    }
    return 0;
}
