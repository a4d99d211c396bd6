/* SPDX-License-Identifier: MIT */
#include "board.h"

#define UART_DATA (*(volatile uint32_t *)0x40004000u)
#define UART_CONTROL (*(volatile uint32_t *)0x40004008u)
#define UART_BAUD_DIVIDER (*(volatile uint32_t *)0x40004010u)

extern uint32_t stack_end[], data_from[], data_begin[], data_end[], bss_begin[], bss_end[];
int main(void);

void board_write_byte(uint8_t byte) { UART_DATA = byte; }

void board_write(const char *text) {
    while (*text) board_write_byte((uint8_t)*text++);
}

void board_write_number(uint32_t number) {
    if (number >= 10) board_write_number(number / 10);
    board_write_byte((uint8_t)('0' + number % 10));
}

/* Semihosting: SYS_EXIT, ADP_Stopped_ApplicationExit. */
void board_exit(void) {
    register uint32_t operation __asm__("r0") = 0x18;
    register uint32_t reason __asm__("r1") = 0x20026;
    __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(reason) : "memory");
    for (;;) {}
}

static void reset(void) {
    uint32_t *from = data_from;
    for (uint32_t *to = data_begin; to < data_end;) *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;) *to++ = 0;
    UART_BAUD_DIVIDER = 16;
    UART_CONTROL = 1;
    board_start_timer();
    main();
    board_exit();
}

static void fault(void) {
    board_write("fault\n");
    board_exit();
}

__attribute__((weak)) void board_systick(void) { fault(); }

__attribute__((section(".vectors"), used)) static void *const vectors[16] = { stack_end, (void *)reset, (void *)fault, (void *)fault, [15] = (void *)board_systick };
