// SPDX-License-Identifier: MIT
//
// Judges a rule about a figure: compares what the figure may be with what the rule allows, for each row.
#include "judge.h"

#include "../report/cell_text.h"
#include "../report/row_match.h"
#include "amount.h"
#include "bounds.h"
#include "misses.h"

// What the value of a row is compared with. A value of the baseline of which a part was not measured is a range.
struct limit {
    struct tk_amount least, most;
    bool has_no_most;
    bool is_missing;              // the baseline has no such value
    struct tk_bounds of_baseline; // valid if the rule refers to the baseline
};

// Result of the rule for one row.
struct row_result {
    tk_expectation verdict;
    uint32_t row;
    struct tk_bounds bounds;
    struct limit limit;
    bool has_no_value, has_too_few;
};

// A rule on a report.
struct subject {
    const tk_report *report, *baseline;
    const struct tk_rule *rule;
    struct tk_figure figure;
    const struct tk_report_table *before; // table of the baseline; NULL: none
    uint32_t before_column;               // UINT32_MAX: none
    bool is_lower;                        // of a period: compares the shortest one with the lower end
    struct tk_idmap *rows_before;         // rows of `before`; NULL: no baseline, or a table without rows
};

struct tk_text tk_verdict_text(struct tk_verdict *out) { return tk_text_in(out->text, sizeof out->text); }

void tk_verdict_set_at(const tk_report *report, uint64_t at, struct tk_verdict *out) {
    uint64_t per_ns = tk_time_units_per_ns(report->times.unit);
    out->has_at = true;
    out->at = at;
    out->has_ns = per_ns != 0;
    out->at_ns = per_ns ? at / per_ns : 0;
}

static void put_value(struct tk_text *words, const tk_report *report, const struct tk_column *column,
                      const struct tk_cell *cell) {
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text value = tk_text_in(room, sizeof room);
    tk_cell_text_cell(&value, report->times.unit, column, cell);
    tk_text_put(words, value.text, value.len);
}

// ---- Limits ----

// Reads the end of the range in which periods have to be. Returns false if the tolerance is no value.
static bool read_period(const struct tk_rule *rule, const struct tk_amount_units *units, bool is_lower,
                        struct tk_amount *out) {
    static const struct tk_amount_units percent = { TK_COLUMN_SHARE, "ns", NULL };
    struct tk_amount share, more;
    struct tk_span by = rule->tolerance;
    if (!tk_amount_read(rule->value, units, out) || !by.len || *by.text == '-') return false;
    bool is_share = by.text[by.len - 1] == '%';
    if (is_share && (!tk_amount_read(by, &percent, &share) || share.has_more || share.size > TK_SHARE_WHOLE))
        return false;
    if (!is_share && (!tk_amount_read(by, units, &more) || more.has_more)) return false;
    if (is_share) more = tk_amount_scaled(*out, share.size);
    more.has_more = false; // rounds the tolerance down
    *out = tk_amount_sum(*out, more, is_lower);
    return true;
}

// Reads what the rule itself contains. Returns false if that is no value of the figure.
static bool read_limit(const struct tk_rule *rule, const struct tk_column *column, const char *time_unit, bool is_lower,
                       struct limit *out) {
    struct tk_amount_units units = tk_amount_units_of(column, time_unit);
    struct tk_amount unused;
    bool ok = rule->kind == TK_RULE_PERIOD ? read_period(rule, &units, is_lower, &out->least)
              : !rule->is_baseline         ? tk_amount_read(rule->value, &units, &out->least)
              : !rule->offset.text         ? true
                                           : tk_amount_read(rule->offset, &units, &unused) && !unused.has_more;
    out->most = out->least;
    return ok;
}

static struct tk_amount moved(const struct tk_rule *rule, const struct tk_cell *cell,
                              const struct tk_amount_units *units) {
    struct tk_amount amount = tk_amount_scaled(tk_amount_of_cell(cell), rule->factor), offset;
    if (!rule->offset.text || !tk_amount_read(rule->offset, units, &offset)) return amount;
    return tk_amount_sum(amount, offset, rule->is_offset_negative);
}

