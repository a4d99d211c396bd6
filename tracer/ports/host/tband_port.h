/* SPDX-License-Identifier: MIT */
/* POSIX: all threads of a program are recorded as one core, protected by a lock. Compile tband_host.c and link with
 * the threads library. Do not record from signal handlers. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t tband_host_time(void);
void tband_host_lock(void);
void tband_host_unlock(void);

#ifdef __cplusplus
}
#endif

#define tband_portTIMESTAMP() tband_host_time()
#define tband_portTIMESTAMP_RESOLUTION_NS 1
#define tband_portENTER_CRITICAL_FROM_ANY() tband_host_lock()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_host_unlock()

#endif
