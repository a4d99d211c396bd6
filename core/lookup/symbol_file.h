// SPDX-License-Identifier: MIT
//
// The tables of one file of symbols: filled by the readers of this room, then put in order once, then only read.
#ifndef TK_LOOKUP_SYMBOL_FILE_H
#define TK_LOOKUP_SYMBOL_FILE_H

#include "../base/alloc.h"
#include "../base/strtab.h"
#include "symbols.h"

enum {
    TK_SYMBOLS_MAX = 1 << 20,               // functions; likewise variables
    TK_SYMBOL_NAMES_MAX = 32 * 1024 * 1024, // bytes of all names
    TK_SYMBOL_NAME_MAX = 2048,              // of a name; what is longer is cut
    TK_SYMBOL_LINES_MAX = 1 << 21,
    TK_SYMBOL_SECTIONS_MAX = 64,
    TK_SYMBOL_BYTES_MAX = 8 * 1024 * 1024 // of all sections together
};

enum tk_symbol_rank {
    TK_RANK_GLOBAL,
    TK_RANK_LOCAL,
    TK_RANK_WEAK
}; // of several names of one address the lowest counts

// Flags of an entry.
enum {
    TK_ENTRY_UNSIZED = 1,    // ends where the next one begins, at the latest behind its size
    TK_ENTRY_SHARED = 2,     // see tk_symbol.shared
    TK_ENTRY_SPLIT = 4,      // may be a piece of the function of the same name and unit
    TK_ENTRY_SHOWN_SHIFT = 4 // from here on an enum tk_shown
};

// Which name is shown: the first that no other entry bears.
enum tk_shown { TK_SHOWN_SHORT, TK_SHOWN_WITH_OBJECT, TK_SHOWN_WITH_PARAMETERS, TK_SHOWN_WITH_ADDRESS };

struct tk_symbol_entry {
    uint64_t start;
    uint32_t size;
    uint32_t name;  // place in names; 0: none
    uint32_t unit;  // string id in units: object or source file without directory; 0: unknown
    uint32_t owner; // index of the function that it belongs to; its own index: to none
    uint8_t rank, flags;
};

struct tk_symbol_table {
    struct tk_symbol_entry *entries; // by address, apart
    uint32_t count, capacity;
};

struct tk_symbol_row {
    uint64_t address;
    uint32_t unit; // of the source file; TK_ROW_END: nothing is known from here on
    uint32_t line;
};
#define TK_ROW_END UINT32_MAX

struct tk_symbol_section {
    uint64_t address;
    uint8_t *bytes;
    uint32_t len, capacity;
};

struct tk_symbol_file {
    struct tk_symbol_file *next;
    enum tk_symbols_kind kind;
    bool thumb;      // bit 0 of a function's address says how its code is to be read
    bool big_endian; // of words in its sections
    struct tk_symbol_table functions, variables;
    char *names; // zero-terminated; the first one is ""
    uint32_t names_len, names_capacity;
    struct tk_strtab units;
    struct tk_symbol_row *rows; // by address
    uint32_t row_count, row_capacity;
    struct tk_symbol_section sections[TK_SYMBOL_SECTIONS_MAX];
    uint32_t section_count;
    uint64_t vectors, vectors_end; // table of exception vectors, as far as its section tells; equal: none
    struct tk_symbol_file_summary summary;
};

// Copies; 0: no room.
uint32_t tk_symbol_file_add_name(struct tk_symbol_file *file, struct tk_alloc *alloc, const char *name, size_t len);
// String id of the base name of a path: behind the last slash, or the member of an archive (`libapp.a(tasks.o)`).
uint32_t tk_symbol_file_add_unit(struct tk_symbol_file *file, struct tk_alloc *alloc, const char *path, size_t len);
// NULL: no room. Valid until the next one.
struct tk_symbol_entry *tk_symbol_table_add(struct tk_symbol_file *file, struct tk_symbol_table *table,
                                            struct tk_alloc *alloc, const struct tk_symbol_entry *entry);
// Sorts, drops further names of one address, finds owners and shown names.
void tk_symbol_file_complete(struct tk_symbol_file *file, struct tk_alloc *alloc);

// Bytes from an address on that the target never writes; 0: not known.
size_t tk_symbol_file_bytes(const struct tk_symbol_file *file, uint64_t address, const uint8_t **out_bytes);
// Index of the function in an entry of the table of exception vectors, and how many entries name that function. False:
// the file has no table, or the entry names no function.
bool tk_symbol_file_vector(const struct tk_symbol_file *file, uint32_t vector, uint32_t *out_index,
                           uint32_t *out_users);

// Index of the entry that holds an address, or TK_NONE.
uint32_t tk_symbol_table_find(const struct tk_symbol_table *table, uint64_t address);

const char *tk_symbol_file_name(const struct tk_symbol_file *file, uint32_t name, uint32_t *out_len);
const char *tk_symbol_file_object(const struct tk_symbol_file *file, uint32_t unit, uint32_t *out_len);

// symbol_names.c. Length of a name without what compilers add to copies and pieces; pieces_only: without .cold and
// .part.N only.
size_t tk_symbol_base_len(const char *name, size_t len, bool pieces_only);
// Writes the name of an entry in one of the ways of tk_shown; returns its length, below TK_SHOWN_NAME_LEN.
size_t tk_symbol_write_shown(const struct tk_symbol_file *file, const struct tk_symbol_entry *entry, enum tk_shown how,
                             char out[TK_SHOWN_NAME_LEN]);

#endif
