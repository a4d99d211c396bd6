// SPDX-License-Identifier: MIT
#include "row_match.h"

static uint64_t mix(uint64_t hash, const void *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static uint64_t identity(const struct tk_report_table *table, uint32_t row) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < table->info.column_count; i++) {
        const struct tk_column *column = &table->info.columns[i];
        if (i > 0 && (column->role != TK_ROLE_KEY || !strcmp(column->key, "id"))) continue;
        const struct tk_cell *cell = tk_report_cell(table, row, i);
        if (cell->type == TK_CELL_TEXT) hash = mix(hash, cell->text, cell->len);
        else hash = mix(hash, &cell->u, sizeof cell->u);
    }
    return hash;
}

uint64_t tk_row_name(const struct tk_cell *cell, uint64_t seed) {
    return mix(mix(0xcbf29ce484222325u, &seed, sizeof seed), cell->text, cell->len);
}

static uint64_t nth(uint64_t hash, uint64_t number) { return mix(hash, &number, sizeof number); }

uint64_t tk_row_key(struct tk_idmap *seen, struct tk_alloc *alloc, const struct tk_report_table *table, uint32_t row) {
    uint64_t hash = identity(table, row); // it is also the key of the number of rows so far
    uint32_t count = tk_idmap_find(seen, hash);
    if (count == TK_NONE) count = 0;
    tk_idmap_set(seen, alloc, hash, count + 1);
    return nth(hash, count);
}

struct tk_idmap *tk_row_index_new(const struct tk_report_table *table, struct tk_alloc *alloc) {
    struct tk_idmap *rows = tk_alloc_zero(alloc, sizeof *rows);
    for (uint32_t row = 0; rows && row < tk_report_rows(table); row++)
        tk_idmap_set(rows, alloc, tk_row_key(rows, alloc, table, row), row);
    return rows;
}

void tk_row_index_free(struct tk_idmap *rows, struct tk_alloc *alloc) {
    if (!rows) return;
    tk_idmap_deinit(rows, alloc);
    tk_alloc_free(alloc, rows, sizeof *rows);
}
