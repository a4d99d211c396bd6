// SPDX-License-Identifier: MIT
#include "lane.h"

#include <string.h>

#include "../../base/cold.h"

TK_COLD bool tk_batch_grow(struct tk_batch *batch) {
    return tk_alloc_grow(batch->alloc, (void **)&batch->events, &batch->capacity, batch->count + 1, sizeof *batch->events);
}

TK_COLD bool tk_lane_init(struct tk_lane *lane, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_account *account, enum tk_lane_time time, uint8_t core) {
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

static void move_to(struct tk_batch *batch, const struct tk_event *event) {
    struct tk_event *moved = tk_batch_place(batch);
    *moved = *event;
    keep_borrowed(&batch->memory, moved);
    tk_batch_add(batch);
}

static struct tk_batch *lane_of_core(struct tk_batch *batch, struct tk_batch *const *lanes, uint32_t count, uint32_t core) {
    return core < count && lanes[core] ? lanes[core] : batch;
}

TK_COLD void tk_batch_share_out(struct tk_batch *batch, struct tk_batch *const *lanes, uint32_t count) {
    struct tk_lane *lane = (struct tk_lane *)batch; // its first member
    struct tk_batch *to = lane_of_core(batch, lanes, count, lane->clock.core);
    uint32_t staying = lane->settled, kept = lane->kept < staying ? lane->kept : staying;
    for (uint32_t i = staying; i < batch->count; i++) {
        const struct tk_event *event = &batch->events[i];
        if (event->kind == TK_EV_CORE) to = lane_of_core(batch, lanes, count, event->id);
        if (to != batch) {
            move_to(to, event);
            continue;
        }
        batch->events[staying++] = *event;
        if (i < lane->kept) kept = staying;
    }
    batch->count = staying;
    lane->kept = kept;
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

TK_COLD bool tk_lane_settle_now(struct tk_lane *lane) {
    bool ended = lane->ended;
    lane->ended = true;
    bool settled = tk_lane_settle(lane);
    lane->ended = ended;
    return settled;
}

// ---- Another place ----

TK_COLD static void values_moved(struct tk_event *event, struct tk_move *move) {
    struct tk_value *values = tk_follow(move, event->values, event->value_count * sizeof *values);
    event->values = values;
    for (unsigned i = 0; values && i < event->value_count; i++) {
        values[i].name = tk_follow_any(move, values[i].name, values[i].name_len);
        if (values[i].type == TK_VALUE_TEXT) values[i].text = tk_follow_any(move, values[i].text, values[i].text_len);
    }
}

TK_COLD static void call_site_moved(struct tk_event *event, struct tk_move *move) {
    struct tk_call_site *site = tk_follow(move, event->call_site, sizeof *site);
    event->call_site = site;
    if (!site) return;
    site->details = tk_follow_any(move, site->details, site->details_len);
    site->caller_details = tk_follow_any(move, site->caller_details, site->caller_details_len);
    site->from_words = tk_follow_any(move, site->from_words, site->from_words_len);
}

TK_COLD static void track_moved(struct tk_event *event, struct tk_move *move) {
    struct tk_track_def *track = tk_follow(move, event->track, sizeof *track);
    event->track = track;
    if (!track) return;
    track->unit = tk_follow_any(move, track->unit, track->unit_len);
    track->type_words = tk_follow_any(move, track->type_words, track->type_words_len);
    track->description = tk_follow_any(move, track->description, track->description_len);
}

TK_COLD void tk_event_moved(struct tk_event *event, struct tk_move *move) {
    event->str = event->str_len ? tk_follow_any(move, event->str, event->str_len) : NULL;
    event->raw = event->raw_len ? tk_follow_any(move, event->raw, event->raw_len) : NULL;
    if (event->kind == TK_EV_TRACK_DEFINED) track_moved(event, move);
    else if (event->kind == TK_EV_CALL_SITE) call_site_moved(event, move);
    else if (event->value_count) values_moved(event, move);
}

TK_COLD void tk_batch_moved(struct tk_batch *batch, struct tk_move *move) {
    batch->alloc = tk_follow(move, batch->alloc, sizeof *batch->alloc);
    batch->events = tk_follow_array(move, batch->events, batch->count, batch->capacity, sizeof *batch->events);
    batch->domain.name = tk_follow_any(move, batch->domain.name, 0);
    batch->settle = NULL;
    tk_arena_moved(&batch->memory, move);
}

TK_COLD void tk_lane_moved(struct tk_lane *lane, struct tk_move *move) {
    struct tk_batch *batch = &lane->batch;
    tk_batch_moved(batch, move);
    tk_arena_moved(&lane->other, move);
    lane->clock.diag = tk_follow(move, lane->clock.diag, sizeof *lane->clock.diag);
    lane->clock.account = tk_follow(move, lane->clock.account, sizeof *lane->clock.account);
    lane->peers = tk_follow(move, lane->peers, sizeof *lane->peers);
    lane->peer_count = tk_follow(move, lane->peer_count, sizeof *lane->peer_count);
    for (uint32_t i = lane->head; i < batch->count && !move->refused; i++) tk_event_moved(&batch->events[i], move);
}

