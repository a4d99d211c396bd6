/* SPDX-License-Identifier: MIT */
/* Settings of the recorder: copy this file into your project and change what you need. An omitted setting has the
 * value shown here. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

/* 0: no tracing; every call compiles to nothing, without code or RAM. (Default: 0.) */
#define tband_configENABLE 1

/* The back end: exactly one of these is 1. (Default: 0.) POST_MORTEM: a ring in RAM in which the newest events
 * overwrite the oldest; read it after a stop, with a debugger or after a reset. SNAPSHOT: a buffer in RAM that is
 * filled once; recording ends when it is full. STREAMING: a ring in RAM that your code empties (tband_stream_peek,
 * tband_stream_consume). With tband_portBACKEND_STREAM_DATA(bytes, len) in tband_port.h, the recorder passes each
 * frame directly to that macro, which returns true when it refuses the frame. Events without space are discarded and
 * counted. EXTERNAL: the recorder passes each frame directly to your function tband_submit_to_backend(), from the
 * first event on. */
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configUSE_BACKEND_SNAPSHOT 0
#define tband_configUSE_BACKEND_STREAMING 0
#define tband_configUSE_BACKEND_EXTERNAL 0

/* Size of the buffer per core in bytes; an event takes about 9. It need not be a power of two. */
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE 8192
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 32768
#define tband_configBACKEND_STREAMING_BUF_SIZE 4096

/* Size of the metadata buffer per core in bytes. It keeps names and facts, which are never overwritten; a name takes
 * its length and about 5. tband_get_metadata_lost() counts those that did not fit. tband_configUSE_METADATA_BUF 0:
 * names and facts are only recorded between the events. */
#define tband_configUSE_METADATA_BUF 1
#define tband_configMETADATA_BUF_SIZE 256

/* Longest text in bytes, 0 to 226; longer texts are truncated, not within a character of UTF-8. */
#define tband_configMAX_STR_LEN 20

/* 0: these calls compile to nothing. */
#define tband_configISR_TRACE_ENABLE 1    /* interrupts */
#define tband_configMARKER_TRACE_ENABLE 1 /* markers and values */

/* Groups that are recorded, as in tband_set_groups(); the others compile to nothing. The default is all: 0xFF00. Name
 * the groups with TBAND_GROUP_... of tband_events.h. */
#define tband_configGROUPS 0xFF00

/* Of which interrupts entry and exit are recorded: an expression of the number, such as ((isr_id) != 37). 1: enables
 * tband_set_isr_recorded(), which decides at run time about interrupts 0 to 255 (32 bytes of RAM). */
#define tband_configISR_RECORDED(isr_id) 1
#define tband_configISR_FILTER_ENABLE 0

/* With FreeRTOS: 1 records each interrupt of the kernel's tick, 0 only those that make a task ready. An idle system
 * records little but ticks. (Default: 0.) */
#define tband_configTICK_TRACE_ENABLE 0

/* 1: enables the crash record of tband_fault.h (*). (Default: 0.) */
#define tband_configFAULT_ENABLE 0

/* 1: names and facts contain time and priority of the creation of each task, and with configRECORD_STACK_HIGH_ADDRESS 1
 * the size of its stack (*), so that an overwritten ring keeps them. Needs tband_configMAX_STR_LEN of 10 or more.
 * (Default: 1 with POST_MORTEM and such texts, otherwise 0.) */
#define tband_configTASK_DECLARE_ENABLE 1

/* Of how many deleted tasks and queues the recorder remembers the numbers, so that new names overwrite theirs once the
 * buffer is full; 4 bytes of RAM each. 0: names stay. One core only. (Default: 16 with POST_MORTEM and FreeRTOS,
 * otherwise 0.) */
#define tband_configREUSE_NAMES 16

/* Streams: milliseconds in which tband_repeat_names() sends a full buffer of names once more (*), for captures that
 * begin late. 0: never. (Default: 0.) */
#define tband_configREPEAT_MS 0

/* 1: tband_command() and tband_receive() take commands from the host. (Default: 0.) */
#define tband_configCOMMANDS_ENABLE 0

/* Identity of the build and number of the run, as expressions (*). Left out by default:
 *   #define tband_configBUILD_ID tband_linker_build_id()    tband_build.h; or a constant of 64 bits
 *   #define tband_configRUN_NUMBER tband_next_run() */

/* 1: cores without a common clock; enables tband_clock_own() and tband_clock_sync() of tband.h. (Default: 0.) */
#define tband_configCLOCK_SYNC_ENABLE 0

/* 1: heaps and stacks, recorded by calls of tband.h; with FreeRTOS the hooks record the kernel's heap. Decoders of
 * the original Tonbandgeraet format reject these events and those marked with * below. (Default: 0.) */
#define tband_configMEMORY_TRACE_ENABLE 0

/* 1: the hooks of FreeRTOS (tband_freertos.h describes how to connect it). Left out by default, which means 0, and is
 * an error where FreeRTOS.h is on the include path: #define tband_configFREERTOS_TRACE_ENABLE 1 */
#define tband_configFREERTOS_TASK_TRACE_ENABLE 1  /* 0: only names and numbers of tasks */
#define tband_configFREERTOS_QUEUE_TRACE_ENABLE 1 /* 0: only names, kinds and numbers of queues */

#define tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE \
    0 /* * capacities, deletions, operations that failed or timed out */
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 0  /* * */
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 0   /* * */
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 0 /* * stream and message buffers, recorded as queues */
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 0         /* * software timers */
#define tband_configFREERTOS_SCHEDULER_TRACE_ENABLE 0     /* * vTaskSuspendAll() to xTaskResumeAll(), V11 */
/* With notifications, event groups and stream buffers, every wait of a task is recorded. A task that is switched out
 * without a wait is then known to be ready. */

/* Attribute of the definition of all buffers, to place them. A post-mortem recording survives a reset in a section
 * that the start-up code does not clear (NOLOAD in the linker script): __attribute__((section(".noinit"))).
 * (Default: empty.) */
#define tband_configCONTROL_ATTRIBUTE

#endif
