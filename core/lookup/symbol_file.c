// SPDX-License-Identifier: MIT
#include "symbol_file.h"

#include <string.h>

#include "../base/bytes.h"
#include "../base/idmap.h"
#include "../base/sort.h"

uint32_t tk_symbol_file_add_name(struct tk_symbol_file *file, struct tk_alloc *alloc, const char *name, size_t len) {
    uint32_t at = file->names_len ? file->names_len : 1;
    if (len > TK_SYMBOL_NAME_MAX) len = TK_SYMBOL_NAME_MAX;
    if (at + len + 1 > TK_SYMBOL_NAMES_MAX) {
        file->summary.limited = true;
        return 0;
    }
    if (!tk_alloc_grow(alloc, (void **)&file->names, &file->names_capacity, at + (uint32_t)len + 1, 1)) return 0;
    memcpy(file->names + at, name, len);
    file->names[at + len] = 0;
    file->names_len = at + (uint32_t)len + 1;
    return at;
}

uint32_t tk_symbol_file_add_unit(struct tk_symbol_file *file, struct tk_alloc *alloc, const char *path, size_t len) {
    if (len && path[len - 1] == ')') len--;
    size_t from = len;
    while (from && path[from - 1] != '/' && path[from - 1] != '\\' && path[from - 1] != '(') from--;
    uint32_t unit = len > from ? tk_strtab_intern(&file->units, alloc, path + from, len - from) : 0;
    if (file->units.full) file->summary.limited = true;
    return unit;
}

struct tk_symbol_entry *tk_symbol_table_add(struct tk_symbol_file *file, struct tk_symbol_table *table,
                                            struct tk_alloc *alloc, const struct tk_symbol_entry *entry) {
    if (table->count == TK_SYMBOLS_MAX) {
        file->summary.limited = true;
        return NULL;
    }
    if (!tk_alloc_grow(alloc, (void **)&table->entries, &table->capacity, table->count + 1, sizeof *table->entries))
        return NULL;
    table->entries[table->count] = *entry;
    return &table->entries[table->count++];
}

const char *tk_symbol_file_name(const struct tk_symbol_file *file, uint32_t name, uint32_t *out_len) {
    *out_len = 0;
    if (!name || name >= file->names_len) return "";
    const char *text = file->names + name;
    size_t most = file->names_len - name < TK_SYMBOL_NAME_MAX ? file->names_len - name : TK_SYMBOL_NAME_MAX;
    const char *end = memchr(text, 0, most);
    *out_len = end ? (uint32_t)(end - text) : (uint32_t)most;
    return text;
}

static bool ends_with(const char *text, size_t len, const char *ending) {
    size_t ending_len = strlen(ending);
    return len > ending_len && !memcmp(text + len - ending_len, ending, ending_len);
}

const char *tk_symbol_file_object(const struct tk_symbol_file *file, uint32_t unit, uint32_t *out_len) {
    static const char *const objects[] = { ".o", ".obj", ".lo" };
    static const char *const sources[] = { ".c", ".cc", ".cpp", ".cxx", ".C", ".s", ".S", ".asm", ".rs" };
    size_t len;
    const char *text = tk_strtab_text(&file->units, unit, &len);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (ends_with(text, len, objects[i])) len -= strlen(objects[i]);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (ends_with(text, len, sources[i])) len -= strlen(sources[i]);
    *out_len = (uint32_t)len;
    return text;
}

// ---- Sorting ------------------------------------------------------------------------------------

static int compare_names(const struct tk_symbol_file *file, uint32_t a, uint32_t b) {
    uint32_t a_len, b_len;
    const char *a_text = tk_symbol_file_name(file, a, &a_len), *b_text = tk_symbol_file_name(file, b, &b_len);
    int order = memcmp(a_text, b_text, a_len < b_len ? a_len : b_len);
    return order ? order : (a_len > b_len) - (a_len < b_len);
}

static bool entry_less(const void *ctx, const void *a, const void *b) {
    const struct tk_symbol_entry *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start;
    if (x->rank != y->rank) return x->rank < y->rank;
    return compare_names(ctx, x->name, y->name) < 0;
}

// Keeps one entry per address; an entry without a size ends at the next one.
static void derive_missing_sizes(struct tk_symbol_table *table) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        struct tk_symbol_entry entry = table->entries[i];
        if (kept && table->entries[kept - 1].start == entry.start) continue;
        if (kept && table->entries[kept - 1].flags & TK_ENTRY_UNSIZED &&
            entry.start - table->entries[kept - 1].start < table->entries[kept - 1].size)
            table->entries[kept - 1].size = (uint32_t)(entry.start - table->entries[kept - 1].start);
        table->entries[kept++] = entry;
    }
    table->count = kept;
}

static uint64_t hash_of(const char *name, size_t len, uint32_t unit) {
    return tk_hash_bytes((const uint8_t *)name, len) + unit * 0x9E3779B97F4A7C15u;
}

