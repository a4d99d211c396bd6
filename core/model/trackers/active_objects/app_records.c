// SPDX-License-Identifier: MIT
//
// Active objects: records of the application, notes, failures, assertions.
#include "active_objects_internal.h"
#include <string.h>

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
    for (unsigned i = 0; i < event->value_count && i < 4 && room - len > 32; i++)
        len = append_value(text, len, room, &event->values[i]);
    return len;
}

void tk_ao_record(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *record = tk_ao_find(o, event->id);
    struct tk_details details;
    details.count = 0;
    char text[128];
    if (!record) return;
    uint32_t track =
        tk_ao_track(o, &record->record_track, TK_GROUP_RECORDS, TK_TRACK_SLICES, record->entity, NULL, NULL);
    size_t len = record_words(event, text, sizeof text);
    tk_details_values(o->details, &details, event);
    struct tk_label_text name = { 0, text, (uint32_t)len };
    if (len) name.id = tk_names_message(tk_ao_names(o), text, len);
    else name = tk_ao_label(o, event->id, TK_SYMBOL_NAME);
    tk_timeline_instant(o->tl, track, name, details.args, details.count);
}

static void say(struct tk_active_objects *o, enum tk_note_track which, struct tk_label_text words,
                const struct tk_event *event, uint32_t object) {
    static const char *const titles[TK_NOTE_TRACKS] = { "Memory", "Publishing", "Recorder", "Failures" };
    enum tk_group group = which == TK_NOTE_OF_FAILURES ? TK_GROUP_TARGET : TK_GROUP_NOTES;
    struct tk_details details;
    details.count = 0;
    if (!o->note_tracks[which]) {
        struct tk_track_spec spec = { tk_timeline_group(o->tl, group),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      titles[which],
                                      -1,
                                      TK_RANK_FAILURES,
                                      NULL,
                                      NULL,
                                      0 };
        o->note_tracks[which] = tk_timeline_add_track(o->tl, &spec);
    }
    if (object) tk_details_symbol(o->details, &details, "object", object);
    tk_details_values(o->details, &details, event);
    tk_timeline_instant(o->tl, o->note_tracks[which], words, details.args, details.count);
}

void tk_ao_emit_note(struct tk_active_objects *o, const struct tk_event *event) {
    if (event->kind == TK_EV_PUBLISHED) {
        say(o, TK_NOTE_OF_PUBLISHING, tk_ao_label(o, event->arg, TK_SYMBOL_NOTE + TK_NOTE_PUBLISHED), event, 0);
        return;
    }
    struct tk_label_text words = tk_named(tk_details_name(o->details, event->str, event->str_len));
    if (event->by && !o->count) tk_ao_begin(o); // else it is one of several cores
    if (event->id < TK_NOTE_TRACKS) say(o, (enum tk_note_track)event->id, words, event, 0);
    if (event->id == TK_NOTE_OF_FAILURES) tk_diag_count(o->diag, TK_DIAG_TARGET_FAILED, NULL);
}

void tk_ao_failure(struct tk_active_objects *o, const char *words, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_count(o->diag, TK_DIAG_TARGET_FAILED, &place);
    say(o, TK_NOTE_OF_FAILURES, tk_named(tk_details_name(o->details, words, strlen(words))), event, event->id);
}

void tk_ao_assertion(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    char text[TK_DISPLAY_LEN + 64];
    size_t len = tk_append_text(text, 0, "assertion "),
           part = event->str_len < TK_DISPLAY_LEN ? event->str_len : TK_DISPLAY_LEN;
    while (part < event->str_len && part && (event->str[part] & 0xC0) == 0x80) part--; // no cut inside a character
    memcpy(text + len, event->str, part);
    len += part;
    text[len++] = ':';
    len = tk_append_number(text, len, (uint64_t)event->value);
    tk_diag_count(o->diag, TK_DIAG_ASSERTION, &place);
    say(o, TK_NOTE_OF_FAILURES, (struct tk_label_text){ 0, text, (uint32_t)len }, event, 0);
}
