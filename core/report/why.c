// SPDX-License-Identifier: MIT
//
// tk_report_write_why: why the worst jobs of a task were late.
#include "cell_text.h"

struct why {
    const tk_report *report;
    const char *task;
};

static const struct tk_report_table *worst_jobs(const tk_report *report) {
    return tk_report_table(report, "worst_jobs", strlen("worst_jobs"));
}

// The first column contains the name.
static bool is_of_task(const struct tk_report_table *table, uint32_t row, const char *task) {
    const struct tk_cell *name = tk_report_cell(table, row, 0);
    return name->type == TK_CELL_TEXT && name->len == strlen(task) && !memcmp(name->text, task, name->len);
}

static bool has_task(const struct tk_report_table *table, const char *task) {
    for (uint32_t row = 0; table && row < tk_report_rows(table); row++)
        if (is_of_task(table, row, task)) return true;
    return false;
}

// ---- JSON: a report with the rows of the task --------------------------------------------------

static void put_rows(const void *ctx, const struct tk_table_sink *sink) {
    static const char *const ids[] = { "worst_jobs", "worst_causes" };
    const struct why *why = ctx;
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++) {
        const struct tk_report_table *table = tk_report_table(why->report, ids[i], strlen(ids[i]));
        if (!table) continue;
        sink->begin(sink->ctx, &table->info);
        for (uint32_t row = 0; row < tk_report_rows(table); row++)
            for (uint32_t column = 0; is_of_task(table, row, why->task) && column < table->info.column_count; column++)
                sink->cell(sink->ctx, tk_report_cell(table, row, column));
        sink->end(sink->ctx);
    }
}

// ---- Text --------------------------------------------------------------------------------------

static void put_cell(struct tk_out *out, const tk_report *report, uint32_t row, const char *key) {
    const struct tk_report_table *table = worst_jobs(report);
    uint32_t column = tk_report_column(table, key, strlen(key));
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(room, sizeof room);
    if (column == UINT32_MAX) return;
    tk_cell_text_cell(&words, report->times.unit, &table->info.columns[column], tk_report_cell(table, row, column));
    tk_out_bytes(out, words.text, words.len);
}

static void put_job(struct tk_out *out, const tk_report *report, uint32_t row) {
    const struct tk_report_table *table = worst_jobs(report);
    uint32_t why = tk_report_column(table, "why", strlen("why"));
    put_cell(out, report, row, "name");
    tk_out_text(out, ", response ");
    put_cell(out, report, row, "response");
    tk_out_text(out, ", from ");
    put_cell(out, report, row, "release");
    tk_out_text(out, " to ");
    put_cell(out, report, row, "end");
    tk_out_text(out, "\n  ");
    if (why != UINT32_MAX) tk_cell_text_put_long(out, tk_report_cell(table, row, why));
    tk_out_char(out, '\n');
}

tk_status tk_report_write_why(const tk_report *report, const char *task, bool json, tk_write_fn write, void *ctx) {
    const struct tk_report_table *table = worst_jobs(report);
    struct why why = { report, task };
    if (!has_task(table, task)) return TK_MISUSE;
    if (json) {
        const struct tk_report_source source = { &why, put_rows, report->tool, 1, report->times, NULL, NULL, NULL, 0,
                                                 0,    0 };
        return tk_report_write_json(&source, write, ctx) ? TK_OK : TK_SINK_REFUSED;
    }
    struct tk_out out;
    tk_out_init(&out, write, ctx);
    for (uint32_t row = 0; row < tk_report_rows(table); row++)
        if (is_of_task(table, row, task)) put_job(&out, report, row);
    return tk_out_flush(&out) ? TK_OK : TK_SINK_REFUSED;
}
