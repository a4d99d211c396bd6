/* SPDX-License-Identifier: MIT */
/* The emulated board mps2-an521: two Cortex-M33 at 20 MHz, everything in the secure state. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* CMSDK timer 1 counts down at 20 MHz and is shared by both cores. Inverted, it counts up from 28 bits. */
#define TIMER_CONTROL (*(volatile uint32_t *)0x50001000u)
#define TIMER_VALUE (*(volatile uint32_t *)0x50001004u)
#define TIMER_RELOAD (*(volatile uint32_t *)0x50001008u)

#define CORES 2
enum { NS_PER_TICK = 50 };

static inline void board_start_timer(void) {
    TIMER_RELOAD = 0xFFFFFFFFu;
    TIMER_VALUE = 0xEFFFFFFFu;
    TIMER_CONTROL = 1;
}

static inline uint32_t board_time(void) { return ~TIMER_VALUE; }
static inline uint32_t board_core(void) { return *(volatile uint32_t *)0x5001F000u; }

/* The message unit, with which a core interrupts the other one. */
static inline void board_signal(uint32_t core) { *(volatile uint32_t *)(0x50003004u + 0x10 * core) = 1; }
static inline void board_signal_done(uint32_t core) { *(volatile uint32_t *)(0x50003008u + 0x10 * core) = 1; }

enum { SIGNAL_INTERRUPT = 6 };

void board_start_core_1(void); /* calls board_on_core_1() with interrupts masked */
void board_on_core_1(void);
void board_write_byte(unsigned uart, uint8_t byte); /* 0 or 1: the recordings of the cores; 2: what else there is to say
                                                     */
void board_note(const char *text);
void board_note_number(uint32_t number);
void board_exit(void);

/* Handlers of the kernel. */
void board_pendsv(void);
void board_systick(void);
void board_signalled(void);

#endif
