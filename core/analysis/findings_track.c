// SPDX-License-Identifier: MIT
//
// Draws the places of findings on a track at the top of the trace.
#include <string.h>

#include "../base/sort.h"
#include "../base/text.h"
#include "../model/timeline/timeline.h"
#include "findings.h"
#include "internal.h"

struct drawn {
    uint64_t at;
    const struct tk_finding *row;
};

static bool is_earlier(const void *ctx, const void *a, const void *b) {
    const struct drawn *x = a, *y = b;
    (void)ctx;
    if (x->at != y->at) return x->at < y->at;
    if (x->row->subject.rule != y->row->subject.rule) return x->row->subject.rule < y->row->subject.rule;
    return x->row < y->row;
}

// Ids of the names of the arguments.
struct arg_names {
    uint32_t evidence, remedy;
};

static uint32_t define_arg(struct tk_timeline *timeline, const char *name) {
    return tk_names_define(&timeline->names, TK_INTERN_ARG_NAME, name, strlen(name));
}

static struct tk_arg text_arg(uint32_t name, const char *text, size_t len) {
    return (struct tk_arg){ .name = name, .type = TK_ARG_STRING, .string = text, .string_len = len };
}

static void draw(const struct tk_analysis *analysis, struct tk_timeline *timeline, uint32_t track,
                 const struct arg_names *names, const struct drawn *place) {
    char name_room[2 * TK_LABEL_LEN + 64], sentence_room[2 * TK_LABEL_LEN];
    struct tk_text name = tk_text_in(name_room, sizeof name_room),
                   sentence = tk_text_in(sentence_room, sizeof sentence_room);
    const struct tk_finder_info *rule = &tk_finders[place->row->subject.rule];
    tk_text_add(&name, rule->title);
    tk_text_add(&name, ": ");
    tk_finding_put_who(analysis, &name, place->row);
    tk_finding_put_sentence(analysis, &sentence, place->row, analysis->tick_ns(analysis->tick_ctx));
    const struct tk_arg args[] = { text_arg(names->evidence, sentence.text, sentence.len),
                                   text_arg(names->remedy, rule->remedy, strlen(rule->remedy)) };
    struct tk_track_event instant = { .ticks = place->at,
                                      .track = track,
                                      .string = name.text,
                                      .string_len = name.len,
                                      .type = TK_EVENT_INSTANT,
                                      .when = TK_LATE,
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args };
    tk_timeline_event(timeline, &instant);
}

static uint32_t findings_track(struct tk_timeline *timeline) {
    struct tk_track_spec spec = { tk_timeline_group(timeline, TK_GROUP_TARGET),
                                  TK_TRACK_SLICES,
                                  TK_NONE,
                                  "Findings",
                                  -1,
                                  TK_RANK_FINDINGS,
                                  NULL,
                                  "Faults that the analysis found, where they begin",
                                  0 };
    return tk_timeline_add_track(timeline, &spec);
}

TK_COLD void tk_findings_draw(const struct tk_analysis *analysis, const struct tk_rtos *rtos) {
    struct tk_timeline *timeline = analysis->timeline;
    enum { DRAWN_ROWS = 64 }; // the first ones
    const struct tk_finding *rows[TK_FINDING_ROWS];
    struct drawn places[DRAWN_ROWS * TK_FINDING_PLACES];
    uint32_t count = 0, row_count = tk_findings_in_order(analysis, rtos, rows);
    for (uint32_t i = 0; i < row_count && i < DRAWN_ROWS; i++)
        for (unsigned at = 0; at < rows[i]->place_count; at++)
            places[count++] = (struct drawn){ rows[i]->places[at].at, rows[i] };
    if (!count) return;
    tk_sort(places, count, sizeof places[0], is_earlier, NULL);
    uint32_t track = findings_track(timeline);
    const struct arg_names names = { define_arg(timeline, "evidence"), define_arg(timeline, "remedy") };
    for (uint32_t i = 0; track && i < count; i++) draw(analysis, timeline, track, &names, &places[i]);
}
