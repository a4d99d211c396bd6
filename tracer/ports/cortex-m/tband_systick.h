/* SPDX-License-Identifier: MIT */
/*
 * The time of a kernel's SysTick, for Cortex-M without a cycle counter (M0, M0+, M1, M23) and without a free timer. For
 * tband_port.h, with one core:
 *
 *   #include "tband_cortex_m.h"
 *   #include "tband_systick.h"
 *   #define tband_portTIMESTAMP() tband_systick_time()
 *   #define tband_portTICK() tband_systick_tick()
 *   #define tband_portCLOCK_HZ 48000000 // the rate of SysTick: that of the core, or of its reference clock
 *
 * The hooks of FreeRTOS call tband_portTICK() at every tick. Not with a tickless idle task, which stops SysTick and
 * changes its period. Interrupts must not be masked for longer than a period.
 */
#ifndef TBAND_SYSTICK_H
#define TBAND_SYSTICK_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdint.h>

#include "tband_cortex_m.h"

#define TBAND_SYSTICK 1

#ifdef __cplusplus
extern "C" {
#endif

/* In tband.c: counts up to the start of the current period, and the latest time. */
extern volatile uint64_t tband_systick_base, tband_systick_latest;

/* Call it once per period, from the tick interrupt. */
static inline void tband_systick_tick(void) {
    tband_systick_base += (TBAND_CORTEX_M_REGISTER(0xE000E014u) & 0xFFFFFFu) + 1u;
}

/* Returns the counts since the start. Call it with interrupts masked, as in tband_portTIMESTAMP(). The counter counts
 * down to 0, which is still in the old period although the interrupt is pending. An interrupt that runs between the
 * entry of the tick's handler and tband_systick_tick() would see a time one period too early, so the time never falls.
 */
static inline uint64_t tband_systick_time(void) {
    const uint32_t reload = TBAND_CORTEX_M_REGISTER(0xE000E014u) & 0xFFFFFFu;
    uint32_t value = TBAND_CORTEX_M_REGISTER(0xE000E018u) & 0xFFFFFFu;
    uint64_t base = tband_systick_base;
    if ((TBAND_CORTEX_M_REGISTER(0xE000ED04u) & (UINT32_C(1) << 26)) != 0u) { /* ICSR.PENDSTSET */
        value = TBAND_CORTEX_M_REGISTER(0xE000E018u) & 0xFFFFFFu;
        if (value != 0u) base += reload + 1u;
    }
    uint64_t time = base + (reload - value);
    if (time < tband_systick_latest) time += reload + 1u;
    tband_systick_latest = time;
    return time;
}

#ifdef __cplusplus
}
#endif

#endif
