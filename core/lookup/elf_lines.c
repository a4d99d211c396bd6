// SPDX-License-Identifier: MIT
//
// Line tables of an ELF file, unit by unit.
#include "elf.h"

enum { UNIT_MAX = 16 * 1024 * 1024, TEXTS_MAX = 32 * 1024 * 1024 };

static void next_units(struct tk_symbol_reader *reader);
static void take_units(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

static void load_string_section(struct tk_symbol_reader *reader, struct tk_dwarf_texts *texts, size_t len) {
    if (!len) return;
    texts->bytes = tk_symbol_take(reader, len, &texts->capacity);
    texts->len = texts->bytes ? (uint32_t)len : 0;
}

static void want_texts(struct tk_symbol_reader *reader, uint32_t index, tk_symbol_step step) {
    const struct tk_elf_section *section = &reader->of.elf.sections[index];
    uint64_t len = !index ? 0 : section->size < TEXTS_MAX ? section->size : TEXTS_MAX;
    tk_symbol_want(reader, section->offset, len, step);
}

static void take_str(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_dwarf_lines *lines = &reader->of.elf.lines;
    (void)bytes;
    load_string_section(reader, &lines->str, len);
    lines->has_str = true;
    next_units(reader);
}

// A unit that is longer than a range; of one that is not there as a whole even so, the file is cut.
static void want_unit(struct tk_symbol_reader *reader, uint64_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (len > UNIT_MAX) reader->file->summary.limited = true;
    if (len > UNIT_MAX || len > elf->rest || elf->whole_unit) return;
    elf->whole_unit = true;
    tk_symbol_want(reader, elf->rest_at, len, take_units);
}

// Reads the units that are there as a whole; what follows is asked for next.
static void take_units(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    size_t at = 0;
    uint64_t unit = 0;
    while (len > at && (unit = tk_dwarf_unit_len(bytes + at, len - at, reader->file->big_endian)) && unit <= len - at) {
        tk_dwarf_read_unit(&elf->lines, reader->file, reader->alloc, bytes + at, (size_t)unit);
        if (elf->lines.needs_str && !elf->lines.has_str) break;
        at += (size_t)unit;
    }
    elf->rest_at += at;
    elf->rest -= at < elf->rest ? at : elf->rest;
    if (elf->lines.needs_str && !elf->lines.has_str) want_texts(reader, elf->str, take_str);
    else if (at) next_units(reader);
    else if (unit > len) want_unit(reader, unit);
}

static void next_units(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    elf->whole_unit = false;
    if (elf->rest)
        tk_symbol_want(reader, elf->rest_at, elf->rest < TK_SYMBOLS_RANGE_LEN ? elf->rest : TK_SYMBOLS_RANGE_LEN,
                       take_units);
}

static void take_line_str(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    (void)bytes;
    load_string_section(reader, &elf->lines.line_str, len);
    elf->rest_at = elf->sections[elf->line].offset;
    elf->rest = elf->sections[elf->line].size;
    next_units(reader);
}

void tk_elf_read_lines(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    elf->lines.has_str = !elf->str;
    if (elf->line) want_texts(reader, elf->line_str, take_line_str);
}
