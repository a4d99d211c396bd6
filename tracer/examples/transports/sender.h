/* SPDX-License-Identifier: MIT */
/* Simulates hardware that sends a block of memory and interrupts at its end. The emulated board has none, so its
 * UART sends byte by byte. */
#ifndef SENDER_H
#define SENDER_H

#include <stddef.h>
#include <stdint.h>

void sender_start(void);
void sender_begin(const uint8_t *bytes, size_t len);
void sender_done(void); /* called from the interrupt */

#endif
