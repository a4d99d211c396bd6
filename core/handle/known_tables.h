// SPDX-License-Identifier: MIT
//
// Every table that a report of this program may have, from the declarations that fill the reports.
#ifndef TK_HANDLE_KNOWN_TABLES_H
#define TK_HANDLE_KNOWN_TABLES_H

#include "model/tables/table.h"

extern const struct tk_table *const tk_handle_known_tables[]; // those of the handle itself, up to NULL

// Returns the tables of the handle, the model, the trackers and the formats, one after another; NULL after the last
// one. Formats that share a tracker return its tables again; one id may have several declarations.
const struct tk_table *tk_known_table(size_t index);

#endif
