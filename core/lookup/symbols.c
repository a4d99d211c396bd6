// SPDX-License-Identifier: MIT
#include "symbols.h"

#include <string.h>

#include "../base/idmap.h"
#include "symbol_file.h"

static struct tk_symbol_file *next_asked(const struct tk_symbols *symbols, struct tk_symbol_file *file) {
    do file = tk_symbols_next(symbols, file);
    while (file && file->summary.dismissed);
    return file;
}

struct tk_symbol_file *tk_symbols_next(const struct tk_symbols *symbols, struct tk_symbol_file *file) {
    return file ? file->next : symbols->first;
}

static uint64_t code_address(const struct tk_symbol_file *file, uint64_t address) {
    return file->thumb ? address & ~(uint64_t)1 : address;
}

static uint32_t find_function(const struct tk_symbol_file *file, uint64_t address) {
    return tk_symbol_table_find(&file->functions, code_address(file, address));
}

bool tk_symbols_any_function(const struct tk_symbols *symbols) {
    struct tk_symbol_file *file = next_asked(symbols, NULL);
    while (file && !file->functions.count) file = next_asked(symbols, file);
    return file != NULL;
}

bool tk_symbol_file_has_function(const struct tk_symbol_file *file, uint64_t address) {
    return find_function(file, address) != TK_NONE;
}

void tk_symbol_file_summary(const struct tk_symbol_file *file, struct tk_symbol_file_summary *out_summary) {
    *out_summary = file->summary;
}

static struct tk_symbol describe(const struct tk_symbol_file *file, const struct tk_symbol_table *table, uint32_t piece,
                                 uint64_t address) {
    uint32_t index = table->entries[piece].owner;
    const struct tk_symbol_entry *entry = &table->entries[index];
    struct tk_symbol symbol = { .start = entry->start,
                                .end = entry->start + entry->size,
                                .offset = address - table->entries[piece].start,
                                .in_piece = piece != index,
                                .shared = entry->flags & TK_ENTRY_SHARED,
                                .file = file,
                                .entry = entry };
    symbol.name = tk_symbol_file_name(file, entry->name, &symbol.name_len);
    symbol.object = tk_symbol_file_object(file, entry->unit, &symbol.object_len);
    symbol.source = "";
    if (file->kind == TK_SYMBOLS_ELF) {
        size_t len;
        symbol.source = tk_strtab_text(&file->units, entry->unit, &len);
        symbol.source_len = (uint32_t)len;
    }
    return symbol;
}

// Adds data of the next file that contains the address: the name or the object if the first file lacks it.
static void complete(struct tk_symbol *symbol, const struct tk_symbol *more) {
    struct tk_symbol first = *symbol;
    if (!first.name_len && more->name_len) *symbol = *more;
    if (symbol->object_len) return;
    const struct tk_symbol *known = first.object_len ? &first : more;
    symbol->object = known->object;
    symbol->object_len = known->object_len;
}

bool tk_symbols_function(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol) {
    bool found = false;
    for (struct tk_symbol_file *file = next_asked(symbols, NULL); file; file = next_asked(symbols, file)) {
        uint32_t piece = find_function(file, address);
        file->summary.asked++;
        if (piece == TK_NONE) continue;
        file->summary.found++;
        struct tk_symbol symbol = describe(file, &file->functions, piece, code_address(file, address));
        if (found) complete(out_symbol, &symbol);
        else *out_symbol = symbol;
        found = true;
    }
    return found;
}

struct tk_symbol_file *tk_symbols_peek(const struct tk_symbols *symbols, uint64_t address,
                                       struct tk_symbol *out_symbol) {
    for (struct tk_symbol_file *file = next_asked(symbols, NULL); file; file = next_asked(symbols, file)) {
        uint32_t index = tk_symbol_table_find(&file->variables, address);
        if (index == TK_NONE) continue;
        *out_symbol = describe(file, &file->variables, index, address);
        return file;
    }
    return NULL;
}

bool tk_symbols_variable(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol) {
    struct tk_symbol_file *file = tk_symbols_peek(symbols, address, out_symbol);
    if (file) file->summary.variables_found++;
    return file;
}

// Returns the last row at or below the address, or NULL.
static const struct tk_symbol_row *find_row(const struct tk_symbol_file *file, uint64_t address) {
    uint32_t low = 0, high = file->row_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (file->rows[middle].address <= address) low = middle;
        else high = middle;
    }
    return low < file->row_count && file->rows[low].address <= address && file->rows[low].unit != TK_ROW_END
               ? &file->rows[low]
               : NULL;
}

bool tk_symbols_line(struct tk_symbols *symbols, uint64_t address, struct tk_source_line *out_line) {
    for (struct tk_symbol_file *file = next_asked(symbols, NULL); file; file = next_asked(symbols, file)) {
        const struct tk_symbol_row *row = find_row(file, code_address(file, address));
        if (!row) continue;
        size_t len;
        file->summary.lines_found++;
        out_line->file = tk_strtab_text(&file->units, row->unit, &len);
        out_line->file_len = (uint32_t)len;
        out_line->line = row->line;
        return true;
    }
    return false;
}

size_t tk_symbols_shown(const struct tk_symbol *symbol, char out_name[TK_SHOWN_NAME_LEN]) {
    return tk_symbol_write_shown(symbol->file, symbol->entry,
                                 (enum tk_shown)(symbol->entry->flags >> TK_ENTRY_SHOWN_SHIFT), out_name);
}

size_t tk_symbol_file_bytes(const struct tk_symbol_file *file, uint64_t address, const uint8_t **out_bytes) {
    for (uint32_t i = 0; i < file->section_count; i++) {
        const struct tk_symbol_section *section = &file->sections[i];
        if (address < section->address || address - section->address >= section->len) continue;
        *out_bytes = section->bytes + (address - section->address);
        return section->len - (size_t)(address - section->address);
    }
    return 0;
}

