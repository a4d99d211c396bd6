/* SPDX-License-Identifier: MIT */
/*
 * The POSIX port of FreeRTOS: tasks are threads of which one runs, interrupts are signals. Compile
 * tband_freertos_posix.c. A program that also records from other threads must use tracer/ports/host, and must not
 * record from the kernel's threads.
 */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <signal.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t tband_posix_time(void);
/* Blocks the signals of this thread. Returns the signal mask before. */
sigset_t tband_posix_mask(void);
void tband_posix_unmask(const sigset_t *before);

#ifdef __cplusplus
}
#endif

#define tband_portTIMESTAMP() tband_posix_time()
#define tband_portTIMESTAMP_RESOLUTION_NS 1
#define tband_portENTER_CRITICAL_FROM_ANY() const sigset_t tband_mask_before = tband_posix_mask()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_posix_unmask(&tband_mask_before)

#endif
