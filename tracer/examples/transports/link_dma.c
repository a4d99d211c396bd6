/* SPDX-License-Identifier: MIT */
/* A UART with DMA: a transfer sends one contiguous range of the ring. examples/stm32f4 does it with the registers of
 * a real one. */
#include "link.h"
#include "sender.h"
#include "tband_transfer.h"

size_t tband_transfer_begin(const uint8_t *bytes, size_t len) {
    sender_begin(bytes, len);
    return len;
}

void sender_done(void) { tband_transfer_done(); }
void link_start(void) { sender_start(); }
void link_pump(void) { tband_transfer_pump(); }
