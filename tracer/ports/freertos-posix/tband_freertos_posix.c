/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <time.h>

#include "tband_port.h"

uint64_t tband_posix_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

sigset_t tband_posix_mask(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    return before;
}

void tband_posix_unmask(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }
