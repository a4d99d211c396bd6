/* SPDX-License-Identifier: MIT */
/* The emulator has no cycle counter, so the time comes from a timer of the board. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../../tracer/ports/cortex-m/tband_cortex_m.h"
#include "board.h"

#define tband_portTIMESTAMP() board_time()
#define tband_portTIMESTAMP_RESOLUTION_NS NS_PER_TICK

#endif
