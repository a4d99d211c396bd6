// SPDX-License-Identifier: MIT
//
// A growing array of table rows that are found by a key.
#ifndef TK_MODEL_TABLES_KEYED_ROWS_H
#define TK_MODEL_TABLES_KEYED_ROWS_H

#include "../../base/diag.h"
#include "../../base/idmap.h"

enum { TK_MAX_KEYED_ROWS = 4096 };

// Zeroed: no rows.
struct tk_keyed_rows {
    struct tk_idmap by_key;
    void *rows; // in the order in which they were added
    uint32_t count, capacity;
};

// Returns the row of a key, or adds a zeroed one. NULL: no memory, or above the limit, which is counted in diag. The
// same row_size in all calls.
void *tk_keyed_rows_find(struct tk_keyed_rows *rows, struct tk_alloc *alloc, struct tk_diag *diag, uint64_t key,
                         size_t row_size);
// Removes all rows.
void tk_keyed_rows_clear(struct tk_keyed_rows *rows, struct tk_alloc *alloc);

#endif
