// SPDX-License-Identifier: MIT
//
// All tables that a report of this build may contain.
#ifndef TK_HANDLE_KNOWN_TABLES_H
#define TK_HANDLE_KNOWN_TABLES_H

#include "model/tables/table.h"

// Returns a table of report/schema.h by index; NULL after the last one.
const struct tk_table *tk_known_table(size_t index);

#endif
