// SPDX-License-Identifier: MIT
#include "damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "handle/handle.h"
#include "model/trackers/rtos/rtos_internal.h"
#include "role.h"

// ---- Reading -------------------------------------------------------------------------------------------------------

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx, (void)old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static void *grow(void *array, size_t count, size_t *cap, size_t size) {
    if (count < *cap) return array;
    *cap = *cap ? *cap * 2 : 1024;
    array = realloc(array, *cap * size);
    if (!array) abort();
    return array;
}

static uint64_t mix(uint64_t hash, uint64_t number) { return (hash ^ number) * 0x9E3779B97F4A7C15u ^ hash >> 29; }

static uint64_t hash_value(uint64_t hash, const struct tk_value *value) {
    bool text = value->type == TK_VALUE_TEXT;
    return mix(hash, text ? tk_hash_bytes((const uint8_t *)value->text, value->text_len) : value->number.u);
}

static uint64_t hash_values(uint64_t hash, const struct tk_event *event) {
    for (unsigned i = 0; i < event->value_count; i++) hash = hash_value(hash, &event->values[i]);
    return hash;
}

// If frames have numbers, interrupts have none: their nesting depth is used.
static bool is_derived(const struct tk_event *event, const struct damage_reading *reading) {
    return reading->numbered && (event->kind == TK_EV_ISR_ENTER || event->kind == TK_EV_ISR_EXIT);
}

// Of active objects: the field that is in no slot.
static uint32_t further_number(const struct tk_event *event) {
    switch (tk_event_families[event->kind]) {
    case TK_FAMILY_rtc_step: return event->rtc_step.state;
    case TK_FAMILY_object_state: return event->object_state.state;
    case TK_FAMILY_object_action: return event->object_action.queue;
    case TK_FAMILY_post: return event->post.sender;
    case TK_FAMILY_pool: return event->pool.least_plus_1;
    case TK_FAMILY_time_event_armed: return event->time_event_armed.object;
    case TK_FAMILY_time_event: return event->time_event.object;
    case TK_FAMILY_note: return event->note.target_begins;
    default: return 0;
    }
}

static uint64_t hash_event(const struct tk_event *event, bool derived) {
    uint64_t hash = mix(event->kind, (uint64_t)event->timed << 1 | event->time_invalid);
    hash = mix(hash, derived ? 0 : tk_event_id(event));
    hash = mix(hash, (uint64_t)tk_event_number(event, TK_SLOT_NUMBER));
    hash = mix(hash, (uint64_t)tk_event_number(event, TK_SLOT_VALUE));
    hash = mix(hash, further_number(event));
    if (event->str_len) hash = mix(hash, tk_hash_bytes((const uint8_t *)event->str, event->str_len));
    return hash_values(hash, event);
}

// Events without a frame of their own: problems; the gap of a missing numbered frame and the ends of interrupts
// inserted there, without a time; names that a format collects, which are compared at the end.
static bool is_hearsay(const struct tk_event *event, const struct damage_reading *reading) {
    if (event->kind == TK_EV_PROBLEM) return true;
    if (event->kind == TK_EV_ISR_EXIT && !event->timed && reading->numbered) return true;
    bool gathered = event->kind == TK_EV_DROP_COUNT || event->kind == TK_EV_SYMBOL_NAME ||
                    event->kind == TK_EV_SYMBOL_FALLBACK || event->kind == TK_EV_ISR_NAME;
    return gathered && reading->numbered;
}

static void see(void *ctx, const struct tk_event *event) {
    struct damage_reading *reading = ctx;
    if (is_hearsay(event, reading)) return;
    bool derived = is_derived(event, reading);
    reading->events = grow(reading->events, reading->event_count, &reading->event_cap, sizeof *reading->events);
    reading->events[reading->event_count++] =
        (struct damage_event){ .ticks = event->ticks,
                               .hash = hash_event(event, derived),
                               .offset = (uint32_t)event->offset,
                               .id = event->kind == TK_EV_TICK_LENGTH ? event->tick_length.ns > 0 : tk_event_id(event),
                               .kind = event->kind,
                               .core = event->core,
                               .input = event->input,
                               .timed = event->timed && !event->time_invalid,
                               .derived = derived,
                               .text =
                                   event->str_len ? tk_hash_bytes((const uint8_t *)event->str, event->str_len) : 0 };
}

