/* SPDX-License-Identifier: MIT */
/*
 * Trace hooks for FreeRTOS V10.0 to V11.x, one core or several. They record tasks, queues, semaphores, mutexes and,
 * since V11.0, interrupts, without a call by the application. If tband_config.h enables them: also notifications, event
 * groups, stream buffers, software timers and the heap.
 *
 * tband_config.h: tband_configFREERTOS_TRACE_ENABLE 1. At the end of FreeRTOSConfig.h: #include "tband.h". Compile
 * tracer/src/tband_freertos.c too. FreeRTOSConfig.h: configUSE_TRACE_FACILITY and INCLUDE_xTaskGetIdleTaskHandle 1;
 * configQUEUE_REGISTRY_SIZE above 0, so that vQueueAddToRegistry() names queues in recordings too.
 *
 * The recorder uses the kernel's task number (uxTCBNumber), so the application may use vTaskSetTaskNumber(). It stores
 * queue numbers in uxQueueNumber, so the application must not use vQueueSetQueueNumber(). Interrupts: the kernel
 * reports its tick, of which those are recorded that make a task ready (all with
 * tband_configTICK_TRACE_ENABLE 1). A handler that begins with traceISR_ENTER() and ends with portYIELD_FROM_ISR() is
 * recorded with its exception number; one that calls tband_isr_enter() and tband_isr_exit() with the number that it
 * passes.
 */
#ifndef TBAND_FREERTOS_H
#define TBAND_FREERTOS_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Called by the kernel and by the macros below -------------------------------------------------------------- */

extern bool tband_freertos_is_started;
extern uint32_t tband_freertos_timer_queue; /* number of the queue of the timer task; 0: unknown */

void tband_freertos_note_started(void);
void tband_freertos_queue_registered(uint32_t queue, const char *name);
void tband_freertos_name_queue(void *queue, const char *name);
void tband_freertos_name_marker(uint32_t id, const char *name);
void tband_freertos_name_value(uint32_t id, const char *name);
/* stack_words: size of the stack; 0: unknown */
void tband_freertos_task_created(uint32_t task, uint32_t priority, const char *name, uint32_t stack_words);
/* Return the number of the new queue or buffer, from one counter for both. */
uint32_t tband_freertos_queue_created(uint8_t type);
uint32_t tband_freertos_buffer_created(bool is_message, uint32_t capacity);
void tband_freertos_name_buffer(void *buffer, const char *name);
uint32_t tband_freertos_event_group_created(void);
void tband_freertos_name_event_group(void *group, const char *name);
uint32_t tband_freertos_timer_created(uint32_t period, const char *name);
void tband_freertos_timer_command(uint32_t timer, int32_t command, uint32_t period);
void tband_freertos_allocated(const void *memory, size_t bytes);
void tband_freertos_freed(const void *memory, size_t bytes);
void tband_freertos_record_stack(void *task);
void tband_freertos_isr_enter(void);
void tband_freertos_isr_exit(void);
void tband_freertos_task_ready(uint32_t task);
uint32_t tband_freertos_running_task(void); /* 0: the scheduler has not started */

#ifdef __cplusplus
}
#endif

/* In the kernel's files: fields of its control blocks, and local names of its functions. */
#define TBAND_TASK(task) ((uint32_t)(task)->uxTCBNumber)
#define TBAND_QUEUE(queue) ((uint32_t)(queue)->uxQueueNumber)

/* Before V11.2 the kernel does not report that the scheduler starts, so the first task switch is used. */
#define TBAND_STARTS_SILENTLY \
    (tskKERNEL_VERSION_MAJOR < 11 || (tskKERNEL_VERSION_MAJOR == 11 && tskKERNEL_VERSION_MINOR < 2))

/* The tick's interrupt is recorded only if it makes a task ready: its entry right before that event. */
#if tband_configISR_TRACE_ENABLE == 1 && defined(tband_portINTERRUPT_NUMBER) && defined(tband_portTICK_INTERRUPT) && \
    tband_configTICK_TRACE_ENABLE == 0
