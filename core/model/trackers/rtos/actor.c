// SPDX-License-Identifier: MIT
#include "rtos_internal.h"

bool tk_rtos_is_from_isr(const struct tk_event *event) {
    static const bool from_isr[TK_EV_COUNT] = {
        [TK_EV_QUEUE_SEND_FROM_ISR] = true,      [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = true,
        [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = true, [TK_EV_QUEUE_RECEIVE_FROM_ISR] = true,
        [TK_EV_QUEUE_PEEKED_FROM_ISR] = true,    [TK_EV_QUEUE_FAILED_FROM_ISR] = true,
        [TK_EV_TASK_RESUMED_FROM_ISR] = true,    [TK_EV_NOTIFIED_FROM_ISR] = true,
        [TK_EV_EVENT_GROUP_DEFERRED] = true,
    };
    return from_isr[event->kind];
}

struct tk_actor tk_rtos_actor(const struct tk_core *core, const struct tk_event *event) {
    if (core->depth) return (struct tk_actor){ TK_ACTOR_INTERRUPT, core->stack[core->depth - 1].isr };
    if (core->task == TK_NONE || tk_rtos_is_from_isr(event)) return (struct tk_actor){ TK_ACTOR_UNKNOWN, 0 };
    return (struct tk_actor){ TK_ACTOR_TASK, core->task };
}

struct tk_actor tk_rtos_certain_actor(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor) {
    static const struct tk_actor unknown = { TK_ACTOR_UNKNOWN, 0 };
    uint32_t loss = rtos->tl->losses[tk_rtos_core_number(rtos, core) + 1];
    if (actor.kind == TK_ACTOR_TASK && rtos->tasks[actor.index].loss != loss) return unknown;
    if (actor.kind == TK_ACTOR_INTERRUPT && loss && tk_timeline_crosses_loss(rtos->tl, core->track, core->depth - 1))
        return unknown;
    return actor;
}

uint32_t tk_rtos_actor_text(struct tk_rtos *rtos, struct tk_actor actor) {
    return actor.kind == TK_ACTOR_INTERRUPT
               ? tk_names_label(tk_rtos_names(rtos), rtos->isrs[actor.index].entity, TK_LABEL_INTERRUPT)
               : tk_names_label(tk_rtos_names(rtos), rtos->tasks[actor.index].entity, TK_LABEL_TEXT);
}

void tk_rtos_add_actor_arg(struct tk_rtos *rtos, struct tk_details *details, const char *name, struct tk_actor actor) {
    if (actor.kind == TK_ACTOR_UNKNOWN || details->count == TK_MAX_ARGS) return;
    uint32_t text = tk_rtos_actor_text(rtos, actor);
    tk_details_number(rtos->host->details, details, name, 0);
    details->args[details->count - 1].type = TK_ARG_TEXT;
    details->args[details->count - 1].value.text = text;
}

void tk_rtos_add_actor(struct tk_rtos *rtos, struct tk_details *details, const char *name,
                       const struct tk_event *event) {
    tk_rtos_add_actor_arg(rtos, details, name, tk_rtos_actor(&rtos->cores[event->core], event));
}

// An operation of an untraced interrupt is not an operation of the running task.
void tk_rtos_set_last_target(struct tk_core *core, const struct tk_event *event, uint32_t target) {
    if (core->depth) core->stack[core->depth - 1].last_target = target;
    else core->last_target = tk_rtos_is_from_isr(event) ? tk_wait_target_key(TK_WAIT_TARGET_UNKNOWN, 0) : target;
}
