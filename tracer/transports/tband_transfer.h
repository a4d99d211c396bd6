/* SPDX-License-Identifier: MIT */
/*
 * A stream over a link that sends by itself and interrupts when it is done: a UART with DMA, a USB endpoint. The
 * recorder never waits and copies nothing.
 *
 *   size_t tband_transfer_begin(const uint8_t *bytes, size_t len) { ...start the link...; return len; }    yours
 *   void DMA_IRQHandler(void) { ...; tband_transfer_done(); }                                              yours
 *   tband_transfer_pump();        again and again: idle hook, tick hook or main loop
 *
 * Compile tband_transfer.c; back end STREAMING, one core. Context: any. Cost: about twenty instructions and those of
 * your function, masked.
 */
#ifndef TBAND_TRANSFER_H
#define TBAND_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "tband.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Implemented by the application: starts sending and returns how many of the bytes it sends. They stay valid until
 * tband_transfer_done(). 0: the link is not ready, and the next pump tries again. Called with interrupts masked;
 * must not call tband_transfer_done() itself. `len` is above 0. */
size_t tband_transfer_begin(const uint8_t *bytes, size_t len);

#if tband_configENABLE == 1

/* Everything that tband_transfer_begin() accepted was sent. Starts the next transfer if bytes are available. */
void tband_transfer_done(void);

/* Starts a transfer unless one is in progress. */
void tband_transfer_pump(void);

#else

static inline void tband_transfer_done(void) {}
static inline void tband_transfer_pump(void) {}

#endif

#ifdef __cplusplus
}
#endif

#endif
