/* SPDX-License-Identifier: MIT */
#include "sender.h"

#include "../mps2/board.h"

static const uint8_t *next, *end;

void sender_start(void) { board_start_uart0_interrupt(); }

void sender_begin(const uint8_t *bytes, size_t len) {
    next = bytes;
    end = bytes + len;
    board_write_byte(*next++);
}

/* The UART has sent a byte. */
void board_uart0_sent(void) {
    board_uart0_sent_done();
    if (next < end) board_write_byte(*next++);
    else sender_done();
}
