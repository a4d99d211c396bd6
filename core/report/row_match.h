// SPDX-License-Identifier: MIT
//
// Matches the rows of a table in two reports: by name and keys, and by their order among rows of the same name. Numbers
// that identify objects do not count, because the recorder may choose others in the next run.
#ifndef TK_REPORT_ROW_MATCH_H
#define TK_REPORT_ROW_MATCH_H

#include "../base/idmap.h"
#include "report.h"

// Returns a hash of a text cell; `seed` distinguishes texts of different kinds.
uint64_t tk_row_name(const struct tk_cell *cell, uint64_t seed);
// Returns the key of a row for an index of another report. Call it for each row of the table in order, with the same
// `seen`, which is empty at first.
uint64_t tk_row_key(struct tk_idmap *seen, struct tk_alloc *alloc, const struct tk_report_table *table, uint32_t row);
// Returns the indexes of all rows by their keys. NULL when out of memory.
struct tk_idmap *tk_row_index_new(const struct tk_report_table *table, struct tk_alloc *alloc);
void tk_row_index_free(struct tk_idmap *rows, struct tk_alloc *alloc); // NULL is allowed

#endif
