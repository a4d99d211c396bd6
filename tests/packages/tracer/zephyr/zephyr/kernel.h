/* SPDX-License-Identifier: MIT */
/* A stub of the Zephyr functions that the module uses, so that the test needs no Zephyr: it proves that the module
 * compiles. */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t ticks;
} k_timeout_t;
struct k_timer {
    void (*expiry)(struct k_timer *timer);
};

uint32_t k_cycle_get_32(void);
uint64_t k_cyc_to_ns_floor64(uint64_t cycles);
void k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period);
#define K_MSEC(ms) ((k_timeout_t){ (int64_t)(ms) })
#define K_TIMER_DEFINE(name, expiry_fn, stop_fn) struct k_timer name = { (expiry_fn) }

#endif