// Sets the limit of a row from the same row of the baseline; before: UINT32_MAX if the baseline has no such row.
static void limit_by_baseline(const struct subject *subject, uint32_t before, struct limit *out) {
    const struct tk_rule *rule = subject->rule;
    struct tk_amount_units units = tk_amount_units_of(subject->figure.about, subject->report->times.unit);
    out->is_missing = before == UINT32_MAX || subject->before_column == UINT32_MAX;
    if (out->is_missing) return;
    tk_bounds_find(subject->baseline, subject->before, before, subject->before_column, rule->coverage,
                   &out->of_baseline);
    out->is_missing = !out->of_baseline.has_value;
    out->has_no_most = out->of_baseline.has_no_most;
    out->least = moved(rule, &out->of_baseline.least, &units);
    out->most = out->has_no_most ? out->least : moved(rule, &out->of_baseline.most, &units);
}

// Compares two ranges: what the figure may be, and what it is compared with.
static tk_expectation compare(enum tk_comparison comparison, const struct tk_bounds *bounds,
                              const struct limit *limit) {
    // order of the ends: least of the figure to the largest limit, most of the figure to the smallest limit
    int low = limit->has_no_most ? -1 : tk_amount_compare(&bounds->least, &limit->most),
        high = bounds->has_no_most ? 1 : tk_amount_compare(&bounds->most, &limit->least);
    if (comparison == TK_EQUAL) {
        int least = tk_amount_compare(&bounds->least, &limit->least);
        if (low > 0 || high < 0) return TK_EXPECT_FAIL;
        return !low && !high && !least ? TK_EXPECT_PASS : TK_EXPECT_UNMEASURED;
    }
    bool holds_low = tk_comparison_holds(comparison, low), holds_high = tk_comparison_holds(comparison, high);
    return holds_low != holds_high ? TK_EXPECT_UNMEASURED : holds_low ? TK_EXPECT_PASS : TK_EXPECT_FAIL;
}

// ---- The rule itself ----

static bool is_value(const struct tk_rule *rule, const struct tk_column *column, const char *time_unit) {
    struct limit unused;
    if (column->kind == TK_COLUMN_FLAG)
        return rule->comparison == TK_EQUAL && (tk_span_is(rule->value, "true") || tk_span_is(rule->value, "false"));
    if (tk_figure_is_text(column)) return rule->comparison == TK_EQUAL && !rule->is_baseline;
    return read_limit(rule, column, time_unit, false, &unused);
}

// Returns true if the value is valid for the column. Without a report every unit of time is valid.
static bool may_be_value(const tk_report *report, const struct tk_rule *rule, const struct tk_column *column) {
    if (report) return is_value(rule, column, report->times.unit);
    return is_value(rule, column, "ns") || is_value(rule, column, "fs") || is_value(rule, column, "ticks") ||
           is_value(rule, column, "records");
}

// Checks the rule. Returns false if it is wrong, and explains why.
static bool check(const tk_report *report, const struct tk_rule *rule, const struct tk_figure *figure,
                  struct tk_text *words) {
    const struct tk_table *table = figure->info;
    const struct tk_column *column = figure->about;
    if (!table) return tk_explain_no_table(report, rule, words), false;
    if (!column) return tk_explain_no_column(table, rule, words), false;
    bool is_single = table->shape == TK_TABLE_FIGURES;
    uint32_t at = (uint32_t)(column - table->columns);
    bool has_counts = tk_figure_unmeasured(table, at) != UINT32_MAX;
    const char *why = NULL;
    if (is_single && rule->has_row) why = "this table has no rows; leave out the brackets";
    else if (!is_single && !rule->has_row) why = "name a row or a pattern, as in table[row].column";
    else if (is_single && rule->rows) why = "this table has no rows; leave out the option rows";
    else if (rule->count && !has_counts)
        why = "the option count needs a duration figure, such as a longest or a mean one";
    else if (rule->coverage && !has_counts && tk_figure_time_part(table, at) == TK_NO_PART)
        why = "the option coverage needs a figure of durations or of CPU time";
    if (why) return tk_text_add(words, why), false;
    if (may_be_value(report, rule, column)) return true;
    tk_explain_bad_value(column, report ? report->times.unit : "ns", rule, words);
    return false;
}

// ---- Rows ----

static bool is_row(const struct subject *subject, const struct tk_report_table *table, uint32_t row) {
    const struct tk_cell *cell = tk_report_cell(table, row, 0);
    if (table->info.shape == TK_TABLE_FIGURES) return true;
    if (cell->type == TK_CELL_TEXT) return tk_rule_matches(subject->rule, cell->text, cell->len);
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text name = tk_text_in(room, sizeof room);
    tk_explain_row_name(table, row, &name);
    return tk_rule_matches(subject->rule, name.text, name.len);
}

