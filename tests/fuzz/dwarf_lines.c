// SPDX-License-Identifier: MIT
//
// Line tables of debug information. Byte 0: bit 0 the byte order, bit 1: the section of other texts exists. The next
// two bytes are the length of the following texts; the rest are units.
#include "common/check.h"
#include "common/heap.h"
#include "lookup/dwarf_lines.h"

static void read_units(struct tk_dwarf_lines *lines, struct tk_symbol_file *file, struct tk_alloc *alloc,
                       const uint8_t *bytes, size_t len) {
    uint64_t unit;
    for (size_t at = 0; (unit = tk_dwarf_unit_len(bytes + at, len - at, file->big_endian)) && unit <= len - at;
         at += (size_t)unit) {
        unsigned char *copy = heap_copy(bytes + at, (size_t)unit);
        uint32_t rows = file->row_count;
        tk_dwarf_read_unit(lines, file, alloc, copy, (size_t)unit);
        check(file->row_count >= rows && file->row_count - rows <= unit);
        heap_drop(copy, (size_t)unit);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len < 3) return 0;
    struct tk_alloc alloc = heap_alloc();
    struct tk_symbol_file *file = tk_alloc_zero(&alloc, sizeof *file);
    struct tk_dwarf_lines lines = { .has_str = data[0] & 2 };
    size_t text_len = data[1] | (size_t)data[2] << 8;
    if (text_len > len - 3) text_len = len - 3;
    check(file);
    file->big_endian = data[0] & 1;
    struct tk_dwarf_texts texts = { tk_alloc_zero(&alloc, text_len + 1), (uint32_t)text_len, (uint32_t)text_len + 1 };
    for (size_t i = 0; i < text_len; i++) texts.bytes[i] = data[3 + i];
    *(data[0] & 4 ? &lines.str : &lines.line_str) = texts;
    read_units(&lines, file, &alloc, data + 3 + text_len, len - 3 - text_len);
    tk_symbol_file_complete(file, &alloc);
    tk_dwarf_lines_deinit(&lines, &alloc);
    tk_alloc_free_all(&alloc);
    heap_reset();
    return 0;
}
