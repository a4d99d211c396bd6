/* SPDX-License-Identifier: MIT */
/* A stand-in for the headers of FreeRTOS: no registry has its older releases. KERNEL_VERSION: 1000 is V10.0, 1102 V11.2. */
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stdbool.h>
#include <stdint.h>

#include "FreeRTOSConfig.h"

#define pdFALSE 0L
#define pdTRUE 1L
#define tskKERNEL_VERSION_MAJOR (KERNEL_VERSION / 100)
#define tskKERNEL_VERSION_MINOR (KERNEL_VERSION % 100)

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;

typedef struct tskTaskControlBlock {
    UBaseType_t uxPriority, uxTCBNumber;
    char pcTaskName[16];
} TCB_t;
typedef struct tskTaskControlBlock *TaskHandle_t;

typedef struct QueueDefinition {
    UBaseType_t uxMessagesWaiting, uxLength, uxQueueNumber;
    uint8_t ucQueueType;
} Queue_t;
typedef struct QueueDefinition *QueueHandle_t;

#endif
