// SPDX-License-Identifier: MIT
#include "misses.h"

#include "../model/tables/histogram.h"
#include "bounds.h"

static const char group[] = "response_";

// Returns the percentage of a column of response times: 100 for the longest one; 0: none.
static unsigned percentage(const struct tk_column *column) {
    size_t len = sizeof group - 1;
    if (strncmp(column->key, group, len) != 0 || column->kind != TK_COLUMN_DURATION) return 0;
    return strcmp(column->key + len, "max") ? tk_bounds_percentile(column->key) : 100;
}

// A percentile above the deadline: so are all jobs from its rank on. A percentile within it: so are all jobs up to its
// rank.
static void count_by_percentiles(const struct tk_report_table *table, uint32_t row, const struct tk_amount *deadline,
                                 struct tk_misses *out) {
    for (uint32_t i = 0; i < table->info.column_count; i++) {
        const struct tk_cell *cell = tk_report_cell(table, row, i);
        unsigned percent = percentage(&table->info.columns[i]);
        if (!percent || cell->type != TK_CELL_UINT) continue;
        uint64_t rank = tk_percentile_rank(out->jobs, percent), left = out->jobs - rank;
        struct tk_cell low = *cell; // the report rounds percentiles of many values up
        if (percent < 100 && out->jobs > TK_HISTOGRAM_EXACT) low.u -= low.u >> TK_HISTOGRAM_FINE;
        if (tk_amount_compare(&low, deadline) > 0 && left + 1 > out->least) out->least = left + 1;
        if (tk_amount_compare(cell, deadline) <= 0 && left < out->most) out->most = left;
    }
}

