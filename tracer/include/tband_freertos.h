/* SPDX-License-Identifier: MIT */
/*
 * FreeRTOS V10.0 to V11.x, one core or several: tasks, queues, semaphores, mutexes and, since V11.0, interrupts, without a call by the application.
 *
 * tband_config.h: tband_configFREERTOS_TRACE_ENABLE 1. At the end of FreeRTOSConfig.h: #include "tband.h". Compile tracer/src/tband_freertos.c too.
 * FreeRTOSConfig.h: configUSE_TRACE_FACILITY and INCLUDE_xTaskGetIdleTaskHandle 1; configQUEUE_REGISTRY_SIZE above 0, so that vQueueAddToRegistry() names queues in recordings too.
 *
 * Tasks have the kernel's own number (uxTCBNumber), so that vTaskSetTaskNumber() is the application's. Queues are numbered in uxQueueNumber:
 * vQueueSetQueueNumber() is the recorder's.
 * Interrupts: the kernel reports its tick. A handler of the application that begins with traceISR_ENTER() and ends with portYIELD_FROM_ISR() is
 * recorded under its exception number; one that calls tband_isr_enter() and tband_isr_exit() under the numbers it gives.
 */
#ifndef TBAND_FREERTOS_H
#define TBAND_FREERTOS_H

#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Called by the kernel and by what stands below ------------------------------------------------------------------- */

extern bool tband_freertos_is_started;

void tband_freertos_note_started(void);
void tband_freertos_name_queue(void *queue, const char *name);
void tband_freertos_name_marker(uint32_t id, const char *name);
void tband_freertos_name_value(uint32_t id, const char *name);
void tband_freertos_task_created(uint32_t task, uint32_t priority, const char *name);
uint32_t tband_freertos_queue_created(uint8_t type); /* returns the number of the queue */
void tband_freertos_isr_enter(void);
void tband_freertos_isr_exit(void);

#ifdef __cplusplus
}
#endif

/* Within the kernel's files: fields of its control blocks, and the names that its functions use. */
#define TBAND_TASK(task) ((uint32_t)(task)->uxTCBNumber)
#define TBAND_QUEUE(queue) ((uint32_t)(queue)->uxQueueNumber)

/* Before V11.2 the kernel does not report that the scheduler starts: the first switch does. */
#define TBAND_STARTS_SILENTLY (tskKERNEL_VERSION_MAJOR < 11 || (tskKERNEL_VERSION_MAJOR == 11 && tskKERNEL_VERSION_MINOR < 2))

#define traceTASK_CREATE(task) tband_freertos_task_created(TBAND_TASK(task), (uint32_t)(task)->uxPriority, (task)->pcTaskName)
#define traceSTARTING_SCHEDULER(idle_tasks) tband_freertos_note_started()
#define traceTASK_SWITCHED_IN() \
    do { \
        if (TBAND_STARTS_SILENTLY && !tband_freertos_is_started) tband_freertos_note_started(); \
        TBAND_IF_TASKS(tband_event_task_switched_in(TBAND_TASK(pxCurrentTCB))); \
    } while (0)

#if tband_configFREERTOS_TASK_TRACE_ENABLE == 1
#define TBAND_IF_TASKS(call) call
#define traceTASK_DELETE(task) tband_event_task_deleted(TBAND_TASK(task))
#define traceMOVED_TASK_TO_READY_STATE(task) tband_event_task_to_rdy_state(TBAND_TASK(task))
#define traceTASK_SUSPEND(task) tband_event_task_suspended(TBAND_TASK(task))
#define traceTASK_RESUME(task) tband_event_task_resumed(TBAND_TASK(task))
#define traceTASK_RESUME_FROM_ISR(task) tband_event_task_resumed_from_isr(TBAND_TASK(task))
#define traceTASK_DELAY() tband_event_curtask_delay((uint32_t)xTicksToDelay)
#define traceTASK_DELAY_UNTIL(time_to_wake) tband_event_curtask_delay_until((uint32_t)(time_to_wake))
#define traceTASK_PRIORITY_SET(task, priority) tband_event_task_priority_set(TBAND_TASK(task), (uint32_t)(priority))
#define traceTASK_PRIORITY_INHERIT(task, priority) tband_event_task_priority_inherit(TBAND_TASK(task), (uint32_t)(priority))
#define traceTASK_PRIORITY_DISINHERIT(task, priority) tband_event_task_priority_disinherit(TBAND_TASK(task), (uint32_t)(priority))
#else
#define TBAND_IF_TASKS(call) ((void)0)
#endif

#define traceQUEUE_CREATE(queue) (queue)->uxQueueNumber = tband_freertos_queue_created((queue)->ucQueueType)
#define traceQUEUE_REGISTRY_ADD(queue, name) tband_event_queue_name(TBAND_QUEUE(queue), (name))

