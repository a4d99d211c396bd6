// SPDX-License-Identifier: MIT
//
// Table of distinct strings with ids. Bounded: when the limits are reached it adds nothing and returns id 0.
#ifndef TK_BASE_STRTAB_H
#define TK_BASE_STRTAB_H

#include "alloc.h"

enum { TK_STRTAB_MAX_COUNT = 32768, TK_STRTAB_MAX_BYTES = 2 * 1024 * 1024 };

struct tk_string {
    uint32_t at, len; // range in the arena, in bytes
    uint32_t hash;
};

// A zero-initialised table is empty.
struct tk_strtab {
    struct tk_string *strings; // indexed by id - 1
    uint32_t count, strings_capacity;
    uint8_t *arena;
    uint32_t arena_len, arena_capacity;
    uint32_t *index; // hash table of ids with open addressing; 0: free
    uint32_t index_capacity;
    bool full; // a string was refused because of a limit
};

// Returns the id of a string (from 1), and copies the string if it is new. Returns 0 when the table is full or out of
// memory.
uint32_t tk_strtab_intern(struct tk_strtab *tab, struct tk_alloc *alloc, const char *text, size_t len);
// tk_strtab_intern for a caller that has the hash: the low half of tk_hash_bytes.
uint32_t tk_strtab_intern_hashed(struct tk_strtab *tab, struct tk_alloc *alloc, const char *text, size_t len,
                                 uint32_t hash);
// Returns the text of an id, not terminated; "" for id 0. Valid until the next intern.
const char *tk_strtab_text(const struct tk_strtab *tab, uint32_t id, size_t *out_len);
void tk_strtab_deinit(struct tk_strtab *tab, struct tk_alloc *alloc);

#endif
