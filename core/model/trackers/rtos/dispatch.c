// SPDX-License-Identifier: MIT
//
// Assigns event kinds to their handlers.
#include "rtos_internal.h"

// ---- Kernel services ---------------------------------------------------------------------------

static const tk_rtos_handler service_handlers[TK_EV_COUNT] = {
    [TK_EV_KERNEL_TICK] = tk_rtos_on_kernel_tick,
    [TK_EV_BLOCKING_IS_TRACED] = tk_rtos_on_blocking_is_traced,
    [TK_EV_TASK_ENDS] = tk_rtos_on_task_ends,
    [TK_EV_STACK_FREE] = tk_rtos_on_stack_free,
    [TK_EV_JOB_DONE] = tk_rtos_on_job_done,
    [TK_EV_KERNEL_CALL] = tk_rtos_on_kernel_call,
    [TK_EV_FAILURE] = tk_rtos_on_failure,
    [TK_EV_LOG_MESSAGE] = tk_rtos_on_log_message,
    [TK_EV_ISR_PRIORITY] = tk_rtos_on_isr_priority,
    [TK_EV_LOW_POWER_BEGIN] = tk_rtos_on_low_power,
    [TK_EV_LOW_POWER_END] = tk_rtos_on_low_power,
    [TK_EV_SCHEDULER_SUSPENDED] = tk_rtos_on_scheduler,
    [TK_EV_SCHEDULER_RESUMED] = tk_rtos_on_scheduler,
    [TK_EV_ENTITY_ADDRESS] = tk_rtos_on_entity_address,
    [TK_EV_QUEUE_CAPACITY] = tk_rtos_on_queue_capacity,
    [TK_EV_QUEUE_DELETED] = tk_rtos_on_queue_deleted,
    [TK_EV_QUEUE_FAILED] = tk_rtos_on_queue_failed,
    [TK_EV_QUEUE_FAILED_FROM_ISR] = tk_rtos_on_queue_failed,
    [TK_EV_BLOCK_ON_EVENT_GROUP] = tk_rtos_on_block_on_event_group,
    [TK_EV_EVENT_GROUP_NAME] = tk_rtos_on_object_name,
    [TK_EV_EVENT_GROUP_CREATED] = tk_rtos_on_event_group,
    [TK_EV_EVENT_GROUP_DELETED] = tk_rtos_on_event_group,
    [TK_EV_EVENT_GROUP_SET] = tk_rtos_on_event_group,
    [TK_EV_EVENT_GROUP_CLEARED] = tk_rtos_on_event_group,
    [TK_EV_EVENT_GROUP_DEFERRED] = tk_rtos_on_event_group,
    [TK_EV_EVENT_GROUP_WAITED] = tk_rtos_on_event_group_waited,
    [TK_EV_BLOCK_ON_NOTIFICATION] = tk_rtos_on_block_on_notification,
    [TK_EV_NOTIFIED] = tk_rtos_on_notified,
    [TK_EV_NOTIFIED_FROM_ISR] = tk_rtos_on_notified,
    [TK_EV_NOTIFICATION_TAKEN] = tk_rtos_on_notification_taken,
    [TK_EV_NOTIFICATION_MISSED] = tk_rtos_on_notification_taken,
    [TK_EV_MACHINE_NAME] = tk_rtos_on_object_name,
    [TK_EV_MACHINE_STATE] = tk_rtos_on_machine_state,
    [TK_EV_INTERVAL_NAME] = tk_rtos_on_interval_name,
    [TK_EV_INTERVAL_BEGIN] = tk_rtos_on_interval_begin,
    [TK_EV_INTERVAL_END] = tk_rtos_on_interval_end,
    [TK_EV_HEAP_NAME] = tk_rtos_on_object_name,
    [TK_EV_HEAP_SIZE] = tk_rtos_on_heap_size,
    [TK_EV_HEAP_LEVEL] = tk_rtos_on_heap_level,
    [TK_EV_ALLOCATED] = tk_rtos_on_heap_operation,
    [TK_EV_FREED] = tk_rtos_on_heap_operation,
    [TK_EV_ALLOCATION_FAILED] = tk_rtos_on_allocation_failed,
    [TK_EV_STACK_NAME] = tk_rtos_on_object_name,
    [TK_EV_STACK_LEVEL] = tk_rtos_on_stack_level,
    [TK_EV_TIMER_NAME] = tk_rtos_on_object_name,
    [TK_EV_TIMER_CREATED] = tk_rtos_on_timer,
    [TK_EV_TIMER_DELETED] = tk_rtos_on_timer,
    [TK_EV_TIMER_STARTED] = tk_rtos_on_timer,
    [TK_EV_TIMER_EXPIRED] = tk_rtos_on_timer,
    [TK_EV_TIMER_STOPPED] = tk_rtos_on_timer,
};

// Returns true if the event reports an action of its actor, not only a property or an announced wait.
static bool is_action(const struct tk_event *event) {
    static const bool is_none[TK_EV_COUNT] = {
        [TK_EV_KERNEL_TICK] = true,
        [TK_EV_BLOCKING_IS_TRACED] = true,
        [TK_EV_TASK_ENDS] = true,
        [TK_EV_ISR_PRIORITY] = true,
        [TK_EV_ENTITY_ADDRESS] = true,
        [TK_EV_QUEUE_CAPACITY] = true,
        [TK_EV_BLOCK_ON_EVENT_GROUP] = true,
        [TK_EV_EVENT_GROUP_NAME] = true,
        [TK_EV_BLOCK_ON_NOTIFICATION] = true,
        [TK_EV_MACHINE_NAME] = true,
        [TK_EV_INTERVAL_NAME] = true,
        [TK_EV_HEAP_NAME] = true,
        [TK_EV_TIMER_NAME] = true,
        [TK_EV_STACK_NAME] = true,
        [TK_EV_JOB_DONE] = true,
        [TK_EV_LOG_MESSAGE] = true,
        [TK_EV_SCHEDULER_SUSPENDED] = true,
        [TK_EV_SCHEDULER_RESUMED] = true,
        [TK_EV_HEAP_SIZE] = true,
    };
    return event->timed && !is_none[event->kind];
}

