/* SPDX-License-Identifier: MIT */
#include "board.h"

struct uart {
    volatile uint32_t data, state, control, interrupts, baud_divider;
};

static struct uart *uart_of(unsigned number) { return (struct uart *)(0x50200000u + 0x1000 * number); }

extern uint32_t stack_end[], stack_end_1[], data_from[], data_begin[], data_end[], bss_begin[], bss_end[];
int main(void);

void board_write_byte(unsigned uart, uint8_t byte) { uart_of(uart)->data = byte; }

void board_note(const char *text) {
    while (*text) board_write_byte(CORES, (uint8_t)*text++);
}

void board_note_number(uint32_t number) {
    if (number >= 10) board_note_number(number / 10);
    board_write_byte(CORES, (uint8_t)('0' + number % 10));
}

/* Semihosting: SYS_EXIT, ADP_Stopped_ApplicationExit. */
void board_exit(void) {
    register uint32_t operation __asm__("r0") = 0x18;
    register uint32_t reason __asm__("r1") = 0x20026;
    __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(reason) : "memory");
    for (;;) {}
}

void board_start_core_1(void) { *(volatile uint32_t *)0x50021118u = 0; /* CPUWAIT */ }

__attribute__((used)) static void start_core_0(void) {
    uint32_t *from = data_from;
    for (uint32_t *to = data_begin; to < data_end;) *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;) *to++ = 0;
    for (unsigned i = 0; i <= CORES; i++) {
        uart_of(i)->baud_divider = 16;
        uart_of(i)->control = 1;
    }
    board_start_timer();
    main();
    board_exit();
}

/* Entry point of both cores; they start with the same stack. */
__attribute__((naked)) static void reset(void) {
    __asm__ volatile("cpsid i\n\t"
                     "ldr r0, =0x5001F000\n\t"
                     "ldr r0, [r0]\n\t"
                     "cbnz r0, 1f\n\t"
                     "cpsie i\n\t"
                     "b start_core_0\n"
                     "1:\n\t"
                     "ldr r0, =stack_end_1\n\t"
                     "msr msp, r0\n\t"
                     "b board_on_core_1\n\t"
                     ".ltorg");
}

static void fault(void) {
    board_note("fault 1\n");
    board_exit();
}

__attribute__((section(".vectors"), used)) static void *const vectors[16 + SIGNAL_INTERRUPT + 1] = {
    stack_end,
    (void *)reset,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    [14] = (void *)board_pendsv,
    [15] = (void *)board_systick,
    [16 + SIGNAL_INTERRUPT] = (void *)board_signalled,
};
