// SPDX-License-Identifier: MIT
//
// The tables that this build can put into a report. Each tracker, decoder and layer lists its own declarations;
// core/handle/schema.c walks them, because it knows the formats of the build.
#ifndef TK_REPORT_SCHEMA_H
#define TK_REPORT_SCHEMA_H

#include "../model/tables/table.h"

struct tk_schema_walk { // zeroed before the first call
    unsigned list, index;
};

// NULL after the last table. Each id occurs once, with all columns that the table can have.
const struct tk_table *tk_schema_next(struct tk_schema_walk *walk);
// NULL: this build has no such table.
const struct tk_table *tk_schema_table(const char *id);
// NULL: the table is NULL or has no such column.
const struct tk_column *tk_schema_column(const struct tk_table *table, const char *key);

#endif
