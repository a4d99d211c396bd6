// SPDX-License-Identifier: MIT
//
// A growing array of table rows with keys.
#ifndef TK_MODEL_TABLES_KEYED_ROWS_H
#define TK_MODEL_TABLES_KEYED_ROWS_H

#include "../../base/diag.h"
#include "../../base/idmap.h"

enum { TK_MAX_KEYED_ROWS = 4096 };

// Zero-initialised: no rows.
struct tk_keyed_rows {
    struct tk_idmap by_key;
    void *rows; // rows in the order in which they were added
    uint32_t count, capacity;
};

// Returns the row of a key, or adds a zeroed one. Returns NULL when out of memory, or above the limit, which is counted
// in diag. All calls must pass the same row_size.
void *tk_keyed_rows_find(struct tk_keyed_rows *rows, struct tk_alloc *alloc, struct tk_diag *diag, uint64_t key,
                         size_t row_size);
// Removes all rows.
void tk_keyed_rows_clear(struct tk_keyed_rows *rows, struct tk_alloc *alloc);

#endif
