// SPDX-License-Identifier: MIT
//
// Compares two reports: judges what became worse and better (changes.h). Then it matches the rows of each table by
// name, and writes each value with the value before and the difference. Totals and numbers of occurrences depend on the
// length of a recording, so they become shares of the measured time and numbers per second.
#include "changes.h"
#include "row_match.h"

// A table that both reports have.
struct pair {
    const struct tk_report_table *before, *after;
    uint32_t columns[TK_REPORT_COLUMNS];       // column of `before` for each column of `after`; UINT32_MAX: none
    struct tk_idmap *rows_before, *rows_after; // by the names of the rows
    bool same_times;                           // the times of both have the same unit and certainty
    const tk_report *before_report, *after_report;
};

static bool is_number(uint8_t kind) { return kind > TK_COLUMN_FLAG; }

// Returns true for a number that identifies an object. It is not compared, because the recorder may choose another one
// in the next run.
static bool is_id(const struct tk_column *column) {
    return column->kind == TK_COLUMN_NUMBER && (!strcmp(column->key, "id") || !strcmp(column->key, "core"));
}

static bool is_compared(const struct pair *pair, uint32_t column) {
    const struct tk_column *info = &pair->after->info.columns[column];
    if (info->role != TK_ROLE_VALUE || is_id(info) || (column == 0 && pair->after->info.shape != TK_TABLE_FIGURES))
        return false;
    uint32_t other = pair->columns[column];
    return other != UINT32_MAX && is_number(info->kind) && pair->before->info.columns[other].kind == info->kind;
}

static bool names_row(const struct pair *pair, uint32_t column) {
    return pair->after->info.shape != TK_TABLE_FIGURES &&
           (column == 0 || pair->after->info.columns[column].role == TK_ROLE_KEY);
}

// Returns true if the column is the name of the row or a note about it. A note belongs to the nearest column to its
// left that is not a note.
static bool describes_row(const struct pair *pair, uint32_t column) {
    while (column && pair->after->info.columns[column].role == TK_ROLE_NOTE) column--;
    return names_row(pair, column);
}

// Returns the measured time in units of its report; 0: unknown.
static double measured_time(const tk_report *report) {
    const struct tk_cell *duration = tk_report_find(report, "time", 0, "duration"),
                         *unmeasured = tk_report_find(report, "cpu", 0, "unmeasured");
    if (!duration || duration->type != TK_CELL_UINT) return 0;
    bool is_partly = unmeasured && unmeasured->type == TK_CELL_UINT && unmeasured->u < 1000000;
    return (double)duration->u * (is_partly ? 1 - (double)unmeasured->u * 1e-6 : 1);
}

// Returns the factor of a value: a total becomes a share of the time, a number of occurrences one per second; 0: the
// value stays.
static double factor(const struct tk_column *column, const tk_report *report) {
    double time = measured_time(report), per_second = 1e9 * (double)tk_time_units_per_ns(report->times.unit);
    if (column->fold != TK_FOLD_SUM || column->role != TK_ROLE_VALUE || time <= 0) return 0;
    if (column->kind == TK_COLUMN_DURATION) return 1 / time;
    return column->kind == TK_COLUMN_COUNT && !column->unit ? per_second / time : 0;
}

static void match_columns(struct pair *pair) {
    for (uint32_t i = 0; i < pair->after->info.column_count; i++) {
        const char *key = pair->after->info.columns[i].key;
        pair->columns[i] = tk_report_column(pair->before, key, strlen(key));
    }
}

static bool has_figures(const struct pair *pair) {
    for (uint32_t i = 0; i < pair->after->info.column_count; i++)
        if (is_compared(pair, i)) return true;
    return false;
}

// ---- Columns ----

enum part { NAME, PRESENCE, AFTER, BEFORE, CHANGE };

struct plan {
    struct tk_column columns[TK_REPORT_COLUMNS];
    struct source {
        uint32_t column;
        enum part part;
        double before, after; // factors; 0: the values stay
    } from[TK_REPORT_COLUMNS];
    uint32_t count;
};

static void add(struct plan *plan, const struct tk_column *column, struct source source, enum part part) {
    source.part = part;
    plan->columns[plan->count] = *column;
    plan->from[plan->count++] = source;
}

static const char *joined(tk_report *report, const char *key, const char *ending) {
    size_t len = strlen(key), more = strlen(ending) + 1;
    char *text = tk_report_alloc(report, len + more);
    if (!text) return "";
    memcpy(text, key, len);
    memcpy(text + len, ending, more);
    return text;
}

