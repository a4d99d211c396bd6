/* SPDX-License-Identifier: MIT */
/* A 32-bit counter of any rate that the program sets, because an hour of the target's time must not take an hour. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "tband_clock.h"
#include "tband_cortex_m.h"

extern uint32_t counter;
#define tband_portTIMESTAMP() tband_clock_widen(counter)
#ifndef IMAGE_NS
#define tband_portCLOCK_HZ IMAGE_HZ
#else
#define tband_portTIMESTAMP_RESOLUTION_NS IMAGE_NS
#endif

#endif
