/* SPDX-License-Identifier: MIT */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "../../ports/riscv/tband_riscv.h"
#include "board.h"

#define tband_portTIMESTAMP() tband_riscv_mtime(MTIME)
#define tband_portCLOCK_HZ 10000000

#endif
