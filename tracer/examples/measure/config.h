/* SPDX-License-Identifier: MIT */
/* Settings common to the kernel configurations of several examples; include it at the end of FreeRTOSConfig.h. */
#ifndef MEASURE_CONFIG_H
#define MEASURE_CONFIG_H

#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 16
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 0
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configSUPPORT_STATIC_ALLOCATION 0
#define configUSE_MUTEXES 1
#define configUSE_TIMERS 0

#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskGetIdleTaskHandle 1

#ifndef __ASSEMBLER__
#include <stdint.h>
void board_stop(uint32_t line);
#define configASSERT(condition) \
    if (!(condition)) board_stop(__LINE__)
#endif

/* Settings that the recorder requires. */
#define configUSE_TRACE_FACILITY 1
#define configQUEUE_REGISTRY_SIZE 8
#include "tband.h"

#endif
