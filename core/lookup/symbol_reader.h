// SPDX-License-Identifier: MIT
//
// Reads one symbol file by ranges: the reader requests a range, the host passes its bytes. It never buffers a whole
// file, whatever its size.
#ifndef TK_LOOKUP_SYMBOL_READER_H
#define TK_LOOKUP_SYMBOL_READER_H

#include "../base/alloc.h"
#include "symbols.h"

enum { TK_SYMBOLS_RANGE_LEN = 64 * 1024 }; // largest length of a range in bytes

struct tk_symbol_reader;
struct tk_symbol_file;

// Creates a reader for the data that `need` requires. name: of the file, for the report; input: its index there. size:
// of the file in bytes. Returns NULL when out of memory. Borrows alloc, and name as long as the file's symbols live.
struct tk_symbol_reader *tk_symbol_reader_new(enum tk_symbols_need need, struct tk_alloc *alloc, const char *name,
                                              uint32_t input, uint64_t size);

// Returns the next range to read. Returns false when there is no more.
bool tk_symbol_reader_wanted(const struct tk_symbol_reader *reader, uint64_t *out_offset, size_t *out_len);
// Passes the bytes of that range; fewer if the file ends there or cannot be read.
void tk_symbol_reader_feed(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

// Adds the tables of the file to `symbols`, even if the file was not read to its end. ELF files come before maps;
// otherwise the order is that of the calls.
void tk_symbol_reader_finish(struct tk_symbol_reader *reader, struct tk_symbols *symbols);

// ---- For the report ----

struct tk_table_sink;

// The table of symbol files: kind, contents and results of look-ups, one row per file. No table without files.
extern const struct tk_table tk_symbols_table_info;
void tk_symbols_table(const struct tk_symbols *symbols, const struct tk_table_sink *sink);
// Returns a static text about omitted or missing parts of a file; "" if there are none.
const char *tk_symbol_file_note(const struct tk_symbol_file_summary *summary);

#endif
