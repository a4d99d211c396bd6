// SPDX-License-Identifier: MIT
//
// Reads one file of symbols by ranges: it says which bytes it wants, the host brings them. A file is never held as a
// whole, whatever its size.
#ifndef TK_LOOKUP_SYMBOL_READER_H
#define TK_LOOKUP_SYMBOL_READER_H

#include "../base/alloc.h"
#include "symbols.h"

enum { TK_SYMBOLS_RANGE_LEN = 64 * 1024 }; // no range is longer

struct tk_symbol_reader;
struct tk_symbol_file;

// Reads what the need asks for. name: of the file, for the report; input: its number there. size: of the file in bytes.
// NULL: no memory. alloc and name are borrowed, name as long as the file's symbols.
struct tk_symbol_reader *tk_symbol_reader_new(enum tk_symbols_need need, struct tk_alloc *alloc, const char *name,
                                              uint32_t input, uint64_t size);

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
extern const struct tk_table tk_symbols_table_info;
void tk_symbols_table(const struct tk_symbols *symbols, const struct tk_table_sink *sink);
// Words about what was left out or is missing in a file; "" if nothing. Static.
const char *tk_symbol_file_note(const struct tk_symbol_file_summary *summary);

#endif
