// SPDX-License-Identifier: MIT
//
// Task notifications.
#include "kernel_services_internal.h"

// Buffers are made of notifications: one for a task that waits for a buffer is the buffer's own.
static bool is_of_buffer(const struct tk_kernel_services *services, const struct tk_task *task) {
    bool waits_for_queue = task->pending_block == TK_PENDING_RECEIVE || task->pending_block == TK_PENDING_SEND;
    return waits_for_queue && tk_queue_is_buffer(&services->rtos->queues[task->pending_id]);
}

bool tk_services_is_part_of_buffer(const struct tk_kernel_services *services, const struct tk_event *event,
                                   const struct tk_core *core) {
    bool notification = event->kind == TK_EV_BLOCK_ON_NOTIFICATION || event->kind == TK_EV_NOTIFICATION_TAKEN ||
                        event->kind == TK_EV_NOTIFICATION_MISSED;
    if (!notification || core->depth || tk_rtos_is_shared(core->task)) return false;
    const struct tk_task *task = &services->rtos->tasks[core->task];
    uint32_t queue = tk_wait_target_index(task->waits_for);
    return is_of_buffer(services, task) ||
           (task->waits_for >> 28 == TK_WAIT_TARGET_QUEUE && tk_queue_is_buffer(&services->rtos->queues[queue]));
}

TK_SERVICES_HANDLER(notified) {
    uint32_t index = tk_rtos_find_task(services->rtos, event->id);
    struct tk_task_services *own = tk_services_task(services, index);
    char room[TK_NAME_TEMPLATE_LEN];
    if (!own) return;
    tk_rtos_set_last_target(core, tk_wait_target_key(TK_WAIT_TARGET_TASK, index));
    if (is_of_buffer(services, &services->rtos->tasks[index])) return;
    own->notified = ++services->rtos->next_flow;
    own->notified_by = tk_services_actor(core);
    if (own->notified_by == TK_NONE) return;
    struct tk_label_text name = tk_name_template(&services->name_templates, TK_VERB_NOTIFY, TK_RESULT_NONE,
                                                 services->rtos->tasks[index].entity, 0, room);
    tk_services_emit_call(services, core, &(struct tk_call){ .name = name, .flow = own->notified });
}

TK_SERVICES_HANDLER(notification_taken) {
    struct tk_task_services *own = core->task == TK_NONE ? NULL : tk_services_task(services, core->task);
    char room[TK_NAME_TEMPLATE_LEN];
    bool taken = event->kind == TK_EV_NOTIFICATION_TAKEN;
    if (!own) return;
    struct tk_label_text name =
        tk_name_template(&services->name_templates, taken ? TK_VERB_TAKE_NOTIFICATION : TK_VERB_NO_NOTIFICATION,
                         TK_RESULT_NONE, TK_NONE, 0, room);
    if (taken && own->notified)
        tk_services_count_communication(services, own->notified_by, services->rtos->tasks[core->task].entity,
                                        core->task);
    tk_services_emit_call(services, core, &(struct tk_call){ .name = name, .flow = taken ? own->notified : 0 });
    if (taken) own->notified = 0;
}
