/* SPDX-License-Identifier: MIT */
/* Defaults of tband_config.h, and checks of its settings. tracer/config/tband_config.h describes the settings. */
#ifndef TBAND_DEFAULTS_H
#define TBAND_DEFAULTS_H

#ifndef tband_configENABLE
#define tband_configENABLE 0
#endif
#ifndef tband_configMAX_STR_LEN
#define tband_configMAX_STR_LEN 20
#endif
/* Groups of events that are compiled, by default all; tband_events.h has their names. */
#ifndef tband_configGROUPS
#define tband_configGROUPS 0xFF00
#endif
#ifndef tband_configISR_RECORDED
#define tband_configISR_RECORDED(isr_id) 1
#endif
#ifndef tband_configISR_FILTER_ENABLE
#define tband_configISR_FILTER_ENABLE 0
#endif
#ifndef tband_configFAULT_ENABLE
#define tband_configFAULT_ENABLE 0
#endif
#ifndef tband_configCOMMANDS_ENABLE
#define tband_configCOMMANDS_ENABLE 0
#endif
#ifndef tband_configTICK_TRACE_ENABLE
#define tband_configTICK_TRACE_ENABLE 0
#endif
#ifndef tband_configMARKER_TRACE_ENABLE
#define tband_configMARKER_TRACE_ENABLE 1
#endif
#ifndef tband_configISR_TRACE_ENABLE
#define tband_configISR_TRACE_ENABLE 1
#endif
#ifndef tband_configCLOCK_SYNC_ENABLE
#define tband_configCLOCK_SYNC_ENABLE 0
#endif
#ifndef tband_configMEMORY_TRACE_ENABLE
#define tband_configMEMORY_TRACE_ENABLE 0
#endif
#ifndef tband_configFREERTOS_TRACE_ENABLE
#if defined(configUSE_TRACE_FACILITY) || defined(configTICK_RATE_HZ)
#define TBAND_SEES_FREERTOS
#elif defined(__has_include)
#if __has_include("FreeRTOS.h")
#define TBAND_SEES_FREERTOS
#endif
#endif
#if tband_configENABLE == 1 && defined(TBAND_SEES_FREERTOS)
#error \
    "FreeRTOS is on the include path: set tband_configFREERTOS_TRACE_ENABLE in tband_config.h to 1 for the hooks, or to 0."
#endif
#define tband_configFREERTOS_TRACE_ENABLE 0
#endif
#ifndef tband_configFREERTOS_TASK_TRACE_ENABLE
#define tband_configFREERTOS_TASK_TRACE_ENABLE 1
#endif
#ifndef tband_configFREERTOS_QUEUE_TRACE_ENABLE
#define tband_configFREERTOS_QUEUE_TRACE_ENABLE 1
#endif
#ifndef tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE
#define tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE 0
#endif
#ifndef tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 0
#endif
#ifndef tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 0
#endif
#ifndef tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 0
#endif
#ifndef tband_configFREERTOS_TIMER_TRACE_ENABLE
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 0
#endif
#ifndef tband_configUSE_METADATA_BUF
#define tband_configUSE_METADATA_BUF 1
#endif
#ifndef tband_configMETADATA_BUF_SIZE
#define tband_configMETADATA_BUF_SIZE 256
#endif
#ifndef tband_configUSE_BACKEND_STREAMING
#define tband_configUSE_BACKEND_STREAMING 0
#endif
#ifndef tband_configUSE_BACKEND_SNAPSHOT
#define tband_configUSE_BACKEND_SNAPSHOT 0
#endif
#ifndef tband_configUSE_BACKEND_POST_MORTEM
#define tband_configUSE_BACKEND_POST_MORTEM 0
#endif
#ifndef tband_configUSE_BACKEND_EXTERNAL
#define tband_configUSE_BACKEND_EXTERNAL 0
#endif
#ifndef tband_configTASK_DECLARE_ENABLE
#if tband_configUSE_BACKEND_POST_MORTEM == 1 && tband_configMAX_STR_LEN >= 10
#define tband_configTASK_DECLARE_ENABLE 1
#else
#define tband_configTASK_DECLARE_ENABLE 0
#endif
#endif
#ifndef tband_configREPEAT_MS
#define tband_configREPEAT_MS 0
#endif
#ifndef tband_configREUSE_NAMES
#if tband_configUSE_BACKEND_POST_MORTEM == 1 && tband_configFREERTOS_TRACE_ENABLE == 1
#define tband_configREUSE_NAMES 16
#else
#define tband_configREUSE_NAMES 0
#endif
#endif
#ifndef tband_configFREERTOS_SCHEDULER_TRACE_ENABLE
#define tband_configFREERTOS_SCHEDULER_TRACE_ENABLE 0
#endif
#ifndef tband_configBACKEND_STREAMING_BUF_SIZE
#define tband_configBACKEND_STREAMING_BUF_SIZE 4096
#endif
#ifndef tband_configBACKEND_SNAPSHOT_BUF_SIZE
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 32768
#endif
#ifndef tband_configBACKEND_POST_MORTEM_BUF_SIZE
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE 8192
#endif
#ifndef tband_configCONTROL_ATTRIBUTE
#define tband_configCONTROL_ATTRIBUTE
#endif

