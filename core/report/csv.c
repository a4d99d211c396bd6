// SPDX-License-Identifier: MIT
//
// Writes one table as CSV (RFC 4180): a line of column keys, then one line per row, each ended by CR and LF.
#include "schema.h"
#include "text_report.h"

static void put_cell(struct tk_out *out, const struct tk_column *column, const struct tk_cell *cell) {
    if (cell->type == TK_CELL_TEXT) tk_out_csv(out, cell->text, cell->len);
    else tk_report_put_value(out, column->kind, cell);
}

static bool has_times(const struct tk_table *info) {
    for (uint32_t i = 0; i < info->column_count; i++)
        if (info->columns[i].kind == TK_COLUMN_DURATION || info->columns[i].kind == TK_COLUMN_TIME) return true;
    return false;
}

// Writes the keys of the last two columns of a table with durations or times.
static void put_basis_keys(struct tk_out *out, const struct tk_table *info) {
    if (has_times(info)) tk_out_text(out, ",time_unit,time_certainty");
    tk_out_text(out, "\r\n");
}

static void put_basis(struct tk_out *out, const struct tk_table *info, struct tk_time_basis times) {
    if (has_times(info)) {
        tk_out_char(out, ',');
        tk_out_csv(out, times.unit, strlen(times.unit));
        tk_out_char(out, ',');
        tk_out_text(out, tk_time_certainty_keys[times.certainty]);
    }
    tk_out_text(out, "\r\n");
}

void tk_report_put_csv(struct tk_out *out, const struct tk_report_table *table, struct tk_time_basis times) {
    const struct tk_table *info = &table->info;
    for (uint32_t i = 0; i < info->column_count; i++) {
        if (i) tk_out_char(out, ',');
        tk_out_text(out, info->columns[i].key);
    }
    put_basis_keys(out, info);
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        for (uint32_t i = 0; i < info->column_count; i++) {
            if (i) tk_out_char(out, ',');
            put_cell(out, &info->columns[i], tk_report_cell(table, row, i));
        }
        put_basis(out, info, times);
    }
}

static void put_head(struct tk_out *out, const struct tk_table *info) {
    tk_out_text(out, "recording");
    for (uint32_t i = 0; i < info->column_count; i++) {
        tk_out_char(out, ',');
        tk_out_text(out, info->columns[i].key);
    }
    put_basis_keys(out, info);
}

void tk_report_put_csv_of(struct tk_out *out, const struct tk_report_table *table, struct tk_time_basis times,
                          const char *recording, bool with_head) {
    const struct tk_table *known = tk_schema_table(table->info.id), *info = known ? known : &table->info;
    if (with_head) put_head(out, info);
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        tk_out_csv(out, recording, strlen(recording));
        for (uint32_t i = 0; i < info->column_count; i++) {
            uint32_t column = tk_report_column(table, info->columns[i].key, strlen(info->columns[i].key));
            tk_out_char(out, ',');
            if (column != UINT32_MAX) put_cell(out, &table->info.columns[column], tk_report_cell(table, row, column));
        }
        put_basis(out, info, times);
    }
}
