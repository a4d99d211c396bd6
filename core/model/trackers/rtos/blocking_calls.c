// SPDX-License-Identifier: MIT
//
// Calls with which the running task announces its next wait; the switch follows.
#include <string.h>

#include "rtos_internal.h"

static void announce_delay(struct tk_task *task, const struct tk_event *event) {
    if (task->pending_block == TK_PENDING_DELETE) return;
    task->pending_block = event->kind == TK_EV_DELAY ? TK_PENDING_DELAY : TK_PENDING_DELAY_UNTIL;
    task->pending_id = 0;
    task->pending_arg = event->delay.ticks;
    task->timeout = TK_TIMEOUT_TICKS;
}

static void announce_queue(struct tk_rtos *rtos, struct tk_task *task, const struct tk_event *event,
                           struct tk_core *core) {
    const struct tk_event_queue_wait *wait = &event->queue_wait;
    uint32_t queue = tk_rtos_find_queue(rtos, wait->queue);
    if (queue == TK_NONE || task->pending_block == TK_PENDING_DELETE) return;
    const struct tk_queue *mutex = &rtos->queues[queue];
    bool is_held = mutex->held && mutex->taken_loss == rtos->tl->losses[0];
    task->pending_holder = is_held ? mutex->holder : TK_NONE;
    task->pending_block = event->kind == TK_EV_BLOCK_ON_SEND   ? TK_PENDING_SEND
                          : event->kind == TK_EV_BLOCK_ON_PEEK ? TK_PENDING_PEEK
                                                               : TK_PENDING_RECEIVE;
    task->pending_id = queue;
    task->pending_arg = wait->timeout;
    task->timeout = (uint8_t)wait->timeout_is;
    tk_rtos_set_last_target(core, event, tk_wait_target_key(TK_WAIT_TARGET_QUEUE, queue));
}

// Returns the id of the words of a reason. A task often waits for the same reason as before.
static uint32_t words_of(struct tk_rtos *rtos, uint32_t task, const char *words, size_t len) {
    struct tk_strtab *strings = &tk_rtos_names(rtos)->strings;
    if (task >= rtos->worded_capacity &&
        !tk_alloc_grow(rtos->alloc, (void **)&rtos->worded, &rtos->worded_capacity, task + 1, sizeof *rtos->worded))
        return 0;
    struct tk_worded_wait *last = &rtos->worded[task];
    size_t known_len;
    const char *known = tk_strtab_text(strings, last->words, &known_len);
    if (len == known_len && !memcmp(known, words, len)) return last->words;
    last->name = 0;
    return last->words = tk_strtab_intern(strings, rtos->alloc, words, len);
}

static void announce_reason(struct tk_rtos *rtos, uint32_t index, const struct tk_event *event) {
    struct tk_task *task = &rtos->tasks[index];
    if (task->pending_block == TK_PENDING_DELETE) return;
    tk_rtos_draw_undecided(rtos, index); // the reason of the last wait is not recorded: it has the words from before
    uint32_t len = event->str_len < TK_DISPLAY_LEN ? event->str_len : TK_DISPLAY_LEN - 1,
             text = len ? words_of(rtos, index, event->str, len) : 0;
    task->pending_block = text ? TK_PENDING_REASON : TK_PENDING_NONE;
    task->pending_id = text;
    task->is_preliminary = event->wait_reason.is_preliminary;
}

void tk_rtos_on_wait_announced(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    if (core->depth) tk_rtos_close_isrs_after_loss(rtos, event, core, 0); // an interrupt cannot wait
    if (core->task == TK_NONE) {
        tk_rtos_problem(rtos, TK_DIAG_NO_CURRENT_TASK, event);
        return;
    }
    struct tk_task *task = &rtos->tasks[core->task];
    if (task->core != event->core) return; // it runs on another core by now
    if (event->kind == TK_EV_DELAY || event->kind == TK_EV_DELAY_UNTIL) announce_delay(task, event);
    else if (event->kind == TK_EV_BLOCK_WITH_REASON) announce_reason(rtos, core->task, event);
    else announce_queue(rtos, task, event, core);
}

// The running task will wait for an event group or a notification; a label is the reason of the wait.
static void announce_service(struct tk_rtos *rtos, const struct tk_core *core, const struct tk_label_parts *label,
                             uint32_t target, uint32_t timeout, enum tk_timeout timeout_is) {
    if (core->depth || tk_rtos_is_shared(core->task)) return;
    struct tk_task *task = &rtos->tasks[core->task];
    if (task->pending_block == TK_PENDING_DELETE) return;
    task->pending_id = tk_label_index(tk_rtos_names(rtos), label);
    task->pending_name = tk_label_id_at(tk_rtos_names(rtos), task->pending_id);
    task->pending_block = TK_PENDING_SERVICE;
    task->pending_target = target;
    task->pending_arg = timeout;
    task->timeout = (uint8_t)timeout_is;
}

void tk_rtos_on_block_on_event_group(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    const struct tk_kernel_object *group =
        tk_rtos_find_object(rtos, TK_CLASS_EVENT_GROUP, event->event_group_wait.group);
    if (!group) return;
    struct tk_label_parts label = { .label = event->event_group_wait.how & TK_EVENT_GROUP_SYNC
                                                 ? TK_LABEL_CALL_SYNC_ON_BITS
                                                 : TK_LABEL_CALL_WAIT_FOR_BITS,
                                    .entity = group->entity,
                                    .number = (uint32_t)event->event_group_wait.bits };
    announce_service(rtos, core, &label,
                     tk_wait_target_key(TK_WAIT_TARGET_EVENT_GROUP, tk_rtos_object_index(rtos, group)), 0,
                     TK_TIMEOUT_UNKNOWN);
}

void tk_rtos_on_block_on_notification(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_label_parts label = { .label = TK_LABEL_CALL_WAIT_FOR_NOTIFICATION, .entity = TK_NONE };
    uint32_t target = core->task == TK_NONE ? 0 : tk_wait_target_key(TK_WAIT_TARGET_TASK, core->task);
    announce_service(rtos, core, &label, target, event->notification_wait.timeout,
                     (enum tk_timeout)event->notification_wait.timeout_is);
}

void tk_rtos_cancel_wait(struct tk_rtos *rtos, struct tk_actor actor) {
    if (actor.kind != TK_ACTOR_TASK || !rtos->blocking_traced) return;
    struct tk_task *task = &rtos->tasks[actor.index];
    if (task->pending_block != TK_PENDING_DELETE) task->pending_block = TK_PENDING_NONE;
}

void tk_rtos_forget_wait(struct tk_rtos *rtos, struct tk_actor actor) {
    if (actor.kind == TK_ACTOR_TASK) rtos->tasks[actor.index].waits_for = 0;
}

void tk_rtos_on_blocking_is_traced(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    rtos->blocking_traced = !event->blocking_traced.untraced_kinds;
    rtos->no_operations = event->blocking_traced.no_operations;
    if (!rtos->no_operations) TK_TELL_ALONE(rtos->facts, failures_are_recorded);
}

void tk_rtos_on_kernel_tick(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    rtos->tick = (uint32_t)event->kernel_tick.tick;
    rtos->tick_known = true;
    if (!core->depth) core->last_target = 0; // the clock wakes the tasks that become ready now
}
