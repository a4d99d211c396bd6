// SPDX-License-Identifier: MIT
//
// Domains that are no time: told in the title of what is drawn on their axis, in the attributes of the trace, and in
// the report.
#include <string.h>

#include "../../../base/attributes.h"
#include "../../../base/utf8.h"
#include "tracks.h"

enum { WORDS_LEN = TK_UNIT_LEN + 48 };

static size_t put_unit(const struct tk_tracks *t, const struct tk_axis *axis, char *text, size_t len) {
    size_t unit_len;
    const char *unit = tk_strtab_text(&t->host->timeline->names.strings, axis->unit, &unit_len);
    memcpy(text + len, unit, unit_len);
    return len + unit_len;
}

// "20 ms", in the largest unit of which it is a whole number.
static size_t put_shown(uint64_t ns, char *text, size_t len) {
    static const struct {
        uint64_t ns;
        const char *unit;
    } scales[] = { { 1000000000, " s" }, { 1000000, " ms" }, { 1000, " us" }, { 1, " ns" } };
    size_t scale = 0;
    while (ns % scales[scale].ns) scale++;
    return tk_append_text(text, tk_append_number(text, len, ns / scales[scale].ns), scales[scale].unit);
}

// "1 Hz shown as 1 ms", terminated.
static size_t put_words(const struct tk_tracks *t, const struct tk_axis *axis, char text[WORDS_LEN]) {
    size_t len = put_shown(axis->shown_ns, text,
                           tk_append_text(text, put_unit(t, axis, text, tk_append_text(text, 0, "1 ")), " shown as "));
    text[len] = 0;
    return len;
}

// The axis of everything: counts are no times at all.
static void describe_global_axis(struct tk_tracks *t, const struct tk_axis *axis, const char *words, size_t len) {
    struct tk_timeline *tl = t->host->timeline;
    size_t before = tk_append_text(tl->note, 0, "no times: ");
    if (before + len < sizeof tl->note) memcpy(tl->note + before, words, len + 1);
    tl->counts[tk_append_text(tl->counts, put_unit(t, axis, tl->counts, 0), "s")] = 0;
}

// Each once, as far as there is room.
static void describe_track_axis(struct tk_timeline *tl, const char *words, size_t len) {
    size_t before = strlen(tl->axes);
    if (strstr(tl->axes, words) || before + len + 3 > sizeof tl->axes) return;
    if (before) before = tk_append_text(tl->axes, before, "; ");
    memcpy(tl->axes + before, words, len + 1);
}

TK_COLD void tk_tracks_add_axis(struct tk_tracks *t, const struct tk_event *event) {
    char words[WORDS_LEN];
    if (t->axis_count == TK_MAX_AXES || event->value <= 0 ||
        !tk_alloc_grow(t->host->alloc, (void **)&t->axes, &t->axis_capacity, t->axis_count + 1, sizeof *t->axes))
        return;
    struct tk_axis *axis = &t->axes[t->axis_count];
    size_t len = event->str_len;
    const char *unit = tk_details_clean(t->host->details, event->str, &len);
    if (!len) unit = "position", len = 8;
    *axis = (struct tk_axis){ .track = event->id, .is_of_all = event->arg, .shown_ns = (uint64_t)event->value };
    axis->unit = tk_strtab_intern(&t->host->timeline->names.strings, t->host->alloc, unit,
                                  len <= TK_UNIT_LEN ? len : tk_utf8_cut(unit, TK_UNIT_LEN));
    if (event->value_count == 2) axis->first = event->values[0].number.i, axis->last = event->values[1].number.i;
    if (!axis->unit) return;
    t->axis_count++;
    len = put_words(t, axis, words);
    if (axis->is_of_all) describe_global_axis(t, axis, words, len);
    else describe_track_axis(t->host->timeline, words, len);
}

TK_COLD size_t tk_tracks_title(const struct tk_tracks *t, uint32_t track, const char *name, size_t len,
                               char out_text[TK_DISPLAY_LEN]) {
    char words[WORDS_LEN + 3] = " (";
    size_t more = 0;
    for (uint32_t i = 0; i < t->axis_count && !more; i++)
        if (t->axes[i].track == track) more = tk_append_text(words, 2 + put_words(t, &t->axes[i], words + 2), ")");
    if (len > TK_DISPLAY_LEN - more) len = tk_utf8_cut(name, TK_DISPLAY_LEN - more);
    if (len) memcpy(out_text, name, len);
    memcpy(out_text + len, words, more);
    return len + more;
}

TK_COLD void tk_tracks_put_axes(const struct tk_tracks *t, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        { "domain", "Domain", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "first", "First", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
        { "last", "Last", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
        { "shown_as", "One is shown as", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    };
    static const struct tk_table table = { "domains",     "Domains that are no time",
                                           columns,       sizeof columns / sizeof *columns,
                                           TK_TABLE_LIST, NULL };
    char text[WORDS_LEN];
    if (!t->axis_count) return;
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < t->axis_count; i++) {
        const struct tk_axis *axis = &t->axes[i];
        tk_cell_text(sink, text, put_unit(t, axis, text, 0));
        tk_cell_int(sink, axis->first);
        tk_cell_int(sink, axis->is_of_all ? (int64_t)t->host->timeline->now : axis->last);
        tk_cell_text(sink, text, put_shown(axis->shown_ns, text, 0));
    }
    tk_table_end(sink);
}
