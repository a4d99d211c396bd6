// SPDX-License-Identifier: MIT
//
// Who sent what to whom: flows from the sender of an item to its receiver, and how often each pair communicated.
#include "rtos_internal.h"

static bool grow(struct tk_rtos *rtos, struct tk_pending_flows *flows) {
    uint32_t capacity = flows->capacity ? 2 * flows->capacity : 8;
    if (capacity > TK_MAX_PENDING_FLOWS) return false;
    struct tk_pending_flow *ring = tk_alloc_zero(rtos->alloc, capacity * sizeof *ring);
    if (!ring) return false;
    for (uint32_t i = 0; i < flows->count; i++) ring[i] = flows->ring[(flows->head + i) & (flows->capacity - 1)];
    tk_alloc_free(rtos->alloc, flows->ring, flows->capacity * sizeof *ring);
    *flows = (struct tk_pending_flows){ ring, capacity, 0, flows->count };
    return true;
}

// Above the limit an item has no flow; those before it keep their order.
void tk_rtos_push_flow(struct tk_rtos *rtos, struct tk_pending_flows *flows, struct tk_pending_flow flow, bool first) {
    if (flows->count == flows->capacity && !grow(rtos, flows)) return;
    if (first) flows->head = (flows->head - 1) & (flows->capacity - 1);
    flows->ring[(flows->head + (first ? 0 : flows->count)) & (flows->capacity - 1)] = flow;
    flows->count++;
}

struct tk_pending_flow tk_rtos_pop_flow(struct tk_pending_flows *flows) {
    if (!flows->count) return (struct tk_pending_flow){ .flow = 0 };
    struct tk_pending_flow flow = flows->ring[flows->head];
    flows->head = (flows->head + 1) & (flows->capacity - 1);
    flows->count--;
    return flow;
}

TK_COLD void tk_rtos_clear_flows(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < rtos->queue_count; i++) rtos->queues[i].sent.count = 0;
    for (uint32_t i = 0; i < rtos->task_count; i++) rtos->tasks[i].notified = 0;
    for (uint32_t i = 0; i < rtos->object_count; i++)
        if (rtos->objects[i].class == TK_CLASS_EVENT_GROUP) rtos->objects[i].group.flow = 0;
}

static uint64_t mix_hash(uint64_t value) { return (value ^ value >> 31) * 0x9E3779B97F4A7C15u; }

void tk_rtos_count_communication(struct tk_rtos *rtos, struct tk_actor from, uint32_t object, struct tk_actor to) {
    if (from.kind == TK_ACTOR_UNKNOWN || to.kind == TK_ACTOR_UNKNOWN) return;
    uint64_t actors = (uint64_t)tk_actor_key(from) << 32 | tk_actor_key(to);
    uint64_t key = mix_hash(mix_hash(actors) + object) | (uint64_t)1 << 63;
    struct tk_communication_edge *row = tk_rtos_find_row(rtos, &rtos->communication, key, sizeof *row);
    if (!row) return;
    if (!row->count) *row = (struct tk_communication_edge){ from, object, to, 0 };
    row->count++;
}
