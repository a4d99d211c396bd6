// SPDX-License-Identifier: MIT
//
// What was found in a recording. A source hands out tables and series; tk_report_write_json writes them as they come
// and allocates nothing. A collected report holds the tables, and is what people read, what is compared and what is
// judged.
#ifndef TK_REPORT_REPORT_H
#define TK_REPORT_REPORT_H

#include "../base/alloc.h"
#include "../base/out.h"
#include "../model/tables/table.h"
#include "../tonkopf.h"
#include "time_basis.h"

enum { TK_REPORT_SCHEMA = 3, TK_REPORT_COLUMNS = 64 }; // docs/REPORT.md; wider tables are cut

struct tk_report_source {
    const void *ctx;
    void (*tables)(const void *ctx, const struct tk_table_sink *sink);
    void (*series)(const void *ctx, const struct tk_table_sink *sink);
    const char *tool;                                         // "Tonkopf 0.1.0"
    uint64_t tick_ns;                                         // units of `times` per tick; 0: a tick is one
    struct tk_time_basis times;                               // of all durations and times
    const char *const *expand, *const *collapse, *const *pin; // regular expressions over track names for the viewer
    uint32_t expand_count, collapse_count, pin_count;
};

// False when `write` refused.
bool tk_report_write_json(const struct tk_report_source *source, tk_out_write_fn write, void *ctx);
// What the viewer does after loading, as its startup commands.
bool tk_report_write_commands(const struct tk_report_source *source, tk_out_write_fn write, void *ctx);

// ---- Collected ----

struct tk_report_table {
    struct tk_table info;
    struct tk_cell *cells; // row by row
    uint32_t cell_count, cell_capacity;
};

struct tk_report_block {
    struct tk_report_block *next;
    size_t size, used; // of all of it
};

struct tk_report {
    struct tk_alloc alloc;
    struct tk_report_table *tables;
    uint32_t count, capacity;
    struct tk_report_block *blocks; // texts, and columns that are not static
    const char *tool;
    struct tk_time_basis times; // of all durations and times
};

// An empty one. NULL: no memory.
tk_report *tk_report_begin(const struct tk_allocator *allocator, const char *tool,
                           struct tk_time_basis times); // its
                                                        // unit is
                                                        // copied
// Memory that lives as long as the report; NULL: no memory.
void *tk_report_alloc(tk_report *report, size_t size);
const char *tk_report_copy_text(tk_report *report, const char *text, size_t len); // terminated
// Takes tables and ignores series. What it is told is copied, but for the description of a table.
struct tk_table_sink tk_report_sink(tk_report *report, uint64_t tick_ns);
extern const struct tk_table *const tk_verdict_table_list[]; // verdicts.c
// The report when it is whole, else it is freed.
tk_status tk_report_complete(tk_report *report, tk_report **out_report);

static inline uint32_t tk_report_rows(const struct tk_report_table *table) {
    return table->cell_count / table->info.column_count;
}
static inline const struct tk_cell *tk_report_cell(const struct tk_report_table *table, uint32_t row, uint32_t column) {
    return &table->cells[(size_t)row * table->info.column_count + column];
}
// NULL: there is none.
const struct tk_report_table *tk_report_table(const tk_report *report, const char *id, size_t len);
// UINT32_MAX: there is none.
uint32_t tk_report_column(const struct tk_report_table *table, const char *key, size_t len);
// By keys; NULL: there is no such table, row or column.
const struct tk_cell *tk_report_find(const tk_report *report, const char *table, uint32_t row, const char *column);
// A known and not empty value.
bool tk_report_has(const struct tk_cell *cell, uint8_t kind);

// A value as programs read it, without quotes: digits, a fraction, true, text; nothing when it is not known.
void tk_report_put_value(struct tk_out *out, uint8_t kind, const struct tk_cell *cell);
// Millionths as a decimal fraction without trailing zeros.
void tk_report_put_millionths(struct tk_out *out, uint64_t value, bool negative);

extern const char *const tk_report_kinds[TK_COLUMN_KINDS], *const tk_report_roles[TK_COLUMN_ROLES],
                                                               *const tk_report_folds[TK_COLUMN_FOLDS],
                                                                   *const tk_report_shapes[TK_TABLE_PROSE + 1];

#endif
