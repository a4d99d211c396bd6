// SPDX-License-Identifier: MIT
//
// Active objects: records of the application, notes, failures, assertions.
#include "active_objects_internal.h"
#include <string.h>

// Appends a value, if it is short enough for the timeline.
static void put_value(struct tk_text *text, const struct tk_value *value) {
    uint32_t part = value->type == TK_VALUE_TEXT ? value->text_len : 0;
    bool is_number = value->type == TK_VALUE_UINT || value->type == TK_VALUE_INT, is_first = !text->len;
    while (part && value->text[part - 1] == ' ') part--;
    if (!is_number && (!part || part + !is_first > text->room)) return;
    if (!is_first) tk_text_add(text, " ");
    if (value->type == TK_VALUE_TEXT) tk_text_put(text, value->text, part);
    else if (value->type == TK_VALUE_INT) tk_text_i64(text, value->number.i);
    else tk_text_u64(text, value->number.u);
}

// Appends the values of a record, "4 hungry".
static void put_record(struct tk_text *text, const struct tk_event *event) {
    for (unsigned i = 0; i < event->value_count && i < 4 && text->room > 32; i++) put_value(text, &event->values[i]);
}

void tk_ao_record(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *record = tk_ao_find(o, event->app_record.record);
    struct tk_details details;
    details.count = 0;
    char room[128 + 1];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (!record) return;
    uint32_t track =
        tk_ao_track(o, &record->record_track, TK_GROUP_RECORDS, TK_TRACK_SLICES, record->entity, NULL, NULL);
    put_record(&text, event);
    tk_details_values(o->details, &details, event);
    struct tk_label_text name = { 0, text.text, text.len };
    if (text.len) name.id = tk_names_message(tk_ao_names(o), text.text, text.len);
    else name = tk_ao_label(o, event->app_record.record, TK_LABEL_NAME);
    tk_timeline_instant(o->tl, track, name, details.args, details.count);
}

static void emit_note(struct tk_active_objects *o, enum tk_note_track which, struct tk_label_text words,
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
        emit_note(o, TK_NOTE_OF_PUBLISHING, tk_ao_label(o, event->post.signal, TK_LABEL_PUBLISH), event, 0);
        return;
    }
    struct tk_label_text words = tk_named(tk_details_name(o->details, event->str, event->str_len));
    if (event->note.target_begins && !o->count) tk_ao_begin(o); // otherwise it is the start of a further core
    if (event->note.track < TK_NOTE_TRACKS) emit_note(o, (enum tk_note_track)event->note.track, words, event, 0);
    if (event->note.track == TK_NOTE_OF_FAILURES) tk_diag_count(o->diag, TK_DIAG_TARGET_FAILED, NULL);
}

void tk_ao_failure(struct tk_active_objects *o, const char *words, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_count(o->diag, TK_DIAG_TARGET_FAILED, &place);
    emit_note(o, TK_NOTE_OF_FAILURES, tk_named(tk_details_name(o->details, words, strlen(words))), event,
              tk_event_id(event));
}

void tk_ao_assertion(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    char room[TK_DISPLAY_LEN + 64];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, "assertion ");
    tk_text_put(&text, event->str, tk_text_cut(event->str, event->str_len, TK_DISPLAY_LEN));
    tk_text_add(&text, ":");
    tk_text_u64(&text, (uint64_t)event->assertion.location);
    tk_diag_count(o->diag, TK_DIAG_ASSERTION, &place);
    emit_note(o, TK_NOTE_OF_FAILURES, (struct tk_label_text){ 0, text.text, text.len }, event, 0);
}