// Samples and changes have their time in their values; it depends on the records before them.
static bool is_time(const struct tk_value *value) {
    static const char *const names[] = { "time", "position", "delta", "domain" };
    bool is_one = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) is_one |= !strcmp(value->name, names[i]);
    return is_one;
}

static uint64_t number_of(const struct tk_value *value) {
    uint64_t number = 0;
    if (value->type != TK_VALUE_TEXT) return value->number.u;
    for (uint32_t i = 0; i < value->text_len; i++) number = number * 10 + (uint64_t)(value->text[i] - '0');
    return number;
}

static void see_record(void *ctx, const struct tk_event *event, unsigned record) {
    struct damage_reading *reading = ((struct tk_input *)ctx)->handle->event_ctx;
    struct damage_event seen = { .hash = mix(record, 0),
                                 .ticks = event->ticks,
                                 .offset = (uint32_t)event->offset,
                                 .input = event->input,
                                 .timed = event->timed };
    for (unsigned i = 0; i < event->value_count; i++) {
        if (!is_time(&event->values[i])) seen.hash = hash_value(seen.hash, &event->values[i]);
        else seen.timed = true, seen.ticks = number_of(&event->values[i]);
    }
    if (reading->no_times) seen.timed = false, seen.ticks = 0;
    reading->events = grow(reading->events, reading->event_count, &reading->event_cap, sizeof *reading->events);
    reading->events[reading->event_count++] = seen;
}

static void watch_records(struct tk_input *input, const struct tk_decoder *kind, struct tk_decode_host *host) {
    host->dump_ctx = input;
    host->on_record_decoded = see_record;
    host->names = kind->names;
}

static void keep_track_sink(struct tk *handle) { (void)handle; }
static bool never_refused(const struct tk *handle) { return (void)handle, false; }

static void add_metadata(struct damage_reading *reading, uint32_t id, uint8_t core, unsigned type, uint64_t hash) {
    reading->metadata =
        grow(reading->metadata, reading->metadata_count, &reading->metadata_capacity, sizeof *reading->metadata);
    reading->metadata[reading->metadata_count++] = (struct damage_metadata){ id, core, (uint8_t)type, hash };
}

static uint8_t core_of(const tk *handle, uint32_t entity) {
    const struct tk_rtos *rtos = handle->model.rtos;
    for (uint32_t i = 0; rtos && i < rtos->isr_count; i++)
        if (rtos->isrs[i].entity == entity) return rtos->isrs[i].core;
    return 0;
}

static void count_noticed(const tk *handle, struct damage_reading *reading) {
    for (int id = 0; id < TK_DIAG_COUNT; id++)
        if (tk_diag_info((enum tk_diag_id)id)->severity >= TK_SEVERITY_NOTICE)
            reading->noticed += handle->diag.entries[id].count;
}

static void gather(const tk *handle, struct damage_reading *reading) {
    const struct tk_names *names = &handle->model.timeline.names;
    for (uint32_t i = 0; i < names->count; i++) {
        size_t len;
        const char *text = tk_strtab_text(&names->strings, names->entities[i].name, &len);
        if (len)
            add_metadata(reading, names->entities[i].id, core_of(handle, i), names->entities[i].type,
                         tk_hash_bytes((const uint8_t *)text, len));
    }
    add_metadata(reading, 0, 0, TK_ENTITY_TYPES, handle->tick_ns);
}

static void check_account(const tk *handle, const struct pump_job *job, tk_status status) {
    for (uint32_t i = 0; i < job->file_count; i++) {
        struct tk_account_sums sums;
        tk_get_account(handle, i, &sums);
        if (status == TK_OK && sums.fed == job->files[i].bytes.len &&
            sums.fed == sums.decoded + sums.skipped + sums.left)
            continue;
        fprintf(stderr, "%s: %s; %llu bytes fed, %llu decoded, %llu skipped, %llu left over\n", job->files[i].name,
                tk_status_text(status), (unsigned long long)sums.fed, (unsigned long long)sums.decoded,
                (unsigned long long)sums.skipped, (unsigned long long)sums.left);
        abort();
    }
}

