// SPDX-License-Identifier: MIT
//
// Explains mistakes in rules: what is wrong, and which names there are.
#include "amount.h"
#include "figure.h"
#include "judge.h"

#include "../base/nearest.h"
#include "../report/cell_text.h"
#include "../report/schema.h"

enum { SUGGESTIONS = 8, QUOTED_NAME = 48 };

void tk_explain_span(struct tk_text *words, struct tk_span span) {
    tk_cell_text_name(words, span.text, span.len, QUOTED_NAME);
}

void tk_explain_row_name(const struct tk_report_table *table, uint32_t row, struct tk_text *words) {
    tk_cell_text_cell(words, "ns", &table->info.columns[0], tk_report_cell(table, row, 0));
}

struct nearest {
    const char *names[SUGGESTIONS];
    size_t distances[SUGGESTIONS];
    unsigned count;
};

static void suggest(struct nearest *nearest, struct tk_span wanted, const char *name) {
    size_t far = tk_edit_distance(wanted.text, wanted.len, name, strlen(name));
    unsigned at = nearest->count;
    for (unsigned i = 0; i < nearest->count; i++)
        if (!strcmp(nearest->names[i], name)) return;
    if (at == SUGGESTIONS && nearest->distances[--at] <= far) return;
    for (; at && nearest->distances[at - 1] > far; at--) {
        nearest->names[at] = nearest->names[at - 1];
        nearest->distances[at] = nearest->distances[at - 1];
    }
    nearest->names[at] = name;
    nearest->distances[at] = far;
    if (nearest->count < SUGGESTIONS) nearest->count++;
}

void tk_explain_nearest(struct tk_text *words, struct tk_span wanted, const char *(*next)(void *ctx), void *ctx) {
    struct nearest nearest = { .count = 0 };
    const char *name;
    while ((name = next(ctx))) suggest(&nearest, wanted, name);
    for (unsigned i = 0; i < nearest.count; i++) {
        tk_text_add(words, i ? ", " : " ");
        tk_text_add(words, nearest.names[i]);
    }
}

struct table_walk {
    const tk_report *report;
    uint32_t index;
    struct tk_schema_walk schema;
};

static const char *next_table(void *ctx) {
    struct table_walk *walk = ctx;
    if (walk->report && walk->index < walk->report->count) return walk->report->tables[walk->index++].info.id;
    const struct tk_table *table = tk_schema_next(&walk->schema);
    return table ? table->id : NULL;
}

void tk_explain_no_table(const tk_report *report, const struct tk_rule *rule, struct tk_text *words) {
    struct table_walk walk = { .report = report };
    tk_text_add(words, "there is no table \"");
    tk_explain_span(words, rule->table);
    tk_text_add(words, "\"; the most similar ones are");
    tk_explain_nearest(words, rule->table, next_table, &walk);
}

void tk_explain_no_column(const struct tk_table *table, const struct tk_rule *rule, struct tk_text *words) {
    tk_text_add(words, "the table \"");
    tk_text_add(words, table->id);
    tk_text_add(words, "\" has no column \"");
    tk_explain_span(words, rule->column);
    tk_text_add(words, "\"; it has");
    for (uint32_t i = 0; i < table->column_count; i++)
        tk_text_add(words, i ? ", " : " "), tk_text_add(words, table->columns[i].key);
}

void tk_explain_no_row(const struct tk_report_table *table, struct tk_text *words) {
    unsigned count = 0;
    tk_text_add(words, "not measured: no row of \"");
    tk_text_add(words, table->info.id);
    tk_text_add(words, tk_report_rows(table) ? "\" matches; there are" : "\" matches; it is empty");
    for (uint32_t row = 0; row < tk_report_rows(table) && count <= SUGGESTIONS; row++, count++) {
        tk_text_add(words, !count ? " " : count < SUGGESTIONS ? ", " : " ...");
        if (count < SUGGESTIONS) tk_explain_row_name(table, row, words);
    }
}

void tk_explain_bad_value(const struct tk_column *column, const char *time_unit, const struct tk_rule *rule,
                          struct tk_text *words) {
    struct tk_amount_units units = tk_amount_units_of(column, time_unit);
    bool is_text = tk_figure_is_text(column);
    tk_text_add(words, column->kind == TK_COLUMN_FLAG ? "this figure can only be compared with == true or == false"
                       : is_text           ? "this figure is not a number; it can only be compared with == and a text"
                       : rule->is_baseline ? "not an offset of this figure; it takes a number"
                                           : "not a value of this figure; it takes a number");
    char room[64];
    struct tk_text names = tk_text_in(room, sizeof room);
    tk_amount_put_units(&names, &units);
    if (is_text || !names.len) return;
    tk_text_add(words, " with a unit: ");
    tk_text_add(words, room);
}
