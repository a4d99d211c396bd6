/* SPDX-License-Identifier: MIT */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "board.h"
#include "tband_cortex_m.h"

#define tband_portTIMESTAMP() board_time()
#define tband_portTIMESTAMP_RESOLUTION_NS NS_PER_TICK

#endif
