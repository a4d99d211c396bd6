/* SPDX-License-Identifier: MIT */
/*
 * Reuses the space of names and facts of deleted tasks and queues once the buffer is full. Each step examines a few
 * frames in a masked section of its own, so that no section is long. One core only.
 */
#ifndef TBAND_REUSE_H
#define TBAND_REUSE_H

/* The latest deleted objects: twice the number of a task, or twice the number of a queue plus 1; 0: none. */
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

/* Returns the object, as in `deleted`, of the frame at this position; 0: none. The number of an object is not 0, so
 * its bytes are as encoded. */
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
    uint32_t object = (frame[0] == 0u) ? 0u : object_of(frame);
    bool result = frame[0] == 0u;
    for (uint32_t i = 0; i < (uint32_t)tband_configREUSE_NAMES; i++) {
        result = result || ((object != 0u) && (deleted[i] == object));
    }
    return result;
}

static uint32_t frame_after(const struct tband_core *core, uint32_t at) {
    while (core->metadata[at] != 0u) at++;
    return at + 1u;
}

/* Examines the frames at *at, as far as they are free and `len` bytes are not reached. Returns the number of free
 * bytes; moves *at to the next frame if they do not suffice. */
static uint32_t look_at(const struct tband_core *core, uint32_t *at, uint32_t len) {
    uint32_t end = *at;
    while ((end < core->metadata_len) && ((end - *at) < len) && is_free(&core->metadata[end])) {
        end = frame_after(core, end);
    }
    const uint32_t found = end - *at;
    if (found < len) *at = (found == 0u) ? frame_after(core, end) : end;
    return found;
}

static bool is_starting_stream(void) {
#if TBAND_RING_SIZE > 0 && tband_configUSE_BACKEND_STREAMING == 1
    return is_starting;
#else
    return false;
#endif
}

/* Takes the place of a deleted object, of at least `most` bytes. Returns false if there is none. */
static bool take_place(const struct fact *fact, uint32_t most, uint32_t *at) {
    struct tband_core *core = tband_this_core();
    const uint32_t found = look_at(core, at, most);
    if (found < most) return false;
    const uint32_t len = encode_fact(core, fact);
    uint8_t *rest = tband_copy(&core->metadata[*at], &core->metadata[core->metadata_len], len);
    for (uint32_t i = len; i < found; i++) *rest++ = 0;
    return true;
}

/* Returns false if there is nothing to reuse, or another call looks for space. */
static bool begin_reuse(void) {
    tband_portENTER_CRITICAL_FROM_ANY();
    const bool may_reuse = (deletions != 0u) && !is_reusing && !is_starting_stream();
    is_reusing = is_reusing || may_reuse;
    tband_portEXIT_CRITICAL_FROM_ANY();
    return may_reuse;
}

static bool reuse_name(const struct fact *fact, uint32_t len) {
    const uint32_t most = (fact->shape == FACT_WITH_TIME) ? len + 1u : len; /* a later time may be longer */
    bool is_done = false;
    uint32_t at = 0;
    if (!begin_reuse()) return false;
    while (!is_done && (at < tband_control.core[0].metadata_len)) {
        tband_portENTER_CRITICAL_FROM_ANY();
        is_done = take_place(fact, most, &at);
        tband_portEXIT_CRITICAL_FROM_ANY();
    }
    is_reusing = false;
    return is_done;
}

#endif
