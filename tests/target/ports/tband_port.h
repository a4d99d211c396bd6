/* SPDX-License-Identifier: MIT */
/* The port that PORT chooses, as its header describes it. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "tband_clock.h"

#if defined(PORT_CYCLES)
#include "tband_cortex_m.h"
#define tband_portTIMESTAMP() tband_clock_widen(tband_cortex_m_cycles())
#define tband_portTICK() tband_clock_update(tband_cortex_m_cycles())
#elif defined(PORT_SYSTICK)
#include "tband_cortex_m.h"
#include "tband_systick.h"
#define tband_portTIMESTAMP() tband_systick_time()
#define tband_portTICK() tband_systick_tick()
#elif defined(PORT_RISCV)
#include "tband_riscv.h"
#define tband_portTIMESTAMP() tband_riscv_cycles64()
#elif defined(PORT_MTIME)
#include "tband_riscv.h"
#define tband_portTIMESTAMP() tband_riscv_mtime(0x0200BFF8u)
#elif defined(PORT_XTENSA)
#include "tband_xtensa.h"
#define tband_portTIMESTAMP() tband_clock_widen(tband_xtensa_cycles())
#define tband_portTICK() tband_clock_update(tband_xtensa_cycles())
#define tband_portNUMBER_OF_CORES 2
#define tband_portGET_CORE_ID() tband_xtensa_core()
#endif
#define tband_portCLOCK_HZ 25000000

#endif