// Describes the column of the values by which recordings of different lengths can be compared.
static struct tk_column normalised(tk_report *report, const struct tk_column *column) {
    struct tk_column result = *column;
    bool is_total = column->kind == TK_COLUMN_DURATION;
    result.key = joined(report, column->key, is_total ? "_of_time" : "_per_s");
    result.title = joined(report, column->title, is_total ? ", of the time" : " per second");
    result.kind = is_total ? TK_COLUMN_SHARE : TK_COLUMN_NUMBER;
    result.unit = is_total ? NULL : "/s";
    return result;
}

static void add_value(tk_report *report, struct plan *plan, const struct pair *pair, uint32_t index) {
    const struct tk_column *column = &pair->after->info.columns[index];
    struct source source = { .column = index,
                             .before = factor(column, pair->before_report),
                             .after = factor(column, pair->after_report) };
    struct tk_column own = *column;
    if (source.before > 0 && source.after > 0) own = normalised(report, column);
    else source.before = source.after = 0;
    struct tk_column before = own, change = own;
    column = &own;
    before.key = joined(report, "before_", column->key);
    before.title = joined(report, column->title, " before");
    before.role = TK_ROLE_BEFORE;
    change.key = joined(report, "change_", column->key);
    change.title = "Change";
    change.role = TK_ROLE_CHANGE;
    before.fold = change.fold = TK_FOLD_NONE;
    add(plan, column, source, AFTER);
    add(plan, &before, source, BEFORE);
    add(plan, &change, source, CHANGE);
}

static void make_plan(tk_report *report, const struct pair *pair, struct plan *out) {
    static const struct tk_column presence = {
        "only_in", "Only in", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE
    };
    out->count = 0;
    for (uint32_t i = 0; i < pair->after->info.column_count; i++)
        if (describes_row(pair, i) && out->count < TK_REPORT_COLUMNS / 2)
            add(out, &pair->after->info.columns[i], (struct source){ .column = i }, NAME);
    if (pair->after->info.shape != TK_TABLE_FIGURES) add(out, &presence, (struct source){ .column = 0 }, PRESENCE);
    for (uint32_t i = 0; i < pair->after->info.column_count; i++)
        if (is_compared(pair, i) && out->count + 3 <= TK_REPORT_COLUMNS) add_value(report, out, pair, i);
}

// ---- Cells ----

static const struct tk_cell nothing = { .type = TK_CELL_NONE };

static double as_double(const struct tk_cell *cell) {
    return cell->type == TK_CELL_DOUBLE ? cell->d : cell->type == TK_CELL_INT ? (double)cell->i : (double)cell->u;
}

static struct tk_cell difference(const struct tk_cell *before, const struct tk_cell *after) {
    if (before->type == TK_CELL_NONE || after->type == TK_CELL_NONE) return nothing;
    if (before->type == TK_CELL_DOUBLE || after->type == TK_CELL_DOUBLE)
        return (struct tk_cell){ .type = TK_CELL_DOUBLE, .d = as_double(after) - as_double(before) };
    bool falls =
        before->type == TK_CELL_INT || after->type == TK_CELL_INT ? after->i < before->i : after->u < before->u;
    uint64_t size = falls ? before->u - after->u : after->u - before->u;
    if (size > INT64_MAX) size = INT64_MAX;
    return (struct tk_cell){ .type = TK_CELL_INT, .i = falls ? -(int64_t)size : (int64_t)size };
}

// Indexes of a matched row; UINT32_MAX: that report has no such row.
struct rows {
    uint32_t before, after;
};

static const struct tk_cell *cell_at(const struct tk_report_table *table, uint32_t row, uint32_t column) {
    return row == UINT32_MAX || column == UINT32_MAX ? &nothing : tk_report_cell(table, row, column);
}

static struct tk_cell scaled(const struct tk_cell *cell, const struct tk_column *column, double factor) {
    if (factor <= 0 || cell->type == TK_CELL_NONE) return *cell;
    double value = as_double(cell) * factor;
    if (column->kind != TK_COLUMN_SHARE) return (struct tk_cell){ .type = TK_CELL_DOUBLE, .d = value };
    value = value * 1e6 + 0.5;
    return (struct tk_cell){ .type = TK_CELL_UINT, .u = value < 0x1p63 ? (uint64_t)value : UINT64_MAX >> 1 };
}

static struct tk_cell compared(const struct pair *pair, struct rows rows, const struct tk_column *column,
                               const struct source *source) {
    struct tk_cell before =
        scaled(cell_at(pair->before, rows.before, pair->columns[source->column]), column, source->before);
    struct tk_cell after = scaled(cell_at(pair->after, rows.after, source->column), column, source->after);
    if (source->part == NAME) return rows.after == UINT32_MAX ? before : after;
    if (source->part == AFTER) return after;
    if (!pair->same_times && (column->kind == TK_COLUMN_DURATION || column->kind == TK_COLUMN_TIME)) return nothing;
    return source->part == BEFORE ? before : difference(&before, &after);
}

