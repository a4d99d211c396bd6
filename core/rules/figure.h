// SPDX-License-Identifier: MIT
//
// Finds the figure of a rule in a report and in the schema, and the columns that count what it does not cover.
#ifndef TK_RULES_FIGURE_H
#define TK_RULES_FIGURE_H

#include "../report/report.h"
#include "rule.h"

// A column of a table: as in this report, or as in the schema if the report lacks it.
struct tk_figure {
    const struct tk_report_table *table; // table in the report; NULL: the report lacks it
    uint32_t column;                     // index in `table`; UINT32_MAX: the report lacks the column
    const struct tk_table *info;         // NULL: unknown table
    const struct tk_column *about;       // NULL: unknown column
};

// report: NULL for a check of the rule only.
struct tk_figure tk_figure_find(const tk_report *report, const struct tk_rule *rule);

static inline bool tk_figure_is_text(const struct tk_column *column) { return column->kind <= TK_COLUMN_FLAG; }

// Returns the index of a column; UINT32_MAX: none.
uint32_t tk_figure_column(const struct tk_table *table, const char *key);
// Returns the column that counts the unmeasured occurrences of a duration; UINT32_MAX if there is none. An UNMEASURED
// column after a duration belongs to that duration; an UNMEASURED column after another value belongs to all durations
// that follow, up to the next UNMEASURED column.
uint32_t tk_figure_unmeasured(const struct tk_table *table, uint32_t column);
// Returns the column that counts all these occurrences: "waits" for "waits_unmeasured", otherwise the count before it.
uint32_t tk_figure_count(const struct tk_table *table, uint32_t unmeasured);

enum tk_time_part { TK_NO_PART, TK_PART_OF_ROW, TK_PART_OF_CORES };
// Returns to which unmeasured time a figure may be subject: that of a core or of the CPU, or that of a task on any
// core.
enum tk_time_part tk_figure_time_part(const struct tk_table *table, uint32_t column);

#endif
