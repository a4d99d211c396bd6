/* SPDX-License-Identifier: MIT */
/*
 * The target's functions that the recorder calls: copy this file into your project and adapt it. This one is for a
 * Cortex-M3 or larger at 168 MHz with FreeRTOS. A Cortex-M0 has no cycle counter, so use a timer there.
 */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "tband_clock.h"
#include "tband_cortex_m.h"

/* Current time in ticks, uint32_t or uint64_t; must not decrease; 0 is recorded as 1. This port widens the 32-bit
 * counter, which wraps after 26 s. */
#define tband_portTIMESTAMP() tband_clock_widen(tband_cortex_m_cycles())

/* The hooks of FreeRTOS call this at every tick. Without a kernel, call it yourself at least every 12 s. */
#define tband_portTICK() tband_clock_update(tband_cortex_m_cycles())

/* Ticks per second: any integer constant, 1 to 4294967295. Of a rate with a fraction, such as 72 MHz / 7, also define
 * tband_portCLOCK_DIVISOR 7. Or define the length of a tick instead, a whole number of nanoseconds:
 * tband_portTIMESTAMP_RESOLUTION_NS. */
#define tband_portCLOCK_HZ 168000000

/* On several cores: the number of cores, and the current core (from 0). */
/* #define tband_portNUMBER_OF_CORES 2 */
/* #define tband_portGET_CORE_ID() ... */

#endif
