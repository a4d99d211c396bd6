// SPDX-License-Identifier: MIT
//
// Calls that operate on queues, with flows from senders to receivers, and calls that failed.
#include "rtos_internal.h"

// Semaphores and mutexes have their own terms.
static enum tk_label call_for(const struct tk_queue *queue, enum tk_label call) {
    if (call == TK_LABEL_CALL_SEND && tk_queue_is_lock(queue)) return TK_LABEL_CALL_UNLOCK;
    if (call == TK_LABEL_CALL_RECEIVE && tk_queue_is_lock(queue)) return TK_LABEL_CALL_LOCK;
    if (call == TK_LABEL_CALL_SEND && tk_queue_is_semaphore(queue)) return TK_LABEL_CALL_GIVE;
    if (call == TK_LABEL_CALL_RECEIVE && tk_queue_is_semaphore(queue)) return TK_LABEL_CALL_TAKE;
    return call;
}

static bool is_send(enum tk_label call) {
    return call == TK_LABEL_CALL_SEND || call == TK_LABEL_CALL_SEND_TO_FRONT || call == TK_LABEL_CALL_OVERWRITE ||
           call == TK_LABEL_CALL_GIVE;
}

void tk_rtos_draw_queue_call(struct tk_rtos *rtos, const struct tk_event *event, uint32_t index,
                             const struct tk_core *core, struct tk_actor actor, uint32_t length, bool is_proven) {
    static const uint8_t calls[TK_EV_COUNT] = {
        [TK_EV_QUEUE_SEND] = TK_LABEL_CALL_SEND,
        [TK_EV_QUEUE_SEND_FROM_ISR] = TK_LABEL_CALL_SEND,
        [TK_EV_QUEUE_SEND_TO_FRONT] = TK_LABEL_CALL_SEND_TO_FRONT,
        [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = TK_LABEL_CALL_SEND_TO_FRONT,
        [TK_EV_QUEUE_OVERWRITE] = TK_LABEL_CALL_OVERWRITE,
        [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = TK_LABEL_CALL_OVERWRITE,
        [TK_EV_QUEUE_RECEIVE] = TK_LABEL_CALL_RECEIVE,
        [TK_EV_QUEUE_RECEIVE_FROM_ISR] = TK_LABEL_CALL_RECEIVE,
        [TK_EV_QUEUE_PEEKED] = TK_LABEL_CALL_PEEK,
        [TK_EV_QUEUE_PEEKED_FROM_ISR] = TK_LABEL_CALL_PEEK,
        [TK_EV_QUEUE_RESET] = TK_LABEL_CALL_RESET,
        [TK_EV_QUEUE_CREATED] = TK_LABEL_CALL_CREATE,
    };
    if (index >= TK_MAX_QUEUES) return;
    struct tk_queue *queue = &rtos->queues[index];
    enum tk_label label = call_for(queue, (enum tk_label)calls[event->kind]);
    struct tk_call call = { .flow = 0 };
    struct tk_details args;
    args.count = 0;
    bool is_mutex = tk_queue_is_lock(queue);
    bool is_creation = queue->fresh && label == TK_LABEL_CALL_UNLOCK; // a new mutex is given once
    if (is_mutex) call.flow = tk_rtos_mutex_call(rtos, queue, label, actor);
    else if (is_proven && is_send(label))
        call.flow = tk_rtos_flow_of_send(rtos, queue, label, tk_rtos_certain_actor(rtos, core, actor), length);
    else if (is_proven && (label == TK_LABEL_CALL_RECEIVE || label == TK_LABEL_CALL_TAKE))
        call.flow = tk_rtos_flow_of_receive(rtos, queue, tk_rtos_certain_actor(rtos, core, actor), length);
    if (actor.kind == TK_ACTOR_UNKNOWN || is_creation) return;
    if (!is_mutex && is_proven && label != TK_LABEL_CALL_CREATE && label != TK_LABEL_CALL_RESET)
        tk_details_number(rtos->host->details, &args, "count", length);
    call.name = tk_named(tk_names_label(tk_rtos_names(rtos), queue->entity, label));
    call.args = &args;
    tk_rtos_draw_call(rtos, core, actor, &call);
}

// ---- Calls that failed -------------------------------------------------------------------------

// A failed call after a wait has timed out.
static enum tk_result why_failed(const struct tk_rtos *rtos, uint32_t index, enum tk_label call,
                                 struct tk_actor actor) {
    bool waited = actor.kind == TK_ACTOR_TASK &&
                  rtos->tasks[actor.index].waits_for == tk_wait_target_key(TK_WAIT_TARGET_QUEUE, index);
    if (waited) return TK_RESULT_TIMED_OUT;
    if (call == TK_LABEL_CALL_UNLOCK) return TK_RESULT_NOT_THE_HOLDER;
    if (call == TK_LABEL_CALL_LOCK || (call == TK_LABEL_CALL_PEEK && tk_queue_is_lock(&rtos->queues[index])))
        return TK_RESULT_NOT_FREE;
    return is_send(call) ? TK_RESULT_FULL : TK_RESULT_EMPTY;
}

static void tell_refused(const struct tk_rtos *rtos, const struct tk_queue *queue, enum tk_label call,
                         enum tk_result result, struct tk_actor actor) {
    bool receives = call == TK_LABEL_CALL_RECEIVE || call == TK_LABEL_CALL_TAKE || call == TK_LABEL_CALL_PEEK;
    if (is_send(call))
        TK_TELL(rtos->facts, send_refused, queue->entity, tk_rtos_actor_entity(rtos, actor), rtos->tl->now,
                queue->kind == TK_QUEUE_BINARY_SEMAPHORE);
    else if (receives && result == TK_RESULT_EMPTY && actor.kind == TK_ACTOR_TASK)
        TK_TELL(rtos->facts, receive_refused, queue->entity, actor.index, rtos->tl->now);
}

_Static_assert(TK_LABEL_CALL_RECEIVE - TK_LABEL_CALL_SEND == TK_OPERATION_RECEIVE &&
                   TK_LABEL_CALL_RESET - TK_LABEL_CALL_SEND == TK_OPERATION_RESET,
               "labels of calls are in the order of enum tk_queue_operation");

void tk_rtos_on_queue_failed(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_queue(rtos, event->queue_failed.queue);
    if (index >= TK_MAX_QUEUES || event->queue_failed.operation < 0 ||
        event->queue_failed.operation > TK_OPERATION_RESET)
        return;
    struct tk_queue *queue = &rtos->queues[index];
    struct tk_actor actor = tk_rtos_actor(core, event);
    struct tk_label_parts label = { .label = call_for(
                                        queue, (enum tk_label)(TK_LABEL_CALL_SEND + event->queue_failed.operation)),
                                    .entity = queue->entity };
    label.result = why_failed(rtos, index, label.label, actor);
    struct tk_details args;
    args.count = 0;
    char room[TK_LABEL_LEN];
    struct tk_call call = { .name = tk_label_of(tk_rtos_names(rtos), &label, room), .args = &args };
    tell_refused(rtos, queue, label.label, label.result, actor);
    queue->refused++;
    queue->timed_out += label.result == TK_RESULT_TIMED_OUT;
    tk_rtos_set_last_target(core, event, tk_wait_target_key(TK_WAIT_TARGET_QUEUE, index));
    if (event->queue_failed.length != UINT32_MAX && !tk_queue_is_lock(queue)) {
        tk_details_number(rtos->host->details, &args, "count", event->queue_failed.length);
        tk_rtos_draw_length_of_failed(rtos, event, core);
    }
    if (actor.kind != TK_ACTOR_UNKNOWN) tk_rtos_draw_call(rtos, core, actor, &call);
    if (is_send(label.label)) tk_rtos_draw_failure(rtos, actor, call.name, NULL);
}