static bool text_holds(const struct tk_cell *cell, const struct tk_column *column, struct tk_span value) {
    if (column->kind == TK_COLUMN_FLAG) return tk_span_is(value, cell->u ? "true" : "false");
    return cell->type == TK_CELL_TEXT && cell->len == value.len && !memcmp(cell->text, value.text, value.len);
}

// Returns true if a job of the task is open for longer than the deadline. This wait or another one may have released
// it.
static bool has_open_job_beyond(const struct subject *subject, const struct row_result *result) {
    const struct tk_report_table *jobs = tk_report_table(subject->report, "jobs", 4);
    const struct tk_cell *name = tk_report_cell(subject->figure.table, result->row, 0);
    uint32_t column = jobs ? tk_figure_column(&jobs->info, "open_for") : UINT32_MAX;
    if (!subject->rule->wait.text || subject->rule->kind != TK_RULE_DEADLINE || column == UINT32_MAX) return false;
    for (uint32_t row = 0; row < tk_report_rows(jobs); row++) {
        const struct tk_cell *task = tk_report_cell(jobs, row, 0), *open = tk_report_cell(jobs, row, column);
        bool is_task = task->type == TK_CELL_TEXT && name->type == TK_CELL_TEXT && task->len < name->len &&
                       !memcmp(task->text, name->text, task->len) && !memcmp(name->text + task->len, " / ", 3);
        if (is_task && open->type == TK_CELL_UINT && tk_amount_compare(open, &result->limit.most) > 0) return true;
    }
    return false;
}

static struct row_result check_row(const struct subject *subject, uint32_t row, uint32_t before) {
    const struct tk_figure *figure = &subject->figure;
    const struct tk_rule *rule = subject->rule;
    const struct tk_cell *cell = tk_report_cell(figure->table, row, figure->column);
    struct row_result result = { .verdict = TK_EXPECT_UNMEASURED, .row = row };
    bool is_text = tk_figure_is_text(figure->about);
    tk_bounds_find(subject->report, figure->table, row, figure->column, rule->coverage, &result.bounds);
    if (is_text) {
        result.has_no_value = cell->type == TK_CELL_NONE;
        if (!result.has_no_value)
            result.verdict = text_holds(cell, figure->about, rule->value) ? TK_EXPECT_PASS : TK_EXPECT_FAIL;
        return result;
    }
    result.has_no_value = !result.bounds.has_value;
    if (rule->is_baseline) limit_by_baseline(subject, before, &result.limit);
    else read_limit(rule, figure->about, subject->report->times.unit, subject->is_lower, &result.limit);
    if (result.limit.is_missing || (result.has_no_value && !result.bounds.is_open)) return result;
    result.verdict = compare(subject->is_lower ? TK_AT_LEAST : rule->comparison, &result.bounds, &result.limit);
    result.has_too_few = rule->count && result.bounds.measured < rule->count;
    bool is_unproven = result.has_too_few || result.has_no_value || has_open_job_beyond(subject, &result);
    if (result.verdict == TK_EXPECT_PASS && is_unproven) result.verdict = TK_EXPECT_UNMEASURED;
    return result;
}

static double as_double(const struct tk_cell *cell) {
    return cell->type == TK_CELL_DOUBLE ? cell->d : cell->type == TK_CELL_INT ? (double)cell->i : (double)cell->u;
}

// Orders results: a failed row is worse than an unmeasured one; of two rows with the same verdict the one with the
// larger deviation is worse.
static bool is_worse(const struct subject *subject, const struct row_result *a, const struct row_result *b) {
    static const uint8_t ranks[] = { [TK_EXPECT_PASS] = 0, [TK_EXPECT_UNMEASURED] = 1, [TK_EXPECT_FAIL] = 2 };
    enum tk_comparison comparison = subject->is_lower ? TK_AT_LEAST : subject->rule->comparison;
    if (a->verdict != b->verdict) return ranks[a->verdict] > ranks[b->verdict];
    if (a->verdict == TK_EXPECT_UNMEASURED || comparison == TK_EQUAL) return false;
    bool wants_less = comparison == TK_LESS || comparison == TK_AT_MOST;
    const struct tk_cell *first = wants_less ? &a->bounds.least : &a->bounds.most,
                         *second = wants_less ? &b->bounds.least : &b->bounds.most;
    if (subject->rule->is_baseline) { // each row has its own limit
        double over = as_double(first) / ((double)a->limit.least.size + 1),
               other = as_double(second) / ((double)b->limit.least.size + 1);
        return wants_less ? over > other : over < other;
    }
    if (first->type == TK_CELL_UINT && second->type == TK_CELL_UINT)
        return wants_less ? first->u > second->u : first->u < second->u;
    return wants_less ? as_double(first) > as_double(second) : as_double(first) < as_double(second);
}

