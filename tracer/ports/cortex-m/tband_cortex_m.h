/* SPDX-License-Identifier: MIT */
/*
 * Cortex-M0 to M85, GCC and clang: everything that tband_port.h needs except a time. Include it there and add, for
 * example,
 *
 *   #define tband_portTIMESTAMP() tband_cortex_m_cycles()
 *   #define tband_portCLOCK_HZ 168000000
 *
 * Each event is recorded with all interrupts masked by PRIMASK. Unprivileged tasks cannot set PRIMASK, so they must not
 * record events.
 */
#ifndef TBAND_CORTEX_M_H
#define TBAND_CORTEX_M_H

#include <stdint.h>

/* Masks interrupts and returns the mask before. Three instructions together with the restore. */
static inline uint32_t tband_cortex_m_mask(void) {
    uint32_t before;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before) : : "memory");
    return before;
}

static inline void tband_cortex_m_unmask(uint32_t before) {
    __asm__ volatile("msr primask, %0" : : "r"(before) : "memory");
}

#define tband_portENTER_CRITICAL_FROM_ANY() const uint32_t tband_mask_before = tband_cortex_m_mask()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_cortex_m_unmask(tband_mask_before)

/* Number of the active exception, 0: none. 15 is SysTick, 16 and above are interrupts: usable as an id for
 * tband_isr_enter(). */
static inline uint32_t tband_cortex_m_exception(void) {
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    return number;
}

#define tband_portINTERRUPT_NUMBER() tband_cortex_m_exception()

#if !defined(__ARM_ARCH_6M__) && !defined(__ARM_ARCH_8M_BASE__)
/* Cycle counter of the core, 32 bits wide. If a recording is longer than its period, widen it with tband_clock.h. */
static inline uint32_t tband_cortex_m_cycles(void) { return *(const volatile uint32_t *)0xE0001004u; }

/* Starts the cycle counter (DEMCR.TRCENA, then DWT_CTRL.CYCCNTENA). Call it before the first event. */
static inline void tband_cortex_m_start_cycles(void) {
    *(volatile uint32_t *)0xE000EDFCu |= UINT32_C(1) << 24;
    *(volatile uint32_t *)0xE0001000u |= 1u;
}
#endif

#endif
