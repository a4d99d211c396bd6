/* SPDX-License-Identifier: MIT */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../../tracer/include/tband_clock.h"
#include "../../../tracer/ports/cortex-m/tband_cortex_m.h"
#include "board.h"

#define tband_portTIMESTAMP() tband_clock_widen(board_time())
#define tband_portTICK() tband_clock_update(board_time())
#define tband_portCLOCK_HZ 25000000

#endif