// ---- Texts ----

// Returns the time of the value: a column after it.
static const struct tk_cell *moment_of(const struct subject *subject, uint32_t row, uint32_t *out_column) {
    const struct tk_table *table = subject->figure.info;
    for (uint32_t i = subject->figure.column + 1; i < table->column_count; i++) {
        const struct tk_column *column = &table->columns[i];
        const struct tk_cell *cell = tk_report_cell(subject->figure.table, row, i);
        bool is_of_value = column->kind == TK_COLUMN_TIME &&
                           !strncmp(column->key, subject->figure.about->key, strlen(subject->figure.about->key));
        if (column->role == TK_ROLE_VALUE || column->role == TK_ROLE_KEY) return NULL;
        *out_column = i;
        if ((column->role == TK_ROLE_AT || is_of_value) && cell->type != TK_CELL_NONE) return cell;
    }
    return NULL;
}

// Writes the name and keys of a row.
static void put_row(struct tk_text *words, const tk_report *report, const struct tk_report_table *table, uint32_t row) {
    bool has_key = false;
    tk_explain_row_name(table, row, words);
    for (uint32_t i = 1; i < table->info.column_count; i++) {
        const struct tk_column *column = &table->info.columns[i];
        if (column->role != TK_ROLE_KEY) continue;
        tk_text_add(words, has_key ? ", " : " (");
        tk_text_add(words, column->key);
        tk_text_add(words, " ");
        put_value(words, report, column, tk_report_cell(table, row, i));
        has_key = true;
    }
    if (has_key) tk_text_add(words, ")");
}

// Writes an amount as a value of the figure, rounded down.
static void put_amount(struct tk_text *words, const struct subject *subject, const struct tk_amount *amount) {
    struct tk_cell cell = { .type = TK_CELL_UINT, .u = amount->size };
    if (amount->negative) cell = (struct tk_cell){ .type = TK_CELL_INT, .i = -(int64_t)(amount->size & INT64_MAX) };
    if (amount->is_floating) cell = (struct tk_cell){ .type = TK_CELL_DOUBLE, .d = amount->floating };
    put_value(words, subject->report, subject->figure.about, &cell);
}

static void put_bound(struct tk_text *words, const struct subject *subject, const struct row_result *result) {
    const struct tk_rule *rule = subject->rule;
    tk_text_add(words, tk_comparison_text(subject->is_lower ? TK_AT_LEAST : rule->comparison));
    tk_text_add(words, " ");
    bool is_computed = rule->kind == TK_RULE_PERIOD || (rule->is_baseline && !result->limit.is_missing);
    if (is_computed) put_amount(words, subject, &result->limit.least);
    if (!is_computed || rule->is_baseline) {
        if (is_computed) tk_text_add(words, " (");
        tk_explain_span(words, rule->value);
        if (is_computed) tk_text_add(words, ")");
    }
}

// Returns true if the upper end of the possible values is the one that fails.
static bool fails_at_most(const struct subject *subject, const struct row_result *result) {
    enum tk_comparison comparison = subject->is_lower ? TK_AT_LEAST : subject->rule->comparison;
    const struct tk_bounds *bounds = &result->bounds;
    if (!bounds->column || bounds->has_no_most) return false;
    if (comparison == TK_EQUAL) return tk_amount_compare(&bounds->most, &result->limit.least) < 0;
    return comparison == TK_MORE || comparison == TK_AT_LEAST;
}

