// SPDX-License-Identifier: MIT
//
// Line tables of debug information, DWARF 2 to 5, 32 and 64 bit form, either byte order: units of the section
// .debug_line become rows.
#ifndef TK_LOOKUP_DWARF_LINES_H
#define TK_LOOKUP_DWARF_LINES_H

#include "symbol_file.h"

// One of the sections that hold texts. Owned by whoever fills it.
struct tk_dwarf_texts {
    uint8_t *bytes;
    uint32_t len, capacity;
};

// Zero-initialised is ready.
struct tk_dwarf_lines {
    struct tk_dwarf_texts line_str, str;
    bool needs_str;  // a unit has texts in .debug_str: load it and read the unit again
    bool has_str;    // it was loaded, or there is none
    uint32_t *units; // of the source files of the unit, by number
    uint32_t unit_count, unit_capacity;
};

enum { TK_DWARF_LENGTH_LEN = 12 }; // of the longest length in front of a unit

// Bytes of the unit, with its length in front. The first TK_DWARF_LENGTH_LEN bytes, or all there are, suffice; 0: not a
// unit.
uint64_t tk_dwarf_unit_len(const uint8_t *bytes, size_t len, bool big_endian);
// Reads one whole unit. What is damaged in it is left out, what was read before stays.
void tk_dwarf_read_unit(struct tk_dwarf_lines *lines, struct tk_symbol_file *file, struct tk_alloc *alloc,
                        const uint8_t *bytes, size_t len);
void tk_dwarf_lines_deinit(struct tk_dwarf_lines *lines, struct tk_alloc *alloc);

#endif