static bool has_same_name(const struct tk_cell *a, const struct tk_cell *b) {
    return a->type == TK_CELL_TEXT && b->type == TK_CELL_TEXT && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static uint64_t rows_of_name(const struct tk_report_table *table, const struct tk_cell *name) {
    uint64_t count = 0;
    for (uint32_t row = 0; row < tk_report_rows(table); row++)
        count += has_same_name(tk_report_cell(table, row, 0), name);
    return count;
}

// The report counts the jobs of each task in ranges of response times: a job is longer than the range before its own.
static void count_by_distribution(const tk_report *report, const struct tk_cell *name, const struct tk_amount *deadline,
                                  struct tk_misses *out) {
    const struct tk_report_table *ranges = tk_report_table(report, "job_distribution", strlen("job_distribution"));
    uint32_t end = ranges ? tk_figure_column(&ranges->info, "up_to") : UINT32_MAX,
             count = ranges ? tk_figure_column(&ranges->info, "jobs") : UINT32_MAX;
    if (end == UINT32_MAX || count == UINT32_MAX) return;
    uint64_t missed = 0, met = 0, all = 0;
    bool all_miss = false; // all jobs of the range miss the deadline: the range before ends at it or after it
    for (uint32_t i = 0; i < tk_report_rows(ranges); i++) {
        const struct tk_cell *up_to = tk_report_cell(ranges, i, end), *jobs = tk_report_cell(ranges, i, count);
        if (!has_same_name(tk_report_cell(ranges, i, 0), name)) continue;
        if (up_to->type != TK_CELL_UINT || jobs->type != TK_CELL_UINT || jobs->u > out->jobs - all) return;
        int order = tk_amount_compare(up_to, deadline);
        all += jobs->u;
        if (order <= 0) met += jobs->u;
        if (all_miss) missed += jobs->u;
        all_miss = order >= 0;
    }
    if (all != out->jobs) return;
    if (missed > out->least) out->least = missed;
    if (out->jobs - met < out->most) out->most = out->jobs - met;
}

// The report lists the longest jobs of each task. If one of them meets the deadline, all others do.
static void count_by_list(const tk_report *report, const struct tk_cell *name, const struct tk_amount *deadline,
                          struct tk_misses *out) {
    const struct tk_report_table *worst = tk_report_table(report, "worst_jobs", strlen("worst_jobs"));
    uint32_t column = worst ? tk_figure_column(&worst->info, "response") : UINT32_MAX;
    if (column == UINT32_MAX) return;
    uint64_t missed = 0, met = 0;
    for (uint32_t i = 0; i < tk_report_rows(worst); i++) {
        const struct tk_cell *response = tk_report_cell(worst, i, column);
        if (!has_same_name(tk_report_cell(worst, i, 0), name) || response->type != TK_CELL_UINT) continue;
        if (tk_amount_compare(response, deadline) > 0) missed++;
        else met++;
    }
    if (missed > out->least) out->least = missed;
    if ((met || missed == out->jobs) && missed < out->most) out->most = missed;
}

// Returns true for the name of a row: that of a task, or with a wait "TASK / WAIT".
static bool is_name_of(const struct tk_cell *name, const struct tk_cell *task, const struct tk_cell *wait) {
    static const char between[] = " / ";
    enum { BETWEEN = sizeof between - 1 };
    if (wait->type != TK_CELL_TEXT) return has_same_name(name, task);
    return name->type == TK_CELL_TEXT && task->type == TK_CELL_TEXT && name->len == task->len + BETWEEN + wait->len &&
           !memcmp(name->text, task->text, task->len) && !memcmp(name->text + task->len, between, BETWEEN) &&
           !memcmp(name->text + task->len + BETWEEN, wait->text, wait->len);
}

// The report has counted the late jobs if the deadline was given before the recording was read.
static bool is_counted(const tk_report *report, const struct tk_cell *name, const struct tk_rule *rule,
                       struct tk_misses *out) {
    const struct tk_report_table *table = tk_report_table(report, "deadlines", strlen("deadlines"));
    static const char *const keys[] = { "wait", "deadline", "count", "count_unmeasured", "late" };
    enum { WAIT, DEADLINE, COUNT, UNMEASURED, LATE, KEYS };
    uint32_t columns[KEYS], found = 0;
    for (unsigned i = 0; table && i < KEYS; i++)
        if ((columns[i] = tk_figure_column(&table->info, keys[i])) == UINT32_MAX) return false;
    for (uint32_t row = 0; table && row < tk_report_rows(table); row++) {
        const struct tk_cell *cells[KEYS];
        for (unsigned i = 0; i < KEYS; i++) cells[i] = tk_report_cell(table, row, columns[i]);
        bool is_of_wait = cells[WAIT]->type == TK_CELL_TEXT;
        if (is_of_wait != (rule->wait.text != NULL) || !is_name_of(name, tk_report_cell(table, row, 0), cells[WAIT]) ||
            cells[DEADLINE]->type != TK_CELL_TEXT || cells[DEADLINE]->len != rule->value.len ||
            memcmp(cells[DEADLINE]->text, rule->value.text, rule->value.len))
            continue;
        bool is_known = cells[LATE]->type == TK_CELL_UINT && cells[COUNT]->type == TK_CELL_UINT &&
                        cells[UNMEASURED]->type == TK_CELL_UINT &&
                        cells[COUNT]->u - cells[UNMEASURED]->u == out->jobs && cells[LATE]->u <= out->jobs;
        if (!is_known) return false;
        out->least = out->most = cells[LATE]->u;
        found++;
    }
    return found == 1;
}

struct tk_misses tk_misses_of(const tk_report *report, const struct tk_report_table *table, uint32_t row,
                              uint64_t measured, const struct tk_rule *rule, const struct tk_amount *deadline) {
    const struct tk_cell *name = tk_report_cell(table, row, 0);
    struct tk_misses misses = { .jobs = measured };
    if (rows_of_name(table, name) == 1 && is_counted(report, name, rule, &misses)) return misses;
    misses = (struct tk_misses){ .most = measured, .jobs = measured };
    count_by_percentiles(table, row, deadline, &misses);
    if (!strcmp(table->info.id, "jobs") && rows_of_name(table, name) == 1) { // the other tables have names only
        count_by_distribution(report, name, deadline, &misses);
        count_by_list(report, name, deadline, &misses);
    }
    if (misses.least > misses.most) misses.most = misses.least; // the report contradicts itself
    return misses;
}
