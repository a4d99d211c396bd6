/* SPDX-License-Identifier: MIT */
/*
 * STM32F405 and its relatives at 168 MHz from the internal oscillator, which is accurate to 1 %; for exact times use
 * the board's crystal. The emulator (netduinoplus2) ignores the clock settings: the processor runs at 168 MHz, the
 * timers at 1 GHz.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define CPU_HZ 168000000
#define USART_HZ 84000000
#ifdef EMULATED
#define TIMER_HZ 1000000000
#else
#define TIMER_HZ 84000000
#endif

/* The recording needs a tick of whole nanoseconds, and a cycle of 168 MHz is none. Timer 2 counts 32 bits up at 4
 * MHz.
 * */
#define NS_PER_TICK 250
static inline uint32_t board_time(void) { return REGISTER(0x40000024u); }

/* USART 1 on PA9, 921600 baud. */
void board_write(const uint8_t *bytes, size_t len);       /* waits until the bytes are sent */
void board_begin_write(const uint8_t *bytes, size_t len); /* sends by DMA and returns at once; up to 65535 bytes */
void board_written(void); /* implemented by the application: called from the interrupt when the bytes are sent */

void board_stop(uint32_t line); /* 0: success; otherwise the number of the failed check */

/* Handlers of the kernel, with their CMSIS names. */
void SVC_Handler(void);
void PendSV_Handler(void);
void SysTick_Handler(void);

#endif
