/* SPDX-License-Identifier: MIT */
#include "FreeRTOS.h"

#ifndef TBAND_H
#error "FreeRTOSConfig.h must include tband.h, at its end."
#endif

#include "event_groups.h"
#include "queue.h"
#include "stream_buffer.h"
#include "task.h"
#include "timers.h"

#include "tband.h"

#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1

#if configUSE_TRACE_FACILITY != 1
#error "FreeRTOSConfig.h must set configUSE_TRACE_FACILITY to 1: tasks and queues have no numbers without."
#endif
#if INCLUDE_xTaskGetIdleTaskHandle != 1
#error \
    "FreeRTOSConfig.h must set INCLUDE_xTaskGetIdleTaskHandle to 1, so that a recording tells which task is the idle task."
#endif
#if tband_configMEMORY_TRACE_ENABLE == 1 && INCLUDE_uxTaskGetStackHighWaterMark != 1
#error \
    "FreeRTOSConfig.h must set INCLUDE_uxTaskGetStackHighWaterMark to 1 with tband_configMEMORY_TRACE_ENABLE, for tband_freertos_stack()."
#endif
#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES != tband_portNUMBER_OF_CORES
#error "tband_portNUMBER_OF_CORES in tband_port.h and configNUMBER_OF_CORES in FreeRTOSConfig.h must be equal."
#endif

bool tband_freertos_is_started;

/* Kinds of waits that are not recorded. */
#define TBAND_UNTRACED_KINDS                                                                          \
    (5 - tband_configFREERTOS_TASK_TRACE_ENABLE - tband_configFREERTOS_QUEUE_TRACE_ENABLE -           \
     tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE - tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE - \
     tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE)

/* Each core has its own numbers, so that no core waits for another: of two cores, core 0 uses 1, 3, 5 and core 1
 * uses 2, 4, 6. created: per kind and core. */
static uint32_t next_number(uint32_t *created) {
    tband_portENTER_CRITICAL_FROM_ANY();
    uint32_t tband_core = (uint32_t)tband_portGET_CORE_ID();
    uint32_t number = 1 + tband_core + tband_portNUMBER_OF_CORES * created[tband_core]++;
    tband_portEXIT_CRITICAL_FROM_ANY();
    return number;
}

/* ---- Tasks ----------------------------------------------------------------------------------------------------------
 */

void tband_freertos_task_created(uint32_t task, uint32_t priority, const char *name, uint32_t stack_words) {
    TBAND_IF_TASKS(tband_event_task_created(task));
    TBAND_IF_TASKS(tband_event_task_priority_set(task, priority));
#if tband_configTASK_DECLARE_ENABLE == 1
    tband_event_task_declared(task, priority);
#endif
    tband_event_task_name(task, name);
#if tband_configTASK_DECLARE_ENABLE == 1
    if (stack_words != 0u) tband_event_task_stack_size(task, stack_words);
#endif
    (void)priority;
    (void)stack_words;
}

/* NULL: the running task. */
static uint32_t number_of(TaskHandle_t task) {
    TaskStatus_t status;
    vTaskGetInfo(task, &status, pdFALSE, eReady); /* the cheapest call: it collects neither stack nor state */
    return (uint32_t)status.xTaskNumber;
}

#if tband_configFAULT_ENABLE == 1
uint32_t tband_freertos_running_task(void) { return tband_freertos_is_started ? number_of(NULL) : 0u; }
#endif

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
#if TBAND_KERNEL_OBJECTS
    tband_event_waits_are_traced(TBAND_UNTRACED_KINDS);
#endif
    for (unsigned core = 0; core < tband_portNUMBER_OF_CORES; core++)
        tband_event_task_is_idle_task(number_of(idle_task(core)), core);
#if configUSE_TIMERS == 1
    tband_event_task_is_timer_task(number_of(xTimerGetTimerDaemonTaskHandle()));
#endif
}

#if tband_configMARKER_TRACE_ENABLE == 1
void tband_freertos_name_marker(uint32_t id, const char *name) {
    tband_event_task_evtmarker_name(id, number_of(NULL), name);
}