static tk_status feed_all(tk *handle, const struct pump_job *job) {
    size_t at[TK_MAX_INPUTS] = { 0 };
    bool ended[TK_MAX_INPUTS] = { false };
    for (int32_t wanted; (wanted = tk_wanted_input(handle)) != TK_NO_INPUT;) {
        uint32_t index = wanted < 0 ? 0 : (uint32_t)wanted;
        while (wanted < 0 && ended[index]) index++;
        size_t left = job->files[index].bytes.len - at[index], consumed = 0;
        ended[index] = !left;
        tk_status status = left ? tk_feed(handle, index, job->files[index].bytes.data + at[index], left, &consumed)
                                : tk_end_input(handle, index);
        if (status != TK_OK) return status;
        at[index] += consumed;
    }
    return TK_OK;
}

static void need(tk_status status, const tk *handle) {
    if (status == TK_OK) return;
    fprintf(stderr, "%s: %s\n", tk_status_text(status), tk_error_text(handle));
    abort();
}

void damage_read(const struct pump_job *job, struct damage_reading *out_reading) {
    const struct tk_allocator allocator = { resize, NULL };
    tk *handle;
    out_reading->event_count = out_reading->metadata_count = 0;
    out_reading->noticed = 0;
    if (tk_new(&allocator, &handle) != TK_OK) abort();
    for (size_t i = 0; i < job->option_count; i++) {
        const char *equals = strchr(job->options[i], '=');
        char key[64] = "";
        memcpy(key, job->options[i], (size_t)(equals - job->options[i]));
        need(tk_set_option(handle, key, equals + 1), handle);
    }
    for (size_t i = 0; i < job->file_count; i++) {
        const struct tk_input_info info = {
            job->files[i].name, role_of(job->files[i].bytes.data, job->files[i].bytes.len, job->files[i].side),
            job->files[i].core
        };
        uint32_t input;
        need(tk_add_input(handle, &info, &input), handle);
        need(begin_dump(handle, input, job->files[i].bytes.data, job->files[i].bytes.len), handle);
    }
    static const struct tk_dump_hooks records = { watch_records, keep_track_sink, NULL, never_refused };
    if (out_reading->by_record) handle->dumping = &records;
    else handle->event_seen = see;
    handle->event_ctx = out_reading;
    tk_status status = feed_all(handle, job), end = tk_finish(handle);
    out_reading->status = status == TK_OK ? end : status;
    check_account(handle, job, out_reading->status);
    count_noticed(handle, out_reading);
    if (!out_reading->by_record) gather(handle, out_reading);
    tk_free(handle);
}

void damage_free(struct damage_reading *reading) {
    free(reading->events);
    free(reading->metadata);
}

// ---- Damaged frames ------------------------------------------------------------------------------------------------

static size_t frame_end(const struct pump_bytes *bytes, uint8_t delimiter, size_t at) {
    while (at < bytes->len && bytes->data[at] != delimiter) at++;
    return at < bytes->len ? at + 1 : at;
}

void damage_touch(const struct pump_file *file, uint8_t delimiter, struct damage_place *place) {
    const struct pump_bytes *bytes = &file->bytes;
    place->first = place->from;
    size_t to = place->cut ? place->from : place->to;
    while (place->first && bytes->data[place->first - 1] != delimiter) place->first--;
    bool hit = false; // the last byte of a frame was replaced, so the next frame is joined to it
    place->end = frame_end(bytes, delimiter, place->from);
    place->frames = 1;
    while (place->end < to) {
        place->end = frame_end(bytes, delimiter, place->end);
        place->frames++;
    }
    for (size_t at = place->from; at < to; at++) hit |= bytes->data[at] == delimiter && at + 1 == place->end;
    if (hit && place->end < bytes->len) {
        place->end = frame_end(bytes, delimiter, place->end);
        place->frames++;
    }
}

