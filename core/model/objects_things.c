// SPDX-License-Identifier: MIT
//
// Active objects: pools, time events, ticks, records of the application and what else was said.
#include "objects_parts.h"

#include <string.h>

// ---- Pools -------------------------------------------------------------------------------------

void tk_objects_pool(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *pool = tk_objects_find(o, event->id);
    uint64_t free_blocks = (uint64_t)event->value;
    if (!pool) return;
    uint32_t track = tk_objects_track(o, &pool->pool_track, TK_GROUP_POOLS, TK_TRACK_COUNTER, pool->entity, NULL, "free blocks");
    tk_timeline_counter(o->tl, track, event->value, NULL, 0);
    if (event->least && event->least != pool->least) {
        pool->least = event->least;
        track = tk_objects_track(o, &pool->least_track, TK_GROUP_POOLS, TK_TRACK_COUNTER, pool->entity, " (lowest so far)", "free blocks");
        tk_timeline_counter(o->tl, track, (int64_t)event->least - 1, NULL, 0);
    }
    bool first = event->least == free_blocks + 1 && tk_queue_is_known(o, &pool->store); // of a whole pool one block was taken, never more before
    tk_objects_used(o, &pool->store, pool->entity, "event pool", free_blocks, first);
    tk_queue_lose_count(o, &pool->store);
}

// ---- Time events -------------------------------------------------------------------------------

void tk_objects_disarm(struct tk_objects *o, struct tk_object *timer) {
    if (timer->armed) tk_timeline_end(o->tl, timer->timer_track, NULL, 0);
    timer->armed = false;
}

static void arm(struct tk_objects *o, struct tk_object *timer, const struct tk_event *event, const struct tk_details *details) {
    char text[96];
    size_t len = tk_append_number(text, tk_append_text(text, 0, "armed "), (uint64_t)event->value);
    len = tk_append_text(text, len, event->value == 1 ? " tick" : " ticks");
    if (event->arg) len = tk_append_number(text, tk_append_text(text, len, ", then every "), event->arg);
    struct tk_label_text name = { tk_names_message(tk_objects_names(o), text, len), text, (uint32_t)len };
    tk_timeline_begin(o->tl, timer->timer_track, name, details->args, details->count);
    timer->armed = true;
}

void tk_objects_timer(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *timer = tk_objects_find(o, event->id);
    struct tk_details details;
    details.count = 0;
    if (!timer) return;
    uint32_t track = tk_objects_track(o, &timer->timer_track, TK_GROUP_TIMERS, TK_TRACK_SLICES, timer->entity, NULL, NULL);
    if (event->kind != TK_EV_TIMER_FIRED) tk_objects_disarm(o, timer);
    if (event->kind == TK_EV_TIMER_DISARMED) return;
    tk_details_values(o->details, &details, event);
    if (event->kind == TK_EV_TIMER_ARMED) arm(o, timer, event, &details);
    else tk_timeline_instant(o->tl, track, tk_objects_label(o, event->arg, TK_SYMBOL_NAME), details.args, details.count);
}

void tk_objects_tick(struct tk_objects *o, const struct tk_event *event) {
    static const char *const titles[] = {
        "Tick rate 0", "Tick rate 1", "Tick rate 2", "Tick rate 3", "Tick rate 4", "Tick rate 5", "Tick rate 6", "Tick rate 7",
        "Tick rate 8", "Tick rate 9", "Tick rate 10", "Tick rate 11", "Tick rate 12", "Tick rate 13", "Tick rate 14", "Tick rate 15"
    };
    unsigned rate = event->arg & 15;
    struct tk_kernel *kernel = tk_objects_kernel(o, event->core);
    if (!kernel) return;
    uint32_t track = tk_objects_track(o, &kernel->tick_tracks[rate], TK_GROUP_SCHEDULER, TK_TRACK_COUNTER, kernel->name, titles[rate], "ticks");
    tk_timeline_counter(o->tl, track, event->value, NULL, 0);
}

// ---- Records of the application ----------------------------------------------------------------

// One value, if it is short enough to be read on the timeline.
static size_t append_value(char *text, size_t len, size_t room, const struct tk_value *value) {
    bool negative = value->type == TK_VALUE_INT && value->number.i < 0;
    size_t start = len;
    if (len) text[len++] = ' ';
    if (value->type == TK_VALUE_TEXT) {
        size_t part = value->text_len;
        while (part && value->text[part - 1] == ' ') part--;
        if (!part || part > room - len) return start;
        memcpy(text + len, value->text, part);
        return len + part;
    }
    if (value->type != TK_VALUE_UINT && value->type != TK_VALUE_INT) return start;
    if (negative) text[len++] = '-';
    return tk_append_number(text, len, negative ? 0 - value->number.u : value->number.u);
}

