// SPDX-License-Identifier: MIT
//
// Communication: flows from the sender of an item to its receiver.
#include "rtos_internal.h"

static bool grow(struct tk_rtos *rtos, struct tk_pending_flows *flows) {
    uint32_t capacity = flows->capacity ? 2u * flows->capacity : 4;
    if (capacity > TK_MAX_PENDING_FLOWS || rtos->pending_flows + capacity > TK_ALL_PENDING_FLOWS) return false;
    struct tk_pending_flow *ring = tk_alloc_zero(rtos->alloc, capacity * sizeof *ring);
    if (!ring) return false;
    for (uint32_t i = 0; i < flows->count; i++) ring[i] = flows->ring[(flows->head + i) & (flows->capacity - 1)];
    tk_alloc_free(rtos->alloc, flows->ring, flows->capacity * sizeof *ring);
    rtos->pending_flows += capacity - flows->capacity;
    flows->ring = ring;
    flows->capacity = (uint16_t)capacity;
    flows->head = 0;
    return true;
}

// Returns false if there is no room.
static bool push(struct tk_rtos *rtos, struct tk_pending_flows *flows, struct tk_pending_flow flow, bool first) {
    if (flows->count == flows->capacity && !grow(rtos, flows)) return false;
    if (first) flows->head = (uint16_t)((flows->head - 1) & (flows->capacity - 1));
    flows->ring[(flows->head + (first ? 0 : flows->count)) & (flows->capacity - 1)] = flow;
    flows->count++;
    flows->front = (uint16_t)(flows->front + (first && flows->unknown));
    return true;
}

static struct tk_pending_flow pop(struct tk_pending_flows *flows) {
    struct tk_pending_flow flow = flows->ring[flows->head];
    flows->head = (uint16_t)((flows->head + 1) & (flows->capacity - 1));
    flows->count--;
    flows->front = (uint16_t)(flows->front - (flows->front > 0));
    return flow;
}

// Moves the items without room in the ring forward once the ring is empty.
static void bring_forward(struct tk_pending_flows *flows) {
    if (flows->unknown) return;
    flows->front = 0;
    if (flows->count) return;
    flows->unknown = flows->behind;
    flows->behind = 0;
}

void tk_rtos_forget_senders(struct tk_queue *queue, uint32_t length) {
    struct tk_pending_flows *flows = &queue->sent;
    flows->count = flows->front = flows->behind = 0;
    flows->unknown = length;
    queue->length.now = length;
    queue->length.follows = true;
}

static struct tk_pending_flow last_of(const struct tk_pending_flows *flows) {
    return flows->ring[(flows->head + flows->count - 1) & (flows->capacity - 1)];
}

// Bytes in a stream buffer have no boundaries: one flow connects all sends that wait for a receiver.
uint64_t tk_rtos_flow_of_send(struct tk_rtos *rtos, struct tk_queue *queue, enum tk_label call, struct tk_actor actor,
                              uint32_t length) {
    struct tk_pending_flows *flows = &queue->sent;
    bool is_buffer = tk_queue_is_buffer(queue), first = call == TK_LABEL_CALL_SEND_TO_FRONT;
    uint32_t before = queue->length.now, size = is_buffer ? length - before : 1;
    if (queue->capacity == 1 && !is_buffer) tk_rtos_forget_senders(queue, 0); // also when it replaces an item
    else if (!queue->length.follows || length < before || length - before != size)
        tk_rtos_forget_senders(queue, is_buffer || !length ? length : length - 1);
    if (is_buffer && queue->length.now == length) return 0; // it is unknown which of the bytes are older
    bool goes_on = queue->kind == TK_QUEUE_STREAM_BUFFER && flows->count && !flows->behind;
    struct tk_pending_flow flow = { .flow = 0, .at = rtos->tl->now, .actor = tk_actor_key(actor), .size = size };
    if (rtos->traces_services) flow.flow = goes_on ? last_of(flows).flow : ++rtos->next_flow;
    queue->length.now = length;
    if ((flows->behind && !first) || !push(rtos, flows, flow, first)) {
        if (first) tk_rtos_forget_senders(queue, length);
        else flows->behind += size;
        bring_forward(flows);
        return 0;
    }
    return flow.flow;
}