void damage_touch_records(const struct damage_reading *good, size_t file_len, size_t reach, size_t longest,
                          struct damage_place *place) {
    enum { IN_FRONT = 6 }; // the five records before the damage, and the damaged one
    size_t to = place->cut ? place->from : place->to, last = 0, next = file_len, front[IN_FRONT] = { 0 };
    size_t i_front = 0;
    bool any = false;
    place->frames = 0;
    place->end = file_len;
    for (size_t i = 0; i < good->event_count; i++) {
        const struct damage_event *event = &good->events[i];
        if (event->input != place->file) continue;
        if (event->offset <= place->from) front[i_front++ % IN_FRONT] = last = event->offset, any = true;
        else if (next == file_len) next = event->offset;
        if (event->offset >= to + reach && place->end == file_len) place->end = event->offset;
        place->frames += event->offset > place->from && event->offset < to;
    }
    place->first = front[i_front % IN_FRONT];
    if (good->has_head && last == 0) place->end = file_len;
    if (!any || (longest && next - last > longest))
        place->end = file_len; // the header before all records, or another one
}

// ---- Comparison ----------------------------------------------------------------------------------------------------

struct side {
    const struct damage_event *events;
    size_t count, at;
    size_t file;
};

// The next event of the file; NULL: no further event.
static const struct damage_event *peek(struct side *side) {
    while (side->at < side->count && side->events[side->at].input != side->file) side->at++;
    return side->at < side->count ? &side->events[side->at] : NULL;
}

static void compare_untouched(const struct damage_event *good, const struct damage_event *bad,
                              struct damage_result *result) {
    uint64_t expected = good->ticks + result->origin;
    if (good->hash != bad->hash) {
        result->missing++;
        return;
    }
    if (good->timed && expected != bad->ticks) {
        uint64_t later = bad->ticks - expected, earlier = expected - bad->ticks,
                 move = later < earlier ? later : earlier; // modulo 2^64
        result->moved_times += !result->moved || result->last_moved != good->ticks;
        result->last_moved = good->ticks;
        result->moved++;
        if (move > result->max_move) result->max_move = move;
    }
    bool wrong = good->core != bad->core;
    result->misplaced += wrong;
    result->unhealed += wrong && result->core_id_seen;
    result->core_heals = !wrong;
    result->core_id_seen |= good->kind == TK_EV_CORE;
}

static const struct damage_event *first_timed(const struct damage_reading *reading, uint8_t input) {
    for (size_t i = 0; i < reading->event_count; i++)
        if (reading->events[i].timed && reading->events[i].input == input) return &reading->events[i];
    return NULL;
}

static const struct damage_event *last_timed(const struct damage_reading *reading, uint8_t input) {
    for (size_t i = reading->event_count; i--;)
        if (reading->events[i].timed && reading->events[i].input == input) return &reading->events[i];
    return NULL;
}

// If no time comes before the damaged frames, the time axis may begin elsewhere without being wrong: the format counts
// from the first record, absolute times do not fit, or the wraps of a counter are counted from there.
static uint64_t origin_shift(const struct damage_reading *good, const struct damage_reading *bad,
                             const struct damage_place *place, size_t shift) {
    uint8_t input = (uint8_t)place->file;
    const struct damage_event *first = first_timed(good, input);
    if (place->cut || !first || first->offset < place->first) return 0;
    const struct damage_event *a = last_timed(good, input), *b = last_timed(bad, input);
    return a && b && a->offset >= place->end && b->offset == a->offset + shift ? b->ticks - a->ticks : 0;
}

// Pairs by offset the events outside of the damaged frames: [from, to) of the good file, `shift` further in the bad
// one.
static void compare_range(struct side *good, struct side *bad, size_t from, size_t to, size_t shift,
                          struct damage_result *result) {
    const struct damage_event *a, *b;
    while ((b = peek(bad)) && b->offset < from + shift) bad->at++;
    while ((a = peek(good)) && a->offset < to) {
        good->at++;
        if (a->offset < from) continue;
        while ((b = peek(bad)) && b->offset < a->offset + shift) {
            bad->at++;
            result->missing++; // contained in a frame that contained no event before
        }
        if (!b || b->offset != a->offset + shift) {
            result->missing++;
            continue;
        }
        bad->at++;
        compare_untouched(a, b, result);
    }
}

