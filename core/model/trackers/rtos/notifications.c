// SPDX-License-Identifier: MIT
//
// Task notifications.
#include "rtos_internal.h"

// A notification for a task that waits for a buffer belongs to the buffer.
static bool announced_wait_for_buffer(const struct tk_rtos *rtos, const struct tk_task *task) {
    bool waits_for_queue = task->pending_block == TK_PENDING_RECEIVE || task->pending_block == TK_PENDING_SEND;
    return waits_for_queue && tk_queue_is_buffer(&rtos->queues[task->pending_id]);
}

bool tk_rtos_is_part_of_buffer(const struct tk_rtos *rtos, const struct tk_event *event, const struct tk_core *core) {
    bool notification = event->kind == TK_EV_BLOCK_ON_NOTIFICATION || event->kind == TK_EV_NOTIFICATION_TAKEN ||
                        event->kind == TK_EV_NOTIFICATION_MISSED;
    if (!notification || core->depth || tk_rtos_is_shared(core->task)) return false;
    const struct tk_task *task = &rtos->tasks[core->task];
    uint32_t queue = tk_wait_target_index(task->waits_for);
    return announced_wait_for_buffer(rtos, task) ||
           (tk_wait_target_of(task->waits_for) == TK_WAIT_TARGET_QUEUE && tk_queue_is_buffer(&rtos->queues[queue]));
}

void tk_rtos_on_notified(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task.task);
    if (tk_rtos_is_shared(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    tk_rtos_set_last_target(core, event, tk_wait_target_key(TK_WAIT_TARGET_TASK, index));
    if (announced_wait_for_buffer(rtos, task)) return;
    task->notified = ++rtos->next_flow;
    rtos->has_open_flows = true;
    struct tk_actor sender = tk_rtos_actor(core, event);
    task->notified_by = tk_actor_key(sender);
    if (sender.kind == TK_ACTOR_UNKNOWN) return;
    uint32_t name = tk_names_label(tk_rtos_names(rtos), task->entity, TK_LABEL_CALL_NOTIFY);
    tk_rtos_draw_call(rtos, core, sender, &(struct tk_call){ .name = tk_named(name), .flow = task->notified });
}

void tk_rtos_on_notification_taken(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    bool taken = event->kind == TK_EV_NOTIFICATION_TAKEN;
    char room[TK_LABEL_LEN];
    if (tk_rtos_is_shared(core->task)) return;
    struct tk_task *task = &rtos->tasks[core->task];
    struct tk_label_parts label = { .label = taken ? TK_LABEL_CALL_TAKE_NOTIFICATION : TK_LABEL_CALL_NO_NOTIFICATION,
                                    .entity = TK_NONE };
    struct tk_label_text name = tk_label_of(tk_rtos_names(rtos), &label, room);
    if (taken && task->notified)
        tk_rtos_count_communication(rtos, tk_actor_of_key(task->notified_by), task->entity,
                                    (struct tk_actor){ TK_ACTOR_TASK, core->task });
    tk_rtos_draw_call(rtos, core, tk_rtos_actor(core, event),
                      &(struct tk_call){ .name = name, .flow = taken ? task->notified : 0 });
    if (taken) task->notified = 0;
}
