/* SPDX-License-Identifier: MIT */
/* The emulated boards mps2-an385 (Cortex-M3) and mps2-an386 (Cortex-M4F), at 25 MHz. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* CMSDK timer 1 counts down at 25 MHz from reset. Inverted, it counts up from 31 bits. */
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

void board_write(const char *text); /* writes to UART 0 */
void board_write_number(uint32_t number);
void board_write_byte(uint8_t byte);
void board_note(const char *text); /* writes to UART 1 */
void board_note_number(uint32_t number);
void board_exit(void);
uintptr_t board_semihost(uintptr_t operation, const void *arguments); /* ARM semihosting: the emulator, or a debugger,
                                                                         does it for the program */
void board_save(const char *path, const void *bytes, uint32_t len);   /* writes to a file of the host */

/* Timer 0 interrupts every `ticks` of 40 ns. Its handler must call board_timer0_done() first. */
#define TIMER0_CONTROL (*(volatile uint32_t *)0x40000000u)
#define TIMER0_RELOAD (*(volatile uint32_t *)0x40000008u)
#define TIMER0_CLEAR (*(volatile uint32_t *)0x4000000Cu)
#define INTERRUPTS_ENABLE (*(volatile uint32_t *)0xE000E100u)
#define INTERRUPT_PRIORITIES ((volatile uint8_t *)0xE000E400u)

enum { TIMER0_INTERRUPT = 8 };

static inline void board_start_timer0(uint32_t ticks, uint8_t priority) {
    INTERRUPT_PRIORITIES[TIMER0_INTERRUPT] = priority;
    INTERRUPTS_ENABLE = 1u << TIMER0_INTERRUPT;
    TIMER0_RELOAD = ticks - 1;
    TIMER0_CONTROL = 9;
}

static inline void board_timer0_done(void) { TIMER0_CLEAR = 1; }

/* UART 0 interrupts when it has sent a byte. The handler must call board_uart0_sent_done() first. */
#define UART0_CONTROL (*(volatile uint32_t *)0x40004008u)
#define UART0_INTERRUPTS (*(volatile uint32_t *)0x4000400Cu)

enum { UART0_SENT_INTERRUPT = 1 };

static inline void board_start_uart0_interrupt(void) {
    UART0_CONTROL = 5;
    INTERRUPTS_ENABLE = 1u << UART0_SENT_INTERRUPT;
}

static inline void board_uart0_sent_done(void) { UART0_INTERRUPTS = 1; }

/* Handlers of the program; an exception without a handler stops with a fault. */
void board_hardfault(void);
void board_svcall(void);
void board_pendsv(void);
void board_systick(void);
void board_uart0_sent(void);
void board_timer0(void);

#endif
