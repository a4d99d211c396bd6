// SPDX-License-Identifier: MIT
//
// An arena: hands out memory piece by piece and releases all of it at once. Pieces never move.
#ifndef TK_BASE_ARENA_H
#define TK_BASE_ARENA_H

#include "alloc.h"

struct tk_arena_block;

struct tk_arena {
    struct tk_alloc *alloc;
    struct tk_arena_block *block; // block in use; the full blocks follow in its list
    uint8_t *at, *end;            // unused bytes of that block
    size_t used;                  // bytes handed out
};

uint8_t *tk_arena_reserve_more(struct tk_arena *arena, size_t len);

// Returns room for up to `len` bytes, aligned for any type and not zeroed, valid until the next call. Returns NULL when
// out of memory.
static inline uint8_t *tk_arena_reserve(struct tk_arena *arena, size_t len) {
    return (size_t)(arena->end - arena->at) > len ? arena->at : tk_arena_reserve_more(arena, len);
}

// Keeps the first `len` bytes of the last reservation until tk_arena_reset.
static inline void tk_arena_commit(struct tk_arena *arena, size_t len) {
    size_t whole = (len + 15) & ~(size_t)15, left = (size_t)(arena->end - arena->at);
    if (!len) return;
    arena->at += whole < left ? whole : left;
    arena->used += len;
}

// Returns a copy of `len` bytes; NULL when out of memory.
const void *tk_arena_copy(struct tk_arena *arena, const void *bytes, size_t len);
// Releases all pieces; keeps one block for reuse.
void tk_arena_reset(struct tk_arena *arena);

#endif
