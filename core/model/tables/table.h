// SPDX-License-Identifier: MIT
//
// The report is data: tables, and series over time. Whoever knows figures hands them out row by row (tk_table_source);
// what becomes of them (JSON, text, CSV, a comparison) is written once, for all tables (tk_table_sink).
//
//   tk_table_begin(sink, &table);
//   for each row: one tk_cell_* per column, in their order
//   tk_table_end(sink);
//
// The same calls give the same tables until an event is handed in. Nothing is allocated.
#ifndef TK_MODEL_TABLES_TABLE_H
#define TK_MODEL_TABLES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What a cell of a column is. Durations and times are handed in as ticks of the trace clock, and leave as nanoseconds,
// or as ticks where nothing tells how long one is.
enum tk_column_kind {
    TK_COLUMN_NAME,
    TK_COLUMN_TEXT,
    TK_COLUMN_FLAG,     // of an entity; words; yes or no
    TK_COLUMN_COUNT,    // how many, >= 0
    TK_COLUMN_NUMBER,   // an id, or a measured value with a unit; unsigned, signed or double
    TK_COLUMN_DURATION, // ticks
    TK_COLUMN_TIME,     // a moment on the trace clock
    TK_COLUMN_SHARE,    // 0 .. 1 of something, in millionths
    TK_COLUMN_KINDS
};

// What a column says about the nearest value to its left; shown beside it where there is room for that.
enum tk_column_role {
    TK_ROLE_VALUE,
    TK_ROLE_KEY,        // tells rows of one name apart, together with the first column
    TK_ROLE_AT,         // the moment of the value: can be opened in a viewer
    TK_ROLE_NOTE,       // words about the value
    TK_ROLE_MEASURED,   // of how many pieces it was made
    TK_ROLE_UNMEASURED, // how many pieces were left out, since their true length is not known
    TK_ROLE_BEFORE,     // comparison: the value in the first report
    TK_ROLE_CHANGE,     // comparison: the difference to it
    TK_ROLE_HIDDEN,     // for programs only
    TK_COLUMN_ROLES
};

// What becomes of the values when rows of one name are shown as one.
enum tk_column_fold { TK_FOLD_NONE, TK_FOLD_SUM, TK_FOLD_MIN, TK_FOLD_MAX, TK_COLUMN_FOLDS };

struct tk_column {
    const char *key, *title; // key: lower case with underscores; with the id of the table the path of a figure
    uint8_t kind, role;      // enum tk_column_kind, enum tk_column_role
    const char *unit;        // of a count or number; NULL: none
    uint8_t fold;            // enum tk_column_fold
};

enum tk_table_shape {
    TK_TABLE_LIST,
    TK_TABLE_FIGURES, // one row, whose values are told by their titles
    TK_TABLE_PROSE    // rows are sentences
};

// The first column names the row. Ids and keys are static or live as long as what hands them out.
struct tk_table {
    const char *id, *title;
    const struct tk_column *columns;
    uint32_t column_count;
    uint8_t shape;     // enum tk_table_shape
    const char *sort;  // key of the column whose largest values a person wants to see first; NULL: as the rows come
    const char *about; // a sentence for the schema; NULL: of a table that was read
};

#define TK_TABLE_COLUMNS(list) list, sizeof list / sizeof *list

enum tk_cell_type { TK_CELL_NONE, TK_CELL_UINT, TK_CELL_INT, TK_CELL_DOUBLE, TK_CELL_TEXT };

// Borrowed until the call returns.
struct tk_cell {
    uint32_t type; // NONE: not known, not measured
    uint32_t len;  // of `text`, which is UTF-8 and not terminated
    union {
        uint64_t u;
        int64_t i;
        double d;
        const char *text;
    };
};

// Part of each bucket of time that something was active, or how often something happened in it; for a picture.
struct tk_series {
    const char *group; // id of a table, or of a group without one
    uint32_t row;      // number of its row in that table, UINT32_MAX: none
    const char *label;
    size_t label_len;
    uint32_t count;                                                     // buckets
    uint32_t (*value)(const struct tk_series *series, uint32_t bucket); // 0 .. 1000
    const void *ctx;                                                    // this and the next two are for `value`
    uint32_t index;
    uint64_t most;
};

struct tk_table_sink {
    void *ctx;
    void (*begin)(void *ctx, const struct tk_table *table);
    void (*cell)(void *ctx, const struct tk_cell *cell);
    void (*end)(void *ctx);
    void (*series)(void *ctx, const struct tk_series *series); // behind all tables
    uint64_t tick_ns;                                          // length of a tick; 0: not known, times stay ticks
};

static inline void tk_table_begin(const struct tk_table_sink *sink, const struct tk_table *table) {
    sink->begin(sink->ctx, table);
}
static inline void tk_table_end(const struct tk_table_sink *sink) { sink->end(sink->ctx); }

void tk_cell_none(const struct tk_table_sink *sink);
void tk_cell_uint(const struct tk_table_sink *sink, uint64_t value); // counts, ids, flags
void tk_cell_int(const struct tk_table_sink *sink, int64_t value);
void tk_cell_double(const struct tk_table_sink *sink, double value); // finite; others become unknown
void tk_cell_text(const struct tk_table_sink *sink, const char *text, size_t len);
void tk_cell_word(const struct tk_table_sink *sink, const char *text);               // terminated
void tk_cell_ticks(const struct tk_table_sink *sink, uint64_t ticks);                // a duration or a time; saturates
void tk_cell_mean(const struct tk_table_sink *sink, uint64_t ticks, uint64_t count); // rounded; unknown when count is 0
void tk_cell_share(const struct tk_table_sink *sink, uint64_t part, uint64_t whole); // unknown when whole is 0
// The value, or unknown.
void tk_cell_uint_if(const struct tk_table_sink *sink, bool known, uint64_t value);
void tk_cell_ticks_if(const struct tk_table_sink *sink, bool known, uint64_t ticks);

// part / whole in units of 1/scale, rounded, without overflow; 0 when whole is 0. scale <= 2^20.
uint64_t tk_fraction(uint64_t part, uint64_t whole, uint32_t scale);

#endif