static uint32_t queue_index(const struct tk_rtos *rtos, const struct tk_queue *queue) {
    return (uint32_t)(queue - rtos->queues);
}

// The receiver of bytes gets an arrow if it took bytes of the last sender: the flow passes through all earlier senders.
static uint64_t receive_bytes(struct tk_rtos *rtos, struct tk_queue *queue, struct tk_actor actor, uint32_t bytes) {
    struct tk_pending_flows *flows = &queue->sent;
    uint32_t older = bytes < flows->unknown ? bytes : flows->unknown;
    uint64_t flow = 0;
    flows->unknown -= older;
    bytes -= older;
    while (bytes && flows->count) {
        struct tk_pending_flow sent = pop(flows);
        tk_rtos_tell_received(rtos, tk_actor_of_key(sent.actor), queue_index(rtos, queue), queue->entity, actor, NULL);
        if (!flows->count) flow = sent.flow;
        older = bytes < sent.size ? bytes : sent.size;
        flows->unknown = sent.size - older;
        bytes -= older;
    }
    if (bytes) flows->behind -= bytes;
    bring_forward(flows);
    return flow;
}

static uint64_t receive_item(struct tk_rtos *rtos, struct tk_queue *queue, struct tk_actor actor, uint32_t size) {
    struct tk_pending_flows *flows = &queue->sent;
    uint64_t flow = 0;
    if (flows->count && (flows->front || !flows->unknown)) {
        struct tk_pending_flow sent = pop(flows);
        flow = sent.flow;
        if (sent.size != size) return tk_rtos_forget_senders(queue, queue->length.now - size), 0;
        tk_rtos_tell_received(rtos, tk_actor_of_key(sent.actor), queue_index(rtos, queue), queue->entity, actor,
                              tk_queue_is_buffer(queue) ? NULL : &sent.at);
    } else if (size <= flows->unknown) {
        flows->unknown -= size;
    } else {
        return tk_rtos_forget_senders(queue, queue->length.now - size), 0;
    }
    bring_forward(flows);
    return flow;
}

uint64_t tk_rtos_flow_of_receive(struct tk_rtos *rtos, struct tk_queue *queue, struct tk_actor actor, uint32_t length) {
    uint32_t before = queue->length.now;
    bool is_buffer = tk_queue_is_buffer(queue);
    if (!queue->length.follows || length > before || (!is_buffer && before - length != 1)) {
        tk_rtos_forget_senders(queue, length);
        return 0;
    }
    uint64_t flow = queue->kind == TK_QUEUE_STREAM_BUFFER ? receive_bytes(rtos, queue, actor, before - length)
                                                          : receive_item(rtos, queue, actor, before - length);
    queue->length.now = length;
    return flow;
}

TK_COLD void tk_rtos_clear_flows(struct tk_rtos *rtos) {
    if (!rtos->has_open_flows) return;
    rtos->has_open_flows = false;
    for (uint32_t i = 0; i < rtos->task_count; i++)
        if (rtos->tasks[i].notification) rtos->tasks[i].notification->flow = 0;
    for (uint32_t i = 0; i < rtos->object_count; i++)
        if (rtos->objects[i].class == TK_CLASS_EVENT_GROUP) rtos->objects[i].group.flow = 0;
}

uint32_t tk_rtos_actor_entity(const struct tk_rtos *rtos, struct tk_actor actor) {
    switch (actor.kind) {
    case TK_ACTOR_TASK: return rtos->tasks[actor.index].entity;
    case TK_ACTOR_INTERRUPT: return rtos->isrs[actor.index].entity;
    default: return TK_NONE;
    }
}

void tk_rtos_tell_received(struct tk_rtos *rtos, struct tk_actor from, uint32_t queue, uint32_t object,
                           struct tk_actor to, const uint64_t *sent) {
    if (!rtos->facts) return;
    struct tk_fact_item item = { .queue = queue,
                                 .from = tk_rtos_actor_entity(rtos, from),
                                 .object = object,
                                 .to = tk_rtos_actor_entity(rtos, to),
                                 .sent = sent ? *sent : 0,
                                 .has_sent = sent != NULL };
    TK_TELL(rtos->facts, item_received, &item, rtos->tl->now);
}
