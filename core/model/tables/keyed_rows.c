// SPDX-License-Identifier: MIT
#include "keyed_rows.h"

#include <string.h>

#include "../../base/attributes.h"

void *tk_keyed_rows_find(struct tk_keyed_rows *rows, struct tk_alloc *alloc, struct tk_diag *diag, uint64_t key,
                         size_t row_size) {
    uint32_t index = tk_idmap_find(&rows->by_key, key);
    if (index != TK_NONE) return (char *)rows->rows + index * row_size;
    if (rows->count >= TK_MAX_KEYED_ROWS) {
        tk_diag_note(diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(alloc, &rows->rows, &rows->capacity, rows->count + 1, row_size)) return NULL;
    if (!tk_idmap_set(&rows->by_key, alloc, key, rows->count)) return NULL;
    return memset((char *)rows->rows + rows->count++ * row_size, 0, row_size);
}

TK_COLD void tk_keyed_rows_clear(struct tk_keyed_rows *rows, struct tk_alloc *alloc) {
    tk_idmap_deinit(&rows->by_key, alloc);
    rows->count = 0;
}
