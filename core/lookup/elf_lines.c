// SPDX-License-Identifier: MIT
//
// Reads the line tables of an ELF file, unit by unit.
#include <string.h>

#include "../unpack/unpack.h"
#include "elf.h"

enum { UNIT_MAX = 16 * 1024 * 1024, TEXTS_MAX = 32 * 1024 * 1024 };

static void next_units(struct tk_symbol_reader *reader);
static void take_units(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

// ---- Compressed sections ---------------------------------------------------------------------------

struct packed {
    const uint8_t *bytes;
    size_t len;
    uint64_t size; // unpacked size according to the file
};

// Returns false if the section is not compressed with zlib.
static bool read_packed_header(struct tk_symbol_reader *reader, uint32_t index, struct packed *packed) {
    enum { ZLIB = 1, ZDEBUG_LEN = 12 };
    bool is_zdebug = reader->of.elf.sections[index].packing == TK_ELF_ZDEBUG, wide = reader->of.elf.wide;
    size_t header_len = is_zdebug ? ZDEBUG_LEN : wide ? 24 : 12;
    if (packed->len < header_len) return false;
    bool is_zlib = is_zdebug ? !memcmp(packed->bytes, "ZLIB", 4) : tk_elf_number(reader, packed->bytes, 4) == ZLIB;
    packed->size = is_zdebug ? tk_read_ordered(packed->bytes + 4, 8, true) : tk_elf_field(reader, packed->bytes, 4, 8);
    packed->bytes += header_len;
    packed->len -= header_len;
    return is_zlib;
}

static void unpack(struct tk_symbol_reader *reader, uint32_t index, const uint8_t *bytes, size_t len,
                   struct tk_dwarf_texts *out) {
    struct packed packed = { bytes, len, 0 };
    struct tk_unpack unpack;
    if (!read_packed_header(reader, index, &packed)) {
        reader->file->summary.compressed = true;
        return;
    }
    if (packed.size > TEXTS_MAX) reader->file->summary.limited = true;
    uint64_t bound = tk_unpack_bound(TK_UNPACK_ZLIB, packed.len), size = packed.size < bound ? packed.size : bound;
    if (size > TEXTS_MAX) size = TEXTS_MAX;
    out->bytes = tk_alloc_zero(reader->alloc, (size_t)size + 1);
    if (!out->bytes) return;
    out->capacity = (uint32_t)size + 1;
    struct tk_unpack_io io = { packed.bytes, packed.len, out->bytes, out->bytes, out->bytes + size };
    if (tk_unpack_begin(&unpack, reader->alloc, TK_UNPACK_ZLIB)) {
        tk_unpack_run(&unpack, &io);
        tk_unpack_end(&unpack);
    }
    out->len = (uint32_t)(io.at - out->bytes);
    if (out->len < (packed.size < TEXTS_MAX ? packed.size : TEXTS_MAX)) reader->file->summary.cut = true;
}

// ---- Texts -----------------------------------------------------------------------------------------

static void load_string_section(struct tk_symbol_reader *reader, uint32_t index, const uint8_t *bytes,
                                struct tk_dwarf_texts *texts, size_t len) {
    if (!len) return;
    if (reader->of.elf.sections[index].packing != TK_ELF_PLAIN) {
        unpack(reader, index, bytes, len, texts);
        return;
    }
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
    load_string_section(reader, reader->of.elf.str, bytes, &lines->str, len);
    lines->has_str = true;
    next_units(reader);
}

// Requests a unit that is longer than a range. Skips the rest if it was requested before: then the file is cut.
static void want_unit(struct tk_symbol_reader *reader, uint64_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (len > UNIT_MAX) reader->file->summary.limited = true;
    if (len > UNIT_MAX || len > elf->rest || elf->whole_unit) return;
    elf->whole_unit = true;
    tk_symbol_want(reader, elf->rest_at, len, take_units);
}

// Reads the complete units; the next request starts with the rest.
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

// Reads the units of a compressed table from memory. Stops when a unit needs a string section that must be loaded
// first.
static void read_unpacked_units(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    uint64_t unit;
    while (elf->rest_at < elf->unpacked.len) {
        const uint8_t *at = elf->unpacked.bytes + elf->rest_at;
        size_t left = elf->unpacked.len - (size_t)elf->rest_at;
        unit = tk_dwarf_unit_len(at, left, reader->file->big_endian);
        if (!unit || unit > left) return;
        if (unit > UNIT_MAX) {
            reader->file->summary.limited = true;
            return;
        }
        tk_dwarf_read_unit(&elf->lines, reader->file, reader->alloc, at, (size_t)unit);
        if (elf->lines.needs_str && !elf->lines.has_str) {
            want_texts(reader, elf->str, take_str);
            return;
        }
        elf->rest_at += unit;
    }
}

static void take_packed_units(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    unpack(reader, elf->line, bytes, len, &elf->unpacked);
    elf->rest_at = 0;
    read_unpacked_units(reader);
}

static void next_units(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    elf->whole_unit = false;
    if (elf->unpacked.bytes) read_unpacked_units(reader);
    else if (elf->rest)
        tk_symbol_want(reader, elf->rest_at, elf->rest < TK_SYMBOLS_RANGE_LEN ? elf->rest : TK_SYMBOLS_RANGE_LEN,
                       take_units);
}

static void take_line_str(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    load_string_section(reader, elf->line_str, bytes, &elf->lines.line_str, len);
    if (elf->sections[elf->line].packing != TK_ELF_PLAIN) {
        want_texts(reader, elf->line, take_packed_units);
        return;
    }
    elf->rest_at = elf->sections[elf->line].offset;
    elf->rest = elf->sections[elf->line].size;
    next_units(reader);
}

void tk_elf_read_lines(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    elf->lines.has_str = !elf->str;
    if (elf->line) want_texts(reader, elf->line_str, take_line_str);
}
