/* SPDX-License-Identifier: MIT */
#include "board.h"

/* Names as in the nRF51 Series Reference Manual. */
#define UART_STARTTX REGISTER(0x40002008u)
#define UART_TXDRDY REGISTER(0x4000211Cu)
#define UART_ENABLE REGISTER(0x40002500u)
#define UART_PSELTXD REGISTER(0x4000250Cu)
#define UART_TXD REGISTER(0x4000251Cu)
#define UART_BAUDRATE REGISTER(0x40002524u)
#define TIMER0_START REGISTER(0x40008000u)
#define TIMER0_BITMODE REGISTER(0x40008508u)
#define TIMER0_PRESCALER REGISTER(0x40008510u)

extern uint32_t stack_end[], data_from[], data_begin[], data_end[], bss_begin[], bss_end[];
int main(void);

static void start_timer(void) {
    TIMER0_BITMODE = 3;
    TIMER0_PRESCALER = 4; /* 16 MHz / 2^4 */
    TIMER0_START = 1;
}

static void start_uart(void) {
    UART_PSELTXD = 24;
    UART_BAUDRATE = 0x10000000u; /* 1 Mbaud */
    UART_ENABLE = 4;
    UART_STARTTX = 1;
}

void board_write(const uint8_t *bytes, size_t len) {
    while (len--) {
        UART_TXDRDY = 0;
        UART_TXD = *bytes++;
        while (!UART_TXDRDY) {}
    }
}

void board_stop(uint32_t line) {
    (void)line; /* for a debugger */
    for (;;) {}
}

static void reset(void) {
    uint32_t *from = data_from;
    for (uint32_t *to = data_begin; to < data_end;) *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;) *to++ = 0;
    start_timer();
    start_uart();
    main();
    board_stop(__LINE__);
}

static void fault(void) { board_stop(__LINE__); }

__attribute__((section(".vectors"), used)) static void *const vectors[48] = {
    stack_end,
    (void *)reset,
    (void *)fault,
    (void *)fault,
    [11] = (void *)SVC_Handler,
    [14] = (void *)PendSV_Handler,
    [15] = (void *)SysTick_Handler,
};
