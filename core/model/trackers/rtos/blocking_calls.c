// SPDX-License-Identifier: MIT
//
// Announced waits for event groups and notifications.
#include "kernel_services_internal.h"

static uint32_t index_of(const struct tk_kernel_services *services, const struct tk_kernel_object *object) {
    return (uint32_t)(object - services->objects);
}

// The running task will wait for what a phrase says.
static void announce(struct tk_kernel_services *services, const struct tk_core *core, enum tk_verb verb,
                     uint32_t entity, uint32_t number, uint32_t object, uint32_t timeout, enum tk_timeout is) {
    char room[TK_NAME_TEMPLATE_LEN];
    if (core->depth || tk_rtos_is_shared(core->task)) return;
    struct tk_task *task = &services->rtos->tasks[core->task];
    if (task->pending_block == TK_PENDING_DELETE) return;
    task->pending_name = tk_name_template(&services->name_templates, verb, TK_RESULT_NONE, entity, number, room).id;
    task->pending_id = tk_name_template_index(&services->name_templates, verb, TK_RESULT_NONE, entity, number);
    task->pending_block = TK_PENDING_NAMED;
    task->pending_target = object;
    task->pending_arg = timeout;
    task->timeout = (uint8_t)is;
}

TK_SERVICES_HANDLER(block_on_event_group) {
    const struct tk_kernel_object *group = tk_services_object(services, TK_CLASS_EVENT_GROUP, event->id);
    if (!group) return;
    uint32_t object = tk_wait_target_key(TK_WAIT_TARGET_EVENT_GROUP, index_of(services, group));
    announce(services, core, event->arg ? TK_VERB_SYNC_ON_BITS : TK_VERB_WAIT_FOR_BITS, group->entity,
             (uint32_t)event->value, object, 0, TK_TIMEOUT_UNKNOWN);
}

TK_SERVICES_HANDLER(block_on_notification) {
    uint32_t object = core->task == TK_NONE ? 0 : tk_wait_target_key(TK_WAIT_TARGET_TASK, core->task);
    announce(services, core, TK_VERB_WAIT_FOR_NOTIFICATION, TK_NONE, 0, object, event->arg,
             (enum tk_timeout)event->value);
}
