// SPDX-License-Identifier: MIT
//
// Tables of one symbol file: the readers in this folder fill them, tk_symbol_file_complete sorts them once, then they
// are read-only.
#ifndef TK_LOOKUP_SYMBOL_FILE_H
#define TK_LOOKUP_SYMBOL_FILE_H

#include "../base/alloc.h"
#include "../base/strtab.h"
#include "symbols.h"

enum {
    TK_SYMBOLS_MAX = 1 << 20,               // largest number of functions, and of variables
    TK_SYMBOL_NAMES_MAX = 32 * 1024 * 1024, // largest total size of all names in bytes
    TK_SYMBOL_NAME_MAX = 2048,              // longer names are cut, in bytes
    TK_SYMBOL_LINES_MAX = 1 << 21,
    TK_SYMBOL_SECTIONS_MAX = 64,
    TK_SYMBOL_BYTES_MAX = 8 * 1024 * 1024 // largest total size of all sections
};

enum tk_symbol_rank {
    TK_RANK_GLOBAL,
    TK_RANK_LOCAL,
    TK_RANK_WEAK
}; // of several names at one address, the entry with the lowest rank is kept

// Flags of tk_symbol_entry.
enum {
    TK_ENTRY_UNSIZED = 1,    // has no size: ends at the next entry, at the latest after `size` bytes
    TK_ENTRY_SHARED = 2,     // see tk_symbol.shared
    TK_ENTRY_SPLIT = 4,      // may be a piece of the function with the same name and unit
    TK_ENTRY_SHOWN_SHIFT = 4 // the bits from here on are an enum tk_shown
};

// Form of the displayed name: the first one that no other entry has.
enum tk_shown { TK_SHOWN_SHORT, TK_SHOWN_WITH_OBJECT, TK_SHOWN_WITH_PARAMETERS, TK_SHOWN_WITH_ADDRESS };

struct tk_symbol_entry {
    uint64_t start;
    uint32_t size;
    uint32_t name;  // offset in `names`; 0: none
    uint32_t unit;  // string id in `units` of the object or source file without directory; 0: unknown
    uint32_t owner; // index of the function that this piece belongs to; its own index: not a piece
    uint8_t rank, flags;
};

struct tk_symbol_table {
    struct tk_symbol_entry *entries; // sorted by address, without overlaps
    uint32_t count, capacity;
};

struct tk_symbol_row {
    uint64_t address;
    uint32_t unit; // string id of the source file; TK_ROW_END: unknown from here on
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
    bool thumb;      // bit 0 of a function address is the Thumb bit
    bool big_endian; // byte order of words in the sections
    struct tk_symbol_table functions, variables;
    char *names; // terminated names; the first one is ""
    uint32_t names_len, names_capacity;
    struct tk_strtab units;
    struct tk_symbol_row *rows; // sorted by address
    uint32_t row_count, row_capacity;
    struct tk_symbol_section sections[TK_SYMBOL_SECTIONS_MAX];
    uint32_t section_count;
    uint64_t vectors, vectors_end; // address range of the exception vector table, according to its section; empty: none
    bool vectors_sized;            // the range is that of the table, not of a section that begins with it
    struct tk_symbol_file_summary summary;
};

// Copies a name. Returns its offset, or 0 when the limit is reached or out of memory.
uint32_t tk_symbol_file_add_name(struct tk_symbol_file *file, struct tk_alloc *alloc, const char *name, size_t len);
// Returns the string id of the base name of a path: the text after the last slash, or the member of an archive
// (`libapp.a(tasks.o)`).
uint32_t tk_symbol_file_add_unit(struct tk_symbol_file *file, struct tk_alloc *alloc, const char *path, size_t len);
// Adds an entry. Returns NULL when the limit is reached or out of memory. Valid until the next call.
struct tk_symbol_entry *tk_symbol_table_add(struct tk_symbol_file *file, struct tk_symbol_table *table,
                                            struct tk_alloc *alloc, const struct tk_symbol_entry *entry);
// Sorts the tables, keeps one name per address, finds owners and the form of displayed names.
void tk_symbol_file_complete(struct tk_symbol_file *file, struct tk_alloc *alloc);

// Returns the number of constant bytes from an address on; 0 if unknown.
size_t tk_symbol_file_bytes(const struct tk_symbol_file *file, uint64_t address, const uint8_t **out_bytes);
// Returns the index of the function in an entry of the exception vector table, and the number of entries with that
// function. Returns false if the file has no table, or the entry contains no function.
bool tk_symbol_file_vector(const struct tk_symbol_file *file, uint32_t vector, uint32_t *out_index,
                           uint32_t *out_users);
// Returns the number of entries of the exception vector table with a function; 0 if the file has no table.
uint32_t tk_symbol_file_vectors_of(const struct tk_symbol_file *file, uint32_t function);
// Returns whether the exception vector table has an entry that is not 0. Unknown if the file has no table, or the end
// of the table is unknown.
enum tk_has_vector { TK_VECTOR_UNKNOWN, TK_VECTOR_MISSING, TK_VECTOR_PRESENT };
enum tk_has_vector tk_symbol_file_has_vector(const struct tk_symbol_file *file, uint32_t vector);

// Returns the index of the entry that contains an address, or TK_NONE.
uint32_t tk_symbol_table_find(const struct tk_symbol_table *table, uint64_t address);

const char *tk_symbol_file_name(const struct tk_symbol_file *file, uint32_t name, uint32_t *out_len);
const char *tk_symbol_file_object(const struct tk_symbol_file *file, uint32_t unit, uint32_t *out_len);

// symbol_names.c. Returns the length of a name without the suffixes that compilers add to copies and pieces;
// pieces_only: removes only .cold and .part.N.
size_t tk_symbol_base_len(const char *name, size_t len, bool pieces_only);
// Writes the name of an entry in the form `how`. Returns its length, less than TK_SHOWN_NAME_LEN.
size_t tk_symbol_write_shown(const struct tk_symbol_file *file, const struct tk_symbol_entry *entry, enum tk_shown how,
                             char out[TK_SHOWN_NAME_LEN]);

#endif