#define TBAND_DEFERS_TICK 1
#else
#define TBAND_DEFERS_TICK 0
#endif

/* The kernel keeps the end of a stack only with configRECORD_STACK_HIGH_ADDRESS 1. */
#if tband_configTASK_DECLARE_ENABLE == 1 && defined(configRECORD_STACK_HIGH_ADDRESS) && \
    configRECORD_STACK_HIGH_ADDRESS == 1
#define TBAND_STACK_WORDS(task) ((uint32_t)((task)->pxEndOfStack - (task)->pxStack) + 1u)
#else
#define TBAND_STACK_WORDS(task) 0u /* unknown */
#endif

#define traceTASK_CREATE(task)                                                                      \
    tband_freertos_task_created(TBAND_TASK(task), (uint32_t)(task)->uxPriority, (task)->pcTaskName, \
                                TBAND_STACK_WORDS(task))
#define traceSTARTING_SCHEDULER(idle_tasks) tband_freertos_note_started()
#define traceTASK_SWITCHED_IN()                                                                 \
    do {                                                                                        \
        if (TBAND_STARTS_SILENTLY && !tband_freertos_is_started) tband_freertos_note_started(); \
        TBAND_IF_TASKS(tband_event_task_switched_in(TBAND_TASK(pxCurrentTCB)));                 \
    } while (0)

#if tband_configFREERTOS_TASK_TRACE_ENABLE == 1
#define TBAND_IF_TASKS(call) call
#if TBAND_DEFERS_TICK
#define traceMOVED_TASK_TO_READY_STATE(task) tband_freertos_task_ready(TBAND_TASK(task))
#else
#define traceMOVED_TASK_TO_READY_STATE(task) tband_event_task_to_rdy_state(TBAND_TASK(task))
#endif
#define traceTASK_SUSPEND(task) tband_event_task_suspended(TBAND_TASK(task))
#define traceTASK_RESUME(task) tband_event_task_resumed(TBAND_TASK(task))
#define traceTASK_RESUME_FROM_ISR(task) tband_event_task_resumed_from_isr(TBAND_TASK(task))
#define traceTASK_DELAY() tband_event_curtask_delay((uint32_t)xTicksToDelay)
#define traceTASK_DELAY_UNTIL(time_to_wake) tband_event_curtask_delay_until((uint32_t)(time_to_wake))
#define traceTASK_PRIORITY_SET(task, priority) tband_event_task_priority_set(TBAND_TASK(task), (uint32_t)(priority))
#define traceTASK_PRIORITY_INHERIT(task, priority) \
    tband_event_task_priority_inherit(TBAND_TASK(task), (uint32_t)(priority))
#define traceTASK_PRIORITY_DISINHERIT(task, priority) \
    tband_event_task_priority_disinherit(TBAND_TASK(task), (uint32_t)(priority))
#else
#define TBAND_IF_TASKS(call) ((void)0)
#endif

#if TBAND_REUSES_NAMES
#define TBAND_NOTE_DELETED(note) note
#else
#define TBAND_NOTE_DELETED(note) ((void)0)
#endif
#define traceTASK_DELETE(task)                                         \
    do {                                                               \
        TBAND_IF_TASKS(tband_event_task_deleted(TBAND_TASK(task)));    \
        TBAND_NOTE_DELETED(tband_note_task_deleted(TBAND_TASK(task))); \
    } while (0)

/* The kernel suspends the scheduler itself too, within many calls. */
#if tband_configFREERTOS_SCHEDULER_TRACE_ENABLE == 1
#define traceENTER_vTaskSuspendAll()                                                    \
    do {                                                                                \
        if (uxSchedulerSuspended == (UBaseType_t)0U) tband_event_scheduler_suspended(); \
    } while (0)
#define traceENTER_xTaskResumeAll()                                                   \
    do {                                                                              \
        if (uxSchedulerSuspended == (UBaseType_t)1U) tband_event_scheduler_resumed(); \
    } while (0)
#endif