#if tband_configENABLE != 0 && tband_configENABLE != 1
#error "tband_configENABLE must be 0 (no tracing at all) or 1."
#endif

/* A port works with and without the recorder. */
#if tband_configENABLE == 0 && defined(__has_include)
#if __has_include("tband_port.h")
#include "tband_port.h"
#endif
#endif

#if tband_configENABLE == 1

#include "tband_port.h"

#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#endif
#if tband_portNUMBER_OF_CORES == 1 && !defined(tband_portGET_CORE_ID)
#define tband_portGET_CORE_ID() 0
#endif

/* The longest frame of a core: code byte, id, time (10 bytes), id (5), a value (10) or a text, delimiter. */
#define TBAND_LONGEST_FRAME (18 + (tband_configMAX_STR_LEN > 10 ? tband_configMAX_STR_LEN : 10))
/* The longest frame without a time, but with two ids; never longer than the one with a time. */
#define TBAND_LONGEST_METADATA (13 + tband_configMAX_STR_LEN)
/* A frame with a loss count or a core id. */
#define TBAND_LONGEST_COUNT 18

/* Nanoseconds of a tick. With tband_portCLOCK_HZ rounded to a whole number, for decoders that do not read the rate. */
#ifdef tband_portCLOCK_HZ
#ifndef tband_portCLOCK_DIVISOR
#define tband_portCLOCK_DIVISOR 1
#endif
#define TBAND_NS_OF_RATE(hz, divisor) ((UINT64_C(1000000000) * (divisor) + (uint64_t)(hz) / 2u) / (uint64_t)(hz))
#define TBAND_TICK_NS                                                                \
    (TBAND_NS_OF_RATE(tband_portCLOCK_HZ, (uint64_t)(tband_portCLOCK_DIVISOR)) == 0u \
         ? UINT64_C(1)                                                               \
         : TBAND_NS_OF_RATE(tband_portCLOCK_HZ, (uint64_t)(tband_portCLOCK_DIVISOR)))
#else
#define TBAND_TICK_NS ((uint64_t)(tband_portTIMESTAMP_RESOLUTION_NS))
#endif

/* Events of kernel objects other than tasks and queues, and all events that decoders of the original format reject. */
#define TBAND_KERNEL_OBJECTS                                                                            \
    (tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE || tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE || \
     tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE || tband_configFREERTOS_TIMER_TRACE_ENABLE ||      \
     tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE || tband_configFREERTOS_SCHEDULER_TRACE_ENABLE)
#define TBAND_EXTENSIONS (tband_configCLOCK_SYNC_ENABLE || tband_configMEMORY_TRACE_ENABLE || TBAND_KERNEL_OBJECTS)

/* Names of deleted objects are overwritten only where one core writes names. */
#define TBAND_REUSES_NAMES \
    (tband_configREUSE_NAMES > 0 && tband_configUSE_METADATA_BUF == 1 && tband_portNUMBER_OF_CORES == 1)

#ifndef tband_portTIMESTAMP
#error \
    "tband_port.h must define tband_portTIMESTAMP(), the present time in ticks that never falls, uint32_t or uint64_t."
#endif
#if !defined(tband_portCLOCK_HZ) && !defined(tband_portTIMESTAMP_RESOLUTION_NS)
#error "tband_port.h must define tband_portCLOCK_HZ, the ticks of tband_portTIMESTAMP() per second, such as 168000000."
#endif
#if defined(tband_portCLOCK_HZ) && defined(tband_portTIMESTAMP_RESOLUTION_NS)
#error "tband_port.h must define tband_portCLOCK_HZ or tband_portTIMESTAMP_RESOLUTION_NS, not both."
#endif
#if defined(tband_portCLOCK_DIVISOR) && !defined(tband_portCLOCK_HZ)
#error "tband_portCLOCK_DIVISOR needs tband_portCLOCK_HZ."
#endif
#if !defined(tband_portENTER_CRITICAL_FROM_ANY) || !defined(tband_portEXIT_CRITICAL_FROM_ANY)
#error \
    "tband_port.h must define tband_portENTER_CRITICAL_FROM_ANY() and tband_portEXIT_CRITICAL_FROM_ANY(), which mask the interrupts of this core."
#endif
#if tband_portNUMBER_OF_CORES < 1 || tband_portNUMBER_OF_CORES > 255
#error "tband_portNUMBER_OF_CORES must be 1 to 255, a number that the preprocessor knows."
#endif
#ifndef tband_portGET_CORE_ID
#error "With several cores tband_port.h must define tband_portGET_CORE_ID(), the number of the core that runs, from 0."
#endif
#if (tband_configMARKER_TRACE_ENABLE | tband_configISR_TRACE_ENABLE | tband_configISR_FILTER_ENABLE |            \
     tband_configFAULT_ENABLE | tband_configCOMMANDS_ENABLE | tband_configTICK_TRACE_ENABLE |                    \
     tband_configTASK_DECLARE_ENABLE | tband_configCLOCK_SYNC_ENABLE | tband_configMEMORY_TRACE_ENABLE |         \
     tband_configUSE_METADATA_BUF | tband_configFREERTOS_TRACE_ENABLE | tband_configFREERTOS_TASK_TRACE_ENABLE | \
     tband_configFREERTOS_QUEUE_TRACE_ENABLE | tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE |                  \
     tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE | tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE |            \
     tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE | tband_configFREERTOS_TIMER_TRACE_ENABLE |                 \
     tband_configFREERTOS_SCHEDULER_TRACE_ENABLE) &                                                              \
    ~1
