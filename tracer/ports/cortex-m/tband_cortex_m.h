/* SPDX-License-Identifier: MIT */
/*
 * Cortex-M0 to M85, GCC and clang: what tband_port.h needs besides a time. Include it there and add, for example,
 *
 *   #define tband_portTIMESTAMP() tband_cortex_m_cycles()
 *   #define tband_portTIMESTAMP_RESOLUTION_NS 10 // at 100 MHz
 *
 * Events are recorded with all interrupts masked by PRIMASK for the time of one event. In an unprivileged task that has
 * no effect: no tracing from there.
 */
#ifndef TBAND_CORTEX_M_H
#define TBAND_CORTEX_M_H

#include <stdint.h>

/* Returns the mask before. Three instructions with its end. */
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

/* Number of the exception that runs, 0: none. 15 is SysTick, 16 and above are interrupts: an id for tband_isr_enter()
   without a table of the application's own. */
static inline uint32_t tband_cortex_m_exception(void) {
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    return number;
}

#define tband_portINTERRUPT_NUMBER() tband_cortex_m_exception()

#if !defined(__ARM_ARCH_6M__) && !defined(__ARM_ARCH_8M_BASE__)
/* Cycles of the core, 32 bits wide: widen them with tband_clock.h where a recording is longer than one period. */
static inline uint32_t tband_cortex_m_cycles(void) { return *(const volatile uint32_t *)0xE0001004u; }

/* Starts the counter of cycles (DEMCR.TRCENA, then DWT_CTRL.CYCCNTENA); before the first event. */
static inline void tband_cortex_m_start_cycles(void) {
    *(volatile uint32_t *)0xE000EDFCu |= UINT32_C(1) << 24;
    *(volatile uint32_t *)0xE0001000u |= 1u;
}
#endif

#endif
