// SPDX-License-Identifier: MIT
//
// Reads functions and variables of an ELF file, and their source files.
#include <string.h>

#include "../base/sort.h"
#include "elf.h"

enum { TYPE_SYMTAB = 2 };
enum { SYMBOL_OBJECT = 1, SYMBOL_FUNCTION = 2, SYMBOL_FILE = 4, SYMBOL_IFUNC = 10, LOCAL = 0, WEAK = 2 };

struct symbol {
    uint64_t value, size;
    uint32_t name, type, binding, section;
};

static struct symbol symbol_at(const struct tk_symbol_reader *reader, const uint8_t *at) {
    bool wide = reader->of.elf.wide;
    uint8_t info = at[wide ? 4 : 12];
    return (struct symbol){ .value = tk_elf_field(reader, at, 4, 8),
                            .size = tk_elf_field(reader, at, 8, 16),
                            .name = (uint32_t)tk_elf_number(reader, at, 4),
                            .type = info & 15u,
                            .binding = info >> 4,
                            .section = (uint32_t)tk_elf_number(reader, at + (wide ? 6 : 14), 2) };
}

static void add_unit_address(struct tk_symbol_reader *reader, uint64_t address) {
    struct tk_elf *elf = &reader->of.elf;
    if (elf->unit_address_count == 2 * TK_SYMBOLS_MAX ||
        !tk_alloc_grow(reader->alloc, (void **)&elf->unit_addresses, &elf->unit_address_capacity,
                       elf->unit_address_count + 1, sizeof *elf->unit_addresses))
        return;
    elf->unit_addresses[elf->unit_address_count++] = (struct tk_elf_unit_address){ address, elf->unit };
}

static void add_symbol(struct tk_symbol_reader *reader, const struct symbol *symbol, bool is_function) {
    const struct tk_elf *elf = &reader->of.elf;
    struct tk_symbol_file *file = reader->file;
    uint64_t start = symbol->value, size = symbol->size;
    struct tk_symbol_entry entry = { .start = start,
                                     .name = symbol->name,
                                     .unit = symbol->binding == LOCAL ? elf->unit : 0 };
    entry.rank = symbol->binding == LOCAL ? TK_RANK_LOCAL : symbol->binding == WEAK ? TK_RANK_WEAK : TK_RANK_GLOBAL;
    if (!size && is_function && symbol->section < elf->section_count) {
        const struct tk_elf_section *section = &elf->sections[symbol->section];
        if (start - section->address < section->size) size = section->address + section->size - start;
        entry.flags = TK_ENTRY_UNSIZED;
    }
    entry.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    if (size) tk_symbol_table_add(file, is_function ? &file->functions : &file->variables, reader->alloc, &entry);
}

static void note_vectors(struct tk_symbol_reader *reader, const struct symbol *symbol, const char *name) {
    static const char *const names[] = { "__isr_vector",   "g_pfnVectors", "__Vectors",
                                         "__vector_table", "vector_table", "vectors" };
    const struct tk_elf *elf = &reader->of.elf;
    size_t which;
    if (symbol->section >= elf->section_count || !tk_elf_is_named(name, names, 6, &which)) return;
    const struct tk_elf_section *section = &elf->sections[symbol->section];
    uint64_t rest =
        symbol->value - section->address < section->size ? section->address + section->size - symbol->value : 0;
    tk_elf_set_vectors(reader, TK_VECTORS_BY_SYMBOL + (uint32_t)which, symbol->value,
                       symbol->size && symbol->size < rest ? symbol->size : rest);
}

static bool is_mapping(const char *name) { return name[0] == '$' && name[1] && strchr("tadx", name[1]); }

static void take_symbol(struct tk_symbol_reader *reader, const struct symbol *symbol) {
    uint32_t len;
    const char *name = tk_symbol_file_name(reader->file, symbol->name, &len);
    bool is_function = symbol->type == SYMBOL_FUNCTION || symbol->type == SYMBOL_IFUNC;
    if (symbol->type == SYMBOL_FILE) {
        reader->of.elf.unit = tk_symbol_file_add_unit(reader->file, reader->alloc, name, len);
        return;
    }
    if (!symbol->section || !len) return;
    if (is_mapping(name)) {
        add_unit_address(reader, symbol->value);
        return;
    }
    note_vectors(reader, symbol, name);
    if (is_function || symbol->type == SYMBOL_OBJECT) add_symbol(reader, symbol, is_function);
}

static bool unit_address_less(const void *ctx, const void *a, const void *b) {
    (void)ctx;
    const struct tk_elf_unit_address *x = a, *y = b;
    return x->address != y->address ? x->address < y->address : x->unit < y->unit;
}

static uint32_t unit_of(const struct tk_elf *elf, uint64_t address) {
    uint32_t low = 0, high = elf->unit_address_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (elf->unit_addresses[middle].address <= address) low = middle;
        else high = middle;
    }
    return low < elf->unit_address_count && elf->unit_addresses[low].address <= address ? elf->unit_addresses[low].unit
                                                                                        : 0;
}

// Finds the source file of global symbols: they do not name one, but the local mapping symbols at the same addresses
// do.
static void find_units(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    struct tk_symbol_table *const tables[] = { &reader->file->functions, &reader->file->variables };
    tk_sort(elf->unit_addresses, elf->unit_address_count, sizeof *elf->unit_addresses, unit_address_less, NULL);
    for (size_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < tables[i]->count; j++)
            if (tables[i]->entries[j].rank != TK_RANK_LOCAL)
                tables[i]->entries[j].unit = unit_of(elf, tables[i]->entries[j].start);
}

static void take_symbols(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

static void next_symbols(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    size_t entry = elf->wide ? 24 : 16;
    uint64_t len =
        elf->rest < TK_SYMBOLS_RANGE_LEN / 48 * 48 ? elf->rest / entry * entry : TK_SYMBOLS_RANGE_LEN / 48 * 48;
    if (len) {
        tk_symbol_want(reader, elf->rest_at, len, take_symbols);
        return;
    }
    find_units(reader);
    tk_elf_read_bytes(reader);
}

static void take_symbols(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    size_t entry = elf->wide ? 24 : 16;
    for (size_t at = 0; at + entry <= len; at += entry) {
        struct symbol symbol = symbol_at(reader, bytes + at);
        take_symbol(reader, &symbol);
    }
    elf->rest_at += len;
    elf->rest = len < entry ? 0 : elf->rest - len;
    next_symbols(reader);
}

static void take_names(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_symbol_file *file = reader->file;
    (void)bytes;
    if (len) file->names = (char *)tk_symbol_take(reader, len, &file->names_capacity);
    if (file->names) file->names_len = (uint32_t)len + 1;
    next_symbols(reader);
}

void tk_elf_read_symbols(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    for (uint32_t i = 1; i < elf->section_count; i++) {
        const struct tk_elf_section *section = &elf->sections[i];
        if (section->type != TYPE_SYMTAB || section->link >= elf->section_count) continue;
        const struct tk_elf_section *names = &elf->sections[section->link];
        elf->rest_at = section->offset;
        elf->rest = section->size;
        if (names->size > TK_SYMBOL_NAMES_MAX) reader->file->summary.limited = true;
        tk_symbol_want(reader, names->offset, names->size < TK_SYMBOL_NAMES_MAX ? names->size : TK_SYMBOL_NAMES_MAX,
                       take_names);
        return;
    }
    tk_elf_read_bytes(reader);
}