#error "tband_configUSE_METADATA_BUF and all that end with _ENABLE must be 0 or 1."
#endif
#if tband_configUSE_BACKEND_STREAMING + tband_configUSE_BACKEND_SNAPSHOT + tband_configUSE_BACKEND_POST_MORTEM + \
        tband_configUSE_BACKEND_EXTERNAL !=                                                                      \
    1
#error \
    "Choose one back end: set one of tband_configUSE_BACKEND_STREAMING, _SNAPSHOT, _POST_MORTEM and _EXTERNAL to 1, the others to 0."
#endif
#if tband_configCOMMANDS_ENABLE == 1 && tband_configUSE_BACKEND_EXTERNAL == 1
#error "tband_configCOMMANDS_ENABLE must be 0 with tband_configUSE_BACKEND_EXTERNAL, which has no start and stop."
#endif
#if TBAND_REUSES_NAMES && tband_configUSE_BACKEND_STREAMING == 1 && \
    (tband_configCOMMANDS_ENABLE == 1 || tband_configREPEAT_MS > 0)
#error \
    "tband_configREUSE_NAMES must be 0 with a stream and tband_configCOMMANDS_ENABLE or tband_configREPEAT_MS: names may be sent again."
#endif
#if defined(tband_configTRACE_DROP_CNT_EVERY) && tband_configTRACE_DROP_CNT_EVERY != 0
#error \
    "tband_configTRACE_DROP_CNT_EVERY must be 0 or left out: losses are reported where they happen, not periodically."
#endif
#if tband_configMAX_STR_LEN < 0 || tband_configMAX_STR_LEN > 226
#error "tband_configMAX_STR_LEN must be 0 to 226, so that a frame has at most 254 bytes."
#endif
#if tband_configMEMORY_TRACE_ENABLE == 1 && tband_configMAX_STR_LEN < 15
#error \
    "tband_configMAX_STR_LEN must be 15 or more with tband_configMEMORY_TRACE_ENABLE: an allocation is as long as an event with such a text."
#endif
#if tband_configTASK_DECLARE_ENABLE == 1 && tband_configMAX_STR_LEN < 10
#error \
    "tband_configMAX_STR_LEN must be 10 or more with tband_configTASK_DECLARE_ENABLE: a priority with a time is as long as a name with such a text."
#endif
#if tband_configREPEAT_MS > 0 && (tband_configUSE_BACKEND_STREAMING != 1 || tband_configUSE_METADATA_BUF != 1)
#error "tband_configREPEAT_MS is for streams with a metadata buffer."
#endif
#if tband_configREPEAT_MS < 0 || tband_configREPEAT_MS > 60000
#error "tband_configREPEAT_MS must be 0 (no repetition) to 60000."
#endif
#if tband_configUSE_METADATA_BUF == 1 && tband_configMETADATA_BUF_SIZE < 11
#error \
    "tband_configMETADATA_BUF_SIZE must be 11 or more, room for the length of a tick; or set tband_configUSE_METADATA_BUF to 0."
#endif
#if tband_configUSE_METADATA_BUF == 1 && tband_configMETADATA_BUF_SIZE < 24 && defined(tband_portCLOCK_HZ)
#error \
    "tband_configMETADATA_BUF_SIZE must be 24 or more, room for the clock rate; or set tband_configUSE_METADATA_BUF to 0."
#endif
#if tband_configUSE_BACKEND_POST_MORTEM == 1 && tband_configBACKEND_POST_MORTEM_BUF_SIZE < 4 * TBAND_LONGEST_FRAME
#error "tband_configBACKEND_POST_MORTEM_BUF_SIZE is too small: it must hold four frames of the longest kind."
#endif
#if tband_configUSE_BACKEND_SNAPSHOT == 1 && tband_configBACKEND_SNAPSHOT_BUF_SIZE < 2 * TBAND_LONGEST_FRAME
#error "tband_configBACKEND_SNAPSHOT_BUF_SIZE is too small: it must hold two frames of the longest kind."
#endif
#if tband_configUSE_BACKEND_STREAMING == 1 && !defined(tband_portBACKEND_STREAM_DATA)
#if tband_configBACKEND_STREAMING_BUF_SIZE < \
    tband_configUSE_METADATA_BUF * tband_configMETADATA_BUF_SIZE + 2 * TBAND_LONGEST_FRAME + 4 * TBAND_LONGEST_COUNT
#error \
    "tband_configBACKEND_STREAMING_BUF_SIZE is too small: it must hold tband_configMETADATA_BUF_SIZE, two frames of the longest kind and four counts."
#endif
#endif

#endif
#endif
