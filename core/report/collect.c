// SPDX-License-Identifier: MIT
#include "report.h"

enum { BLOCK = 16 * 1024, HEAD = (sizeof(struct tk_report_block) + 7) & ~7u };

// ---- Memory ----

void *tk_report_alloc(tk_report *report, size_t size) {
    size = (size + 7) & ~(size_t)7;
    struct tk_report_block *block = report->blocks;
    if (!block || block->size - block->used < size) {
        size_t whole = HEAD + size > BLOCK ? HEAD + size : BLOCK;
        block = tk_alloc_zero(&report->alloc, whole);
        if (!block) return NULL;
        *block = (struct tk_report_block){ report->blocks, whole, HEAD };
        report->blocks = block;
    }
    block->used += size;
    return (char *)block + block->used - size;
}

const char *tk_report_copy_text(tk_report *report, const char *text, size_t len) {
    char *kept = tk_report_alloc(report, len + 1);
    if (!kept) return "";
    memcpy(kept, text, len);
    kept[len] = 0;
    return kept;
}

tk_report *tk_report_begin(const struct tk_allocator *allocator, const char *tool, struct tk_time_basis times) {
    struct tk_alloc alloc = { .realloc = allocator->realloc, .ctx = allocator->ctx };
    tk_report *report = tk_alloc_zero(&alloc, sizeof *report);
    if (!report) return NULL;
    report->alloc = alloc;
    report->tool = tool;
    report->times =
        (struct tk_time_basis){ tk_report_copy_text(report, times.unit, strlen(times.unit)), times.certainty };
    return report;
}

void tk_report_free(tk_report *report) {
    if (!report) return;
    for (uint32_t i = 0; i < report->count; i++)
        tk_alloc_free(&report->alloc, report->tables[i].cells,
                      report->tables[i].cell_capacity * sizeof(struct tk_cell));
    tk_alloc_free(&report->alloc, report->tables, report->capacity * sizeof *report->tables);
    for (struct tk_report_block *next, *block = report->blocks; block; block = next) {
        next = block->next;
        tk_alloc_free(&report->alloc, block, block->size);
    }
    struct tk_alloc alloc = report->alloc;
    tk_alloc_free(&alloc, report, sizeof *report);
}

tk_status tk_report_complete(tk_report *report, tk_report **out_report) {
    *out_report = report;
    if (report && !report->alloc.failed) return TK_OK;
    tk_report_free(report);
    *out_report = NULL;
    return TK_NO_MEMORY;
}

// ---- The sink ----

static void begin_table(void *ctx, const struct tk_table *table) {
    tk_report *report = ctx;
    if (!tk_alloc_grow(&report->alloc, (void **)&report->tables, &report->capacity, report->count + 1,
                       sizeof *report->tables))
        return;
    report->tables[report->count++] = (struct tk_report_table){ .info = *table };
}

// A row that was incomplete when the memory ran out stays short; then the report is freed, not returned.
static void add_cell(void *ctx, const struct tk_cell *cell) {
    tk_report *report = ctx;
    if (report->alloc.failed) return;
    struct tk_report_table *table = &report->tables[report->count - 1];
    if (!tk_alloc_grow(&report->alloc, (void **)&table->cells, &table->cell_capacity, table->cell_count + 1,
                       sizeof *table->cells))
        return;
    struct tk_cell copy = *cell;
    if (copy.type == TK_CELL_TEXT) copy.text = tk_report_copy_text(report, cell->text, cell->len);
    table->cells[table->cell_count++] = copy;
}

static void end_table(void *ctx) { (void)ctx; }

struct tk_table_sink tk_report_sink(tk_report *report, uint64_t tick_ns) {
    return (struct tk_table_sink){ report, begin_table, add_cell, end_table, tick_ns };
}

// ---- Look-ups ----

static bool is_key(const char *key, const char *text, size_t len) {
    return strlen(key) == len && memcmp(key, text, len) == 0;
}

const struct tk_report_table *tk_report_table(const tk_report *report, const char *id, size_t len) {
    for (uint32_t i = 0; i < report->count; i++)
        if (is_key(report->tables[i].info.id, id, len)) return &report->tables[i];
    return NULL;
}

uint32_t tk_report_column(const struct tk_report_table *table, const char *key, size_t len) {
    for (uint32_t i = 0; i < table->info.column_count; i++)
        if (is_key(table->info.columns[i].key, key, len)) return i;
    return UINT32_MAX;
}

const struct tk_cell *tk_report_cell_of(const struct tk_report_table *table, uint32_t row, const char *key) {
    static const struct tk_cell none = { .type = TK_CELL_NONE };
    uint32_t column = table ? tk_report_column(table, key, strlen(key)) : UINT32_MAX;
    return column == UINT32_MAX || row >= tk_report_rows(table) ? &none : tk_report_cell(table, row, column);
}

const struct tk_cell *tk_report_find(const tk_report *report, const char *id, uint32_t row, const char *key) {
    const struct tk_report_table *table = tk_report_table(report, id, strlen(id));
    uint32_t column = table ? tk_report_column(table, key, strlen(key)) : UINT32_MAX;
    return column == UINT32_MAX || row >= tk_report_rows(table) ? NULL : tk_report_cell(table, row, column);
}

uint32_t tk_report_row_count(const tk_report *report, const char *id) {
    const struct tk_report_table *table = tk_report_table(report, id, strlen(id));
    return table ? tk_report_rows(table) : 0;
}

bool tk_report_number(const tk_report *report, const char *id, uint32_t row, const char *key, uint64_t *out_value) {
    const struct tk_cell *cell = tk_report_find(report, id, row, key);
    bool is_number = cell && cell->type == TK_CELL_UINT;
    *out_value = is_number ? cell->u : 0;
    return is_number;
}

const char *tk_report_string(const tk_report *report, const char *id, uint32_t row, const char *key) {
    const struct tk_cell *cell = tk_report_find(report, id, row, key);
    return cell && cell->type == TK_CELL_TEXT ? cell->text : "";
}

const char *tk_report_time_unit(const tk_report *report) { return report->times.unit; }

bool tk_report_has(const struct tk_cell *cell, uint8_t kind) {
    if (!cell || cell->type == TK_CELL_NONE) return false;
    if (cell->type == TK_CELL_TEXT) return cell->len > 0;
    return kind != TK_COLUMN_FLAG || cell->u;
}
