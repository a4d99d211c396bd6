// SPDX-License-Identifier: MIT
//
// Every table that a report of this program may have, from the declarations that fill the reports.
#ifndef TK_HANDLE_KNOWN_TABLES_H
#define TK_HANDLE_KNOWN_TABLES_H

#include "model/tables/table.h"

// Returns the tables of report/schema.h by number; NULL after the last one.
const struct tk_table *tk_known_table(size_t index);

#endif