void tband_freertos_name_value(uint32_t id, const char *name) {
    tband_event_task_valmarker_name(id, number_of(NULL), name);
}
#endif

/* ---- Queues ---------------------------------------------------------------------------------------------------------
 */

/* Queues and buffers. */
static uint32_t queues_created[tband_portNUMBER_OF_CORES];

/* The format's kinds, indexed by the kernel's types: queue, mutex, counting and binary semaphore, recursive mutex,
 * queue set (before V11.2 a queue). */
static uint8_t kind_of(uint8_t type) {
    static const uint8_t kinds[] = { 0, 3, 1, 2, 4, 5 };
    return type < sizeof kinds ? kinds[type] : 0;
}

uint32_t tband_freertos_queue_created(uint8_t type) {
    uint32_t queue = next_number(queues_created);
    tband_event_queue_created(queue);
    tband_event_queue_kind(queue, kind_of(type));
    tband_event_queue_cur_length(queue, 0);
    return queue;
}

uint32_t tband_freertos_timer_queue;

static bool is_same_text(const char *a, const char *b) {
    while ((*a != '\0') && (*a == *b)) {
        a++;
        b++;
    }
    return *a == *b;
}

void tband_freertos_queue_registered(uint32_t queue, const char *name) {
    if ((name != NULL) && is_same_text(name, "TmrQ")) tband_freertos_timer_queue = queue; /* the kernel's name */
    tband_event_queue_name(queue, name);
}

void tband_freertos_name_queue(void *queue, const char *name) {
    tband_event_queue_name((uint32_t)uxQueueGetQueueNumber((QueueHandle_t)queue), name);
}

#if tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE == 1
uint32_t tband_freertos_buffer_created(bool is_message, uint32_t capacity) {
    uint32_t buffer = next_number(queues_created);
    tband_event_queue_kind(buffer, is_message ? 7 : 6);
    tband_event_queue_created(buffer);
    tband_event_queue_capacity(buffer, capacity);
    tband_event_queue_cur_length(buffer, 0);
    return buffer;
}

void tband_freertos_name_buffer(void *buffer, const char *name) {
    tband_event_queue_name((uint32_t)uxStreamBufferGetStreamBufferNumber((StreamBufferHandle_t)buffer), name);
}
#endif

/* ---- Event groups, software timers ----------------------------------------------------------------------------------
 */

#if tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE == 1
uint32_t tband_freertos_event_group_created(void) {
    static uint32_t created[tband_portNUMBER_OF_CORES];
    uint32_t group = next_number(created);
    tband_event_eventgroup_created(group);
    return group;
}

void tband_freertos_name_event_group(void *group, const char *name) {
    tband_event_eventgroup_name((uint32_t)uxEventGroupGetNumber(group), name);
}
#endif

#if tband_configFREERTOS_TIMER_TRACE_ENABLE == 1
uint32_t tband_freertos_timer_created(uint32_t period, const char *name) {
    static uint32_t created[tband_portNUMBER_OF_CORES];
    uint32_t timer = next_number(created);
    tband_event_timer_name(timer, name);
    tband_event_timer_created(timer, period);
    return timer;
}

/* The kernel's commands in tasks: 1 start, 2 reset, 3 stop, 4 change of the period, 5 deletion; from 6 on the same
 * commands in interrupts. The format's number of a call is half of the number of a start command. A table, because
 * for a `switch` compilers call a library function on a Cortex-M0, or generate comparisons. */
void tband_freertos_timer_command(uint32_t timer, int32_t command, uint32_t period) {
    static const uint8_t events[] = { 0,
                                      TBAND_ID_timer_started,
                                      TBAND_ID_timer_started,
                                      TBAND_ID_timer_stopped,
                                      TBAND_ID_timer_started,
                                      TBAND_ID_timer_deleted };
    BaseType_t in_task = command;
    if (in_task >= tmrFIRST_FROM_ISR_COMMAND) {
        in_task -= tmrFIRST_FROM_ISR_COMMAND - tmrCOMMAND_START;
    }
    uint32_t kind = (uint32_t)in_task;
    uint32_t event = (kind < sizeof events) ? events[kind] : 0u;
    if (event == (uint32_t)TBAND_ID_timer_started) {
        tband_event_timer_started(timer, kind / 2u, period);
    } else if (event != 0u) {
        if (TBAND_IS_COMPILED(TI, TBAND_GROUP_KERNEL)) tband_record_TI(event | TBAND_GROUP_KERNEL, timer);
    } else {
        /* no command of a timer */
    }
}
#endif