static void put_rows(const struct tk_table_sink *sink, const struct pair *pair, const struct plan *plan,
                     struct rows rows) {
    static const struct {
        const char *word;
        uint32_t len;
    } words[] = { { "", 0 }, { "the first", 9 }, { "the second", 10 } };
    for (uint32_t i = 0; i < plan->count; i++) {
        unsigned where = rows.after == UINT32_MAX ? 1 : rows.before == UINT32_MAX ? 2 : 0;
        struct tk_cell cell = { .type = TK_CELL_TEXT, .len = words[where].len, .text = words[where].word };
        if (plan->from[i].part != PRESENCE) cell = compared(pair, rows, &plan->columns[i], &plan->from[i]);
        sink->cell(sink->ctx, &cell);
    }
}

// Writes the rows of one report, each with its counterpart in the other one.
static void put_side(const struct tk_table_sink *sink, const struct pair *pair, const struct plan *plan,
                     struct tk_alloc *alloc, bool after) {
    const struct tk_report_table *table = after ? pair->after : pair->before;
    struct tk_idmap *seen = tk_alloc_zero(alloc, sizeof *seen);
    for (uint32_t row = 0; seen && row < tk_report_rows(table); row++) {
        uint32_t other =
            tk_idmap_find(after ? pair->rows_before : pair->rows_after, tk_row_key(seen, alloc, table, row));
        if (after) put_rows(sink, pair, plan, (struct rows){ other, row });
        else if (other == TK_NONE) put_rows(sink, pair, plan, (struct rows){ row, TK_NONE });
    }
    tk_row_index_free(seen, alloc);
}

static const char *kept(tk_report *report, const char *text) {
    return text ? tk_report_copy_text(report, text, strlen(text)) : NULL;
}

// Copies the texts of a table, because the comparison outlives its two reports.
static void keep_texts(tk_report *report, struct tk_table *table, struct tk_column *columns, uint32_t count) {
    table->id = kept(report, table->id);
    table->title = kept(report, table->title);
    table->sort = kept(report, table->sort);
    for (uint32_t i = 0; i < count; i++) {
        columns[i].key = kept(report, columns[i].key);
        columns[i].title = kept(report, columns[i].title);
        columns[i].unit = kept(report, columns[i].unit);
    }
}

// ---- Tables ----

static void compare_table(tk_report *report, struct pair *pair) {
    struct plan plan;
    struct tk_table_sink sink = tk_report_sink(report, 1);
    struct tk_table table = pair->after->info;
    make_plan(report, pair, &plan);
    size_t size = plan.count * sizeof plan.columns[0];
    struct tk_column *columns = tk_report_alloc(report, size);
    pair->rows_before = tk_row_index_new(pair->before, &report->alloc);
    pair->rows_after = tk_row_index_new(pair->after, &report->alloc);
    if (columns && pair->rows_before && pair->rows_after) {
        memcpy(columns, plan.columns, size);
        keep_texts(report, &table, columns, plan.count);
        table.columns = columns;
        table.column_count = plan.count;
        tk_table_begin(&sink, &table);
        if (table.shape == TK_TABLE_FIGURES && tk_report_rows(pair->before) && tk_report_rows(pair->after))
            put_rows(&sink, pair, &plan, (struct rows){ 0, 0 });
        else if (table.shape != TK_TABLE_FIGURES)
            put_side(&sink, pair, &plan, &report->alloc, true), put_side(&sink, pair, &plan, &report->alloc, false);
        tk_table_end(&sink);
    }
    tk_row_index_free(pair->rows_before, &report->alloc);
    tk_row_index_free(pair->rows_after, &report->alloc);
}

static bool is_same_basis(struct tk_time_basis a, struct tk_time_basis b) {
    return !strcmp(a.unit, b.unit) && a.certainty == b.certainty;
}

tk_status tk_report_compare(const tk_report *before, const tk_report *after, const struct tk_allocator *allocator,
                            tk_report **out_report) {
    tk_report *report = tk_report_begin(allocator, after->tool, after->times);
    bool same_times = is_same_basis(before->times, after->times);
    if (report) tk_changes_add(report, before, after, same_times);
    for (uint32_t i = 0; report && i < after->count; i++) {
        struct pair pair = {
            .before_report = before, .after_report = after, .after = &after->tables[i], .same_times = same_times
        };
        const char *id = pair.after->info.id;
        pair.before = tk_report_table(before, id, strlen(id));
        if (!pair.before || pair.after->info.shape != pair.before->info.shape ||
            pair.after->info.shape == TK_TABLE_PROSE || pair.after->info.shape == TK_TABLE_DETAILS)
            continue;
        match_columns(&pair);
        if (has_figures(&pair)) compare_table(report, &pair);
    }
    return tk_report_complete(report, out_report);
}
