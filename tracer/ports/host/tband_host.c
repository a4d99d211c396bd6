/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>

#include "tband_port.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

uint64_t tband_host_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void tband_host_lock(void) { pthread_mutex_lock(&lock); }

void tband_host_unlock(void) { pthread_mutex_unlock(&lock); }
