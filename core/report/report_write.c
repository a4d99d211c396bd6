// SPDX-License-Identifier: MIT
//
// tk_report_write: writes a collected report in any form.
#include "text_report.h"

static void put_tables(const void *ctx, const struct tk_table_sink *sink) {
    const tk_report *report = ctx;
    for (uint32_t i = 0; i < report->count; i++) {
        const struct tk_report_table *table = &report->tables[i];
        sink->begin(sink->ctx, &table->info);
        for (uint32_t cell = 0; cell < table->cell_count; cell++) sink->cell(sink->ctx, &table->cells[cell]);
        sink->end(sink->ctx);
    }
}

const char *tk_report_table_id(const tk_report *report, size_t index) {
    return index < report->count ? report->tables[index].info.id : NULL;
}

tk_status tk_report_write(const tk_report *report, tk_report_form form, const char *id, tk_write_fn write, void *ctx) {
    if (form == TK_REPORT_JSON) {
        const struct tk_report_source source = { report, put_tables, report->tool, 1, report->times,
                                                 NULL,   NULL,       NULL,         0, 0,
                                                 0 };
        return tk_report_write_json(&source, write, ctx) ? TK_OK : TK_SINK_REFUSED;
    }
    const struct tk_report_table *table = id ? tk_report_table(report, id, strlen(id)) : NULL;
    if (form == TK_REPORT_CSV && !table) return TK_MISUSE;
    struct tk_out out;
    tk_out_init(&out, write, ctx);
    if (form == TK_REPORT_CSV) tk_report_put_csv(&out, table, report->times);
    else tk_report_put_text(&out, report, form == TK_REPORT_MARKDOWN);
    return tk_out_flush(&out) ? TK_OK : TK_SINK_REFUSED;
}

tk_status tk_report_write_csv(const tk_report *report, const char *id, const char *recording, bool with_head,
                              tk_write_fn write, void *ctx) {
    const struct tk_report_table *table = tk_report_table(report, id, strlen(id));
    if (!table) return TK_MISUSE;
    struct tk_out out;
    tk_out_init(&out, write, ctx);
    tk_report_put_csv_of(&out, table, report->times, recording, with_head);
    return tk_out_flush(&out) ? TK_OK : TK_SINK_REFUSED;
}
