/* SPDX-License-Identifier: MIT */
/*
 * The target's functions that the recorder calls: copy this file into your project and adapt it. This one is for a
 * Cortex-M3 or larger at 100 MHz with FreeRTOS. A tick must be a whole number of nanoseconds; if the processor's clock
 * does not fit, use a timer. A Cortex-M0 has no cycle counter, so use a timer there.
 */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "tband_clock.h"
#include "tband_cortex_m.h"

/* Current time in ticks, uint32_t or uint64_t; must not decrease; 0 is recorded as 1. This port widens the 32-bit
 * counter, which wraps after 43 s. */
#define tband_portTIMESTAMP() tband_clock_widen(tband_cortex_m_cycles())

/* The hooks of FreeRTOS call this at every tick. Without a kernel, call it yourself at least every 21 s. */
#define tband_portTICK() tband_clock_update(tband_cortex_m_cycles())

/* Length of a tick in nanoseconds. */
#define tband_portTIMESTAMP_RESOLUTION_NS 10

/* On several cores: the number of cores, and the current core (from 0). */
/* #define tband_portNUMBER_OF_CORES 2 */
/* #define tband_portGET_CORE_ID() ... */

#endif
