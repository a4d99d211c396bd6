// SPDX-License-Identifier: MIT
//
// Distinct strings, each kept once. Bounded: beyond the caps nothing is kept and 0 is returned.
#ifndef TK_BASE_STRTAB_H
#define TK_BASE_STRTAB_H

#include "alloc.h"

enum { TK_STRTAB_MAX_COUNT = 32768, TK_STRTAB_MAX_BYTES = 2 * 1024 * 1024 };

struct tk_string {
    uint32_t at, len; // in the arena
    uint32_t hash;
};

// Zero-initialised is empty.
struct tk_strtab {
    struct tk_string *strings; // id - 1
    uint32_t count, strings_capacity;
    uint8_t *arena;
    uint32_t arena_len, arena_capacity;
    uint32_t *index; // ids, open addressing
    uint32_t index_capacity;
    bool full; // something was refused
};

// Id (from 1), or 0 when full or out of memory. Copies.
uint32_t tk_strtab_intern(struct tk_strtab *tab, struct tk_alloc *alloc, const char *text, size_t len);
// The same, where the low half of its tk_hash_bytes is known.
uint32_t tk_strtab_intern_hashed(struct tk_strtab *tab, struct tk_alloc *alloc, const char *text, size_t len,
                                 uint32_t hash);
// Not terminated. id 0: "". Valid until the next intern.
const char *tk_strtab_text(const struct tk_strtab *tab, uint32_t id, size_t *out_len);
void tk_strtab_deinit(struct tk_strtab *tab, struct tk_alloc *alloc);

#endif
