/* SPDX-License-Identifier: MIT */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../ports/cortex-m/tband_cortex_m.h"
#include "board.h"

#define tband_portTIMESTAMP() board_time()
#define tband_portTIMESTAMP_RESOLUTION_NS NS_PER_TICK
#define tband_portNUMBER_OF_CORES CORES
#define tband_portGET_CORE_ID() board_core()

#endif
