// SPDX-License-Identifier: MIT
//
// Reads one file of symbols by ranges: it says which bytes it wants, the host brings them. A file is never held as a
// whole, whatever its size.
#ifndef TK_LOOKUP_SYMBOL_READER_H
#define TK_LOOKUP_SYMBOL_READER_H

#include "../base/alloc.h"
#include "../base/relocate.h"
#include "symbols.h"

enum { TK_SYMBOLS_RANGE_LEN = 64 * 1024 }; // no range is longer

struct tk_symbol_reader;
struct tk_symbol_file;

// name: of the file, for the report; input: its number there. size: of the file in bytes. NULL: no memory. alloc and
// name are borrowed, name as long as the file's symbols.
struct tk_symbol_reader *tk_symbol_reader_new(const struct tk_symbol_service *service, struct tk_alloc *alloc,
                                              const char *name, uint32_t input, uint64_t size);

// The range that is needed next; false: nothing more.
bool tk_symbol_reader_wanted(const struct tk_symbol_reader *reader, uint64_t *out_offset, size_t *out_len);
// Brings it. Fewer bytes than wanted: the file ends there, or cannot be read.
void tk_symbol_reader_feed(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

// What the file knows joins `symbols`, also when it was not read to its end; ELF files come before maps, else in the
// order of these calls.
void tk_symbol_reader_finish(struct tk_symbol_reader *reader, struct tk_symbols *symbols);

// ---- For hosts of decoders ----

struct tk_table_sink;

// A row for each file: what it is, what it holds, what was found in it. No table without files.
void tk_symbols_table(const struct tk_symbols *symbols, const struct tk_table_sink *sink);
// Words about what was left out or is missing in a file; "" if nothing. Static.
const char *tk_symbol_file_note(const struct tk_symbol_file_summary *facts);

// Copies of the files, elsewhere; while no reader is open.
void tk_symbols_relocate(const struct tk_symbol_service *service, struct tk_symbols *symbols,
                         struct tk_relocation *move);

// The above for one need: a program that contains only the service of this need carries nothing that reads and knows
// more.
struct tk_symbol_service {
    enum tk_symbols_need need;
    struct tk_symbol_reader *(*open)(const struct tk_symbol_service *service, struct tk_alloc *alloc, const char *name,
                                     uint32_t input, uint64_t size);
    bool (*wanted)(const struct tk_symbol_reader *reader, uint64_t *out_offset, size_t *out_len);
    void (*feed)(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);
    void (*finish)(struct tk_symbol_reader *reader, struct tk_symbols *symbols);
    void (*relocate)(const struct tk_symbol_service *service, struct tk_symbols *symbols, struct tk_relocation *move);
    void (*table)(const struct tk_symbols *symbols, const struct tk_table_sink *sink);
    // What is read of a file besides the sections of an ELF that are never written, and what puts it in order. NULL:
    // nobody needs it.
    void (*read_map)(struct tk_symbol_reader *reader);
    void (*read_symbols)(struct tk_symbol_reader *reader);
    void (*read_lines)(struct tk_symbol_reader *reader);
    void (*complete)(struct tk_symbol_file *file, struct tk_alloc *alloc);
    // What a decoder for which symbols are rare asks; NULL likewise.
    bool (*function)(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol);
    bool (*variable)(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol);
    size_t (*shown)(const struct tk_symbol *symbol, char out_name[TK_SHOWN_NAME_LEN]);
};
extern const struct tk_symbol_service tk_symbols_for_texts, tk_symbols_for_names, tk_symbols_for_lines;

#endif
