/* SPDX-License-Identifier: MIT */
/*
 * Reuses the space of names and facts of deleted tasks and queues once the buffer is full. The search masks no
 * interrupts: until it ends, frames are only added, and no other call moves the ends of frames. One core only.
 */
#ifndef TBAND_REUSE_H
#define TBAND_REUSE_H

/* The latest deleted objects: twice the number of a task, or twice the number of a queue plus 1; 0 and 1: none. */
static uint32_t deleted[tband_configREUSE_NAMES];
static uint32_t deletions;
static bool is_reusing; /* a call looks for space: others must not move the ends of frames */

static void note_deleted(uint32_t object) {
    tband_portENTER_CRITICAL_FROM_ANY();
    deleted[deletions % (uint32_t)tband_configREUSE_NAMES] = object;
    deletions++;
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_note_task_deleted(uint32_t task) { note_deleted(2u * task); }
void tband_note_queue_deleted(uint32_t queue) { note_deleted((2u * queue) + 1u); }

/* Returns the object, as in `deleted`, of the frame at this position; 0 and 1: none. The number of an object is not 0,
 * so its bytes are as encoded. */
static uint32_t object_of(const uint8_t *frame) {
    static const uint8_t of_task[] = { TBAND_ID_task_name, TBAND_ID_task_declared, TBAND_ID_task_stack_size };
    static const uint8_t of_queue[] = { TBAND_ID_queue_name, TBAND_ID_queue_kind, TBAND_ID_queue_capacity };
    uint32_t number = 0, object = 0;
    for (uint32_t i = 0; i < 5u; i++) {
        number |= (uint32_t)(frame[2u + i] & 0x7Fu) << (7u * i);
        if (frame[2u + i] < 0x80u) break;
    }
    for (uint32_t i = 0; i < sizeof of_task; i++) {
        if (frame[1] == of_task[i]) object = 2u * number;
        if (frame[1] == of_queue[i]) object = (2u * number) + 1u;
    }
    return object;
}

/* Returns true if the bytes from here to the next zero are not needed: of a deleted object, or left over. */
static bool is_free(const uint8_t *frame) {
    const uint32_t object = object_of(frame);
    bool result = frame[0] == 0u;
    for (uint32_t i = 0; i < (uint32_t)tband_configREUSE_NAMES; i++) {
        if ((deleted[i] == object) && (object > 1u)) {
            result = true;
        }
    }
    return result;
}

/* Returns true if a stream sends these bytes now: a start does, or names are sent up to a frame between them. */
static bool is_being_sent(const struct tband_core *core, uint32_t at, uint32_t end) {
#if TBAND_RING_SIZE > 0 && tband_configUSE_BACKEND_STREAMING == 1
    return is_starting || ((core->metadata_sent > at) && (core->metadata_sent < end));
#else
    (void)core;
    (void)at;
    (void)end;
    return false;
#endif
}

/* Replaces the `found` free bytes at a position by the fact. */
static void take_place(const struct fact *fact, uint32_t at, uint32_t found) {
    struct tband_core *core = tband_this_core();
    const uint32_t len = encode_fact(core, fact);
    uint8_t *rest = tband_copy(&core->metadata[at], &core->metadata[core->metadata_len], len);
    for (uint32_t i = len; i < found; i++) *rest++ = 0;
}

/* Returns false if there is nothing to reuse, or another call looks for space. */
static bool begin_reuse(void) {
    tband_portENTER_CRITICAL_FROM_ANY();
    const bool may_reuse = (deletions != 0u) && !is_reusing;
    is_reusing = is_reusing || may_reuse;
    tband_portEXIT_CRITICAL_FROM_ANY();
    return may_reuse;
}

static bool reuse_name(const struct fact *fact, uint32_t len) {
    const struct tband_core *core = tband_core_of(0);
    const uint32_t most = (fact->shape == FACT_WITH_TIME) ? len + 1u : len; /* a later time may be longer */
    uint32_t at = 0;                                                        /* from here to `end` the bytes are free */
    uint32_t end = 0;
    if (!begin_reuse()) return false;
    while ((end < core->metadata_len) && ((end - at) < most)) {
        const bool is_needed = !is_free(&core->metadata[end]);
        end = frame_after(core, end);
        if (is_needed) at = end;
    }
    bool is_found = (end - at) >= most;
    if (is_found) {
        tband_portENTER_CRITICAL_FROM_ANY();
        is_found = !is_being_sent(core, at, end);
        if (is_found) take_place(fact, at, end - at);
        tband_portEXIT_CRITICAL_FROM_ANY();
    }
    is_reusing = false;
    return is_found;
}

#endif