#if tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE == 1
#define traceQUEUE_CREATE(queue)                                                     \
    do {                                                                             \
        (queue)->uxQueueNumber = tband_freertos_queue_created((queue)->ucQueueType); \
        tband_event_queue_capacity(TBAND_QUEUE(queue), (uint32_t)(queue)->uxLength); \
    } while (0)
#define TBAND_QUEUE_DELETED(queue) tband_event_queue_deleted(queue)
#define TBAND_REFUSED(refused, queue, operation) \
    refused(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting, (operation))
#define traceQUEUE_SEND_FAILED(queue) TBAND_REFUSED(tband_event_queue_refused, queue, TBAND_SEND)
/* The timer task asks its own queue for commands without waiting: an empty queue refuses nothing. The kernel names this
 * queue in its registry, and since V11.0 reports that the timer task is about to wait for it. */
#define traceENTER_vQueueWaitForMessageRestricted(queue, ticks, is_endless) \
    tband_freertos_timer_queue = TBAND_QUEUE(queue)
#define traceQUEUE_RECEIVE_FAILED(queue)                                    \
    do {                                                                    \
        if (TBAND_QUEUE(queue) != tband_freertos_timer_queue)               \
            TBAND_REFUSED(tband_event_queue_refused, queue, TBAND_RECEIVE); \
    } while (0)
#define traceQUEUE_PEEK_FAILED(queue) TBAND_REFUSED(tband_event_queue_refused, queue, TBAND_PEEK)
#define traceQUEUE_SEND_FROM_ISR_FAILED(queue) TBAND_REFUSED(tband_event_queue_refused_from_isr, queue, TBAND_SEND)
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(queue) \
    TBAND_REFUSED(tband_event_queue_refused_from_isr, queue, TBAND_RECEIVE)
#define traceQUEUE_PEEK_FROM_ISR_FAILED(queue) TBAND_REFUSED(tband_event_queue_refused_from_isr, queue, TBAND_PEEK)
#else
#define TBAND_QUEUE_DELETED(queue) ((void)0)
#define traceQUEUE_CREATE(queue) (queue)->uxQueueNumber = tband_freertos_queue_created((queue)->ucQueueType)
#endif
#define TBAND_DELETED_QUEUE(queue)                           \
    do {                                                     \
        TBAND_QUEUE_DELETED(queue);                          \
        TBAND_NOTE_DELETED(tband_note_queue_deleted(queue)); \
    } while (0)
#define traceQUEUE_DELETE(queue) TBAND_DELETED_QUEUE(TBAND_QUEUE(queue))
/* Failed operations, with the numbers of the format. */
enum { TBAND_SEND = 0, TBAND_RECEIVE = 3, TBAND_PEEK = 4 };
#define traceQUEUE_REGISTRY_ADD(queue, name) tband_freertos_queue_registered(TBAND_QUEUE(queue), (name))

#if tband_configFREERTOS_QUEUE_TRACE_ENABLE == 1
/* In the kernel's functions that can overwrite the only item of a queue, a parameter of this name hides the constant.
 * All other functions add an item. */
enum { xCopyPosition = 0 };
#define TBAND_OVERWRITES(queue) (xCopyPosition == queueOVERWRITE && (queue)->uxLength == 1)
#define TBAND_SENT(queue, send, overwrite)                                       \
    do {                                                                         \
        if (TBAND_OVERWRITES(queue)) overwrite(TBAND_QUEUE(queue), 1);           \
        else send(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting + 1); \
    } while (0)
#define traceCREATE_COUNTING_SEMAPHORE() \
    tband_event_queue_cur_length((uint32_t)((Queue_t *)xHandle)->uxQueueNumber, (uint32_t)uxInitialCount)
#define traceQUEUE_SEND(queue) TBAND_SENT(queue, tband_event_queue_send, tband_event_queue_overwrite)
#define traceQUEUE_SEND_FROM_ISR(queue) \
    TBAND_SENT(queue, tband_event_queue_send_from_isr, tband_event_queue_overwrite_from_isr)
#define traceQUEUE_SET_SEND(queue) tband_event_queue_send(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting + 1)
#define traceQUEUE_RECEIVE(queue) \
    tband_event_queue_receive(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting - 1)
