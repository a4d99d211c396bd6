/* SPDX-License-Identifier: MIT */
/* The recommended port, with the board's timer instead of the cycle counter, which the emulator does not have. The time
 * begins after a minute, so that it has its usual length. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../../tracer/include/tband_clock.h"
#include "../../../tracer/ports/cortex-m/tband_cortex_m.h"
#include "board.h"

#define tband_portTIMESTAMP() (tband_clock_widen(board_time()) + UINT64_C(1500000000))
#define tband_portTICK() tband_clock_update(board_time())
#define tband_portCLOCK_HZ 25000000

#endif