// Writes how many jobs miss a deadline.
static void put_misses(struct tk_text *words, const struct subject *subject, const struct row_result *result) {
    if (subject->rule->kind != TK_RULE_DEADLINE || !result->bounds.measured) return;
    struct tk_misses misses = tk_misses_of(subject->report, subject->figure.table, result->row, result->bounds.measured,
                                           subject->rule, &result->limit.least);
    if (!misses.most) return; // only the open job is late
    tk_text_add(words, ", missed by ");
    tk_text_u64(words, misses.least);
    if (misses.most != misses.least) tk_text_add(words, " to "), tk_text_u64(words, misses.most);
    tk_text_add(words, " of ");
    tk_text_count(words, misses.jobs, "jobs");
}

static const char *occurrence(const struct subject *subject) {
    return strcmp(subject->figure.info->id, "waits") ? "job" : "wait";
}

static void put_failure(struct tk_text *words, const struct subject *subject, const struct row_result *result) {
    const struct tk_bounds *bounds = &result->bounds;
    bool is_at_most = fails_at_most(subject, result), is_least = bounds->column || bounds->has_no_most;
    uint32_t column;
    const struct tk_cell *at = bounds->is_open ? NULL : moment_of(subject, result->row, &column);
    tk_text_add(words, is_at_most ? "it is at most " : is_least ? "it is at least " : "it is ");
    put_value(words, subject->report, subject->figure.about,
              is_at_most || (bounds->by_rounding && !is_least) ? &bounds->most : &bounds->least);
    if (at) {
        tk_text_add(words, " at ");
        put_value(words, subject->report, &subject->figure.info->columns[column], at);
    }
    if (bounds->is_open)
        tk_text_add(words, ", of a "), tk_text_add(words, occurrence(subject)),
            tk_text_add(words, " that is open at the end");
    tk_text_add(words, ", not ");
    put_bound(words, subject, result);
    put_misses(words, subject, result);
}

static void put_range(struct tk_text *words, const struct subject *subject, const struct tk_bounds *bounds) {
    tk_text_add(words, bounds->has_no_most ? "unknown, at least " : "unknown, between ");
    put_value(words, subject->report, subject->figure.about, &bounds->least);
    if (!bounds->has_no_most) {
        tk_text_add(words, " and ");
        put_value(words, subject->report, subject->figure.about, &bounds->most);
    }
    tk_text_add(words, ": ");
}

static void put_unmeasured(struct tk_text *words, const struct subject *subject, const struct tk_bounds *bounds) {
    if (bounds->by_windows) {
        tk_text_add(words, bounds->column ? "windows with a loss are not measured"
                                          : "the load is measured in windows with a step of 1/64 of their length");
        return;
    }
    if (bounds->by_rounding && !bounds->column) {
        tk_text_add(words, "the report rounds percentiles up by at most 1/128");
        return;
    }
    if (bounds->unmeasured.type == TK_CELL_UINT) put_value(words, subject->report, bounds->column, &bounds->unmeasured);
    else tk_text_add(words, "an unknown number");
    if (!bounds->by_count) {
        tk_text_add(words, " of the time was not measured");
        return;
    }
    if (bounds->whole) tk_text_add(words, " of "), tk_text_u64(words, bounds->whole);
    tk_text_add(words, " occurrences were not measured");
}

static bool is_exact(const struct tk_bounds *bounds) {
    return !bounds->column && !bounds->by_rounding && !bounds->by_windows;
}

static void put_unknown(struct tk_text *words, const struct subject *subject, const struct row_result *result) {
    const struct tk_bounds *bounds = &result->bounds, *before = &result->limit.of_baseline;
    if (result->has_no_value && !bounds->is_open) {
        tk_text_add(words, "it was not measured");
    } else if (result->limit.is_missing) {
        tk_text_add(words, "not measured: the baseline has no such value");
    } else if (result->has_too_few) {
        tk_text_add(words, "unknown, only ");
        tk_text_u64(words, bounds->measured);
        tk_text_add(words, " were measured, count >= ");
        tk_text_u64(words, subject->rule->count);
        tk_text_add(words, " is required");
    } else if (result->has_no_value) {
        tk_text_add(words, "not measured: the recording has no complete ");
        tk_text_add(words, occurrence(subject));
        tk_text_add(words, ", only one that is open at the end");
    } else if (!is_exact(bounds)) {
        put_range(words, subject, bounds);
        put_unmeasured(words, subject, bounds);
    } else if (subject->rule->is_baseline) {
        tk_text_add(words, "in the baseline ");
        put_range(words, subject, before);
        put_unmeasured(words, subject, before);
    } else {
        tk_text_add(words,
                    "unknown: a job that is open at the end, and that this wait may have released, takes longer");
    }
}

