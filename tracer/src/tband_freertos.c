/* SPDX-License-Identifier: MIT */
#include "FreeRTOS.h"

#ifndef TBAND_H
#error "FreeRTOSConfig.h must include tband.h, at its end."
#endif

#include "queue.h"
#include "task.h"
#include "timers.h"

#include "tband.h"

#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1

#if configUSE_TRACE_FACILITY != 1
#error "FreeRTOSConfig.h must set configUSE_TRACE_FACILITY to 1: tasks and queues have no numbers without."
#endif
#if INCLUDE_xTaskGetIdleTaskHandle != 1
#error "FreeRTOSConfig.h must set INCLUDE_xTaskGetIdleTaskHandle to 1, so that a recording tells which task is the idle task."
#endif
#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES != tband_portNUMBER_OF_CORES
#error "tband_portNUMBER_OF_CORES in tband_port.h and configNUMBER_OF_CORES in FreeRTOSConfig.h must be equal."
#endif

bool tband_freertos_is_started;

/* ---- Tasks ---------------------------------------------------------------------------------------------------------- */

void tband_freertos_task_created(uint32_t task, uint32_t priority, const char *name) {
    TBAND_IF_TASKS(tband_event_task_created(task));
    TBAND_IF_TASKS(tband_event_task_priority_set(task, priority));
    tband_event_task_name(task, name);
    (void)priority;
}

/* NULL: the task that runs. */
static uint32_t number_of(TaskHandle_t task) {
    TaskStatus_t status;
    vTaskGetInfo(task, &status, pdFALSE, eReady); /* the cheapest way: neither stack nor state are asked for */
    return (uint32_t)status.xTaskNumber;
}

static TaskHandle_t idle_task(unsigned core) {
#if tband_portNUMBER_OF_CORES > 1
    return xTaskGetIdleTaskHandleForCore((BaseType_t)core);
#else
    (void)core;
    return xTaskGetIdleTaskHandle();
#endif
}

void tband_freertos_note_started(void) {
    if (tband_freertos_is_started) return;
    tband_freertos_is_started = true;
    for (unsigned core = 0; core < tband_portNUMBER_OF_CORES; core++) tband_event_task_is_idle_task(number_of(idle_task(core)), core);
#if configUSE_TIMERS == 1
    tband_event_task_is_timer_task(number_of(xTimerGetTimerDaemonTaskHandle()));
#endif
}

#if tband_configMARKER_TRACE_ENABLE == 1
void tband_freertos_name_marker(uint32_t id, const char *name) { tband_event_task_evtmarker_name(id, number_of(NULL), name); }

void tband_freertos_name_value(uint32_t id, const char *name) { tband_event_task_valmarker_name(id, number_of(NULL), name); }
#endif

/* ---- Queues --------------------------------------------------------------------------------------------------------- */

/* Each core has numbers of its own, so that none waits for another: core 0 of two has 1, 3, 5, core 1 has 2, 4, 6. */
static uint32_t next_queue(void) {
    static uint32_t created[tband_portNUMBER_OF_CORES];
    tband_portENTER_CRITICAL_FROM_ANY();
    uint32_t core = (uint32_t)tband_portGET_CORE_ID();
    uint32_t number = 1 + core + tband_portNUMBER_OF_CORES * created[core]++;
    tband_portEXIT_CRITICAL_FROM_ANY();
    return number;
}

/* The format's kinds, by the kernel's types: queue, mutex, counting and binary semaphore, recursive mutex, queue set (before V11.2 a queue). */
static uint8_t kind_of(uint8_t type) {
    static const uint8_t kinds[] = { 0, 3, 1, 2, 4, 5 };
    return type < sizeof kinds ? kinds[type] : 0;
}

uint32_t tband_freertos_queue_created(uint8_t type) {
    uint32_t queue = next_queue();
    tband_event_queue_created(queue);
    tband_event_queue_kind(queue, kind_of(type));
    tband_event_queue_cur_length(queue, 0);
    return queue;
}

void tband_freertos_name_queue(void *queue, const char *name) { tband_event_queue_name((uint32_t)uxQueueGetQueueNumber((QueueHandle_t)queue), name); }

/* ---- Interrupts ----------------------------------------------------------------------------------------------------- */

#if tband_configISR_TRACE_ENABLE == 1 && defined(tband_portINTERRUPT_NUMBER)
/* A bit per interrupt, by its number modulo 32. The kernel reports an exit also where a handler did not report its entry. */
static uint32_t entered[tband_portNUMBER_OF_CORES];

void tband_freertos_isr_enter(void) {
    uint32_t number = tband_portINTERRUPT_NUMBER();
    entered[tband_portGET_CORE_ID()] |= UINT32_C(1) << number % 32;
    tband_event_isr_enter(number);
}

void tband_freertos_isr_exit(void) {
    uint32_t number = tband_portINTERRUPT_NUMBER(), bit = UINT32_C(1) << number % 32, *mine = &entered[tband_portGET_CORE_ID()];
    if (!(*mine & bit)) return;
    *mine &= ~bit;
    tband_event_isr_exit(number);
}
#endif

#endif
