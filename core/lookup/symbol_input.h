// SPDX-License-Identifier: MIT
//
// What the readers of the kinds of files share: a range of the file is asked for together with the step that takes it.
#ifndef TK_LOOKUP_SYMBOL_INPUT_H
#define TK_LOOKUP_SYMBOL_INPUT_H

#include "dwarf_lines.h"
#include "symbol_file.h"
#include "symbol_reader.h"

// Takes what was asked for: `len` bytes, fewer when the file ends before.
typedef void (*tk_symbol_step)(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

enum { TK_ELF_SECTIONS_MAX = 65535 };

enum tk_elf_packing { TK_ELF_PLAIN, TK_ELF_COMPRESSED, TK_ELF_ZDEBUG }; // by flag, by name

struct tk_elf_section {
    uint64_t flags, address, offset, size;
    uint32_t name, type, link, entry_size;
    uint8_t packing; // enum tk_elf_packing, of a section of debug information
};

// A mapping symbol: from this address on, code or data of a unit.
struct tk_elf_unit_address {
    uint64_t address;
    uint32_t unit;
};

struct tk_elf {
    bool wide; // 64 bit
    uint16_t machine;
    uint64_t sections_at;
    uint32_t section_size, section_count, names_index; // names_index: section with the names of sections
    struct tk_elf_section *sections;
    uint32_t section_capacity;
    uint32_t line, line_str, str; // sections of debug information; 0: none
    uint32_t next;                // section that is to be read
    uint64_t rest_at, rest;       // of the table that is being read
    uint32_t unit;                // of the local symbols that are being read
    struct tk_elf_unit_address *unit_addresses;
    uint32_t unit_address_count, unit_address_capacity;
    uint32_t vectors_by; // how the table of vectors was found: the less, the better
    struct tk_dwarf_lines lines;
    struct tk_dwarf_texts unpacked; // units of a compressed line table; rest_at counts in it
    bool whole_unit;                // was asked for
};

enum tk_map_content { TK_MAP_OTHER, TK_MAP_CODE, TK_MAP_VARIABLES };

struct tk_map {
    uint64_t at;     // of the next line
    bool inside;     // of the list that tells symbols
    bool pending;    // a name stood alone on a line, what belongs to it follows
    char name[1024]; // that name; GNU ld: the function or variable to which the section belongs
    uint32_t name_len;
    uint64_t start, end; // section that is being read; equal: none
    enum tk_map_content content;
    bool split; // it may be a piece of a function
    bool has_symbols;
    uint32_t unit;
    uint8_t rank; // of what is added
};

struct tk_symbol_reader {
    enum tk_symbols_need need; // says what is read
    struct tk_alloc *alloc;
    struct tk_symbol_file *file;
    uint64_t size;
    uint32_t steps;
    // What is wanted: [at, at + len) for the step, put together in `buffered`.
    uint64_t at;
    size_t len;
    tk_symbol_step step; // NULL: nothing more
    uint8_t *buffered;
    uint32_t buffered_len, buffered_capacity;
    union {
        struct tk_elf elf;
        struct tk_map map;
    } of;
};

// A stretch of the file; what lies beyond its end is not asked for.
void tk_symbol_want(struct tk_symbol_reader *reader, uint64_t at, uint64_t len, tk_symbol_step step);
// The bytes that the step was given, and a zero byte behind them, become the caller's, who frees `capacity` bytes.
// NULL: no memory.
uint8_t *tk_symbol_take(struct tk_symbol_reader *reader, size_t len, uint32_t *out_capacity);

void tk_elf_begin(struct tk_symbol_reader *reader);
void tk_elf_end(struct tk_symbol_reader *reader);
// What is read besides the sections of an ELF that are never written: for names, and for lines.
void tk_elf_read_symbols(struct tk_symbol_reader *reader);
void tk_elf_read_lines(struct tk_symbol_reader *reader);
void tk_map_begin(struct tk_symbol_reader *reader);

#endif
