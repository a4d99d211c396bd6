// SPDX-License-Identifier: MIT
//
// Blocks of memory that were allocated and not yet freed, by address.
#ifndef TK_MODEL_BLOCKS_H
#define TK_MODEL_BLOCKS_H

#include "../base/alloc.h"
#include "../base/move.h"

enum { TK_MAX_BLOCKS = 32768 }; // further ones are not remembered

struct tk_block {
    uint64_t address, size, since;
    uint32_t heap, actor;
    bool used;
};

struct tk_blocks {
    struct tk_block *slots; // open addressing
    uint32_t capacity, count; // capacity: 0 or a power of two
    uint64_t refused;
};

void tk_blocks_deinit(struct tk_blocks *blocks, struct tk_alloc *alloc);
void tk_blocks_moved(struct tk_blocks *blocks, struct tk_move *move);
// The block that is known at an address of a heap, or NULL.
struct tk_block *tk_blocks_find(const struct tk_blocks *blocks, uint32_t heap, uint64_t address);
// None is known there. False: no room, it is counted in `refused`.
bool tk_blocks_add(struct tk_blocks *blocks, struct tk_alloc *alloc, const struct tk_block *block);
void tk_blocks_remove(struct tk_blocks *blocks, struct tk_block *block);

#endif
