// SPDX-License-Identifier: MIT
//
// One table as CSV (RFC 4180): a line of keys, then a line per row, each ended by CR and LF.
#include "people.h"

static void put_doubled(struct tk_out *out, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"') tk_out_char(out, '"');
        tk_out_char(out, text[i]);
    }
}

static bool needs_quotes(const char *text, size_t len) {
    if (len && (text[0] == ' ' || text[len - 1] == ' ')) return true;
    for (size_t i = 0; i < len; i++)
        if (text[i] && strchr(",\"\r\n", text[i])) return true;
    return false;
}

static void put_cell(struct tk_out *out, const struct tk_column *column, const struct tk_cell *cell) {
    bool quotes = cell->type == TK_CELL_TEXT && needs_quotes(cell->text, cell->len);
    if (!quotes) {
        tk_report_put_plain(out, column->kind, cell);
        return;
    }
    tk_out_char(out, '"');
    put_doubled(out, cell->text, cell->len);
    tk_out_char(out, '"');
}

void tk_report_put_csv(struct tk_out *out, const struct tk_report_table *table) {
    const struct tk_table *info = &table->info;
    for (uint32_t i = 0; i < info->column_count; i++) {
        if (i) tk_out_char(out, ',');
        tk_out_text(out, info->columns[i].key);
    }
    tk_out_text(out, "\r\n");
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        for (uint32_t i = 0; i < info->column_count; i++) {
            if (i) tk_out_char(out, ',');
            put_cell(out, &info->columns[i], tk_report_cell(table, row, i));
        }
        tk_out_text(out, "\r\n");
    }
}
