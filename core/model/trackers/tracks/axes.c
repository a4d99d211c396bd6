// SPDX-License-Identifier: MIT
//
// Axes that are not time: shown in the titles of tracks, in the attributes of the trace, and in the report.
#include <string.h>

#include "../../../base/attributes.h"
#include "../../../base/utf8.h"
#include "tracks.h"

enum { WORDS_LEN = TK_UNIT_LEN + 48 };

static void put_unit(const struct tk_tracks *t, const struct tk_axis *axis, struct tk_text *text) {
    size_t len;
    const char *unit = tk_strtab_text(&t->host->timeline->names.strings, axis->unit, &len);
    tk_text_put(text, unit, len);
}

// Appends a duration in the largest unit that gives a whole number: "20 ms".
static void put_shown(uint64_t ns, struct tk_text *text) {
    static const struct {
        uint64_t ns;
        const char *unit;
    } scales[] = { { 1000000000, " s" }, { 1000000, " ms" }, { 1000, " us" }, { 1, " ns" } };
    size_t scale = 0;
    while (ns % scales[scale].ns) scale++;
    tk_text_u64(text, ns / scales[scale].ns);
    tk_text_add(text, scales[scale].unit);
}

// Returns the text of an axis: "1 Hz shown as 1 ms".
static struct tk_text words_of(const struct tk_tracks *t, const struct tk_axis *axis, char room[WORDS_LEN]) {
    struct tk_text text = tk_text_in(room, WORDS_LEN);
    tk_text_add(&text, "1 ");
    put_unit(t, axis, &text);
    tk_text_add(&text, " shown as ");
    put_shown(axis->shown_ns, &text);
    return text;
}

// Describes the axis of the whole recording: its counts are not time.
static void describe_global_axis(struct tk_tracks *t, const struct tk_axis *axis, const struct tk_text *words) {
    struct tk_timeline *tl = t->host->timeline;
    struct tk_text note = tk_text_in(tl->note, sizeof tl->note), counts = tk_text_in(tl->counts, sizeof tl->counts);
    tk_text_add(&note, "no times: ");
    tk_text_put(&note, words->text, words->len);
    put_unit(t, axis, &counts);
    tk_text_add(&counts, "s");
}

// Adds the text of an axis once, as far as there is room.
static void describe_track_axis(struct tk_timeline *tl, const struct tk_text *words) {
    size_t before = strlen(tl->axes);
    if (strstr(tl->axes, words->text) || before + words->len + 3 > sizeof tl->axes) return;
    struct tk_text axes = tk_text_in(tl->axes + before, sizeof tl->axes - before);
    if (before) tk_text_add(&axes, "; ");
    tk_text_put(&axes, words->text, words->len);
}

TK_COLD void tk_tracks_add_axis(struct tk_tracks *t, const struct tk_event *event) {
    char room[WORDS_LEN];
    if (t->axis_count == TK_MAX_AXES || event->track_axis.shown_ns <= 0 ||
        !tk_alloc_grow(t->host->alloc, (void **)&t->axes, &t->axis_capacity, t->axis_count + 1, sizeof *t->axes))
        return;
    struct tk_axis *axis = &t->axes[t->axis_count];
    size_t len = event->str_len;
    const char *unit = tk_details_clean(t->host->details, event->str, &len);
    if (!len) unit = "position", len = 8;
    *axis = (struct tk_axis){ .track = event->track_axis.track,
                              .is_of_all = event->track_axis.of_all,
                              .shown_ns = (uint64_t)event->track_axis.shown_ns };
    axis->unit = tk_strtab_intern(&t->host->timeline->names.strings, t->host->alloc, unit,
                                  len <= TK_UNIT_LEN ? len : tk_utf8_cut(unit, TK_UNIT_LEN));
    if (event->value_count == 2) axis->first = event->values[0].number.i, axis->last = event->values[1].number.i;
    if (!axis->unit) return;
    t->axis_count++;
    struct tk_text words = words_of(t, axis, room);
    if (axis->is_of_all) describe_global_axis(t, axis, &words);
    else describe_track_axis(t->host->timeline, &words);
}

TK_COLD size_t tk_tracks_title(const struct tk_tracks *t, uint32_t track, const char *name, size_t len,
                               char out_text[TK_DISPLAY_LEN]) {
    char more_room[WORDS_LEN + 3], room[WORDS_LEN];
    struct tk_text more = tk_text_in(more_room, sizeof more_room);
    for (uint32_t i = 0; i < t->axis_count && !more.len; i++)
        if (t->axes[i].track == track)
            tk_text_add(&more, " ("), tk_text_add(&more, words_of(t, &t->axes[i], room).text), tk_text_add(&more, ")");
    if (len > TK_DISPLAY_LEN - more.len) len = tk_utf8_cut(name, TK_DISPLAY_LEN - more.len);
    if (len) memcpy(out_text, name, len);
    memcpy(out_text + len, more.text, more.len);
    return len + more.len;
}

static const struct tk_column domains_columns[] = {
    { "domain", "Domain", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "first", "First", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
    { "last", "Last", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "shown_as", "One is shown as", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
const struct tk_table tk_tracks_domains_table = { "domains",
                                                  "Domains that are no time",
                                                  TK_TABLE_COLUMNS(domains_columns),
                                                  TK_TABLE_LIST,
                                                  NULL,
                                                  "Axes of the recording that are not time." };

TK_COLD void tk_tracks_put_axes(const struct tk_tracks *t, const struct tk_table_sink *sink) {
    char rooms[2][WORDS_LEN];
    if (!t->axis_count) return;
    tk_table_begin(sink, &tk_tracks_domains_table);
    for (uint32_t i = 0; i < t->axis_count; i++) {
        const struct tk_axis *axis = &t->axes[i];
        struct tk_text unit = tk_text_in(rooms[0], WORDS_LEN), shown = tk_text_in(rooms[1], WORDS_LEN);
        put_unit(t, axis, &unit);
        put_shown(axis->shown_ns, &shown);
        tk_cell_text(sink, unit.text, unit.len);
        tk_cell_int(sink, axis->first);
        tk_cell_int(sink, axis->is_of_all ? (int64_t)t->host->timeline->now : axis->last);
        tk_cell_text(sink, shown.text, shown.len);
    }
    tk_table_end(sink);
}
