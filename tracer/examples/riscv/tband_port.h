/* SPDX-License-Identifier: MIT */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../include/tband_clock.h"
#include "../../ports/riscv/tband_riscv.h"
#include "board.h"

#define tband_portTIMESTAMP() tband_clock_widen(board_time())
#define tband_portTICK() tband_clock_update(board_time())
#define tband_portTIMESTAMP_RESOLUTION_NS NS_PER_TICK

#endif
