/* SPDX-License-Identifier: MIT */
/*
 * RISC-V in machine mode, GCC and clang: everything that tband_port.h needs except a time. Include it there and add,
 * for example,
 *
 *   #define tband_portTIMESTAMP() tband_riscv_cycles64()
 *   #define tband_portCLOCK_HZ 100000000
 *
 * or, also for several cores with a common timer, tband_riscv_mtime(address). Each event is recorded with all
 * interrupts masked by mstatus.MIE.
 */
#ifndef TBAND_RISCV_H
#define TBAND_RISCV_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdint.h>

#define TBAND_RISCV_MIE 8u

/* Masks interrupts. Returns whether they were enabled before. */
static inline uintptr_t tband_riscv_mask(void) {
    uintptr_t before;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory");
    return before & TBAND_RISCV_MIE;
}

static inline void tband_riscv_unmask(uintptr_t before) {
    __asm__ volatile("csrs mstatus, %0" : : "r"(before) : "memory");
}

#define tband_portENTER_CRITICAL_FROM_ANY() const uintptr_t tband_mask_before = tband_riscv_mask()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_riscv_unmask(tband_mask_before)

/* Code of the active interrupt, which is mcause without its highest bit: an id for tband_isr_enter(). Undefined
 * outside of handlers. */
static inline uint32_t tband_riscv_cause(void) {
    uintptr_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    return (uint32_t)(cause & 0x7FFFFFFFu);
}
#define tband_portINTERRUPT_NUMBER() tband_riscv_cause()
#define tband_portTICK_INTERRUPT 7u /* machine timer */

/* Cycle counter of the core, 32 bits wide. If a recording is longer than its period, widen it with tband_clock.h. */
static inline uint32_t tband_riscv_cycles(void) {
    uintptr_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles));
    return (uint32_t)cycles;
}

/* The whole cycle counter, 64 bits wide. */
static inline uint64_t tband_riscv_cycles64(void) {
#if __riscv_xlen == 32
    uint32_t low, high, again;
    do {
        __asm__ volatile("csrr %0, mcycleh\n\tcsrr %1, mcycle\n\tcsrr %2, mcycleh"
                         : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
#else
    uint64_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles));
    return cycles;
#endif
}

/* The timer at `address` (mtime of a CLINT, often 0x0200BFF8), 64 bits wide. tband_portCLOCK_HZ is its rate, not that
 * of the core. */
static inline uint64_t tband_riscv_mtime(uintptr_t address) {
    const volatile uint32_t *const timer = (const volatile uint32_t *)address;
    uint32_t high = timer[1], low = timer[0];
    while (high != timer[1]) { /* the lower half has wrapped in between */
        high = timer[1];
        low = timer[0];
    }
    return (uint64_t)high << 32 | low;
}

#endif