// The groups of the application come first.
static const struct tk_group_order order = { 9,
                                             {
                                                 TK_GROUP_INTERRUPTS,
                                                 TK_GROUP_MACHINES,
                                                 TK_GROUP_INTERVALS,
                                                 TK_GROUP_MARKERS,
                                                 TK_GROUP_QUEUES,
                                                 TK_GROUP_SOFT_TIMERS,
                                                 TK_GROUP_VALUES,
                                                 TK_GROUP_MARKER_VALUES,
                                                 TK_GROUP_MEMORY,
                                                 TK_GROUP_POOLS,
                                                 TK_GROUP_RECORDS,
                                                 TK_GROUP_TIMERS,
                                                 TK_GROUP_SENDERS,
                                                 TK_GROUP_SCHEDULER,
                                                 TK_GROUP_NOTES,
                                                 TK_GROUP_EVENTS,
                                             } };

TK_COLD static void start_services(struct tk_rtos *rtos) {
    rtos->traces_services = true;
    rtos->tl->order = &order;
}

static void on_service(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    if (!rtos->traces_services) start_services(rtos);
    tk_details_start(rtos->host->details);
    if (tk_rtos_is_part_of_buffer(rtos, event, core)) return;
    bool acts = is_action(event);
    struct tk_actor actor = tk_rtos_actor(core, event);
    if (acts) tk_rtos_cancel_wait(rtos, actor);
    service_handlers[event->kind](rtos, event, core);
    if (acts) tk_rtos_forget_wait(rtos, actor);
}

// ---- All kinds ---------------------------------------------------------------------------------

// The other kinds of the tracker are kernel services.
static const tk_rtos_handler handlers[TK_EV_COUNT] = {
    [TK_EV_ISR_NAME] = tk_rtos_on_isr_name,
    [TK_EV_ISR_ENTER] = tk_rtos_on_isr_enter,
    [TK_EV_ISR_EXIT] = tk_rtos_on_isr_exit,
    [TK_EV_TASK_CREATED] = tk_rtos_on_task_created,
    [TK_EV_TASK_DECLARED] = tk_rtos_on_task_declared,
    [TK_EV_TASK_NAME] = tk_rtos_on_task_name,
    [TK_EV_TASK_STACK_SIZE] = tk_rtos_on_stack_size,
    [TK_EV_TASK_IS_IDLE] = tk_rtos_on_task_is_idle,
    [TK_EV_TASK_IS_TIMER] = tk_rtos_on_task_is_timer,
    [TK_EV_TASK_SWITCHED_IN] = tk_rtos_on_switched_in,
    [TK_EV_CORE_IDLE] = tk_rtos_on_core_idle,
    [TK_EV_TASK_READY] = tk_rtos_on_ready,
    [TK_EV_TASK_RESUMED] = tk_rtos_on_resumed,
    [TK_EV_TASK_RESUMED_FROM_ISR] = tk_rtos_on_resumed,
    [TK_EV_TASK_SUSPENDED] = tk_rtos_on_suspended,
    [TK_EV_TASK_DELETED] = tk_rtos_on_deleted,
    [TK_EV_TASK_PRIORITY_SET] = tk_rtos_on_priority,
    [TK_EV_TASK_PRIORITY_INHERITED] = tk_rtos_on_priority,
    [TK_EV_TASK_PRIORITY_DISINHERITED] = tk_rtos_on_priority,
    [TK_EV_DELAY] = tk_rtos_on_wait_announced,
    [TK_EV_DELAY_UNTIL] = tk_rtos_on_wait_announced,
    [TK_EV_BLOCK_ON_RECEIVE] = tk_rtos_on_wait_announced,
    [TK_EV_BLOCK_ON_SEND] = tk_rtos_on_wait_announced,
    [TK_EV_BLOCK_ON_PEEK] = tk_rtos_on_wait_announced,
    [TK_EV_BLOCK_WITH_REASON] = tk_rtos_on_wait_announced,
    [TK_EV_WAITED_FOR] = tk_rtos_on_waited_for,
    [TK_EV_QUEUE_CREATED] = tk_rtos_on_queue_created,
    [TK_EV_QUEUE_NAME] = tk_rtos_on_queue_name,
    [TK_EV_QUEUE_KIND] = tk_rtos_on_queue_kind,
    [TK_EV_QUEUE_SEND] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_SEND_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_OVERWRITE] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_RECEIVE] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_RECEIVE_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_RESET] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_LENGTH] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_SEND_TO_FRONT] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_PEEKED] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_PEEKED_FROM_ISR] = tk_rtos_on_queue_operation,
};

void tk_rtos_event(struct tk_rtos *rtos, const struct tk_event *event) {
    tk_rtos_handler handler = handlers[event->kind];
    struct tk_core *core = &rtos->cores[event->core];
    if (!core->seen) core->seen = tk_stats_need_cores(rtos->stats, event->core + 1u);
    core->serial += event->timed;
    (handler ? handler : on_service)(rtos, event, core);
}
