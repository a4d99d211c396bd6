/* SPDX-License-Identifier: MIT */
/* Settings of the recorder: copy this file into your project and change what you need. What is left out has the value
 * shown here. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

/* 0: no tracing; every call vanishes, no code and no RAM is left. (Left out: 0.) */
#define tband_configENABLE 1

/* Where events go: exactly one of these is 1. (Left out: 0.)
   POST_MORTEM: a ring in RAM in which the newest events overwrite the oldest; read it after a stop, with a debugger or
   after a reset. SNAPSHOT:    a buffer in RAM that is filled once; recording ends when it is full. STREAMING:   a ring
   in RAM that your code empties (tband_stream_peek, tband_stream_consume), or, with
   tband_portBACKEND_STREAM_DATA(bytes, len) in tband_port.h, each frame at once to that macro, which is true when it
   refused; events without room are lost and counted. EXTERNAL:    each frame at once to your function
   tband_submit_to_backend(), from the first event on. */
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configUSE_BACKEND_SNAPSHOT 0
#define tband_configUSE_BACKEND_STREAMING 0
#define tband_configUSE_BACKEND_EXTERNAL 0

/* Bytes per core of the buffer; an event takes about 9. Any number, not only powers of two. */
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE 8192
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 32768
#define tband_configBACKEND_STREAMING_BUF_SIZE 4096

/* Bytes per core for names and facts, which are never overwritten; a name takes its length and about 5.
   tband_get_metadata_lost() tells when it is too small. tband_configUSE_METADATA_BUF 0: names and facts are only
   recorded in line. */
#define tband_configUSE_METADATA_BUF 1
#define tband_configMETADATA_BUF_SIZE 256

/* Longest text in bytes, 0 to 226; the rest is cut. */
#define tband_configMAX_STR_LEN 20

/* 0: these calls vanish. */
#define tband_configISR_TRACE_ENABLE 1    /* interrupts */
#define tband_configMARKER_TRACE_ENABLE 1 /* markers and values */

/* 1: cores without a common clock: tband_clock_own() and tband_clock_sync() of tband.h. (Left out: 0.) */
#define tband_configCLOCK_SYNC_ENABLE 0

/* 1: heaps and stacks, by the calls of tband.h; with FreeRTOS the kernel's heap by itself. A reader that knows the
   format of Tonbandgeraet only refuses these events, and those marked with * below. (Left out: 0.) */
#define tband_configMEMORY_TRACE_ENABLE 0

/* 1: FreeRTOS (tband_freertos.h tells how to connect it). (Left out: 0.) */
#define tband_configFREERTOS_TRACE_ENABLE 0
#define tband_configFREERTOS_TASK_TRACE_ENABLE 1  /* 0: of tasks only names and numbers */
#define tband_configFREERTOS_QUEUE_TRACE_ENABLE 1 /* 0: of queues only names, kinds and numbers */

#define tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE \
    0 /* * capacities, deletions, operations that failed or timed out */
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 0 /* * */
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 0  /* * */
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE \
    0                                             /* * stream and message buffers, which are shown like queues */
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 0 /* * software timers */
/* With notifications, event groups and stream buffers every wait of a task is recorded: one that leaves its core
 * without a wait is known to be ready. */

/* Goes before the definition of all buffers, to place them. A post-mortem recording survives a reset in a section that
   the start-up code does not clear (NOLOAD in the linker script): __attribute__((section(".noinit"))). (Left out:
   nothing.) */
#define tband_configCONTROL_ATTRIBUTE

#endif
