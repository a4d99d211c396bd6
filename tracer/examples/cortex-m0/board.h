/* SPDX-License-Identifier: MIT */
/* The emulated micro:bit: an nRF51822, Cortex-M0 at 16 MHz. The real chip has no SysTick; the kernel's tick must
 * come from a timer there. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* Timer 0: 32 bits, 1 MHz. The Cortex-M0 has no cycle counter, and a cycle of 16 MHz is not a whole number of
 * nanoseconds. The timer is read in two steps; an interrupt between them makes the result later. */
#define NS_PER_TICK 1000
static inline uint32_t board_time(void) {
    REGISTER(0x40008040u) = 1;
    return REGISTER(0x40008540u);
}

void board_write(const uint8_t *bytes, size_t len); /* writes to the UART and waits until the bytes are sent */
void board_stop(uint32_t line);                     /* 0: success; otherwise the number of the failed check */

/* Handlers of the kernel, with their CMSIS names. */
void SVC_Handler(void);
void PendSV_Handler(void);
void SysTick_Handler(void);

#endif
