/* SPDX-License-Identifier: MIT */
/*
 * Xtensa (ESP32, ESP32-S2, ESP32-S3), GCC and clang: everything that tband_port.h needs except the rate. Include it
 * there and add, for example,
 *
 *   #define tband_portTIMESTAMP() tband_clock_widen(tband_xtensa_cycles()) // one core
 *   #define tband_portTICK() tband_clock_update(tband_xtensa_cycles())
 *   #define tband_portCLOCK_HZ 240000000
 *
 * Two cores have a CCOUNT each, so use a common timer for tband_portTIMESTAMP() there, and
 *
 *   #define tband_portNUMBER_OF_CORES 2
 *   #define tband_portGET_CORE_ID() tband_xtensa_core()
 *
 * Each event is recorded with the interrupts up to level 3 masked: all that can run C code.
 */
#ifndef TBAND_XTENSA_H
#define TBAND_XTENSA_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdint.h>

/* Masks interrupts and returns the processor state before. */
static inline uint32_t tband_xtensa_mask(void) {
    uint32_t before;
    __asm__ volatile("rsil %0, 3" : "=a"(before) : : "memory");
    return before;
}

static inline void tband_xtensa_unmask(uint32_t before) {
    __asm__ volatile("wsr.ps %0\n\trsync" : : "a"(before) : "memory");
}

#define tband_portENTER_CRITICAL_FROM_ANY() const uint32_t tband_mask_before = tband_xtensa_mask()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_xtensa_unmask(tband_mask_before)

/* Cycle counter of this core, 32 bits wide: widen it with tband_clock.h. */
static inline uint32_t tband_xtensa_cycles(void) {
    uint32_t cycles;
    __asm__ volatile("rsr.ccount %0" : "=a"(cycles));
    return cycles;
}

/* Number of this core of an ESP32 or ESP32-S3: 0 or 1. */
static inline uint32_t tband_xtensa_core(void) {
    uint32_t id;
    __asm__ volatile("rsr.prid %0" : "=a"(id));
    return id >> 13 & 1u;
}

#endif