#if tband_configFREERTOS_QUEUE_TRACE_ENABLE == 1
/* What the kernel is about to do: overwrite the one item of a queue, or add one. Where it has no such name, items are added. */
enum { xCopyPosition = 0 };
#define TBAND_OVERWRITES(queue) (xCopyPosition == queueOVERWRITE && (queue)->uxLength == 1)
#define TBAND_SENT(queue, send, overwrite) \
    do { \
        if (TBAND_OVERWRITES(queue)) overwrite(TBAND_QUEUE(queue), 1); \
        else send(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting + 1); \
    } while (0)
#define traceCREATE_COUNTING_SEMAPHORE() tband_event_queue_cur_length((uint32_t)((Queue_t *)xHandle)->uxQueueNumber, (uint32_t)uxInitialCount)
#define traceQUEUE_SEND(queue) TBAND_SENT(queue, tband_event_queue_send, tband_event_queue_overwrite)
#define traceQUEUE_SEND_FROM_ISR(queue) TBAND_SENT(queue, tband_event_queue_send_from_isr, tband_event_queue_overwrite_from_isr)
#define traceQUEUE_SET_SEND(queue) tband_event_queue_send(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting + 1)
#define traceQUEUE_RECEIVE(queue) tband_event_queue_receive(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting - 1)
#define traceQUEUE_RECEIVE_FROM_ISR(queue) tband_event_queue_receive_from_isr(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting - 1)
#define traceENTER_xQueueGenericReset(queue, is_new) \
    do { \
        if ((queue) && !(is_new)) tband_event_queue_reset(TBAND_QUEUE(queue)); \
    } while (0)
#define traceBLOCKING_ON_QUEUE_PEEK(queue) tband_event_curtask_block_on_queue_peek(TBAND_QUEUE(queue), (uint32_t)xTicksToWait)
#define traceBLOCKING_ON_QUEUE_SEND(queue) tband_event_curtask_block_on_queue_send(TBAND_QUEUE(queue), (uint32_t)xTicksToWait)
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) tband_event_curtask_block_on_queue_receive(TBAND_QUEUE(queue), (uint32_t)xTicksToWait)
#endif

/* Needs the number of the interrupt from the port. The kernel reports an exit also in portYIELD_FROM_ISR(). */
#if tband_configISR_TRACE_ENABLE == 1 && defined(tband_portINTERRUPT_NUMBER)
#define traceISR_ENTER() tband_freertos_isr_enter()
#define traceISR_EXIT() tband_freertos_isr_exit()
#define traceISR_EXIT_TO_SCHEDULER() tband_freertos_isr_exit()
#endif

/* For a port that widens a counter of 32 bits. */
#ifdef tband_portTICK
#define traceTASK_INCREMENT_TICK(tick) tband_portTICK()
#endif

#endif

/* ---- For the application, in tasks ---------------------------------------------------------------------------------- */

/* A name for a queue, semaphore or mutex, at any time after its creation. The registry of the kernel does the same. */
#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1
#define tband_freertos_queue_name(queue, name) tband_freertos_name_queue((queue), (name))
/* Records which tasks are the idle tasks and the timer task. The hooks do it when the scheduler starts: an application need not call this. */
#define tband_freertos_scheduler_started() tband_freertos_note_started()
#else
#define tband_freertos_queue_name(queue, name) ((void)0)
#define tband_freertos_scheduler_started() ((void)0)
#endif
#define tband_freertos_binary_semaphore_name(semaphore, name) tband_freertos_queue_name((semaphore), (name))
#define tband_freertos_counting_semaphore_name(semaphore, name) tband_freertos_queue_name((semaphore), (name))
#define tband_freertos_mutex_name(mutex, name) tband_freertos_queue_name((mutex), (name))
#define tband_freertos_recursive_mutex_name(mutex, name) tband_freertos_queue_name((mutex), (name))

/* Markers and values of the task that calls; names too. */
#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1 && tband_configMARKER_TRACE_ENABLE == 1
#define tband_freertos_task_evtmarker_name(id, name) tband_freertos_name_marker((id), (name))
#define tband_freertos_task_evtmarker(id, msg) tband_event_task_evtmarker((id), (msg))
#define tband_freertos_task_evtmarker_begin(id, msg) tband_event_task_evtmarker_begin((id), (msg))
#define tband_freertos_task_evtmarker_end(id) tband_event_task_evtmarker_end(id)
#define tband_freertos_task_valmarker_name(id, name) tband_freertos_name_value((id), (name))
#define tband_freertos_task_valmarker(id, val) tband_event_task_valmarker((id), (val)) /* int64_t */
#else
#define tband_freertos_task_evtmarker_name(id, name) ((void)0)
#define tband_freertos_task_evtmarker(id, msg) ((void)0)
#define tband_freertos_task_evtmarker_begin(id, msg) ((void)0)
#define tband_freertos_task_evtmarker_end(id) ((void)0)
#define tband_freertos_task_valmarker_name(id, name) ((void)0)
#define tband_freertos_task_valmarker(id, val) ((void)0)
#endif

#endif