// ---- Verdicts ----

static void unmeasured(struct tk_verdict *out, const char *why) {
    struct tk_text words = tk_verdict_text(out);
    out->verdict = TK_EXPECT_UNMEASURED;
    tk_text_add(&words, "not measured: ");
    tk_text_add(&words, why);
}

static void wrong_number_of_rows(const struct tk_rule *rule, uint64_t count, struct tk_verdict *out) {
    struct tk_text words = tk_verdict_text(out);
    out->verdict = TK_EXPECT_FAIL;
    tk_text_u64(&words, count);
    tk_text_add(&words, count == 1 ? " row matches, not " : " rows match, not ");
    tk_text_add(&words, rule->rows_exactly ? "== " : ">= ");
    tk_text_u64(&words, rule->rows);
}

// Sets what outputs show beside the explanation: row, value, bound, time and number of occurrences.
static void set_evidence(const struct subject *subject, const struct row_result *worst, struct tk_verdict *out) {
    struct tk_text row = tk_text_in(out->row, sizeof out->row), value = tk_text_in(out->value, sizeof out->value),
                   bound = tk_text_in(out->bound, sizeof out->bound);
    const struct tk_figure *figure = &subject->figure;
    const struct tk_cell *cell = tk_report_cell(figure->table, worst->row, figure->column), *at;
    uint32_t column;
    out->has_at = out->has_ns = out->has_count = false;
    if (figure->info->shape != TK_TABLE_FIGURES) put_row(&row, subject->report, figure->table, worst->row);
    if (worst->bounds.is_open) cell = &worst->bounds.least;
    if (cell->type != TK_CELL_NONE) put_value(&value, subject->report, figure->about, cell);
    put_bound(&bound, subject, worst);
    at = worst->bounds.is_open ? NULL : moment_of(subject, worst->row, &column);
    if (at && at->type == TK_CELL_UINT) tk_verdict_set_at(subject->report, at->u, out);
    out->has_count = worst->bounds.whole && tk_figure_unmeasured(figure->info, figure->column) != UINT32_MAX;
    out->count = worst->bounds.measured;
}

static void put_counts(struct tk_text *words, tk_expectation verdict, uint64_t equal, uint64_t count) {
    if (count <= 1) return;
    tk_text_add(words, " (");
    tk_text_u64(words, equal);
    tk_text_add(words, " of ");
    tk_text_u64(words, count);
    tk_text_add(words, verdict == TK_EXPECT_FAIL ? " rows fail)" : " rows)");
}

static bool is_pattern(const struct tk_rule *rule) {
    return tk_pattern_has_star(rule->row) || (rule->wait.text && tk_pattern_has_star(rule->wait));
}

// A row that only the baseline has is no improvement. Returns false, with the verdict, if the pattern of the rule
// matches one.
static bool has_all_rows(const struct subject *subject, struct tk_alloc *alloc, struct tk_verdict *out) {
    if (!subject->rows_before || !is_pattern(subject->rule) || subject->rule->missing_ok) return true;
    struct tk_idmap *now = tk_row_index_new(subject->figure.table, alloc), *seen = tk_alloc_zero(alloc, sizeof *seen);
    bool has_all = true;
    for (uint32_t row = 0; has_all && now && seen && row < tk_report_rows(subject->before); row++) {
        uint64_t key = tk_row_key(seen, alloc, subject->before, row);
        if (!is_row(subject, subject->before, row) || tk_idmap_find(now, key) != TK_NONE) continue;
        struct tk_text words = tk_verdict_text(out), name = tk_text_in(out->row, sizeof out->row);
        has_all = false;
        out->verdict = TK_EXPECT_FAIL;
        put_row(&name, subject->baseline, subject->before, row);
        tk_text_add(&words, out->row);
        tk_text_add(&words, ": only the baseline has this row");
    }
    tk_row_index_free(now, alloc);
    tk_row_index_free(seen, alloc);
    return has_all;
}

