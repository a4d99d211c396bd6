/* SPDX-License-Identifier: MIT */
/* The emulator has no cycle counter, so the time comes from a timer of the board. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../include/tband_clock.h"
#include "../../ports/cortex-m/tband_cortex_m.h"
#include "../mps2/board.h"

#define tband_portTIMESTAMP() tband_clock_widen(board_time())
#define tband_portTICK() tband_clock_update(board_time())
#define tband_portTIMESTAMP_RESOLUTION_NS NS_PER_TICK

#endif
