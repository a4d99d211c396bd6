// SPDX-License-Identifier: MIT
//
// Operations on queues: flow arrows from sender to receiver, mutex holders, communication.
#include "kernel_services_internal.h"
#include <string.h>
#include "../../../base/utf8.h"

static bool grow_flows(struct tk_kernel_services *services, struct tk_pending_flows *arrows) {
    uint32_t capacity = arrows->capacity ? 2 * arrows->capacity : 8;
    if (capacity > TK_MAX_PENDING_FLOWS) return false;
    struct tk_pending_flow *ring = tk_alloc_zero(services->host.alloc, capacity * sizeof *ring);
    if (!ring) return false;
    for (uint32_t i = 0; i < arrows->count; i++) ring[i] = arrows->ring[(arrows->head + i) & (arrows->capacity - 1)];
    tk_alloc_free(services->host.alloc, arrows->ring, arrows->capacity * sizeof *ring);
    *arrows = (struct tk_pending_flows){ ring, capacity, 0, arrows->count };
    return true;
}

// Without room it has no arrow; those that wait keep their order.
static void push(struct tk_kernel_services *services, struct tk_pending_flows *arrows, struct tk_pending_flow arrow,
                 bool first) {
    if (arrows->count == arrows->capacity && !grow_flows(services, arrows)) return;
    if (first) arrows->head = (arrows->head - 1) & (arrows->capacity - 1);
    arrows->ring[(arrows->head + (first ? 0 : arrows->count)) & (arrows->capacity - 1)] = arrow;
    arrows->count++;
}

static struct tk_pending_flow pop(struct tk_pending_flows *arrows) {
    if (!arrows->count) return (struct tk_pending_flow){ 0, TK_NONE };
    struct tk_pending_flow arrow = arrows->ring[arrows->head];
    arrows->head = (arrows->head + 1) & (arrows->capacity - 1);
    arrows->count--;
    return arrow;
}

TK_COLD void tk_services_clear_flows(struct tk_kernel_services *services) {
    for (uint32_t i = 0; i < services->queue_count; i++) {
        services->queues[i].sent.count = 0;
        services->queues[i].flow_open = false;
    }
    for (uint32_t i = 0; i < services->task_count; i++) services->tasks[i].notified = 0;
    for (uint32_t i = 0; i < services->object_count; i++) services->objects[i].flow = 0;
}

static uint64_t mix(uint64_t value) { return (value ^ value >> 31) * 0x9E3779B97F4A7C15u; }

void tk_services_count_communication(struct tk_kernel_services *services, uint32_t from, uint32_t object, uint32_t to) {
    uint64_t key = mix(mix((uint64_t)from << 32 | to) + object) | (uint64_t)1 << 63;
    bool fresh;
    if (from == TK_NONE || to == TK_NONE) return;
    struct tk_communication_edge *row =
        tk_services_find_row(services, &services->communication, key, sizeof *row, &fresh);
    if (!row) return;
    if (fresh) *row = (struct tk_communication_edge){ from, object, to, 0 };
    row->count++;
}