// Judges every row that matches. Sets the worst result; returns the number of rows.
static uint64_t find_worst(const struct subject *subject, struct tk_alloc *alloc, struct row_result *out_worst,
                           uint64_t *out_equal) {
    const struct tk_report_table *table = subject->figure.table;
    struct tk_idmap *seen = subject->rows_before ? tk_alloc_zero(alloc, sizeof *seen) : NULL;
    uint64_t count = 0;
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        uint32_t before = table->info.shape == TK_TABLE_FIGURES ? 0 : UINT32_MAX;
        if (seen) before = tk_idmap_find(subject->rows_before, tk_row_key(seen, alloc, table, row));
        if (!is_row(subject, table, row)) continue;
        struct row_result result = check_row(subject, row, before);
        bool is_as_bad = count && result.verdict == out_worst->verdict;
        bool is_worst = !count || is_worse(subject, &result, out_worst);
        if (is_worst) *out_worst = result;
        *out_equal = is_as_bad ? *out_equal + 1 : is_worst ? 1 : *out_equal;
        count++;
    }
    tk_row_index_free(seen, alloc);
    return count;
}

static void judge_rows(const struct subject *subject, struct tk_alloc *alloc, struct tk_verdict *out) {
    const struct tk_rule *rule = subject->rule;
    const struct tk_report_table *table = subject->figure.table;
    struct row_result worst = { .verdict = TK_EXPECT_PASS };
    struct tk_text words = tk_verdict_text(out);
    uint64_t equal = 0, count = find_worst(subject, alloc, &worst, &equal);
    if (!has_all_rows(subject, alloc, out)) return;
    if (!count && rule->missing_ok) {
        tk_text_add(&words, "nothing to judge, no row matches");
        return;
    }
    if (!count) {
        out->verdict = TK_EXPECT_UNMEASURED;
        tk_explain_no_row(table, &words);
        return;
    }
    if (worst.verdict != TK_EXPECT_FAIL && rule->rows &&
        (rule->rows_exactly ? count != rule->rows : count < rule->rows)) {
        wrong_number_of_rows(rule, count, out);
        return;
    }
    out->verdict = worst.verdict;
    set_evidence(subject, &worst, out);
    if (worst.verdict == TK_EXPECT_PASS) return;
    if (table->info.shape != TK_TABLE_FIGURES && (count > 1 || is_pattern(rule))) {
        put_row(&words, subject->report, table, worst.row);
        tk_text_add(&words, ": ");
    }
    if (worst.verdict == TK_EXPECT_FAIL) put_failure(&words, subject, &worst);
    else put_unknown(&words, subject, &worst);
    put_counts(&words, worst.verdict, equal, count);
}

// ---- Reports without figures ----

// Returns true for a recording or time range without events that have a time: it has no figures.
static bool has_no_time(const tk_report *report) {
    const struct tk_cell *duration = tk_report_find(report, "time", 0, "duration"),
                         *timed = tk_report_find(report, "events", 0, "timed");
    return (duration && duration->type == TK_CELL_NONE) || (timed && timed->type == TK_CELL_UINT && !timed->u);
}

// Returns why the figure is unknown, because it depends on an assumed clock rate or an assumed distance of records;
// NULL: it does not.
static const char *assumption(const tk_report *report, const struct tk_figure *figure) {
    uint8_t certainty = report->times.certainty, kind = figure->about->kind;
    bool is_time = kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME, has_length = false;
    if (certainty == TK_TIME_RATE_ASSUMED)
        return is_time ? "the rate of the clock is assumed, so durations are unknown" : NULL;
    const char *const reasons[TK_TIME_CERTAINTIES] = {
        [TK_TIME_SPACING_ASSUMED] = "the distance of the records is assumed, so durations are unknown",
        [TK_TIME_TURNS_UNKNOWN] = "the clock may have wrapped several times, so durations are unknown",
        [TK_TIME_ALL_EQUAL] = "all events have the same time, so durations are unknown",
    };
    if (certainty >= TK_TIME_CERTAINTIES || !reasons[certainty]) return NULL;
    for (uint32_t i = 0; i < figure->info->column_count; i++)
        has_length |= figure->info->columns[i].kind == TK_COLUMN_DURATION;
    uint32_t column = (uint32_t)(figure->about - figure->info->columns);
    bool is_part = kind == TK_COLUMN_SHARE && (has_length || tk_figure_time_part(figure->info, column) != TK_NO_PART);
    return is_time || is_part ? reasons[certainty] : NULL;
}