static bool is_piece(const struct tk_symbol_file *file, const struct tk_symbol_entry *entry, uint64_t *out_hash,
                     uint64_t *out_hash_without_unit) {
    uint32_t len;
    const char *name = tk_symbol_file_name(file, entry->name, &len);
    size_t base = tk_symbol_base_len(name, len, true);
    *out_hash = hash_of(name, base, entry->unit);
    *out_hash_without_unit = hash_of(name, base, 0);
    return base < len || entry->flags & TK_ENTRY_SPLIT;
}

// Assigns each piece that the compiler moved elsewhere to the function with its name in the same unit, or to a global
// function whose unit is unknown.
static void find_owners(struct tk_symbol_file *file, struct tk_alloc *alloc) {
    struct tk_symbol_table *table = &file->functions;
    struct tk_idmap *wholes = tk_alloc_zero(alloc, sizeof *wholes);
    uint64_t hash, without_unit;
    for (uint32_t i = 0; i < table->count; i++) table->entries[i].owner = i;
    if (!wholes) return;
    for (uint32_t i = 0; i < table->count; i++)
        if (!is_piece(file, &table->entries[i], &hash, &without_unit)) tk_idmap_set(wholes, alloc, hash, i);
    for (uint32_t i = 0; i < table->count && !alloc->failed; i++) {
        if (!is_piece(file, &table->entries[i], &hash, &without_unit)) continue;
        uint32_t owner = tk_idmap_find(wholes, hash);
        if (owner == TK_NONE) owner = tk_idmap_find(wholes, without_unit);
        if (owner != TK_NONE) table->entries[i].owner = owner;
    }
    tk_idmap_deinit(wholes, alloc);
    tk_alloc_free(alloc, wholes, sizeof *wholes);
}

struct display_name_hash {
    uint64_t hash;
    uint32_t index;
};

static bool shown_less(const void *ctx, const void *a, const void *b) {
    (void)ctx;
    const struct display_name_hash *x = a, *y = b;
    return x->hash != y->hash ? x->hash < y->hash : x->index < y->index;
}

// Keeps the entries that share their name with a neighbour, and selects the next longer form of the name for them.
static uint32_t keep_ambiguous(struct tk_symbol_entry *entries, struct display_name_hash *names, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && names[end].hash == names[i].hash;) end++;
        for (uint32_t j = i; j < end && end - i > 1; j++) {
            entries[names[j].index].flags += 1 << TK_ENTRY_SHOWN_SHIFT;
            names[kept++] = names[j];
        }
    }
    return kept;
}

static void choose_display_names(struct tk_symbol_file *file, struct tk_symbol_table *table, struct tk_alloc *alloc) {
    char text[TK_SHOWN_NAME_LEN];
    uint32_t capacity = table->count, count = 0;
    struct display_name_hash *names = capacity ? tk_alloc_zero(alloc, capacity * sizeof *names) : NULL;
    if (!names) return;
    for (uint32_t i = 0; i < table->count; i++)
        if (table->entries[i].owner == i) names[count++].index = i;
    for (int how = TK_SHOWN_SHORT; how < TK_SHOWN_WITH_ADDRESS; how++) {
        for (uint32_t i = 0; i < count; i++) {
            size_t len = tk_symbol_write_shown(file, &table->entries[names[i].index], (enum tk_shown)how, text);
            names[i].hash = tk_hash_bytes((const uint8_t *)text, len);
        }
        tk_sort(names, count, sizeof *names, shown_less, NULL);
        count = keep_ambiguous(table->entries, names, count);
    }
    tk_alloc_free(alloc, names, capacity * sizeof *names);
}

static bool row_less(const void *ctx, const void *a, const void *b) {
    (void)ctx;
    const struct tk_symbol_row *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address;
    if (x->unit != y->unit)
        return x->unit == TK_ROW_END || (y->unit != TK_ROW_END && x->unit < y->unit); // the end of a sequence sorts
                                                                                      // before a start at the same
                                                                                      // address
    return x->line < y->line;
}

void tk_symbol_file_complete(struct tk_symbol_file *file, struct tk_alloc *alloc) {
    struct tk_symbol_table *const tables[] = { &file->functions, &file->variables };
    for (uint32_t i = 0; file->thumb && i < file->functions.count; i++)
        file->functions.entries[i].start &= ~(uint64_t)1;
    for (size_t i = 0; i < 2; i++) {
        tk_sort(tables[i]->entries, tables[i]->count, sizeof *tables[i]->entries, entry_less, file);
        derive_missing_sizes(tables[i]);
        for (uint32_t j = 0; j < tables[i]->count; j++) tables[i]->entries[j].owner = j;
    }
    find_owners(file, alloc);
    for (size_t i = 0; i < 2; i++) choose_display_names(file, tables[i], alloc);
    tk_sort(file->rows, file->row_count, sizeof *file->rows, row_less, NULL);
    file->summary.functions = file->functions.count;
    file->summary.variables = file->variables.count;
    file->summary.lines = file->row_count;
}

uint32_t tk_symbol_table_find(const struct tk_symbol_table *table, uint64_t address) {
    uint32_t low = 0, high = table->count; // [low, high) contains the last entry that starts at or below the address
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (table->entries[middle].start <= address) low = middle;
        else high = middle;
    }
    if (low >= table->count || address < table->entries[low].start ||
        address - table->entries[low].start >= table->entries[low].size)
        return UINT32_MAX;
    return low;
}
