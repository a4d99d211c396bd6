/* SPDX-License-Identifier: MIT */
/* The emulated micro:bit: a nRF51822, Cortex-M0 at 16 MHz. The real one has no SysTick: there the kernel's tick has to
 * come from a timer. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* Timer 0: 32 bits, 1 MHz. There is no counter of cycles, and a cycle of 16 MHz is no whole number of nanoseconds. Read
 * in two steps: an event between them makes the time a later one. */
#define NS_PER_TICK 1000
static inline uint32_t board_time(void) {
    REGISTER(0x40008040u) = 1;
    return REGISTER(0x40008540u);
}

void board_write(const uint8_t *bytes, size_t len); /* to the UART; waits until they are sent */
void board_stop(uint32_t line);                     /* 0: the program is done; else where it failed */

/* The handlers of the kernel, by their CMSIS names. */
void SVC_Handler(void);
void PendSV_Handler(void);
void SysTick_Handler(void);

#endif
