/* SPDX-License-Identifier: MIT */
/*
 * A serial port over USB (CDC): a bulk endpoint sends packets of up to 64 bytes and interrupts when the host has taken
 * one. Sending starts when the host has opened the port. No packet has the full size: a host may defer full packets
 * until a shorter one arrives.
 */
#include "link.h"
#include "sender.h"
#include "tband_transfer.h"

enum { PACKET = 63 };

static volatile int is_open; /* set by the request SET_CONTROL_LINE_STATE with DTR */

size_t tband_transfer_begin(const uint8_t *bytes, size_t len) {
    if (!is_open) return 0;
    if (len > PACKET) len = PACKET;
    sender_begin(bytes, len);
    return len;
}

void sender_done(void) { tband_transfer_done(); }

void link_start(void) {
    sender_start();
    is_open = 1;
}

void link_pump(void) { tband_transfer_pump(); }
