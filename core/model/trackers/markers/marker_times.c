// SPDX-License-Identifier: MIT
//
// Durations and periods of the slices of markers, per marker and text. A slice is measured if no event was lost between
// its begin and its end.
#include "../../../base/attributes.h"
#include "../../../base/bytes.h"
#include "../../tables/columns.h"
#include "markers.h"

static struct tk_marker_slices *row_at(const struct tk_markers *m, uint32_t row) {
    return row < m->slices.count ? (struct tk_marker_slices *)m->slices.rows + row : NULL;
}

// ---- Rows --------------------------------------------------------------------------------------

enum { NO_TEXT, FURTHER_TEXTS, FIRST_TEXT };

// Returns the key of the row of a text, or of NO_TEXT or FURTHER_TEXTS.
static uint64_t key_of(uint32_t marker, uint64_t text) { return text ^ (uint64_t)(marker + 1) * 0x9E3779B97F4A7C15u; }

static uint64_t hash_of(const char *text, size_t len) {
    uint64_t hash = len ? tk_hash_bytes((const uint8_t *)text, len) : NO_TEXT;
    return len && hash < FIRST_TEXT ? FIRST_TEXT : hash;
}

static struct tk_marker_times *times_of(const struct tk_markers *m, uint32_t marker) {
    return m->markers[marker].times ? &m->times[m->markers[marker].times - 1] : NULL;
}

static struct tk_marker_times *add_times(struct tk_markers *m, uint32_t marker) {
    if (m->markers[marker].times) return times_of(m, marker);
    if (!tk_alloc_grow(m->host->alloc, (void **)&m->times, &m->times_capacity, m->times_count + 1, sizeof *m->times))
        return NULL;
    m->markers[marker].times = (uint16_t)++m->times_count;
    return times_of(m, marker);
}

