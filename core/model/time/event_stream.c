// SPDX-License-Identifier: MIT
#include "event_stream.h"

#include <string.h>

#include "../../base/attributes.h"

TK_COLD bool tk_batch_grow(struct tk_batch *batch) {
    return tk_alloc_grow(batch->alloc, (void **)&batch->events, &batch->capacity, batch->count + 1,
                         sizeof *batch->events);
}

TK_COLD bool tk_event_stream_init(struct tk_event_stream *stream, struct tk_alloc *alloc, struct tk_diag *diag,
                                  struct tk_account *account, enum tk_stream_time time, uint8_t core) {
    memset(stream, 0, sizeof *stream);
    stream->batch.alloc = stream->batch.memory.alloc = stream->other.alloc = alloc;
    stream->batch.enough = TK_BATCH_LEN;
    stream->time = time;
    tk_clock_init(&stream->clock, diag, account, core);
    if (time == TK_STREAM_RAW) tk_event_stream_validate_times(stream);
    return tk_alloc_grow(alloc, (void **)&stream->batch.events, &stream->batch.capacity, TK_BATCH_LEN,
                         sizeof *stream->batch.events);
}

// Copies a borrowed text; drops it when out of memory.
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
    struct tk_value *values =
        (struct tk_value *)tk_arena_copy(arena, event->values, event->value_count * sizeof *event->values);
    if (!values) event->value_count = 0;
    event->values = values;
    for (unsigned i = 0; i < event->value_count; i++) keep_value(arena, &values[i]);
}

static void keep_call_site(struct tk_arena *arena, struct tk_event *event) {
    struct tk_call_site *site =
        (struct tk_call_site *)tk_arena_copy(arena, event->call_site.definition, sizeof *event->call_site.definition);
    event->call_site.definition = site;
    if (!site) return;
    site->details = keep_short_text(arena, site->details, &site->details_len);
    site->caller_details = keep_short_text(arena, site->caller_details, &site->caller_details_len);
    site->from_words = keep_short_text(arena, site->from_words, &site->from_words_len);
}

// Copies a track definition; a track without one is undefined.
static void keep_track(struct tk_arena *arena, struct tk_event *event) {
    struct tk_track_def *track = (struct tk_track_def *)tk_arena_copy(arena, event->track_defined.definition,
                                                                      sizeof *event->track_defined.definition);
    event->track_defined.definition = track;
    if (!track) return;
    track->unit = keep_short_text(arena, track->unit, &track->unit_len);
    track->type_words = keep_short_text(arena, track->type_words, &track->type_words_len);
    track->description = keep_text(arena, track->description, &track->description_len);
}

static void copy_borrowed(struct tk_arena *arena, struct tk_event *event) {
    if (event->str_len && !tk_event_str_is_static(event)) event->str = keep_text(arena, event->str, &event->str_len);
    if (event->raw_len) event->raw = (const uint8_t *)keep_short_text(arena, (const char *)event->raw, &event->raw_len);
    if (event->kind == TK_EV_TRACK_DEFINED) keep_track(arena, event);
    else if (event->kind == TK_EV_CALL_SITE) keep_call_site(arena, event);
    else if (event->value_count) keep_values(arena, event);
}

static void move_to(struct tk_batch *batch, const struct tk_event *event) {
    struct tk_event *copy = tk_batch_slot(batch);
    *copy = *event;
    copy_borrowed(&batch->memory, copy);
    tk_batch_add(batch);
}

static struct tk_batch *stream_of_core(struct tk_batch *batch, struct tk_batch *const *streams, uint32_t count,
                                       uint32_t core) {
    return core < count && streams[core] ? streams[core] : batch;
}

TK_COLD void tk_batch_split_by_core(struct tk_batch *batch, struct tk_batch *const *streams, uint32_t count) {
    struct tk_event_stream *stream = (struct tk_event_stream *)batch; // the batch is the first member
    struct tk_batch *to = stream_of_core(batch, streams, count, stream->clock.core);
    uint32_t staying = stream->resolved, kept = stream->kept < staying ? stream->kept : staying;
    for (uint32_t i = staying; i < batch->count; i++) {
        const struct tk_event *event = &batch->events[i];
        if (event->kind == TK_EV_CORE) to = stream_of_core(batch, streams, count, event->core_tag.core);
        if (to != batch) {
            move_to(to, event);
            continue;
        }
        batch->events[staying++] = *event;
        if (i < stream->kept) kept = staying;
    }
    batch->count = staying;
    stream->kept = kept;
}

TK_COLD void tk_batch_move_first(struct tk_batch *batch) {
    struct tk_event_stream *stream = (struct tk_event_stream *)batch; // the batch is the first member
    struct tk_event *first = &batch->events[stream->resolved], event = batch->events[batch->count - 1];
    copy_borrowed(&batch->memory, &event);
    memmove(first + 1, first, (batch->count - 1 - stream->resolved) * sizeof *first);
    *first = event;
    if (stream->kept > stream->resolved) stream->kept++;
}

// Moves pending events to the front, and their borrowed data to separate memory.
static void move_to_front(struct tk_event_stream *stream) {
    struct tk_batch *batch = &stream->batch;
    struct tk_arena memory = stream->other;
    uint32_t left = batch->count - stream->head;
    if (left) memmove(batch->events, batch->events + stream->head, left * sizeof *batch->events);
    for (uint32_t i = 0; i < left; i++) copy_borrowed(&memory, &batch->events[i]);
    tk_arena_reset(&batch->memory);
    stream->other = batch->memory;
    batch->memory = memory;
    batch->count = stream->kept = left;
    stream->resolved -= stream->head;
    stream->head = 0;
}

void tk_event_stream_compact(struct tk_event_stream *stream) {
    struct tk_batch *batch = &stream->batch;
    if (stream->head || !batch->count) move_to_front(stream);
    for (; stream->kept < batch->count; stream->kept++) copy_borrowed(&batch->memory, &batch->events[stream->kept]);
}

TK_COLD bool tk_event_stream_resolve_now(struct tk_event_stream *stream) {
    bool ended = stream->ended;
    stream->ended = true;
    bool resolved = tk_event_stream_resolve(stream);
    stream->ended = ended;
    return resolved;
}