static const uint8_t verb_of_kind[TK_EV_COUNT] = {
    // + 1; 0: no call
    [TK_EV_QUEUE_SEND] = TK_VERB_SEND + 1,
    [TK_EV_QUEUE_SEND_FROM_ISR] = TK_VERB_SEND + 1,
    [TK_EV_QUEUE_SEND_TO_FRONT] = TK_VERB_SEND_FIRST + 1,
    [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = TK_VERB_SEND_FIRST + 1,
    [TK_EV_QUEUE_OVERWRITE] = TK_VERB_OVERWRITE + 1,
    [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = TK_VERB_OVERWRITE + 1,
    [TK_EV_QUEUE_RECEIVE] = TK_VERB_RECEIVE + 1,
    [TK_EV_QUEUE_RECEIVE_FROM_ISR] = TK_VERB_RECEIVE + 1,
    [TK_EV_QUEUE_PEEKED] = TK_VERB_PEEK + 1,
    [TK_EV_QUEUE_PEEKED_FROM_ISR] = TK_VERB_PEEK + 1,
    [TK_EV_QUEUE_RESET] = TK_VERB_RESET + 1,
    [TK_EV_QUEUE_CREATED] = TK_VERB_CREATE + 1,
};

// Locks and semaphores have words of their own.
static enum tk_verb verb_for(const struct tk_queue *queue, enum tk_verb verb) {
    if (verb == TK_VERB_SEND && tk_queue_is_lock(queue)) return TK_VERB_UNLOCK;
    if (verb == TK_VERB_RECEIVE && tk_queue_is_lock(queue)) return TK_VERB_LOCK;
    if (verb == TK_VERB_SEND && tk_queue_is_semaphore(queue)) return TK_VERB_GIVE;
    if (verb == TK_VERB_RECEIVE && tk_queue_is_semaphore(queue)) return TK_VERB_TAKE;
    return verb;
}

static bool is_send(enum tk_verb verb) {
    return verb == TK_VERB_SEND || verb == TK_VERB_SEND_FIRST || verb == TK_VERB_OVERWRITE;
}

// What was sent waits for its receiver. Bytes in a stream have no borders: one arrow goes through all that wait.
static uint64_t flow_of_send(struct tk_kernel_services *services, const struct tk_queue *queue,
                             struct tk_queue_services *own, enum tk_verb verb, uint32_t actor) {
    struct tk_pending_flows *sent = &own->sent;
    bool goes_on = queue->kind == TK_QUEUE_STREAM_BUFFER && sent->count;
    struct tk_pending_flow arrow = { goes_on ? sent->ring[sent->head].flow : ++services->rtos->next_flow, actor };
    if (verb == TK_VERB_OVERWRITE && queue->capacity == 1) sent->count = 0;
    push(services, sent, arrow, verb == TK_VERB_SEND_FIRST);
    return arrow.flow;
}

static uint64_t flow_of_receive(struct tk_kernel_services *services, const struct tk_queue *queue,
                                struct tk_queue_services *own, uint32_t left, uint32_t actor) {
    bool stream = queue->kind == TK_QUEUE_STREAM_BUFFER;
    uint64_t flow = 0;
    while (own->sent.count) {
        struct tk_pending_flow arrow = pop(&own->sent);
        flow = arrow.flow;
        tk_services_count_communication(services, arrow.actor, queue->entity, actor);
        if (!stream) break;
    }
    if (!left) own->sent.count = 0;
    return flow;
}

// It is given back, and nobody saw it taken: the giver has held it since this section began.
static void draw_unseen_hold(struct tk_kernel_services *services, const struct tk_queue *queue, uint32_t holder) {
    struct tk_details args;
    args.count = 0;
    struct tk_track_event event = { .ticks = services->section_since, .type = TK_EVENT_BEGIN, .when = TK_LATE };
    uint32_t track = tk_rtos_lock_track(services->rtos, (uint32_t)(queue - services->rtos->queues));
    if (!track || services->section_since >= services->tl->now) return;
    tk_details_fixed(services->host.details, &args, "since", "before the recording");
    event.track = track;
    event.name = tk_names_label(tk_services_names(services), services->rtos->tasks[holder].entity, TK_TASK_HELD_BY);
    event.args = args.args;
    event.arg_count = (uint8_t)args.count;
    tk_timeline_event(services->tl, &event);
    event = (struct tk_track_event){ .track = track, .type = TK_EVENT_END };
    tk_timeline_event(services->tl, &event);
}

static void count_hold(struct tk_kernel_services *services, const struct tk_queue *queue,
                       const struct tk_queue_services *own) {
    struct tk_mutex_stats *row =
        tk_services_mutex_stats(services, (uint32_t)(queue - services->rtos->queues), queue->holder);
    if (!row) return;
    row->holds++;
    tk_services_measure_since(services, &row->held, own->held_since, own->held_loss);
}

static uint64_t on_lock(struct tk_kernel_services *services, const struct tk_queue *queue,
                        struct tk_queue_services *own, enum tk_verb verb, const struct tk_core *core) {
    bool starts_held = verb == TK_VERB_UNLOCK && !queue->held && !queue->fresh && !own->seen_taken;
    if (starts_held && !core->depth && core->task != TK_NONE && !tk_rtos_is_shared(core->task))
        draw_unseen_hold(services, queue, core->task);
    if (queue->held && (verb == TK_VERB_UNLOCK || verb == TK_VERB_LOCK)) count_hold(services, queue, own);
    if (verb == TK_VERB_LOCK || verb == TK_VERB_UNLOCK || verb == TK_VERB_CREATE) own->seen_taken = true;
    if (verb != TK_VERB_LOCK) return 0;
    own->held_since = services->tl->now;
    own->held_loss = services->tl->losses[0];
    return core->depth || core->task == TK_NONE ? 0 : services->rtos->next_flow + 1; // the one that leads to who holds
                                                                                     // it
}

void tk_services_queue_operation(struct tk_kernel_services *services, const struct tk_event *event,
                                 const struct tk_core *core) {
    uint32_t index = tk_rtos_find_queue(services->rtos, event->id), actor = tk_services_actor(core);
    struct tk_queue_services *own = tk_services_queue(services, index);
    if (!own || !verb_of_kind[event->kind]) return;
    struct tk_queue *queue = &services->rtos->queues[index];
    enum tk_verb verb = verb_for(queue, (enum tk_verb)(verb_of_kind[event->kind] - 1));
    struct tk_call call = { .flow = 0 };
    struct tk_details args;
    args.count = 0;
    char room[TK_NAME_TEMPLATE_LEN];
    bool counts = verb != TK_VERB_CREATE && !tk_queue_is_lock(queue) && verb != TK_VERB_RESET;
    bool made = queue->fresh && verb == TK_VERB_UNLOCK; // part of its creation
    if (tk_queue_is_lock(queue)) call.flow = on_lock(services, queue, own, verb, core);
    else if (is_send(verb) || verb == TK_VERB_GIVE) call.flow = flow_of_send(services, queue, own, verb, actor);
    else if (verb == TK_VERB_RECEIVE || verb == TK_VERB_TAKE)
        call.flow = flow_of_receive(services, queue, own, event->arg, actor);
    if (verb == TK_VERB_RESET) own->sent.count = 0;
    if (actor == TK_NONE || made) return;
    if (counts)
        tk_details_number(services->host.details, &args, "count",
                          queue->capacity && event->arg > queue->capacity ? queue->capacity : event->arg);
    call.name = tk_name_template(&services->name_templates, verb, TK_RESULT_NONE, queue->entity, 0, room);
    call.args = &args;
    tk_services_emit_call(services, core, &call);
}

// Why an operation failed: behind a wait its time was out.
static enum tk_result why_refused(const struct tk_kernel_services *services, const struct tk_queue *queue,
                                  enum tk_verb verb, const struct tk_core *core, bool from_isr) {
    uint32_t key = tk_wait_target_key(TK_WAIT_TARGET_QUEUE, (uint32_t)(queue - services->rtos->queues));
    bool waited =
        !core->depth && !from_isr && core->task != TK_NONE && services->rtos->tasks[core->task].waits_for == key;
    if (waited) return TK_RESULT_TIMED_OUT;
    if (verb == TK_VERB_UNLOCK) return TK_RESULT_NOT_THE_HOLDER;
    if (verb == TK_VERB_LOCK || (verb == TK_VERB_PEEK && tk_queue_is_lock(queue))) return TK_RESULT_NOT_FREE;
    return is_send(verb) || verb == TK_VERB_GIVE ? TK_RESULT_FULL : TK_RESULT_EMPTY;
}

TK_SERVICES_HANDLER(refused) {
    uint32_t index = tk_rtos_find_queue(services->rtos, event->id);
    struct tk_queue_services *own = tk_services_queue(services, index);
    if (!own || event->value < 0 || event->value > TK_OPERATION_RESET) return;
    const struct tk_queue *queue = &services->rtos->queues[index];
    enum tk_verb verb = verb_for(queue, (enum tk_verb)(TK_VERB_SEND + event->value));
    enum tk_result result = why_refused(services, queue, verb, core, event->kind == TK_EV_QUEUE_FAILED_FROM_ISR);
    struct tk_details args;
    args.count = 0;
    char room[TK_NAME_TEMPLATE_LEN];
    struct tk_call call = { .name = tk_name_template(&services->name_templates, verb, result, queue->entity, 0, room),
                            .args = &args };
    own->refused++;
    own->timed_out += result == TK_RESULT_TIMED_OUT;
    tk_rtos_set_last_target(core, tk_wait_target_key(TK_WAIT_TARGET_QUEUE, index));
    if (event->arg != UINT32_MAX && !tk_queue_is_lock(queue)) {
        tk_details_number(services->host.details, &args, "count", event->arg);
        tk_rtos_sample_length(services->rtos, event, core);
    }
    if (tk_services_actor(core) != TK_NONE) tk_services_emit_call(services, core, &call);
    if (is_send(verb) || verb == TK_VERB_GIVE) tk_services_emit_failure(services, core, call.name, NULL);
}

TK_SERVICES_HANDLER(queue_deleted) {
    uint32_t index = tk_rtos_find_queue(services->rtos, event->id);
    struct tk_queue_services *own = tk_services_queue(services, index);
    if (!own) return;
    struct tk_queue *queue = &services->rtos->queues[index];
    tk_services_emit_verb(services, core, TK_VERB_DELETE, TK_RESULT_NONE, queue->entity, 0);
    if (queue->held) count_hold(services, queue, own);
    own->sent.count = 0;
    tk_rtos_delete_queue(services->rtos, index);
}