static struct tk_marker_slices *row_of_key(struct tk_markers *m, uint32_t marker, uint64_t text) {
    if (m->slices.count >= TK_MARKER_ROWS && tk_idmap_find(&m->slices.by_key, key_of(marker, text)) == TK_NONE) {
        tk_diag_note(m->host->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    struct tk_marker_slices *row =
        tk_keyed_rows_find(&m->slices, m->host->alloc, m->host->diag, key_of(marker, text), sizeof *row);
    if (row) row->marker = marker;
    return row;
}

TK_COLD static struct tk_marker_slices *add_row(struct tk_markers *m, uint32_t marker, uint64_t hash, const char *text,
                                                size_t len) {
    struct tk_names *names = &m->host->timeline->names;
    const struct tk_marker_times *times = times_of(m, marker);
    bool has_room = m->slices.count < TK_MARKER_ROWS && (!times || times->text_count < TK_MARKER_TEXTS);
    uint32_t string = has_room ? tk_strtab_intern(&names->strings, m->host->alloc, text, len) : 0;
    struct tk_marker_slices *row = row_of_key(m, marker, string ? hash : FURTHER_TEXTS);
    struct tk_marker_times *counted = row ? add_times(m, marker) : NULL;
    if (!counted) return NULL;
    if (string) counted->text_count++;
    row->text = string;
    row->is_further = !string;
    return row;
}

// Returns NULL when out of memory, and above the limit of all rows.
static struct tk_marker_slices *row_of(struct tk_markers *m, uint32_t marker, const char *text, size_t len) {
    uint64_t hash = hash_of(text, len);
    uint32_t found = tk_idmap_find(&m->slices.by_key, key_of(marker, hash));
    if (found != TK_NONE) return row_at(m, found);
    return len ? add_row(m, marker, hash, text, len) : row_of_key(m, marker, NO_TEXT);
}

// ---- Slices ------------------------------------------------------------------------------------

// Ends the innermost slice, whose length is unknown.
static void drop(const struct tk_markers *m, struct tk_marker_times *times) {
    struct tk_marker_slices *row = row_at(m, times->open[--times->open_count].row);
    if (row) row->count++;
}

static void measure_period(struct tk_markers *m, struct tk_marker_slices *row) {
    struct tk_stats *stats = m->host->stats;
    uint64_t now = m->host->timeline->now;
    if (row->gap == stats->gap + 1)
        tk_measure_add(&stats->histograms, &row->period, row->last_begin, now - row->last_begin);
    row->gap = stats->gap + 1;
    row->last_begin = now;
}

void tk_marker_begins(struct tk_markers *m, uint32_t index, uint32_t task, const char *text, size_t len) {
    const struct tk_track *track = &m->host->timeline->tracks[m->markers[index].track - 1];
    struct tk_marker_slices *row = row_of(m, index, text, len);
    struct tk_marker_times *times = row ? add_times(m, index) : times_of(m, index);
    if (row) {
        row->task = task;
        row->count += track->hidden > 0; // too deep to be drawn
        measure_period(m, row);
    }
    if (!times || track->hidden) return;
    while (times->open_count >= track->depth) drop(m, times); // the timeline closed it after a loss
    if (times->open_count == times->open_capacity &&
        !tk_alloc_grow(m->host->alloc, (void **)&times->open, &times->open_capacity, times->open_count + 1,
                       sizeof *times->open))
        return;
    times->open[times->open_count++] =
        (struct tk_open_marker){ .begin = m->host->timeline->now,
                                 .row = row ? (uint32_t)(row - (struct tk_marker_slices *)m->slices.rows) : TK_NONE,
                                 .gap = m->host->stats->gap };
}

void tk_marker_ends(struct tk_markers *m, uint32_t index) {
    struct tk_marker_times *times = times_of(m, index);
    struct tk_stats *stats = m->host->stats;
    if (!times || !times->open_count || m->host->timeline->tracks[m->markers[index].track - 1].hidden) return;
    struct tk_open_marker slice = times->open[times->open_count - 1];
    struct tk_marker_slices *row = row_at(m, slice.row);
    drop(m, times);
    if (row && slice.gap == stats->gap && slice.begin >= stats->start)
        tk_measure_add(&stats->histograms, &row->duration, slice.begin, m->host->timeline->now - slice.begin);
}

TK_COLD void tk_marker_times_finish(struct tk_markers *m) {
    for (uint32_t i = 0; i < m->times_count; i++)
        while (m->times[i].open_count) drop(m, &m->times[i]);
}

TK_COLD void tk_marker_times_clear(struct tk_markers *m) {
    for (uint32_t i = 0; i < m->slices.count; i++) {
        struct tk_marker_slices *row = row_at(m, i);
        row->count = row->gap = 0;
        tk_measure_clear(&m->host->stats->histograms, &row->duration);
        tk_measure_clear(&m->host->stats->histograms, &row->period);
    }
}

// ---- Table -------------------------------------------------------------------------------------

static const struct tk_column columns[] = {
    NAME("name", "Marker"),
    KEY("text", "Text", TK_COLUMN_TEXT),
    KEY("task", "Task", TK_COLUMN_TEXT),
    COUNT("count", "Count", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("total", "Total", TK_FOLD_SUM),
    LENGTHS,
    PERIODS,
};
const struct tk_table tk_marker_times_table = {
    "marker_times",
    "Durations of markers",
    TK_TABLE_COLUMNS(columns),
    TK_TABLE_LIST,
    "total",
    "Number, durations and periods of the slices of each marker, from begin to end, by the text of the begin."
};

static void put_text(const struct tk_markers *m, const struct tk_table_sink *sink, const struct tk_marker_slices *row) {
    size_t len;
    if (row->is_further) {
        tk_cell_word(sink, "further texts");
    } else if (row->text) {
        const char *text = tk_strtab_text(&m->host->timeline->names.strings, row->text, &len);
        tk_cell_text(sink, text, len);
    } else {
        tk_cell_none(sink);
    }
}

TK_COLD void tk_marker_times_tables(const struct tk_markers *m, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &tk_marker_times_table);
    for (uint32_t i = 0; i < m->slices.count; i++) {
        const struct tk_marker_slices *row = row_at(m, i);
        const struct tk_durations *duration = &row->duration.durations;
        if (!row->count) continue;
        tk_cell_entity(sink, &m->host->timeline->names, m->markers[row->marker].entity);
        put_text(m, sink, row);
        if (row->task == TK_NONE) tk_cell_none(sink);
        else tk_cell_entity(sink, &m->host->timeline->names, m->host->timeline->tasks[row->task].entity);
        tk_cell_uint(sink, row->count);
        tk_cell_uint(sink, row->count - duration->measured);
        tk_cell_ticks_if(sink, duration->measured > 0, duration->total);
        tk_cells_spread(sink, &row->duration);
        tk_cells_spread(sink, &row->period);
    }
    tk_table_end(sink);
}
