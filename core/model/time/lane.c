// SPDX-License-Identifier: MIT
#include "lane.h"

#include <string.h>

#include "../../base/cold.h"

TK_COLD bool tk_batch_grow(struct tk_batch *batch) {
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

// Without memory what was borrowed is left out.
static const char *keep_text(struct tk_arena *arena, const char *text, uint32_t *len) {
    const char *kept = *len ? tk_arena_copy(arena, text, *len) : NULL;
    if (!kept) *len = 0;
    return kept;
}

static const char *keep_short_text(struct tk_arena *arena, const char *text, uint16_t *len) {
    uint32_t length = *len;
    const char *kept = keep_text(arena, text, &length);
    *len = (uint16_t)length;
    return kept;
}

static void keep_value(struct tk_arena *arena, struct tk_value *value) {
    if (value->name_len) value->name = keep_short_text(arena, value->name, &value->name_len);
    if (value->type == TK_VALUE_TEXT) value->text = keep_text(arena, value->text, &value->text_len);
}

static void keep_values(struct tk_arena *arena, struct tk_event *event) {
    struct tk_value *values = (struct tk_value *)tk_arena_copy(arena, event->values, event->value_count * sizeof *event->values);
    if (!values) event->value_count = 0;
    event->values = values;
    for (unsigned i = 0; i < event->value_count; i++) keep_value(arena, &values[i]);
}

static void keep_call_site(struct tk_arena *arena, struct tk_event *event) {
    struct tk_call_site *site = (struct tk_call_site *)tk_arena_copy(arena, event->call_site, sizeof *event->call_site);
    event->call_site = site;
    if (!site) return;
    site->details = keep_short_text(arena, site->details, &site->details_len);
    site->caller_details = keep_short_text(arena, site->caller_details, &site->caller_details_len);
    site->from_words = keep_short_text(arena, site->from_words, &site->from_words_len);
}

// A track without its definition is one that was not defined.
static void keep_track(struct tk_arena *arena, struct tk_event *event) {
    struct tk_track_def *track = (struct tk_track_def *)tk_arena_copy(arena, event->track, sizeof *event->track);
    event->track = track;
    if (!track) return;
    track->unit = keep_short_text(arena, track->unit, &track->unit_len);
    track->type_words = keep_short_text(arena, track->type_words, &track->type_words_len);
    track->description = keep_text(arena, track->description, &track->description_len);
}

static void keep_borrowed(struct tk_arena *arena, struct tk_event *event) {
    if (event->str_len && !tk_event_str_is_static(event)) event->str = keep_text(arena, event->str, &event->str_len);
    if (event->raw_len) event->raw = (const uint8_t *)keep_short_text(arena, (const char *)event->raw, &event->raw_len);
    if (event->kind == TK_EV_TRACK_DEFINED) keep_track(arena, event);
    else if (event->kind == TK_EV_CALL_SITE) keep_call_site(arena, event);
    else if (event->value_count) keep_values(arena, event);
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
