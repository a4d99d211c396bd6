// SPDX-License-Identifier: MIT
#include "arena.h"

#include <string.h>

#include "bytes.h"
#include "attributes.h"

enum { BLOCK = 16 * 1024, KEPT = 256 * 1024 };

struct tk_arena_block {
    struct tk_arena_block *next;
    size_t size;
    uint64_t align;
    uint8_t bytes[];
};

static void fill(struct tk_arena *arena, struct tk_arena_block *block) {
    size_t skip = (16 - (uintptr_t)block->bytes % 16) % 16;
    arena->block = block;
    arena->at = block->bytes + skip;
    arena->end = block->bytes + block->size;
}

TK_COLD uint8_t *tk_arena_reserve_more(struct tk_arena *arena, size_t len) {
    size_t size = len + 17 > BLOCK ? len + 17 : BLOCK; // room for alignment; a block never becomes completely full
    struct tk_arena_block *block = tk_alloc_zero(arena->alloc, sizeof *block + size);
    if (!block) return NULL;
    block->next = arena->block;
    block->size = size;
    fill(arena, block);
    return arena->at;
}

const void *tk_arena_copy(struct tk_arena *arena, const void *bytes, size_t len) {
    uint8_t *copy = tk_arena_reserve(arena, len);
    if (!copy) return NULL;
    tk_copy(copy, bytes, len);
    tk_arena_commit(arena, len);
    return copy;
}

// Frees all blocks except `but`.
static void free_blocks(struct tk_arena *arena, struct tk_arena_block *but) {
    struct tk_arena_block *block = arena->block;
    while (block) {
        struct tk_arena_block *next = block->next;
        if (block != but) tk_alloc_free(arena->alloc, block, sizeof *block + block->size);
        block = next;
    }
    arena->block = NULL;
    arena->at = arena->end = NULL;
}

// Returns the largest block worth keeping, so that later rounds of the same size allocate nothing.
static struct tk_arena_block *best_block(const struct tk_arena *arena) {
    struct tk_arena_block *best = NULL;
    for (struct tk_arena_block *block = arena->block; block; block = block->next)
        if (block->size <= KEPT && (!best || block->size > best->size)) best = block;
    return best;
}

void tk_arena_reset(struct tk_arena *arena) {
    if (!arena->used) return;
    struct tk_arena_block *kept = best_block(arena);
    arena->used = 0;
    free_blocks(arena, kept);
    if (!kept) return;
    kept->next = NULL;
    fill(arena, kept);
}
