// SPDX-License-Identifier: MIT
//
// Converts line tables of debug information to rows: units of the section .debug_line, DWARF 2 to 5, 32-bit and 64-bit
// format, either byte order.
#ifndef TK_LOOKUP_DWARF_LINES_H
#define TK_LOOKUP_DWARF_LINES_H

#include "symbol_file.h"

// Contents of a string section. Owned by the caller that fills it.
struct tk_dwarf_texts {
    uint8_t *bytes;
    uint32_t len, capacity;
};

// A zero-initialised struct is ready for use.
struct tk_dwarf_lines {
    struct tk_dwarf_texts line_str, str;
    bool needs_str;  // a unit refers to .debug_str: load the section and read the unit again
    bool has_str;    // .debug_str was loaded, or does not exist
    uint32_t *units; // string ids of the source files of the current unit, by file number
    uint32_t unit_count, unit_capacity;
};

enum { TK_DWARF_LENGTH_LEN = 12 }; // largest size of the length field before a unit

// Returns the size of a unit in bytes including its length field; 0 if it is not a unit. The first TK_DWARF_LENGTH_LEN
// bytes suffice, or fewer at the end of the section.
uint64_t tk_dwarf_unit_len(const uint8_t *bytes, size_t len, bool big_endian);
// Reads one whole unit. Stops at damage and keeps the rows read before.
void tk_dwarf_read_unit(struct tk_dwarf_lines *lines, struct tk_symbol_file *file, struct tk_alloc *alloc,
                        const uint8_t *bytes, size_t len);
void tk_dwarf_lines_deinit(struct tk_dwarf_lines *lines, struct tk_alloc *alloc);

#endif
