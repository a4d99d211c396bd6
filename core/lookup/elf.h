// SPDX-License-Identifier: MIT
//
// What the parts of the reader of ELF files share. Included by elf*.c only.
#ifndef TK_LOOKUP_ELF_H
#define TK_LOOKUP_ELF_H

#include "byte_order.h"
#include "symbol_input.h"

static inline uint64_t tk_elf_number(const struct tk_symbol_reader *reader, const uint8_t *at, size_t len) {
    return tk_read_ordered(at, len, reader->file->big_endian);
}

// A number whose place and length depend on the class.
static inline uint64_t tk_elf_field(const struct tk_symbol_reader *reader, const uint8_t *bytes, unsigned narrow,
                                    unsigned wide) {
    return reader->of.elf.wide ? tk_elf_number(reader, bytes + wide, 8) : tk_elf_number(reader, bytes + narrow, 4);
}

bool tk_elf_is_named(const char *name, const char *const *names, size_t count, size_t *out_index);

// How the table of vectors was found: the less, the better; the first ones by the name of a symbol or a section.
enum { TK_VECTORS_BY_SYMBOL, TK_VECTORS_BY_SECTION = 16, TK_VECTORS_BY_PLACE = 32, TK_VECTORS_UNKNOWN };
void tk_elf_set_vectors(struct tk_symbol_reader *reader, uint32_t by, uint64_t address, uint64_t len);

// What comes behind the symbols: sections that are never written.
void tk_elf_read_bytes(struct tk_symbol_reader *reader);

#endif
