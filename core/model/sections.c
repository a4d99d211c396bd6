// SPDX-License-Identifier: MIT
//
// Losses and restarts that a recording reports: start, number of events, core.
#include "model.h"

#include "../base/attributes.h"

static struct tk_names *names_of(struct tk_model *model) { return &model->timeline.names; }

static struct tk_arg number(struct tk_model *model, enum tk_arg_name name, uint64_t value) {
    return (struct tk_arg){ .name = tk_names_arg(names_of(model), name), .type = TK_ARG_UINT, .value.u = value };
}

// Draws a slice from an earlier time until now; `text` is its name.
static void draw_gap(struct tk_model *model, uint32_t track, uint64_t since, const char *text, size_t len,
                     const struct tk_arg *args, unsigned arg_count) {
    struct tk_track_event begin = { .ticks = since,
                                    .track = track,
                                    .type = TK_EVENT_BEGIN,
                                    .when = TK_LATE,
                                    .string = text,
                                    .string_len = (uint32_t)len,
                                    .args = args,
                                    .arg_count = (uint8_t)arg_count };
    struct tk_track_event end = { .track = track, .type = TK_EVENT_END };
    if (since >= model->timeline.now) begin.when = TK_IN_ORDER;
    tk_timeline_event(&model->timeline, &begin);
    tk_timeline_event(&model->timeline, &end);
}

// Returns false for an impossible count: it is damage, and no loss is counted.
static bool count_lost(struct tk_model *model, const struct tk_event *event, int64_t count, uint32_t where) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    bool is_possible = count <= TK_MOST_LOST;
    if (is_possible) tk_model_count_lost(model, &place, (uint64_t)count, where);
    else tk_diag_note(model->diag, TK_DIAG_DROP_COUNT_IMPOSSIBLE, &place, (uint64_t)count);
    return is_possible;
}

static uint32_t lost_track(struct tk_model *model, uint8_t core) {
    uint32_t *track = &model->lost_tracks[core];
    if (*track) return *track;
    uint8_t of_core = core ? (uint8_t)(core + 1) : 0;
    struct tk_track_spec spec = { tk_timeline_group(&model->timeline, TK_GROUP_TARGET),
                                  TK_TRACK_SLICES,
                                  TK_NONE,
                                  "Lost events",
                                  -1,
                                  TK_RANK_LOST,
                                  NULL,
                                  "Where events are missing",
                                  of_core };
    return *track = tk_timeline_add_track(&model->timeline, &spec);
}

TK_COLD void tk_model_lost(struct tk_model *model, const struct tk_event *event) {
    uint64_t since = event->events_lost.since + model->clock.offset;
    char room[64];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (event->events_lost.count <= 0) return;
    if (since > model->timeline.now) since = model->timeline.now;
    for (unsigned i = 0; i < TK_OWNERS; i++)
        if (model->trackers[i].state && model->trackers[i].is->lost)
            model->trackers[i].is->lost(model->trackers[i].state, event, since);
    model->timeline.lost_since = since;
    tk_model_loss(model, event->core);
    if (!count_lost(model, event, event->events_lost.count, event->events_lost.where)) return;
    struct tk_arg args[2] = { number(model, TK_ARGN_LOST, (uint64_t)event->events_lost.count) };
    args[1] = number(model, TK_ARGN_CORE, event->core);
    tk_text_add(&text, "lost ");
    tk_text_count(&text, (uint64_t)event->events_lost.count, "events");
    if (event->events_lost.where == TK_LOST_ON_LINE) tk_text_add(&text, " on the line");
    draw_gap(model, lost_track(model, event->core), since, text.text, text.len, args, 2);
}

static void emit_recording_note(struct tk_model *model, const char *words) {
    struct tk_label_text name = { 0, words, (uint32_t)strlen(words) };
    tk_timeline_instant(&model->timeline, tk_model_problems_track(model), name, NULL, 0);
}

bool tk_model_has_section(struct tk_model *model, const struct tk_event *event) {
    uint32_t section = event->section_begin.section;
    if (section && section <= model->sections_announced) return true;
    if (section) model->sections_announced = section;
    return false;
}

TK_COLD void tk_model_end_section(struct tk_model *model) {
    if (!model->clock.started) return;
    model->section_end = model->timeline.now;
    tk_model_restart_trackers(model, true);
    emit_recording_note(model, "recording stopped");
}

TK_COLD void tk_model_begin_section(struct tk_model *model, const struct tk_event *event) {
    char room[64];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (!model->clock.started) return;
    tk_text_add(&text, "not recorded");
    if (event->section_begin.lost > 0) {
        tk_text_add(&text, ", ");
        tk_text_count(&text, (uint64_t)event->section_begin.lost, "events");
        tk_text_add(&text, " lost");
        count_lost(model, event, event->section_begin.lost, event->section_begin.where);
    }
    if (!model->not_recorded_track) {
        struct tk_track_spec spec = { tk_timeline_group(&model->timeline, TK_GROUP_TARGET),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "Not recorded",
                                      -1,
                                      TK_RANK_NOT_RECORDED,
                                      NULL,
                                      "Between two recordings of one target",
                                      0 };
        model->not_recorded_track = tk_timeline_add_track(&model->timeline, &spec);
    }
    draw_gap(model, model->not_recorded_track, model->section_end, text.text, text.len, NULL, 0);
    model->restarts++;
    emit_recording_note(model, "recording restarted");
}
