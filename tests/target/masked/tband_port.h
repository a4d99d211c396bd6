/* SPDX-License-Identifier: MIT */
/* The recommended port, with a timer instead of the cycle counter. Measures how long interrupts are masked. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "board.h"
#include "tband_clock.h"
#include "tband_cortex_m.h"

extern uint32_t longest;

#if tband_portNUMBER_OF_CORES > 1
extern unsigned this_core; /* the program calls from each core in turn */
#define tband_portGET_CORE_ID() this_core
#endif

#undef tband_portENTER_CRITICAL_FROM_ANY
#undef tband_portEXIT_CRITICAL_FROM_ANY
#define tband_portENTER_CRITICAL_FROM_ANY() \
    const uint32_t tband_mask_before = tband_cortex_m_mask(), masked_since = board_time()
#define tband_portEXIT_CRITICAL_FROM_ANY()                 \
    do {                                                   \
        uint32_t masked_for = board_time() - masked_since; \
        if (masked_for > longest) longest = masked_for;    \
        tband_cortex_m_unmask(tband_mask_before);          \
    } while (0)
#define tband_portTIMESTAMP() (tband_clock_widen(board_time()) + (UINT64_C(1) << 48)) /* 19 days at 168 MHz */
#define tband_portTICK() tband_clock_update(board_time())
#define tband_portCLOCK_HZ 25000000

#endif
