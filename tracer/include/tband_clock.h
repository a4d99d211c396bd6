/* SPDX-License-Identifier: MIT */
/*
 * 64 bits of time from a 32-bit counter that counts up and wraps: for tband_portTIMESTAMP() of targets with one core.
 *
 *   static inline uint64_t timestamp(void) { return tband_clock_widen(TIMER); }
 *   #define tband_portTIMESTAMP() timestamp()
 *
 * Call tband_clock_update(TIMER) at least once in each half of the counter's period, for example from the system tick:
 * at 100 MHz every 21 s.
 */
#ifndef TBAND_CLOCK_H
#define TBAND_CLOCK_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdint.h>

#include "tband_config.h"

#if defined(tband_configENABLE) && tband_configENABLE == 1

#ifdef __cplusplus
extern "C" {
#endif

/* Number of half periods begun so far, at the last update, in tband.c. It is odd in the first half of a period, in
 * which the highest bit of the counter is 0. */
extern volatile uint32_t tband_clock_halves;

/* Half periods at the time `counter`: one more if the highest bit has changed since the last update. */
static inline uint32_t tband_clock_halves_at(uint32_t counter) {
    uint32_t halves = tband_clock_halves;
    return halves + ((halves ^ ~(counter >> 31)) & 1);
}

/* Returns the ticks since the start. Call it with interrupts masked, as in tband_portTIMESTAMP(). Takes a few
 * instructions. */
static inline uint64_t tband_clock_widen(uint32_t counter) {
    /* whole periods: in the second half of a period the highest bit is taken away; after it, none is */
    return (uint64_t)((tband_clock_halves - (counter >> 31)) >> 1) << 32 | counter;
}

/* Call it from the tick interrupt, or with interrupts masked. */
static inline void tband_clock_update(uint32_t counter) { tband_clock_halves = tband_clock_halves_at(counter); }

#ifdef __cplusplus
}
#endif

#else

static inline uint64_t tband_clock_widen(uint32_t counter) { return counter; }
static inline void tband_clock_update(uint32_t counter) { (void)counter; }

#endif

#endif
