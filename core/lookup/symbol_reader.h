// SPDX-License-Identifier: MIT
//
// Reads one file of symbols by ranges: it says which bytes it wants, the host brings them. A file is never held as a whole, whatever its size.
#ifndef TK_LOOKUP_SYMBOL_READER_H
#define TK_LOOKUP_SYMBOL_READER_H

#include "../base/alloc.h"
#include "symbols.h"

enum { TK_SYMBOLS_RANGE_LEN = 64 * 1024 }; // no range is longer

struct tk_symbol_reader;

// kind: as probed. size: of the file in bytes. NULL: no memory. alloc is borrowed.
struct tk_symbol_reader *tk_symbol_reader_new(struct tk_alloc *alloc, enum tk_symbols_kind kind, uint64_t size);
void tk_symbol_reader_free(struct tk_symbol_reader *reader);

// The range that is needed next; false: nothing more.
bool tk_symbol_reader_wanted(const struct tk_symbol_reader *reader, uint64_t *out_offset, size_t *out_len);
// Brings it. Fewer bytes than wanted: the file ends there, or cannot be read.
void tk_symbol_reader_feed(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

// What the file knows joins `symbols`, also when it was not read to its end; ELF files come before maps, else in the order of these calls.
void tk_symbol_reader_finish(struct tk_symbol_reader *reader, struct tk_symbols *symbols);
void tk_symbols_deinit(struct tk_symbols *symbols, struct tk_alloc *alloc);

#endif
