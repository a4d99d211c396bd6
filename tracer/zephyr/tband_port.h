/* SPDX-License-Identifier: MIT */
/* One core. The time is k_cycle_get_32(). */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdint.h>
#include <zephyr/irq.h>

#include "tband_clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ticks since the start. */
uint64_t tband_zephyr_time(void);

#ifdef __cplusplus
}
#endif

#define tband_portCLOCK_HZ CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC
#define tband_portTIMESTAMP() tband_zephyr_time()
#define tband_portENTER_CRITICAL_FROM_ANY() const unsigned int tband_mask_before = irq_lock()
#define tband_portEXIT_CRITICAL_FROM_ANY() irq_unlock(tband_mask_before)

#endif