/* ---- Memory ---------------------------------------------------------------------------------------------------------
 */

#if tband_configMEMORY_TRACE_ENABLE == 1
/* Bytes in use; the kernel changes them while no other task runs. Heap 3 does not report the size of released
 * blocks. */
static uint32_t in_use;
static bool in_use_unknown;

void tband_freertos_allocated(const void *memory, size_t bytes) {
    if (!memory) {
        tband_allocation_failed(0, bytes);
        return;
    }
    in_use += (uint32_t)bytes;
    tband_allocated(0, memory, bytes, in_use_unknown ? 0xFFFFFFFFu : in_use);
}

void tband_freertos_freed(const void *memory, size_t bytes) {
    in_use -= (uint32_t)bytes;
    in_use_unknown = in_use_unknown || !bytes;
    tband_freed(0, memory, bytes, in_use_unknown ? 0xFFFFFFFFu : in_use);
}

void tband_freertos_record_stack(void *task) {
    TaskHandle_t handle = (TaskHandle_t)task;
    tband_event_task_stack_free(number_of(handle), (uint32_t)uxTaskGetStackHighWaterMark(handle));
}
#endif

/* ---- Interrupts -----------------------------------------------------------------------------------------------------
 */

#if tband_configISR_TRACE_ENABLE == 1 && defined(tband_portINTERRUPT_NUMBER)
/* The kernel also reports the exit of a handler that did not report its entry. So the recorder keeps the innermost
 * four reported handlers of each core: one byte each, the innermost lowest. 0 means empty. */
static uint32_t entered[tband_portNUMBER_OF_CORES];

/* Returns the number modulo 256 plus 1; 255 has the byte of 0. */
static uint32_t byte_of(uint32_t number) {
    uint32_t byte = (number + 1u) & 0xFFu;
    return (byte == 0u) ? 1u : byte;
}

#if TBAND_DEFERS_TICK
static bool tick_is_deferred[tband_portNUMBER_OF_CORES]; /* the tick's handler runs, and its entry is not recorded yet
                                                          */
#endif

static void enter(uint32_t number) {
    uint32_t *mine = &entered[tband_portGET_CORE_ID()];
    *mine = (*mine << 8) | byte_of(number);
    tband_event_isr_enter(number);
}

void tband_freertos_isr_enter(void) {
    uint32_t number = tband_portINTERRUPT_NUMBER();
    if (!tband_isr_is_recorded(number)) return;
#if TBAND_DEFERS_TICK
    if (number == (tband_portTICK_INTERRUPT)) {
        tick_is_deferred[tband_portGET_CORE_ID()] = true;
        return;
    }
#endif
    enter(number);
}

#if TBAND_DEFERS_TICK
void tband_freertos_task_ready(uint32_t task) {
    uint32_t core = (uint32_t)tband_portGET_CORE_ID();
    if (tick_is_deferred[core] && (tband_portINTERRUPT_NUMBER() == (tband_portTICK_INTERRUPT))) {
        tick_is_deferred[core] = false;
        enter(tband_portTICK_INTERRUPT);
    }
    tband_event_task_to_rdy_state(task);
}
#endif

void tband_freertos_isr_exit(void) {
    uint32_t number = tband_portINTERRUPT_NUMBER();
    uint32_t *mine = &entered[tband_portGET_CORE_ID()];
#if TBAND_DEFERS_TICK
    if (number == (tband_portTICK_INTERRUPT)) {
        bool is_without_effect = tick_is_deferred[tband_portGET_CORE_ID()];
        tick_is_deferred[tband_portGET_CORE_ID()] = false;
        if (is_without_effect) return;
    }
#endif
    if ((*mine & 0xFFu) != byte_of(number)) return;
    *mine >>= 8;
    tband_event_isr_exit(number);
}
#endif

#endif
