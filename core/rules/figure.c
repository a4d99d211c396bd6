// SPDX-License-Identifier: MIT
#include "figure.h"

#include "../report/schema.h"

static uint32_t column_in(const struct tk_table *table, struct tk_span key) {
    for (uint32_t i = 0; i < table->column_count; i++)
        if (tk_span_is(key, table->columns[i].key)) return i;
    return UINT32_MAX;
}

struct tk_figure tk_figure_find(const tk_report *report, const struct tk_rule *rule) {
    struct tk_figure figure = { .column = UINT32_MAX };
    if (report) figure.table = tk_report_table(report, rule->table.text, rule->table.len);
    if (figure.table) {
        figure.info = &figure.table->info;
        figure.column = column_in(figure.info, rule->column);
        if (figure.column != UINT32_MAX) figure.about = &figure.info->columns[figure.column];
    }
    struct tk_schema_walk walk = { 0 };
    const struct tk_table *table;
    while (!figure.about && (table = tk_schema_next(&walk))) {
        if (!tk_span_is(rule->table, table->id)) continue;
        uint32_t column = column_in(table, rule->column);
        if (column != UINT32_MAX) figure.info = table, figure.about = &table->columns[column];
        else if (!figure.info) figure.info = table;
    }
    return figure;
}

uint32_t tk_figure_column(const struct tk_table *table, const char *key) {
    return column_in(table, (struct tk_span){ key, strlen(key) });
}

uint32_t tk_figure_unmeasured(const struct tk_table *table, uint32_t column) {
    if (table->columns[column].kind != TK_COLUMN_DURATION) return UINT32_MAX;
    for (uint32_t i = column + 1; i < table->column_count; i++) {
        if (table->columns[i].role == TK_ROLE_UNMEASURED) return i;
        if (table->columns[i].role == TK_ROLE_VALUE || table->columns[i].role == TK_ROLE_KEY) break;
    }
    for (uint32_t i = column; i-- > 0;)
        if (table->columns[i].role == TK_ROLE_UNMEASURED) return i;
    return UINT32_MAX;
}

uint32_t tk_figure_count(const struct tk_table *table, uint32_t unmeasured) {
    static const char ending[] = "_unmeasured";
    const char *key = table->columns[unmeasured].key;
    size_t len = strlen(key), end = sizeof ending - 1;
    if (len > end && !strcmp(key + len - end, ending)) {
        uint32_t found = column_in(table, (struct tk_span){ key, len - end });
        if (found != UINT32_MAX) return found;
    }
    for (uint32_t i = unmeasured; i-- > 0;)
        if (table->columns[i].role == TK_ROLE_VALUE && table->columns[i].kind == TK_COLUMN_COUNT) return i;
    return UINT32_MAX;
}

enum tk_time_part tk_figure_time_part(const struct tk_table *table, uint32_t column) {
    const struct tk_column *info = &table->columns[column];
    uint32_t unmeasured = tk_figure_column(table, "unmeasured");
    if ((info->kind != TK_COLUMN_SHARE && info->kind != TK_COLUMN_DURATION) || column == unmeasured) return TK_NO_PART;
    if (unmeasured != UINT32_MAX && table->columns[unmeasured].kind != TK_COLUMN_COUNT) return TK_PART_OF_ROW;
    bool is_share_of_cpu = !strcmp(info->key, "share") && tk_figure_column(table, "cpu") != UINT32_MAX;
    return !strcmp(info->key, "cpu") || is_share_of_cpu ? TK_PART_OF_CORES : TK_NO_PART;
}
