/* SPDX-License-Identifier: MIT */
/* The emulated board `virt`: RV32 with the CLINT timer at 10 MHz and a 16550 UART. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

#define MTIMECMP 0x02004000u
#define MTIME 0x0200BFF8u

/* The lower half of mtime. */
#define NS_PER_TICK 100
static inline uint32_t board_time(void) { return *(volatile uint32_t *)MTIME; }

void board_write(const uint8_t *bytes, size_t len); /* writes to the UART */
void board_stop(uint32_t line); /* ends the emulator. 0: success; otherwise the number of the failed check */

#endif
