/* SPDX-License-Identifier: MIT */
/*
 * Cortex-M0 to M85, GCC and clang: everything that tband_port.h needs except a time. Include it there and add, for
 * example,
 *
 *   #define tband_portTIMESTAMP() tband_clock_widen(tband_cortex_m_cycles())
 *   #define tband_portTICK() tband_clock_update(tband_cortex_m_cycles())
 *   #define tband_portCLOCK_HZ 168000000
 *
 * ARMv6-M and ARMv8-M Baseline (Cortex-M0, M0+, M1, M23) have no cycle counter: use a timer, or tband_systick.h.
 *
 * Each event is recorded with all interrupts masked by PRIMASK. Unprivileged tasks cannot set PRIMASK, so they must not
 * record events.
 */
#ifndef TBAND_CORTEX_M_H
#define TBAND_CORTEX_M_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdbool.h>
#include <stdint.h>

/* A register of the core; a test may replace it. */
#ifndef TBAND_CORTEX_M_REGISTER
#define TBAND_CORTEX_M_REGISTER(address) (*(volatile uint32_t *)(address))
#endif

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
#define tband_portTICK_INTERRUPT 15u /* SysTick */

#if !defined(__ARM_ARCH_6M__) && !defined(__ARM_ARCH_8M_BASE__)
/* Cycle counter of the core, 32 bits wide. If a recording is longer than its period, widen it with tband_clock.h. */
static inline uint32_t tband_cortex_m_cycles(void) { return TBAND_CORTEX_M_REGISTER(0xE0001004u); }

/* Starts the cycle counter: enables the trace unit (DEMCR.TRCENA), unlocks the DWT where it has a lock (Cortex-M7), and
 * enables the counter (DWT_CTRL.CYCCNTENA). Call it before the first event. Returns true if the counter counts. It does
 * not where the core has no counter, and in emulators without one: all times are equal then, so use a timer. */
static inline bool tband_cortex_m_start_cycles(void) {
    enum { IS_LOCKED = 3, READS = 100 };
    TBAND_CORTEX_M_REGISTER(0xE000EDFCu) |= UINT32_C(1) << 24;
    if ((TBAND_CORTEX_M_REGISTER(0xE0001FB4u) & (uint32_t)IS_LOCKED) == (uint32_t)IS_LOCKED) {
        TBAND_CORTEX_M_REGISTER(0xE0001FB0u) = 0xC5ACCE55u;
    }
    TBAND_CORTEX_M_REGISTER(0xE0001000u) |= 1u;
    const uint32_t before = tband_cortex_m_cycles();
    bool counts = false;
    for (uint32_t i = 0; (i < (uint32_t)READS) && !counts; i++) {
        counts = tband_cortex_m_cycles() != before;
    }
    return counts;
}
#endif

#endif
