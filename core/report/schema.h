// SPDX-License-Identifier: MIT
//
// The tables that this build can put into a report. Each tracker, decoder and layer lists its own declarations;
// core/handle/schema.c enumerates them, because it knows the formats of the build.
#ifndef TK_REPORT_SCHEMA_H
#define TK_REPORT_SCHEMA_H

#include "../model/tables/table.h"

struct tk_schema_walk { // zero-initialise before the first call
    unsigned list, index;
};

// Returns the next table; NULL after the last one. Each id occurs once, with all columns that the table can have.
const struct tk_table *tk_schema_next(struct tk_schema_walk *walk);
// Returns a table; NULL if this build has no such table.
const struct tk_table *tk_schema_table(const char *id);
// Returns a column; NULL if the table is NULL or has no such column.
const struct tk_column *tk_schema_column(const struct tk_table *table, const char *key);

// A rule that finds faults.
struct tk_schema_rule {
    const char *id, *severity, *title, *threshold, *needs, *remedy;
};
// Returns false after the last rule.
bool tk_schema_rule(unsigned number, struct tk_schema_rule *out_rule);

#endif
