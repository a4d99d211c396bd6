/* SPDX-License-Identifier: MIT */
/*
 * What the recorder takes from your target: copy this file into your project and change it. This one is for a Cortex-M3
 * or larger at 100 MHz with FreeRTOS. A tick is a whole number of nanoseconds: where that does not fit the processor's
 * clock, take a timer. A Cortex-M0 has no counter of cycles: take a timer.
 */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "tband_clock.h"
#include "tband_cortex_m.h"

/* The present time in ticks, uint32_t or uint64_t; never falls; 0 is recorded as 1. Widened here, since 32 bits of it
 * are over after 43 s. */
#define tband_portTIMESTAMP() tband_clock_widen(tband_cortex_m_cycles())

/* The hooks of FreeRTOS call it at every tick; without a kernel do it yourself, at least every 21 s. */
#define tband_portTICK() tband_clock_update(tband_cortex_m_cycles())

/* Nanoseconds of a tick. */
#define tband_portTIMESTAMP_RESOLUTION_NS 10

/* With several cores: how many, and which one runs (from 0). */
/* #define tband_portNUMBER_OF_CORES 2 */
/* #define tband_portGET_CORE_ID() ... */

#endif
