/* SPDX-License-Identifier: MIT */
/* The emulated board mps2-an385: Cortex-M3 at 25 MHz. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* CMSDK timer 1, which counts down at 25 MHz from the first instruction on. Inverted, it counts up from 31 bits. */
#define TIMER_CONTROL (*(volatile uint32_t *)0x40001000u)
#define TIMER_VALUE (*(volatile uint32_t *)0x40001004u)
#define TIMER_RELOAD (*(volatile uint32_t *)0x40001008u)

enum { NS_PER_TICK = 40 };

static inline void board_start_timer(void) {
    TIMER_RELOAD = 0xFFFFFFFFu;
    TIMER_VALUE = 0x8FFFFFFFu;
    TIMER_CONTROL = 1;
}

static inline uint32_t board_time(void) { return ~TIMER_VALUE; }

void board_write(const char *text); /* to UART 0 */
void board_write_number(uint32_t number);
void board_write_byte(uint8_t byte);
void board_exit(void);
void board_systick(void); /* the program's handler; without one SysTick is a fault */

#endif
