// SPDX-License-Identifier: MIT
//
// Shared by the readers of ELF files and maps: a reader requests a range of the file together with the step that takes
// its bytes.
#ifndef TK_LOOKUP_SYMBOL_INPUT_H
#define TK_LOOKUP_SYMBOL_INPUT_H

#include "dwarf_lines.h"
#include "symbol_file.h"
#include "symbol_reader.h"

// Takes the `len` bytes of the requested range, fewer at the end of the file.
typedef void (*tk_symbol_step)(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

enum { TK_ELF_SECTIONS_MAX = 65535 };

// Plain, compressed according to the section flags, or compressed according to the section name.
enum tk_elf_packing { TK_ELF_PLAIN, TK_ELF_COMPRESSED, TK_ELF_ZDEBUG };

struct tk_elf_section {
    uint64_t flags, address, offset, size;
    uint32_t name, type, link, entry_size;
    uint8_t packing; // enum tk_elf_packing of a debug section
};

// A mapping symbol: code or data of a unit begins at this address.
struct tk_elf_unit_address {
    uint64_t address;
    uint32_t unit;
};

struct tk_elf {
    bool wide; // 64-bit ELF
    uint16_t machine;
    uint64_t sections_at;
    uint32_t section_size, section_count, names_index; // names_index: index of the section with the section names
    struct tk_elf_section *sections;
    uint32_t section_capacity;
    uint32_t line, line_str, str; // indexes of the debug sections; 0: none
    uint32_t next;                // index of the section to read next
    uint64_t rest_at, rest;       // position and remaining size of the table being read
    uint32_t unit;                // unit of the local symbols being read
    struct tk_elf_unit_address *unit_addresses;
    uint32_t unit_address_count, unit_address_capacity;
    uint32_t vectors_by; // how the vector table was found (TK_VECTORS_*); lower is better
    struct tk_dwarf_lines lines;
    struct tk_dwarf_texts unpacked; // units of a compressed line table; rest_at is an offset in it
    bool whole_unit;                // the rest of a cut unit was requested
};

enum tk_map_content { TK_MAP_OTHER, TK_MAP_CODE, TK_MAP_VARIABLES };

struct tk_map {
    uint64_t at;     // position of the next line in the file
    bool inside;     // the current line is in the list of symbols
    bool pending;    // a line contained only a name; its numbers follow
    char name[1024]; // that name; GNU ld: function or variable of the current section
    uint32_t name_len;
    uint64_t start, end; // address range of the current section; equal: none
    enum tk_map_content content;
    bool split; // the current section may be a piece of a function
    bool has_symbols;
    uint32_t unit;
    uint8_t rank; // rank of the entries being added
};

struct tk_symbol_reader {
    enum tk_symbols_need need; // determines what is read
    struct tk_alloc *alloc;
    struct tk_symbol_file *file;
    uint64_t size;
    uint32_t steps;
    // The requested range [at, at + len) for `step`, collected in `buffered`.
    uint64_t at;
    size_t len;
    tk_symbol_step step; // step that takes the bytes; NULL: nothing is requested
    uint8_t *buffered;
    uint32_t buffered_len, buffered_capacity;
    union {
        struct tk_elf elf;
        struct tk_map map;
    } of;
};

// Requests a range of the file for a step; the part beyond the end of the file is omitted.
void tk_symbol_want(struct tk_symbol_reader *reader, uint64_t at, uint64_t len, tk_symbol_step step);
// Transfers the bytes of the current step, with a terminating zero, to the caller, who frees `capacity` bytes. Returns
// NULL when out of memory.
uint8_t *tk_symbol_take(struct tk_symbol_reader *reader, size_t len, uint32_t *out_capacity);

void tk_elf_begin(struct tk_symbol_reader *reader);
void tk_elf_end(struct tk_symbol_reader *reader);
// Read the optional parts of an ELF: names and lines.
void tk_elf_read_symbols(struct tk_symbol_reader *reader);
void tk_elf_read_lines(struct tk_symbol_reader *reader);
void tk_map_begin(struct tk_symbol_reader *reader);

#endif