// Finds the table of the baseline. Returns false, with the verdict, if the baseline cannot be used.
static bool find_before(struct subject *subject, struct tk_verdict *out) {
    const tk_report *baseline = subject->baseline;
    const struct tk_figure *figure = &subject->figure;
    uint8_t kind = figure->about->kind;
    bool is_time = kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME;
    if (!subject->rule->is_baseline) return true;
    if (!baseline) return unmeasured(out, "there is no baseline"), false;
    if (has_no_time(baseline)) return unmeasured(out, "the baseline has no event with a time"), false;
    if (is_time && strcmp(baseline->times.unit, subject->report->times.unit) != 0) {
        struct tk_text words = tk_verdict_text(out);
        out->verdict = TK_EXPECT_INVALID;
        tk_text_add(&words, "the times of the baseline have another unit: ");
        tk_text_add(&words, baseline->times.unit);
        return false;
    }
    if (assumption(baseline, figure)) return unmeasured(out, "the times of the baseline are assumed"), false;
    subject->before = tk_report_table(baseline, figure->info->id, strlen(figure->info->id));
    if (!subject->before) return unmeasured(out, "the baseline has no such table"), false;
    subject->before_column = tk_figure_column(&subject->before->info, figure->about->key);
    return true;
}

static void judge_figure(const struct tk_judge *judge, const struct tk_rule *rule, bool is_lower,
                         struct tk_verdict *out) {
    struct subject subject = { .report = judge->report,
                               .baseline = judge->baseline,
                               .rule = rule,
                               .figure = tk_figure_find(judge->report, rule),
                               .before_column = UINT32_MAX,
                               .is_lower = is_lower };
    struct tk_text words = tk_verdict_text(out);
    if (!check(judge->report, rule, &subject.figure, &words)) {
        out->verdict = TK_EXPECT_INVALID;
        return;
    }
    if (!judge->report) return;
    const struct tk_figure *figure = &subject.figure;
    const char *why = has_no_time(judge->report)     ? "there is no event with a time"
                      : !figure->table               ? "the report of this recording has no such table"
                      : figure->column == UINT32_MAX ? "the table of this recording has no such column"
                                                     : assumption(judge->report, figure);
    if (why) {
        unmeasured(out, why);
        return;
    }
    if (!find_before(&subject, out)) return;
    bool is_matched = subject.before && figure->info->shape != TK_TABLE_FIGURES;
    if (is_matched) subject.rows_before = tk_row_index_new(subject.before, judge->alloc);
    judge_rows(&subject, judge->alloc, out);
    tk_row_index_free(subject.rows_before, judge->alloc);
    if (judge->alloc && judge->alloc->failed) unmeasured(out, "out of memory");
}

// Judges both ends of the range of a period. The worse verdict counts.
static void judge_period(const struct tk_judge *judge, const struct tk_rule *rule, struct tk_verdict *out) {
    static const uint8_t ranks[] = {
        [TK_EXPECT_PASS] = 0, [TK_EXPECT_UNMEASURED] = 1, [TK_EXPECT_FAIL] = 2, [TK_EXPECT_INVALID] = 3
    };
    struct tk_rule shortest = *rule;
    struct tk_verdict lower = { .verdict = TK_EXPECT_PASS };
    shortest.column = (struct tk_span){ "period_min", strlen("period_min") };
    judge_figure(judge, rule, false, out);
    judge_figure(judge, &shortest, true, &lower);
    if (ranks[lower.verdict] > ranks[out->verdict]) *out = lower;
}

void tk_judge_rule(const struct tk_judge *judge, const struct tk_rule *rule, struct tk_verdict *out) {
    *out = (struct tk_verdict){ .verdict = TK_EXPECT_PASS };
    bool is_special = rule->kind == TK_RULE_FINDINGS || rule->kind == TK_RULE_RECORDING;
    if (is_special && judge->report && has_no_time(judge->report)) {
        unmeasured(out, "there is no event with a time");
        return;
    }
    switch (rule->kind) {
    case TK_RULE_FINDINGS: tk_judge_findings(judge->report, rule, out); break;
    case TK_RULE_RECORDING: tk_judge_recording(judge->report, rule, out); break;
    case TK_RULE_PERIOD: judge_period(judge, rule, out); break;
    default: judge_figure(judge, rule, false, out);
    }
}
