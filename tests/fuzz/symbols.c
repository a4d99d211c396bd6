// SPDX-License-Identifier: MIT
//
// Symbol files: an ELF file or a linker map, read by ranges, then queried for many addresses. Byte 0: bit 0: the file
// is shorter than announced. For any claims of the file, the ranges are inside it and few, and every answer contains
// the queried address.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "lookup/symbol_file.h"
#include "lookup/symbol_reader.h"

enum { MOST_RANGES = 3000 }; // for such small files

static void read_file(struct tk_alloc *alloc, struct tk_symbols *symbols, const uint8_t *file, size_t len,
                      uint64_t claimed) {
    struct tk_symbol_reader *reader = tk_symbol_reader_new(TK_SYMBOLS_FOR_LINES, alloc, "file", 0, claimed);
    uint64_t offset;
    size_t wanted;
    check(reader);
    for (uint32_t ranges = 0; tk_symbol_reader_wanted(reader, &offset, &wanted); ranges++) {
        check(ranges < MOST_RANGES && wanted && wanted <= TK_SYMBOLS_RANGE_LEN && offset < claimed &&
              wanted <= claimed - offset);
        size_t got = offset >= len ? 0 : len - (size_t)offset < wanted ? len - (size_t)offset : wanted;
        unsigned char *copy = heap_copy(file + (got ? offset : 0), got);
        tk_symbol_reader_feed(reader, copy, got);
        heap_drop(copy, got);
    }
    tk_symbol_reader_finish(reader, symbols);
}

static void check_symbol(const struct tk_symbol *symbol) {
    char shown[TK_SHOWN_NAME_LEN];
    size_t len = tk_symbols_shown(symbol, shown);
    check(len < TK_SHOWN_NAME_LEN && !shown[len]);
    check(symbol->name_len <= TK_SYMBOL_NAME_MAX && symbol->object_len <= TK_STRTAB_MAX_BYTES);
    for (uint32_t i = 0; i < symbol->name_len; i++) check(symbol->name[i]);
}

static void ask(struct tk_symbols *symbols, uint64_t address) {
    struct tk_symbol symbol;
    struct tk_source_line line;
    const uint8_t *bytes;
    const char *text;
    size_t len;
    if (tk_symbols_function(symbols, address, &symbol)) {
        uint64_t code = symbol.file->thumb ? address & ~(uint64_t)1 : address;
        check(symbol.in_piece || code - symbol.start < symbol.end - symbol.start);
        check_symbol(&symbol);
    }
    if (tk_symbols_variable(symbols, address, &symbol)) check(address - symbol.start < symbol.end - symbol.start);
    if (tk_symbols_line(symbols, address, &line)) check(line.file_len <= TK_STRTAB_MAX_BYTES);
    len = tk_symbols_bytes(symbols, address, &bytes);
    uint8_t sum = 0;
    for (size_t i = 0; i < len; i++) sum ^= bytes[i];
    if (tk_symbols_text(symbols, address, &text, &len)) check(!text[len] && strlen(text) == len);
    (void)sum;
}

static void ask_about(struct tk_symbols *symbols, const struct tk_symbol_table *table) {
    for (uint32_t i = 0; i < table->count && i < 64; i++) {
        const struct tk_symbol_entry *entry = &table->entries[i];
        check(i == 0 || table->entries[i - 1].start < entry->start);
        check(entry->size && entry->owner < table->count && table->entries[entry->owner].owner == entry->owner);
        ask(symbols, entry->start - 1);
        ask(symbols, entry->start);
        ask(symbols, entry->start + entry->size - 1);
        ask(symbols, entry->start + entry->size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len < 1) return 0;
    struct tk_alloc alloc = heap_alloc();
    struct tk_symbols symbols = { 0 };
    struct tk_symbol symbol;
    read_file(&alloc, &symbols, data + 1, len - 1, data[0] & 1 ? (uint64_t)len * 3 : len - 1);
    const struct tk_symbol_file *file = symbols.first;
    ask_about(&symbols, &file->functions);
    ask_about(&symbols, &file->variables);
    for (uint32_t i = 0; i < file->row_count && i < 64; i++) {
        check(i == 0 || file->rows[i - 1].address <= file->rows[i].address);
        ask(&symbols, file->rows[i].address);
    }
    for (uint32_t i = 0; i < file->section_count; i++) ask(&symbols, file->sections[i].address);
    for (uint32_t vector = 0; vector < 24; vector++)
        if (tk_symbols_vector(&symbols, vector, &symbol)) check_symbol(&symbol);
    tk_symbols_named(&symbols, "main", &symbol);
    ask(&symbols, 0);
    ask(&symbols, UINT64_MAX);
    tk_alloc_free_all(&alloc);
    heap_reset();
    return 0;
}