// "4 hungry"
static size_t record_words(const struct tk_event *event, char *text, size_t room) {
    size_t len = 0;
    for (unsigned i = 0; i < event->value_count && i < 4 && room - len > 32; i++) len = append_value(text, len, room, &event->values[i]);
    return len;
}

void tk_objects_record(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *record = tk_objects_find(o, event->id);
    struct tk_details details;
    details.count = 0;
    char text[128];
    if (!record) return;
    uint32_t track = tk_objects_track(o, &record->record_track, TK_GROUP_RECORDS, TK_TRACK_SLICES, record->entity, NULL, NULL);
    size_t len = record_words(event, text, sizeof text);
    tk_details_values(o->details, &details, event);
    struct tk_label_text name = { 0, text, (uint32_t)len };
    if (len) name.id = tk_names_message(tk_objects_names(o), text, len);
    else name = tk_objects_label(o, event->id, TK_SYMBOL_NAME);
    tk_timeline_instant(o->tl, track, name, details.args, details.count);
}

// ---- What else was said ------------------------------------------------------------------------

static void say(struct tk_objects *o, enum tk_note_track which, struct tk_label_text words, const struct tk_event *event, uint32_t object) {
    static const char *const titles[TK_NOTE_TRACKS] = { "Memory", "Publishing", "Recorder", "Failures" };
    enum tk_group group = which == TK_NOTE_OF_FAILURES ? TK_GROUP_TARGET : TK_GROUP_NOTES;
    struct tk_details details;
    details.count = 0;
    if (!o->note_tracks[which]) {
        struct tk_track_spec spec = { tk_timeline_group(o->tl, group), TK_TRACK_SLICES, TK_NONE, titles[which], -1, TK_RANK_FAILURES, NULL, NULL, 0 };
        o->note_tracks[which] = tk_timeline_add_track(o->tl, &spec);
    }
    if (object) tk_details_symbol(o->details, &details, "object", object);
    tk_details_values(o->details, &details, event);
    tk_timeline_instant(o->tl, o->note_tracks[which], words, details.args, details.count);
}

void tk_objects_say(struct tk_objects *o, const struct tk_event *event) {
    if (event->kind == TK_EV_PUBLISHED) {
        say(o, TK_NOTE_OF_PUBLISHING, tk_objects_label(o, event->arg, TK_SYMBOL_NOTE + TK_NOTE_PUBLISHED), event, 0);
        return;
    }
    struct tk_label_text words = tk_named(tk_details_name(o->details, event->str, event->str_len));
    if (event->by && !o->count) tk_objects_begin(o); // else it is one of several cores
    if (event->id < TK_NOTE_TRACKS) say(o, (enum tk_note_track)event->id, words, event, 0);
    if (event->id == TK_NOTE_OF_FAILURES) tk_diag_hit(o->diag, TK_DIAG_TARGET_FAILED, NULL);
}

void tk_objects_failure(struct tk_objects *o, const char *words, const struct tk_event *event) {
    struct tk_diag_place place = tk_event_place(event);
    tk_diag_hit(o->diag, TK_DIAG_TARGET_FAILED, &place);
    say(o, TK_NOTE_OF_FAILURES, tk_named(tk_details_name(o->details, words, strlen(words))), event, event->id);
}

void tk_objects_assertion(struct tk_objects *o, const struct tk_event *event) {
    struct tk_diag_place place = tk_event_place(event);
    char text[TK_DISPLAY_LEN + 64];
    size_t len = tk_append_text(text, 0, "assertion "), part = event->str_len < TK_DISPLAY_LEN ? event->str_len : TK_DISPLAY_LEN;
    while (part < event->str_len && part && (event->str[part] & 0xC0) == 0x80) part--; // no cut inside a character
    memcpy(text + len, event->str, part);
    len += part;
    text[len++] = ':';
    len = tk_append_number(text, len, (uint64_t)event->value);
    tk_diag_hit(o->diag, TK_DIAG_ASSERTION, &place);
    say(o, TK_NOTE_OF_FAILURES, (struct tk_label_text){ 0, text, (uint32_t)len }, event, 0);
}
