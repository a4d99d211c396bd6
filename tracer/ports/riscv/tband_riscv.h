/* SPDX-License-Identifier: MIT */
/*
 * RISC-V in machine mode, GCC and clang: everything that tband_port.h needs except a time. Include it there and add,
 * for example,
 *
 *   #define tband_portTIMESTAMP() tband_riscv_cycles()
 *   #define tband_portCLOCK_HZ 100000000
 *
 * Each event is recorded with all interrupts masked by mstatus.MIE.
 */
#ifndef TBAND_RISCV_H
#define TBAND_RISCV_H

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

/* Cycle counter of the core, 32 bits wide. If a recording is longer than its period, widen it with tband_clock.h. */
static inline uint32_t tband_riscv_cycles(void) {
    uintptr_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles));
    return (uint32_t)cycles;
}

#endif