#define traceQUEUE_RECEIVE_FROM_ISR(queue) \
    tband_event_queue_receive_from_isr(TBAND_QUEUE(queue), (uint32_t)(queue)->uxMessagesWaiting - 1)
#define traceENTER_xQueueGenericReset(queue, is_new)                           \
    do {                                                                       \
        if ((queue) && !(is_new)) tband_event_queue_reset(TBAND_QUEUE(queue)); \
    } while (0)
#define traceBLOCKING_ON_QUEUE_PEEK(queue) \
    tband_event_curtask_block_on_queue_peek(TBAND_QUEUE(queue), (uint32_t)xTicksToWait)
#define traceBLOCKING_ON_QUEUE_SEND(queue) \
    tband_event_curtask_block_on_queue_send(TBAND_QUEUE(queue), (uint32_t)xTicksToWait)
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) \
    tband_event_curtask_block_on_queue_receive(TBAND_QUEUE(queue), (uint32_t)xTicksToWait)
#endif

/* Up to V10.3 the hook has no argument. pxTCB is the notified task where the kernel notifies. */
#if tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE == 1
#define TBAND_NOTIFICATION_TAKEN(is_taken)                      \
    do {                                                        \
        if (is_taken) tband_event_curtask_notification_taken(); \
        else tband_event_curtask_notification_missed();         \
    } while (0)
#define traceTASK_NOTIFY(...) tband_event_task_notified(TBAND_TASK(pxTCB))
#define traceTASK_NOTIFY_FROM_ISR(...) tband_event_task_notified_from_isr(TBAND_TASK(pxTCB))
#define traceTASK_NOTIFY_GIVE_FROM_ISR(...) tband_event_task_notified_from_isr(TBAND_TASK(pxTCB))
#define traceTASK_NOTIFY_TAKE_BLOCK(...) tband_event_curtask_block_on_notification((uint32_t)xTicksToWait)
#define traceTASK_NOTIFY_WAIT_BLOCK(...) tband_event_curtask_block_on_notification((uint32_t)xTicksToWait)
#define traceTASK_NOTIFY_TAKE(...) \
    TBAND_NOTIFICATION_TAKEN(((const volatile uint32_t *)&pxCurrentTCB->ulNotifiedValue)[__VA_ARGS__ + 0])
#define traceTASK_NOTIFY_WAIT(...)                                                                        \
    TBAND_NOTIFICATION_TAKEN(((const volatile uint8_t *)&pxCurrentTCB->ucNotifyState)[__VA_ARGS__ + 0] == \
                             taskNOTIFICATION_RECEIVED)
#endif

#if tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE == 1
#define TBAND_EVENT_GROUP(group) ((uint32_t)((const EventGroup_t *)(group))->uxEventGroupNumber)
enum { TBAND_SYNCS = 1, TBAND_TIMED_OUT = 2, TBAND_CLEARED = 4 };
#define traceEVENT_GROUP_CREATE(group) (group)->uxEventGroupNumber = tband_freertos_event_group_created()
#define traceEVENT_GROUP_DELETE(group) tband_event_eventgroup_deleted(TBAND_EVENT_GROUP(group))
#define traceEVENT_GROUP_SET_BITS(group, bits) tband_event_eventgroup_set(TBAND_EVENT_GROUP(group), (uint32_t)(bits))
#define traceEVENT_GROUP_CLEAR_BITS(group, bits) \
    tband_event_eventgroup_cleared(TBAND_EVENT_GROUP(group), (uint32_t)(bits))
#define traceEVENT_GROUP_SET_BITS_FROM_ISR(group, bits) \
    tband_event_eventgroup_asked_from_isr(TBAND_EVENT_GROUP(group), 0, (uint32_t)(bits))
#define traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(group, bits) \
    tband_event_eventgroup_asked_from_isr(TBAND_EVENT_GROUP(group), 1, (uint32_t)(bits))
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, bits) \
    tband_event_curtask_block_on_eventgroup(TBAND_EVENT_GROUP(group), 0, (uint32_t)(bits))
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, bits) \
    tband_event_curtask_block_on_eventgroup(TBAND_EVENT_GROUP(group), TBAND_SYNCS, (uint32_t)(bits))
