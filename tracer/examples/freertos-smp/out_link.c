/* SPDX-License-Identifier: MIT */
/* Sends the streams of both cores over UART 0 while the program runs, in chunks that name their core. */
#include "board.h"
#include "out.h"
#include "tband_link.h"

static struct tband_link link;

void out_begin(void) { tband_start_streaming(); }

void out_go_on(void) {
    const uint8_t *bytes;
    for (size_t len; (len = tband_link_peek(&link, &bytes)) != 0; tband_link_consume(&link, len))
        for (size_t i = 0; i < len; i++) board_write_byte(0, bytes[i]);
}

void out_end(void) {
    tband_stop_streaming();
    do out_go_on();
    while (!tband_tracing_finished());
}
