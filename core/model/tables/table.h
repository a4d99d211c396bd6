// SPDX-License-Identifier: MIT
//
// The report as data: tables. Sources output their figures row by row; the outputs
// (JSON, text, CSV, comparison) are implemented once, for all tables (tk_table_sink).
//
//   tk_table_begin(sink, &table);
//   for each row: one tk_cell_* per column, in their order
//   tk_table_end(sink);
//
// The same calls give the same tables until the next event. Allocates nothing.
#ifndef TK_MODEL_TABLES_TABLE_H
#define TK_MODEL_TABLES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Kind of a column. Sources pass durations and times as ticks of the trace clock; sinks output them as nanoseconds, or
// as ticks if the tick length is unknown.
enum tk_column_kind {
    TK_COLUMN_NAME,
    TK_COLUMN_TEXT,
    TK_COLUMN_FLAG,     // name of an entity; text; yes or no
    TK_COLUMN_COUNT,    // a number of items, >= 0
    TK_COLUMN_NUMBER,   // an id, or a measured value with a unit; unsigned, signed or double
    TK_COLUMN_DURATION, // ticks
    TK_COLUMN_TIME,     // a time on the trace clock
    TK_COLUMN_SHARE,    // 0 .. 1 of a whole, in millionths
    TK_COLUMN_KINDS
};

// Role of a column: its relation to the nearest value to its left.
enum tk_column_role {
    TK_ROLE_VALUE,
    TK_ROLE_KEY,        // distinguishes rows of the same name, together with the first column
    TK_ROLE_AT,         // time of the value, which a viewer can open
    TK_ROLE_NOTE,       // text about the value
    TK_ROLE_MEASURED,   // number of measured occurrences in the value
    TK_ROLE_UNMEASURED, // number of occurrences that were excluded because their length is unknown
    TK_ROLE_BEFORE,     // comparison: the value in the first report
    TK_ROLE_CHANGE,     // comparison: the difference to it
    TK_ROLE_HIDDEN,     // a value for programs only
    TK_COLUMN_ROLES
};

// Combination of the values when rows of the same name are merged.
enum tk_column_fold { TK_FOLD_NONE, TK_FOLD_SUM, TK_FOLD_MIN, TK_FOLD_MAX, TK_COLUMN_FOLDS };

struct tk_column {
    const char *key, *title; // key: lower case with underscores; with the id of the table it is the path of a figure
    uint8_t kind, role;      // enum tk_column_kind, enum tk_column_role
    const char *unit;        // unit of a count or number; NULL: none
    uint8_t fold;            // enum tk_column_fold
};

enum tk_table_shape {
    TK_TABLE_LIST,
    TK_TABLE_FIGURES, // one row, shown as a list of titles and values
    TK_TABLE_PROSE,   // rows are sentences
    TK_TABLE_DETAILS, // rows about rows of another table: reports as text and comparisons leave them out
    TK_TABLE_SHAPES
};

// The first column contains the name of the row. Ids and keys are static or live as long as the source.
struct tk_table {
    const char *id, *title;
    const struct tk_column *columns;
    uint32_t column_count;
    uint8_t shape;     // enum tk_table_shape
    const char *sort;  // key of the column whose largest values are shown first; NULL: order of the rows
    const char *about; // a sentence for the schema; NULL: a table read from a report
};

#define TK_TABLE_COLUMNS(list) list, sizeof list / sizeof *list

enum tk_cell_type { TK_CELL_NONE, TK_CELL_UINT, TK_CELL_INT, TK_CELL_DOUBLE, TK_CELL_TEXT };

// Borrowed during the call.
struct tk_cell {
    uint32_t type; // NONE: unknown or not measured
    uint32_t len;  // length of `text`, which is UTF-8 and not terminated
    union {
        uint64_t u;
        int64_t i;
        double d;
        const char *text;
    };
};

struct tk_table_sink {
    void *ctx;
    void (*begin)(void *ctx, const struct tk_table *table);
    void (*cell)(void *ctx, const struct tk_cell *cell);
    void (*end)(void *ctx);
    uint64_t tick_ns; // tick length in ns; 0: unknown, times stay ticks
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
void tk_cell_mean(const struct tk_table_sink *sink, uint64_t ticks, uint64_t count); // rounded; unknown if count is 0
void tk_cell_share(const struct tk_table_sink *sink, uint64_t part, uint64_t whole); // unknown if whole is 0
// Output the typical value and the spread of a figure in two cells, rounded; unknown if the noise is. scale: factor to
// units of the cells (ticks for durations, millionths for shares).
struct tk_noise;
void tk_cells_noise(const struct tk_table_sink *sink, const struct tk_noise *noise, double scale);
void tk_cells_noise_ticks(const struct tk_table_sink *sink, const struct tk_noise *noise);
// Output the value, or unknown.
void tk_cell_uint_if(const struct tk_table_sink *sink, bool known, uint64_t value);
void tk_cell_ticks_if(const struct tk_table_sink *sink, bool known, uint64_t ticks);

// Returns part / whole in units of 1/scale, rounded, without overflow; 0 if whole is 0. scale <= 2^20.
uint64_t tk_fraction(uint64_t part, uint64_t whole, uint32_t scale);

#endif
