/* SPDX-License-Identifier: MIT */
#ifndef TASK_H
#define TASK_H

typedef enum { eRunning, eReady } eTaskState;
typedef struct {
    UBaseType_t xTaskNumber;
} TaskStatus_t;

void vTaskGetInfo(TaskHandle_t task, TaskStatus_t *status, BaseType_t stack, eTaskState state);
TaskHandle_t xTaskGetIdleTaskHandle(void);
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task);

#endif