#define traceEVENT_GROUP_WAIT_BITS_END(group, bits, timed_out)       \
    tband_event_eventgroup_waited(TBAND_EVENT_GROUP(group),          \
                                  (timed_out)      ? TBAND_TIMED_OUT \
                                  : (xClearOnExit) ? TBAND_CLEARED   \
                                                   : 0,              \
                                  (uint32_t)(bits))
#define traceEVENT_GROUP_SYNC_END(group, set, bits, timed_out)                                                 \
    tband_event_eventgroup_waited(TBAND_EVENT_GROUP(group), TBAND_SYNCS | ((timed_out) ? TBAND_TIMED_OUT : 0), \
                                  (uint32_t)(bits))
#endif

/* Stream and message buffers are recorded as queues of bytes. */
#if tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE == 1
#define TBAND_BUFFER(buffer) ((uint32_t)((const StreamBuffer_t *)(buffer))->uxStreamBufferNumber)
#define TBAND_FILL(buffer) ((uint32_t)prvBytesInBuffer((const StreamBuffer_t *)(buffer)))
#define TBAND_FROM_ISR(buffer, bytes, done, operation)                                                  \
    do {                                                                                                \
        if (bytes) done(TBAND_BUFFER(buffer), TBAND_FILL(buffer));                                      \
        else tband_event_queue_refused_from_isr(TBAND_BUFFER(buffer), TBAND_FILL(buffer), (operation)); \
    } while (0)
#define traceSTREAM_BUFFER_CREATE(buffer, type) \
    (buffer)->uxStreamBufferNumber = tband_freertos_buffer_created((type) == 1, (uint32_t)(buffer)->xLength - 1)
#define traceSTREAM_BUFFER_DELETE(buffer)                                   \
    do {                                                                    \
        tband_event_queue_deleted(TBAND_BUFFER(buffer));                    \
        TBAND_NOTE_DELETED(tband_note_queue_deleted(TBAND_BUFFER(buffer))); \
    } while (0)
#define traceSTREAM_BUFFER_RESET(buffer) tband_event_queue_reset(TBAND_BUFFER(buffer))
#define traceSTREAM_BUFFER_RESET_FROM_ISR(buffer) tband_event_queue_reset(TBAND_BUFFER(buffer))
#define traceSTREAM_BUFFER_SEND(buffer, bytes) tband_event_queue_send(TBAND_BUFFER(buffer), TBAND_FILL(buffer))
#define traceSTREAM_BUFFER_SEND_FAILED(buffer) \
    tband_event_queue_refused(TBAND_BUFFER(buffer), TBAND_FILL(buffer), TBAND_SEND)
#define traceSTREAM_BUFFER_SEND_FROM_ISR(buffer, bytes) \
    TBAND_FROM_ISR(buffer, bytes, tband_event_queue_send_from_isr, TBAND_SEND)
#define traceSTREAM_BUFFER_RECEIVE(buffer, bytes) tband_event_queue_receive(TBAND_BUFFER(buffer), TBAND_FILL(buffer))
#define traceSTREAM_BUFFER_RECEIVE_FAILED(buffer) \
    tband_event_queue_refused(TBAND_BUFFER(buffer), TBAND_FILL(buffer), TBAND_RECEIVE)
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(buffer, bytes) \
    TBAND_FROM_ISR(buffer, bytes, tband_event_queue_receive_from_isr, TBAND_RECEIVE)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer) \
    tband_event_curtask_block_on_queue_send(TBAND_BUFFER(buffer), (uint32_t)xTicksToWait)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(buffer) \
    tband_event_curtask_block_on_queue_receive(TBAND_BUFFER(buffer), (uint32_t)xTicksToWait)
#endif

#if tband_configFREERTOS_TIMER_TRACE_ENABLE == 1
#define TBAND_TIMER(timer) ((const Timer_t *)(timer))
#define traceTIMER_CREATE(timer) \
    (timer)->uxTimerNumber = tband_freertos_timer_created((uint32_t)(timer)->xTimerPeriodInTicks, (timer)->pcTimerName)
