// SPDX-License-Identifier: MIT
#include "lane.h"

#include <string.h>

#include "../../base/rare.h"

TK_RARE bool tk_batch_grow(struct tk_batch *batch) {
    return tk_alloc_grow(batch->alloc, (void **)&batch->events, &batch->capacity, batch->count + 1, sizeof *batch->events);
}

bool tk_lane_init(struct tk_lane *lane, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_account *account, enum tk_lane_time time, uint8_t core) {
    memset(lane, 0, sizeof *lane);
    lane->batch.alloc = lane->batch.memory.alloc = lane->other.alloc = alloc;
    lane->batch.enough = TK_BATCH_LEN;
    lane->time = time;
    tk_clock_init(&lane->clock, diag, account, core);
    return tk_alloc_grow(alloc, (void **)&lane->batch.events, &lane->batch.capacity, TK_BATCH_LEN, sizeof *lane->batch.events);
}

static void keep_values(struct tk_arena *arena, struct tk_event *event) {
    struct tk_value *values = (struct tk_value *)tk_arena_copy(arena, event->values, event->value_count * sizeof *event->values);
    if (!values) event->value_count = 0;
    event->values = values;
    for (unsigned i = 0; i < event->value_count; i++) {
        if (values[i].type != TK_VALUE_TEXT) continue;
        values[i].text = tk_arena_copy(arena, values[i].text, values[i].text_len);
        if (!values[i].text) values[i].text_len = 0;
    }
}

// Without memory what was borrowed is left out.
static void keep_borrowed(struct tk_arena *arena, struct tk_event *event) {
    if (event->str_len && !tk_event_str_is_static(event)) event->str = tk_arena_copy(arena, event->str, event->str_len);
    if (!event->str) event->str_len = 0;
    if (event->raw_len) event->raw = tk_arena_copy(arena, event->raw, event->raw_len);
    if (!event->raw) event->raw_len = 0;
    if (event->value_count) keep_values(arena, event);
}

// What waits moves to the front, and to memory that holds nothing else.
static void move_to_front(struct tk_lane *lane) {
    struct tk_batch *batch = &lane->batch;
    struct tk_arena memory = lane->other;
    uint32_t left = batch->count - lane->head;
    if (left) memmove(batch->events, batch->events + lane->head, left * sizeof *batch->events);
    for (uint32_t i = 0; i < left; i++) keep_borrowed(&memory, &batch->events[i]);
    tk_arena_reset(&batch->memory);
    lane->other = batch->memory;
    batch->memory = memory;
    batch->count = lane->kept = left;
    lane->settled -= lane->head;
    lane->head = 0;
}

void tk_lane_keep(struct tk_lane *lane) {
    struct tk_batch *batch = &lane->batch;
    if (lane->head || !batch->count) move_to_front(lane);
    for (; lane->kept < batch->count; lane->kept++) keep_borrowed(&batch->memory, &batch->events[lane->kept]);
}

void tk_lane_deinit(struct tk_lane *lane) {
    tk_arena_deinit(&lane->batch.memory);
    tk_arena_deinit(&lane->other);
    tk_alloc_free(lane->batch.alloc, lane->batch.events, lane->batch.capacity * sizeof *lane->batch.events);
}
