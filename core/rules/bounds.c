// SPDX-License-Identifier: MIT
#include "bounds.h"

#include "../model/tables/histogram.h"

static const struct tk_cell *cell_of(const struct tk_report_table *table, uint32_t row, const char *key) {
    uint32_t column = tk_figure_column(&table->info, key);
    return column == UINT32_MAX ? NULL : tk_report_cell(table, row, column);
}

static uint64_t number_in(const struct tk_cell *cell) { return cell && cell->type == TK_CELL_UINT ? cell->u : 0; }

static uint64_t number_of(const struct tk_report_table *table, uint32_t row, const char *key) {
    return number_in(cell_of(table, row, key));
}

static uint64_t duration_of(const tk_report *report) {
    return number_in(tk_report_find(report, "time", 0, "duration"));
}

static uint64_t add(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

static void set_coverage(struct tk_bounds *out, uint64_t unmeasured, uint64_t whole) {
    out->whole = whole;
    out->measured = unmeasured < whole ? whole - unmeasured : 0;
}

// ---- Time that was not measured ----

static void may_be_more(const tk_report *report, struct tk_bounds *out, uint8_t kind, const struct tk_column *column,
                        uint64_t unmeasured, uint64_t more) {
    uint64_t whole = kind == TK_COLUMN_SHARE ? 1000000 : duration_of(report);
    if (kind == TK_COLUMN_SHARE && column->kind != kind) more = tk_fraction(more, duration_of(report), 1000000);
    if (!unmeasured || out->least.type != TK_CELL_UINT) return;
    out->column = column;
    out->unmeasured = (struct tk_cell){ .type = TK_CELL_UINT, .u = unmeasured };
    uint64_t room = whole > out->least.u ? whole - out->least.u : 0;
    out->most.u += more < room ? more : room;
}

// Bounds the CPU time of a task: it may have run on any core during the unmeasured time, and its measured time includes
// interrupts.
static void bound_running(const tk_report *report, struct tk_bounds *out, uint8_t kind) {
    const struct tk_report_table *cores = tk_report_table(report, "cores", 5);
    uint32_t column = cores ? tk_figure_column(&cores->info, "unmeasured") : UINT32_MAX;
    uint64_t unmeasured = 0, interrupt = 0, whole = 0;
    if (column == UINT32_MAX) return;
    for (uint32_t row = 0; row < tk_report_rows(cores); row++) {
        unmeasured = add(unmeasured, number_of(cores, row, "unmeasured"));
        interrupt = add(interrupt, number_of(cores, row, "interrupt"));
        whole = add(whole, duration_of(report));
    }
    set_coverage(out, unmeasured, whole);
    may_be_more(report, out, kind, &cores->info.columns[column], unmeasured, add(unmeasured, interrupt));
}

static void bound_row(const tk_report *report, const struct tk_report_table *table, uint32_t row, uint8_t kind,
                      struct tk_bounds *out) {
    uint32_t column = tk_figure_column(&table->info, "unmeasured");
    const struct tk_column *info = &table->info.columns[column];
    uint64_t time = number_of(table, row, "unmeasured");
    set_coverage(out, time, info->kind == TK_COLUMN_SHARE ? 1000000 : duration_of(report));
    may_be_more(report, out, kind, info, time, time);
}

// ---- Occurrences that were not measured ----

// Returns floor(value * part / whole) or less. part <= whole.
static uint64_t scaled_down(uint64_t value, uint64_t part, uint64_t whole) {
    if (!whole) return 0;
    uint64_t rest = value % whole;
    return value / whole * part + (part && rest > UINT64_MAX / part ? 0 : rest * part / whole);
}

unsigned tk_bounds_percentile(const char *key) {
    const char *at = strrchr(key, '_');
    at = at ? at + 1 : key;
    bool is_one = at[0] == 'p' && at[1] >= '0' && at[1] <= '9' && at[2] >= '0' && at[2] <= '9' && !at[3];
    return is_one ? (unsigned)(at[1] - '0') * 10 + (unsigned)(at[2] - '0') : 0;
}

// Returns the length of the first part of a key: 9 for "response_p95".
static size_t group_len(const char *key) {
    const char *end = strrchr(key, '_');
    return end ? (size_t)(end - key) + 1 : 0;
}

// Returns the percentage of a column that belongs to the same values as `key`: 100 for the largest one; 0: none.
static unsigned percentage_in_group(const struct tk_column *column, const char *key) {
    size_t len = group_len(key);
    if (column->kind != TK_COLUMN_DURATION || group_len(column->key) != len || memcmp(column->key, key, len)) return 0;
    return strcmp(column->key + len, "max") ? tk_bounds_percentile(column->key) : 100;
}

// A report rounds percentiles of more than 32 values up, by at most 1/128.
static uint64_t least_of_percentile(const struct tk_bounds *bounds, unsigned percent, uint64_t value) {
    bool is_exact = percent == 100 || (bounds->whole && bounds->measured <= TK_HISTOGRAM_EXACT);
    return is_exact ? value : value - (value >> TK_HISTOGRAM_FINE);
}

// Bounds a percentile of n measured and u unmeasured values: it lies between the ranks k - u and k of the measured
// ones, k = ceil(p (n + u)).
static void bound_percentile(const struct tk_report_table *table, uint32_t row, const char *key, unsigned percent,
                             struct tk_bounds *out) {
    uint64_t high = tk_percentile_rank(out->whole, percent), lost = out->whole - out->measured,
             low = high > lost ? high - lost : 0, least = 0, most = UINT64_MAX;
    for (uint32_t i = 0; i < table->info.column_count; i++) {
        const struct tk_column *column = &table->info.columns[i];
        const struct tk_cell *cell = tk_report_cell(table, row, i);
        unsigned other = percentage_in_group(column, key);
        bool is_least = group_len(column->key) == group_len(key) && !memcmp(column->key, key, group_len(key)) &&
                        !strcmp(column->key + group_len(key), "min");
        if (cell->type != TK_CELL_UINT) continue;
        if (is_least && low >= 1 && cell->u > least) least = cell->u;
        if (!other) continue;
        uint64_t rank = tk_percentile_rank(out->measured, other), bound = least_of_percentile(out, other, cell->u);
        if (rank <= low && bound > least) least = bound;
        if (rank >= high && cell->u < most) most = cell->u;
    }
    out->least.u = least;
    out->most.u = most;
    out->has_no_most = high > out->measured || most == UINT64_MAX;
}

// Periods have no count of their own: each job that was not measured hides an unknown number of them.
static bool has_own_count(const char *key) { return strncmp(key, "period", 6) && strncmp(key, "distance", 8); }

// Bounds the durations of occurrences of which some were not measured: those may have had any length.
static void bound_lengths(const struct tk_report_table *table, uint32_t row, uint32_t column, uint32_t unmeasured,
                          struct tk_bounds *out) {
    const struct tk_column *info = &table->info.columns[column];
    const struct tk_cell *missing = tk_report_cell(table, row, unmeasured);
    unsigned percent = tk_bounds_percentile(info->key);
    if (out->least.type != TK_CELL_UINT || (missing->type == TK_CELL_UINT && !missing->u)) return;
    out->column = &table->info.columns[unmeasured];
    out->unmeasured = *missing;
    out->by_count = true;
    if (percent && out->whole && has_own_count(info->key)) {
        bound_percentile(table, row, info->key, percent, out);
    } else if (info->fold == TK_FOLD_MIN || percent) {
        out->least.u = 0;
        out->has_no_most = percent > 0;
    } else {
        bool is_sum_or_maximum = info->fold == TK_FOLD_SUM || info->fold == TK_FOLD_MAX;
        if (!is_sum_or_maximum)
            out->least.u = has_own_count(info->key) ? scaled_down(out->least.u, out->measured, out->whole) : 0;
        out->has_no_most = true;
    }
}

// Jobs that were not measured may be late, too.
static void bound_late(const struct tk_report_table *table, uint32_t row, struct tk_bounds *out) {
    uint32_t unmeasured = tk_figure_column(&table->info, "count_unmeasured");
    uint64_t jobs = unmeasured == UINT32_MAX ? 0 : number_in(tk_report_cell(table, row, unmeasured));
    if (!jobs || out->least.type != TK_CELL_UINT) return;
    out->column = &table->info.columns[unmeasured];
    out->unmeasured = *tk_report_cell(table, row, unmeasured);
    out->by_count = true;
    out->most.u = add(out->least.u, jobs);
}

// ---- Windows ----

// Bounds the largest load in a window, which may be larger between the steps of the windows, and in a window with a
// loss.
static void bound_load(const struct tk_report_table *table, uint32_t row, struct tk_bounds *out) {
    enum { ALL = 1000000, STEPS = 64 }; // of a window
    uint32_t losses = tk_figure_column(&table->info, "losses");
    uint64_t most = out->least.u + ALL / STEPS;
    out->by_windows = true;
    out->most.u = most < ALL ? most : ALL;
    if (losses == UINT32_MAX || !number_of(table, row, "losses")) return;
    out->column = &table->info.columns[losses];
    out->unmeasured = *tk_report_cell(table, row, losses);
    out->most.u = ALL;
}

// ---- All ----

static void count_occurrences(const struct tk_report_table *table, uint32_t row, uint32_t unmeasured,
                              struct tk_bounds *out) {
    const struct tk_cell *missing = tk_report_cell(table, row, unmeasured);
    uint32_t counts = tk_figure_count(&table->info, unmeasured);
    if (missing->type == TK_CELL_UINT)
        set_coverage(out, missing->u, counts == UINT32_MAX ? 0 : number_in(tk_report_cell(table, row, counts)));
}

// A job or wait that is open at the end has at least the length so far.
static void add_open(const struct tk_report_table *table, uint32_t row, const char *key, struct tk_bounds *out) {
    const struct tk_cell *open = cell_of(table, row, "open_for");
    bool is_longer = out->least.type != TK_CELL_UINT || (open && open->u > out->least.u);
    bool is_largest = !strcmp(key, "response_max") || !strcmp(key, "longest");
    if (!is_largest || !open || open->type != TK_CELL_UINT || !is_longer) return;
    out->has_no_most = !out->has_value; // then the report has no complete one
    out->is_open = true;
    out->least = out->most = *open;
}

static bool covers(const struct tk_bounds *bounds, uint64_t coverage) {
    enum { ALL = 1000000 };
    uint64_t whole = bounds->whole;
    if (!coverage || !whole) return false;
    return bounds->measured >= whole / ALL * coverage + (whole % ALL * coverage + ALL - 1) / ALL;
}

void tk_bounds_find(const tk_report *report, const struct tk_report_table *table, uint32_t row, uint32_t column,
                    uint64_t coverage, struct tk_bounds *out) {
    const struct tk_column *info = &table->info.columns[column];
    uint32_t unmeasured = tk_figure_unmeasured(&table->info, column);
    const struct tk_cell *cell = tk_report_cell(table, row, column);
    *out = (struct tk_bounds){ .least = *cell, .most = *cell };
    out->has_value = cell->type != TK_CELL_NONE && cell->type != TK_CELL_TEXT;
    if (unmeasured != UINT32_MAX) count_occurrences(table, row, unmeasured, out);
    add_open(table, row, info->key, out);
    bool is_covered = unmeasured != UINT32_MAX && out->has_value && covers(out, coverage);
    if (is_covered || !out->has_value) {
        // the measured occurrences decide, or there are none
    } else if (unmeasured != UINT32_MAX) {
        bound_lengths(table, row, column, unmeasured, out);
    } else {
        enum tk_time_part part = tk_figure_time_part(&table->info, column);
        struct tk_bounds measured = *out;
        if (part == TK_PART_OF_ROW) bound_row(report, table, row, info->kind, out);
        if (part == TK_PART_OF_CORES) bound_running(report, out, info->kind);
        if (covers(out, coverage)) *out = measured;
    }
    if (out->has_value && info->kind == TK_COLUMN_SHARE && info->fold == TK_FOLD_MAX) bound_load(table, row, out);
    if (!strcmp(info->key, "late") && info->kind == TK_COLUMN_COUNT) bound_late(table, row, out);
    unsigned percent = tk_bounds_percentile(info->key);
    if (out->column || !percent || out->least.type != TK_CELL_UINT || info->kind != TK_COLUMN_DURATION) return;
    out->least.u = least_of_percentile(out, percent, out->least.u);
    out->by_rounding = out->least.u != out->most.u;
}
