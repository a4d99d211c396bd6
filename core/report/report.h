// SPDX-License-Identifier: MIT
//
// The report of a conversion. A source outputs tables; tk_report_write_json writes them directly and
// allocates nothing. A collected report (tk_report) stores the tables for reading, comparing and checking.
#ifndef TK_REPORT_REPORT_H
#define TK_REPORT_REPORT_H

#include "../base/alloc.h"
#include "../base/out.h"
#include "../model/tables/table.h"
#include "../tonkopf.h"
#include "time_basis.h"

enum { TK_REPORT_SCHEMA = 4, TK_REPORT_COLUMNS = 64 }; // docs/REPORT.md; wider tables are cut

struct tk_report_source {
    const void *ctx;
    void (*tables)(const void *ctx, const struct tk_table_sink *sink);
    const char *tool;                                         // "Tonkopf 0.1.0"
    uint64_t tick_ns;                                         // units of `times` per tick; 0: a tick is one unit
    struct tk_time_basis times;                               // basis of all durations and times
    const char *const *expand, *const *collapse, *const *pin; // regular expressions over track names for the viewer
    uint32_t expand_count, collapse_count, pin_count;
};

// Writes the report. Returns false when `write` refused.
bool tk_report_write_json(const struct tk_report_source *source, tk_out_write_fn write, void *ctx);
// Writes the startup commands that the viewer executes after loading.
bool tk_report_write_commands(const struct tk_report_source *source, tk_out_write_fn write, void *ctx);

// ---- Collected reports ----

struct tk_report_table {
    struct tk_table info;
    struct tk_cell *cells; // row by row
    uint32_t cell_count, cell_capacity;
};

struct tk_report_block {
    struct tk_report_block *next;
    size_t size, used; // size of the block with this head; bytes in use
};

struct tk_report {
    struct tk_alloc alloc;
    struct tk_report_table *tables;
    uint32_t count, capacity;
    struct tk_report_block *blocks; // memory of texts and of columns that are not static
    const char *tool;
    struct tk_time_basis times; // basis of all durations and times
};

// Creates an empty report. Copies the unit of `times`. Returns NULL when out of memory.
tk_report *tk_report_begin(const struct tk_allocator *allocator, const char *tool, struct tk_time_basis times);
// Returns memory that lives as long as the report; NULL when out of memory.
void *tk_report_alloc(tk_report *report, size_t size);
const char *tk_report_copy_text(tk_report *report, const char *text, size_t len); // terminated
// Returns a sink that adds tables to the report. Copies all data except the description of a
// table.
struct tk_table_sink tk_report_sink(tk_report *report, uint64_t tick_ns);
extern const struct tk_table *const tk_verdict_table_list[]; // verdicts.c
extern const char *const tk_verdict_words[];                 // of each tk_expectation: "holds"
// Returns the report if it is complete; otherwise frees it and returns the error.
tk_status tk_report_complete(tk_report *report, tk_report **out_report);

static inline uint32_t tk_report_rows(const struct tk_report_table *table) {
    return table->cell_count / table->info.column_count;
}
static inline const struct tk_cell *tk_report_cell(const struct tk_report_table *table, uint32_t row, uint32_t column) {
    return &table->cells[(size_t)row * table->info.column_count + column];
}
// Returns a table by id; NULL if there is none.
const struct tk_report_table *tk_report_table(const tk_report *report, const char *id, size_t len);
// Returns the index of a column; UINT32_MAX if there is none.
uint32_t tk_report_column(const struct tk_report_table *table, const char *key, size_t len);
// Returns a cell by table id, row and column key; NULL if there is none.
const struct tk_cell *tk_report_find(const tk_report *report, const char *table, uint32_t row, const char *column);
// Returns a cell by column key; an unknown value if the table is NULL or has no such row or column.
const struct tk_cell *tk_report_cell_of(const struct tk_report_table *table, uint32_t row, const char *key);
// Returns true for a known and non-empty value of this kind; for a flag: if it is set.
bool tk_report_has(const struct tk_cell *cell, uint8_t kind);

// Writes a value for programs, without quotes: digits, a fraction, true, text; nothing if it is unknown.
void tk_report_put_value(struct tk_out *out, uint8_t kind, const struct tk_cell *cell);
// Writes millionths as a decimal fraction without trailing zeros.
void tk_report_put_millionths(struct tk_out *out, uint64_t value, bool negative);

extern const char *const tk_report_kinds[TK_COLUMN_KINDS], *const tk_report_roles[TK_COLUMN_ROLES],
                                                               *const tk_report_folds[TK_COLUMN_FOLDS],
                                                                   *const tk_report_shapes[TK_TABLE_SHAPES];

#endif
