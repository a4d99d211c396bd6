/* SPDX-License-Identifier: MIT */
#include <zephyr/init.h>
#include <zephyr/kernel.h>

#include "tband.h"

/* The clock must be updated at least once in each half of the counter's period. */
enum { UPDATES_PER_PERIOD = 8 };

uint64_t tband_zephyr_time(void) { return tband_clock_widen(k_cycle_get_32()); }

/* Runs in the timer's interrupt. */
static void update(struct k_timer *timer) {
    (void)timer;
    unsigned int mask = irq_lock();
    tband_clock_update(k_cycle_get_32());
    irq_unlock(mask);
}

K_TIMER_DEFINE(tband_zephyr_timer, update, NULL);

static int start(void) {
    k_timeout_t period = K_MSEC(UINT64_C(0x100000000) * 1000 / tband_portCLOCK_HZ / UPDATES_PER_PERIOD);
    k_timer_start(&tband_zephyr_timer, period, period);
    return 0;
}

SYS_INIT(start, POST_KERNEL, 0);
