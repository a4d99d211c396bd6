// SPDX-License-Identifier: MIT
//
// Shared by elf*.c; do not include it elsewhere.
#ifndef TK_LOOKUP_ELF_H
#define TK_LOOKUP_ELF_H

#include "byte_order.h"
#include "symbol_input.h"

static inline uint64_t tk_elf_number(const struct tk_symbol_reader *reader, const uint8_t *at, size_t len) {
    return tk_read_ordered(at, len, reader->file->big_endian);
}

// Reads a number whose offset and size depend on the ELF class. `narrow`, `wide`: offsets in 32-bit and 64-bit files.
static inline uint64_t tk_elf_field(const struct tk_symbol_reader *reader, const uint8_t *bytes, unsigned narrow,
                                    unsigned wide) {
    return reader->of.elf.wide ? tk_elf_number(reader, bytes + wide, 8) : tk_elf_number(reader, bytes + narrow, 4);
}

bool tk_elf_is_named(const char *name, const char *const *names, size_t count, size_t *out_index);

// How the vector table was found; lower is better. The values from BY_SYMBOL and BY_SECTION on are indexes of known
// names.
enum { TK_VECTORS_BY_SYMBOL, TK_VECTORS_BY_SECTION = 16, TK_VECTORS_BY_PLACE = 32, TK_VECTORS_UNKNOWN };
void tk_elf_set_vectors(struct tk_symbol_reader *reader, uint32_t by, uint64_t address, uint64_t len);

// Reads the read-only sections, after the symbols.
void tk_elf_read_bytes(struct tk_symbol_reader *reader);

#endif
