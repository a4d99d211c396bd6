// SPDX-License-Identifier: MIT
//
// Memory that is given out piece by piece and taken back all at once. What was given out never moves.
#ifndef TK_BASE_ARENA_H
#define TK_BASE_ARENA_H

#include "alloc.h"

struct tk_arena_block;

struct tk_arena {
    struct tk_alloc *alloc;
    struct tk_arena_block *block; // the one that is being filled, in front of those that are full
    uint8_t *at, *end;            // what is left of it
    size_t used;                  // bytes given out
};

uint8_t *tk_arena_reserve_more(struct tk_arena *arena, size_t len);

// Room for up to `len` bytes, aligned for any type, not zeroed, until the next call; NULL: no memory.
static inline uint8_t *tk_arena_reserve(struct tk_arena *arena, size_t len) {
    return (size_t)(arena->end - arena->at) > len ? arena->at : tk_arena_reserve_more(arena, len);
}

// The first `len` bytes of what was reserved last are in use until tk_arena_reset.
static inline void tk_arena_commit(struct tk_arena *arena, size_t len) {
    size_t whole = (len + 15) & ~(size_t)15, left = (size_t)(arena->end - arena->at);
    if (!len) return;
    arena->at += whole < left ? whole : left;
    arena->used += len;
}

// A copy of `len` bytes; NULL: no memory.
const void *tk_arena_copy(struct tk_arena *arena, const void *bytes, size_t len);
// Takes back everything; keeps one block for the next round.
void tk_arena_reset(struct tk_arena *arena);

#endif