size_t tk_symbols_bytes(struct tk_symbols *symbols, uint64_t address, const uint8_t **out_bytes) {
    for (struct tk_symbol_file *file = next_asked(symbols, NULL); file; file = next_asked(symbols, file)) {
        size_t len = tk_symbol_file_bytes(file, address, out_bytes);
        if (len) return len;
    }
    return 0;
}

bool tk_symbols_text(struct tk_symbols *symbols, uint64_t address, const char **out_text, size_t *out_len) {
    for (struct tk_symbol_file *file = next_asked(symbols, NULL); file; file = next_asked(symbols, file)) {
        const uint8_t *bytes, *end;
        size_t len = tk_symbol_file_bytes(file, address, &bytes);
        if (!len || !(end = memchr(bytes, 0, len))) continue;
        file->summary.texts_found++;
        *out_text = (const char *)bytes;
        *out_len = (size_t)(end - bytes);
        return true;
    }
    return false;
}

static bool find_named(const struct tk_symbol_file *file, const struct tk_symbol_table *table, const char *name,
                       struct tk_symbol *out_symbol) {
    size_t len = strlen(name);
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t entry_len;
        const char *text = tk_symbol_file_name(file, table->entries[i].name, &entry_len);
        if (entry_len != len || memcmp(text, name, len)) continue;
        *out_symbol = describe(file, table, i, table->entries[i].start);
        return true;
    }
    return false;
}

bool tk_symbols_named(struct tk_symbols *symbols, const char *name, struct tk_symbol *out_symbol) {
    for (struct tk_symbol_file *file = next_asked(symbols, NULL); file; file = next_asked(symbols, file))
        if (find_named(file, &file->functions, name, out_symbol) ||
            find_named(file, &file->variables, name, out_symbol))
            return true;
    return false;
}

// ---- The exception vector table --------------------------------------------------------------

enum { VECTORS_MAX = 16 + 480 };

static bool vector_word(const struct tk_symbol_file *file, uint32_t vector, uint64_t *out_address) {
    const uint8_t *at;
    uint64_t place = file->vectors + 4 * (uint64_t)vector;
    if (vector >= VECTORS_MAX || place + 4 > file->vectors_end || tk_symbol_file_bytes(file, place, &at) < 4)
        return false;
    *out_address = file->big_endian ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
                                    : at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return true;
}

static bool vector_function(const struct tk_symbol_file *file, uint32_t vector, uint32_t *out_index) {
    uint64_t address;
    *out_index = TK_NONE;
    if (!vector_word(file, vector, &address)) return false;
    uint32_t index = find_function(file, address);
    if (index != TK_NONE && file->functions.entries[index].start == code_address(file, address)) *out_index = index;
    return true;
}

// Returns true if the file has a vector table, whose entry for Reset is a function.
static bool has_vectors(const struct tk_symbol_file *file) {
    uint32_t reset;
    return vector_function(file, 1, &reset) && reset != TK_NONE;
}

uint32_t tk_symbol_file_vectors_of(const struct tk_symbol_file *file, uint32_t function) {
    uint32_t users = 0, other;
    if (!has_vectors(file)) return 0;
    for (uint32_t i = 1; vector_function(file, i, &other); i++) users += other == function;
    return users;
}

bool tk_symbol_file_vector(const struct tk_symbol_file *file, uint32_t vector, uint32_t *out_index,
                           uint32_t *out_users) {
    *out_users = 0;
    if (!vector || !has_vectors(file) || !vector_function(file, vector, out_index) || *out_index == TK_NONE)
        return false;
    *out_users = tk_symbol_file_vectors_of(file, *out_index);
    return true;
}

enum tk_has_vector tk_symbol_file_has_vector(const struct tk_symbol_file *file, uint32_t vector) {
    uint64_t address = 0, end = file->vectors + 4 * ((uint64_t)vector + 1);
    if (!vector || !file->vectors_sized || !has_vectors(file)) return TK_VECTOR_UNKNOWN;
    if (end <= file->vectors_end && !vector_word(file, vector, &address)) return TK_VECTOR_UNKNOWN;
    return address ? TK_VECTOR_PRESENT : TK_VECTOR_MISSING;
}

bool tk_symbols_vector(struct tk_symbols *symbols, uint32_t vector, struct tk_symbol *out_symbol) {
    for (struct tk_symbol_file *file = next_asked(symbols, NULL); file; file = next_asked(symbols, file)) {
        uint32_t index, users;
        if (!tk_symbol_file_vector(file, vector, &index, &users) || users != 1) continue;
        *out_symbol = describe(file, &file->functions, index, file->functions.entries[index].start);
        return true;
    }
    return false;
}

// ---- Checks against the recording ----------------------------------------------------------------

void tk_symbol_file_dismiss(struct tk_symbol_file *file) { file->summary.dismissed = true; }

void tk_symbol_file_contradict(struct tk_symbol_file *file) {
    file->summary.dismissed = file->summary.contradicted = true;
}

struct tk_symbol_checks *tk_symbol_file_checks(struct tk_symbol_file *file) { return &file->summary.checks; }

void tk_symbols_put_proven_first(struct tk_symbols *symbols) {
    struct tk_symbol_file *proven = NULL, *others = NULL, **end_of_proven = &proven, **end_of_others = &others;
    for (struct tk_symbol_file *file = symbols->first; file; file = file->next) {
        struct tk_symbol_file ***end = file->summary.checks.calls_agree ? &end_of_proven : &end_of_others;
        **end = file;
        *end = &file->next;
    }
    *end_of_others = NULL;
    *end_of_proven = others;
    symbols->first = proven;
}
