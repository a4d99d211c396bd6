/* SPDX-License-Identifier: MIT */
#include "board.h"

struct uart {
    volatile uint32_t data, state, control, interrupts, baud_divider;
};
static struct uart *const serial = (struct uart *)0x40004000u;
static struct uart *const notes = (struct uart *)0x40005000u;

extern uint32_t stack_end[], data_from[], data_begin[], data_end[], bss_begin[], bss_end[];
int main(void);

static void start_uart(struct uart *uart) {
    uart->baud_divider = 16;
    uart->control = 1;
}

static void write_text(struct uart *uart, const char *text) {
    while (*text) uart->data = (uint8_t)*text++;
}

static void write_number(struct uart *uart, uint32_t number) {
    if (number >= 10) write_number(uart, number / 10);
    uart->data = '0' + number % 10;
}

void board_write_byte(uint8_t byte) { serial->data = byte; }
void board_write(const char *text) { write_text(serial, text); }
void board_write_number(uint32_t number) { write_number(serial, number); }
void board_note(const char *text) { write_text(notes, text); }
void board_note_number(uint32_t number) { write_number(notes, number); }

uintptr_t board_semihost(uintptr_t operation, const void *arguments) {
    register uintptr_t result __asm__("r0") = operation;
    register const void *at __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xab" : "+r"(result) : "r"(at) : "memory");
    return result;
}

void board_exit(void) {
    board_semihost(0x18, (const void *)0x20026); /* SYS_EXIT, ADP_Stopped_ApplicationExit */
    for (;;) {}
}

void board_save(const char *path, const void *bytes, uint32_t len) {
    enum { SYS_OPEN = 1, SYS_CLOSE = 2, SYS_WRITE = 5, MODE_WB = 5 };
    uintptr_t path_len = 0;
    while (path[path_len]) path_len++;
    const uintptr_t open[] = { (uintptr_t)path, MODE_WB, path_len };
    uintptr_t file = board_semihost(SYS_OPEN, open);
    const uintptr_t write[] = { file, (uintptr_t)bytes, len };
    board_semihost(SYS_WRITE, write);
    board_semihost(SYS_CLOSE, &file);
}

static void reset(void) {
    uint32_t *from = data_from;
    for (uint32_t *to = data_begin; to < data_end;) *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;) *to++ = 0;
    start_uart(serial);
    start_uart(notes);
    board_start_timer();
    main();
    board_exit();
}

static void fault(void) {
    board_write("fault\n");
    board_exit();
}

__attribute__((weak)) void board_hardfault(void) { fault(); }
__attribute__((weak)) void board_svcall(void) { fault(); }
__attribute__((weak)) void board_pendsv(void) { fault(); }
__attribute__((weak)) void board_systick(void) { fault(); }
__attribute__((weak)) void board_uart0_sent(void) { fault(); }
__attribute__((weak)) void board_timer0(void) { fault(); }

/* Exceptions, then interrupts: interrupt 1 means that UART 0 has sent a byte, interrupt 8 is timer 0. */
__attribute__((section(".vectors"), used)) static void *const vectors[25] = {
    stack_end,
    (void *)reset,
    (void *)fault,
    (void *)board_hardfault,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    [11] = (void *)board_svcall,
    [14] = (void *)board_pendsv,
    [15] = (void *)board_systick,
    [17] = (void *)board_uart0_sent,
    [24] = (void *)board_timer0,
};
