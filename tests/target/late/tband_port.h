/* SPDX-License-Identifier: MIT */
/* A clock of 168 MHz, of which a tick is no whole number of nanoseconds: computed from the board's 25 MHz. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../../tracer/include/tband_clock.h"
#include "../../../tracer/ports/cortex-m/tband_cortex_m.h"
#include "board.h"

#define tband_portTIMESTAMP() (tband_clock_widen(board_time()) * 168u / 25u)
#define tband_portTICK() tband_clock_update(board_time())
#define tband_portCLOCK_HZ 168000000

#endif
