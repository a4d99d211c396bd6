/* SPDX-License-Identifier: MIT */
/*
 * A bare metal program with an interrupt and recursion. Every function entry is traced to UART 0.
 *
 *   make && qemu-system-arm -M mps2-an385 -nographic -semihosting -serial file:calls.bin \
 *     -monitor none -kernel calls.elf && tonkopf dump --with calls.elf calls.bin
 */
#include "../mps2/board.h"
#include "calltrace.h"

#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define ALONE __attribute__((noinline))

enum { TICKS = 10, CYCLES_PER_TICK = 250000 };

volatile uint32_t ticks;
uint32_t results[2];

CALLTRACE_NONE void calltrace_write(const uint8_t *bytes, uint32_t len) {
    while (len--) board_write_byte(*bytes++);
}

ALONE static void count(void) {
    CALLTRACE_ENTRY();
    ticks++;
}

void board_systick(void) {
    CALLTRACE_ENTRY();
    count();
}

ALONE static uint32_t fibonacci(uint32_t n) {
    CALLTRACE_ENTRY();
    if (n < 2) return n;
    uint32_t before = fibonacci(n - 2);
    return before + fibonacci(n - 1);
}

ALONE static void step(uint32_t number) {
    CALLTRACE_ENTRY();
    results[0] = number;
    results[1] = fibonacci(4);
}

int main(void) {
    CALLTRACE_ENTRY();
    calltrace_log("begin");
    SYSTICK_RELOAD = CYCLES_PER_TICK - 1;
    SYSTICK_CONTROL = 7;
    for (uint32_t seen = 0; seen < TICKS; seen++) {
        while (ticks <= seen) {}
        step(seen);
        if (seen % 2) calltrace_dump(results, sizeof results);
    }
    SYSTICK_CONTROL = 0;
    calltrace_log("end");
    return 0;
}
