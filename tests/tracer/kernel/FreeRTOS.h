/* SPDX-License-Identifier: MIT */
/* A stub of the FreeRTOS headers, also of releases that the tests do not fetch. KERNEL_VERSION: 1000 is V10.0, 1102
 * V11.2. */
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stdbool.h>
#include <stdint.h>

#include "FreeRTOSConfig.h"

#define pdFALSE 0L
#define pdTRUE 1L
#define pdFAIL 0L
#define pdPASS 1L
#define tskKERNEL_VERSION_MAJOR (KERNEL_VERSION / 100)
#define tskKERNEL_VERSION_MINOR (KERNEL_VERSION % 100)

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;

typedef struct tskTaskControlBlock {
    UBaseType_t uxPriority, uxTCBNumber;
    char pcTaskName[16];
#if KERNEL_VERSION >= 1004 /* an array of them */
    volatile uint32_t ulNotifiedValue[2];
    volatile uint8_t ucNotifyState[2];
#else
    volatile uint32_t ulNotifiedValue;
    volatile uint8_t ucNotifyState;
#endif
} TCB_t;
typedef struct tskTaskControlBlock *TaskHandle_t;

typedef struct QueueDefinition {
    UBaseType_t uxMessagesWaiting, uxLength, uxQueueNumber;
    uint8_t ucQueueType;
} Queue_t;
typedef struct QueueDefinition *QueueHandle_t;

typedef struct EventGroupDef_t {
    UBaseType_t uxEventGroupNumber;
} EventGroup_t;

typedef struct StreamBufferDef_t {
    size_t xLength;
    UBaseType_t uxStreamBufferNumber;
} StreamBuffer_t;

typedef struct tmrTimerControl {
    const char *pcTimerName;
    TickType_t xTimerPeriodInTicks;
    UBaseType_t uxTimerNumber;
} Timer_t;

#if KERNEL_VERSION >= 1002 /* in earlier releases handles were void * */
typedef struct EventGroupDef_t *EventGroupHandle_t;
typedef struct StreamBufferDef_t *StreamBufferHandle_t;
typedef struct tmrTimerControl *TimerHandle_t;
#else
typedef void *EventGroupHandle_t;
typedef void *StreamBufferHandle_t;
typedef void *TimerHandle_t;
#endif

#endif