#define traceTIMER_EXPIRED(timer) tband_event_timer_expired((uint32_t)TBAND_TIMER(timer)->uxTimerNumber)
#define traceTIMER_COMMAND_SEND(timer, command, value, result)                                            \
    do {                                                                                                  \
        if ((result) == pdPASS)                                                                           \
            tband_freertos_timer_command((uint32_t)TBAND_TIMER(timer)->uxTimerNumber, (int32_t)(command), \
                                         (command) == tmrCOMMAND_CHANGE_PERIOD ||                         \
                                                 (command) == tmrCOMMAND_CHANGE_PERIOD_FROM_ISR           \
                                             ? (uint32_t)(value)                                          \
                                             : (uint32_t)TBAND_TIMER(timer)->xTimerPeriodInTicks);        \
    } while (0)
#endif

#if tband_configMEMORY_TRACE_ENABLE == 1
/* For a failed allocation, the kernel's heaps know only the requested size. */
#define traceMALLOC(memory, bytes) tband_freertos_allocated((memory), (memory) ? (size_t)(bytes) : (size_t)xWantedSize)
#define traceFREE(memory, bytes) tband_freertos_freed((memory), (bytes))
#endif

/* The port provides the number of the interrupt. The kernel reports an exit also in portYIELD_FROM_ISR(). */
#if tband_configISR_TRACE_ENABLE == 1 && defined(tband_portINTERRUPT_NUMBER)
#define traceISR_ENTER() tband_freertos_isr_enter()
#define traceISR_EXIT() tband_freertos_isr_exit()
#define traceISR_EXIT_TO_SCHEDULER() tband_freertos_isr_exit()
#endif

/* For a port that widens a 32-bit counter. */
#ifdef tband_portTICK
#define traceTASK_INCREMENT_TICK(tick) tband_portTICK()
#define traceINCREASE_TICK_COUNT(ticks) tband_portTICK() /* after a sleep: wake-ups may come long before a tick */
#endif

#endif

/* ---- For the application, in tasks ----------------------------------------------------------------------------- */

/* Names a queue, semaphore or mutex, at any time after its creation. The kernel's registry does the same. */
#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1
#define tband_freertos_queue_name(queue, name) tband_freertos_name_queue((queue), (name))
/* Records which tasks are the idle tasks and the timer task. The hooks call it when the scheduler starts; an
 * application need not. */
#define tband_freertos_scheduler_started() tband_freertos_note_started()
#else
#define tband_freertos_queue_name(queue, name) ((void)0)
#define tband_freertos_scheduler_started() ((void)0)
#endif
#define tband_freertos_binary_semaphore_name(semaphore, name) tband_freertos_queue_name((semaphore), (name))
#define tband_freertos_counting_semaphore_name(semaphore, name) tband_freertos_queue_name((semaphore), (name))
#define tband_freertos_mutex_name(mutex, name) tband_freertos_queue_name((mutex), (name))
#define tband_freertos_recursive_mutex_name(mutex, name) tband_freertos_queue_name((mutex), (name))

#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1 && \
    tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE == 1
#define tband_freertos_event_group_name(group, name) tband_freertos_name_event_group((group), (name))
#else
#define tband_freertos_event_group_name(group, name) ((void)0)
#endif
#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1 && \
    tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE == 1
#define tband_freertos_stream_buffer_name(buffer, name) \
    tband_freertos_name_buffer((buffer), (name)) /* also message buffers */
#else
#define tband_freertos_stream_buffer_name(buffer, name) ((void)0)
#endif
/* Records how much of its stack a task has never used; NULL: the calling task. The kernel scans the unused bytes, so
 * the call is slow. */
#if tband_configENABLE == 1 && tband_configFREERTOS_TRACE_ENABLE == 1 && tband_configMEMORY_TRACE_ENABLE == 1
#define tband_freertos_stack(task) tband_freertos_record_stack(task)
#else
#define tband_freertos_stack(task) ((void)0)
#endif

/* Markers, values and names of the calling task. */
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