static bool is_in(const struct damage_event *event, struct side list, size_t end) {
    for (const struct damage_event *other; (other = peek(&list)) && other->offset < end; list.at++)
        if (other->hash == event->hash && other->ticks == event->ticks) return true;
    return false;
}

// Events of the damaged frames: good ones up to `good_end`, those in their place up to `bad_end`.
static void compare_touched(struct side *good, struct side *bad, size_t good_end, size_t bad_end,
                            struct damage_result *result) {
    const struct side good_list = *good, bad_list = *bad;
    const struct damage_event *event;
    for (; (event = peek(good)) && event->offset < good_end; good->at++)
        result->lost += !is_in(event, bad_list, bad_end);
    for (; (event = peek(bad)) && event->offset < bad_end; bad->at++) {
        bool is_new = !is_in(event, good_list, good_end);
        result->false_time_accepted |= is_new && event->timed;
        result->changed += is_new && !event->derived;
    }
}

static bool contains_item(const struct damage_event *event, const struct damage_metadata *item) {
    switch (event->kind) {
    case TK_EV_TICK_LENGTH: return item->type == TK_ENTITY_TYPES && event->id; // 0 ns is ignored
    case TK_EV_TASK_NAME: return item->type == TK_ENTITY_TASK;
    case TK_EV_QUEUE_NAME: return item->type == TK_ENTITY_QUEUE;
    case TK_EV_ISR_NAME: return item->type == TK_ENTITY_ISR && item->core == event->core;
    case TK_EV_MARKER_NAME: return item->type == TK_ENTITY_MARKER;
    case TK_EV_VALUE_NAME: return item->type == TK_ENTITY_VALUE;
    default: return false;
    }
}

// An undamaged frame after the damage, in the same input, contains the fact again. An id with another name there is
// another object: of a later run of the target, or renamed.
static bool is_repeated_later(const struct damage_reading *good, const struct damage_metadata *item,
                              const struct damage_place *place) {
    for (size_t i = 0; i < good->event_count && !place->cut; i++) {
        const struct damage_event *event = &good->events[i];
        bool is_after_damage = event->input == place->file && event->offset >= place->end;
        bool same = item->type == TK_ENTITY_TYPES || (event->id == item->id && event->text == item->hash);
        if (is_after_damage && same && contains_item(event, item)) return true;
    }
    return false;
}

static void compare_metadata(const struct damage_reading *good, const struct damage_reading *bad,
                             const struct damage_place *place, struct damage_result *result) {
    for (size_t i = 0; i < good->metadata_count; i++) {
        const struct damage_metadata *a = &good->metadata[i];
        bool same = false;
        for (size_t j = 0; j < bad->metadata_count && !same; j++) {
            const struct damage_metadata *b = &bad->metadata[j];
            same = a->id == b->id && a->core == b->core && a->type == b->type && a->hash == b->hash;
        }
        if (same) continue;
        result->metadata++;
        result->tick_differs |= a->type == TK_ENTITY_TYPES;
        bool of_a_core = a->type == TK_ENTITY_ISR && result->misplaced; // its name was assigned to the wrong core, like
                                                                        // its other events
        result->unhealed += !of_a_core && is_repeated_later(good, a, place);
    }
}

void damage_compare(const struct damage_reading *good, const struct damage_reading *bad,
                    const struct damage_place *place, struct damage_result *out_result) {
    size_t shift = place->len - (place->to - place->from); // modulo the size of size_t
    *out_result = (struct damage_result){ .core_heals = true };
    for (size_t file = 0; file < TK_MAX_INPUTS; file++) {
        struct side a = { good->events, good->event_count, 0, file }, b = { bad->events, bad->event_count, 0, file };
        if (file != place->file) {
            compare_range(&a, &b, 0, SIZE_MAX, 0, out_result);
            continue;
        }
        compare_range(&a, &b, 0, place->first, 0, out_result);
        compare_touched(&a, &b, place->end, place->cut ? SIZE_MAX : place->end + shift, out_result);
        out_result->core_id_seen = false;
        out_result->origin = origin_shift(good, bad, place, shift);
        if (!place->cut) compare_range(&a, &b, place->end, SIZE_MAX, shift, out_result);
    }
    compare_metadata(good, bad, place, out_result);
}
