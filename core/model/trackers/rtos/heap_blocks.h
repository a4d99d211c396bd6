// SPDX-License-Identifier: MIT
//
// Allocated blocks of memory by address.
#ifndef TK_MODEL_TRACKERS_RTOS_HEAP_BLOCKS_H
#define TK_MODEL_TRACKERS_RTOS_HEAP_BLOCKS_H

#include "../../../base/alloc.h"
#include "actor.h"

enum { TK_MAX_HEAP_BLOCKS = 32768 }; // further blocks are not stored

struct tk_heap_block {
    uint64_t address, size;
    uint32_t heap;
    struct tk_actor actor; // actor that allocated it
    bool used;
};

struct tk_heap_blocks {
    struct tk_heap_block *slots; // hash table with open addressing
    uint32_t capacity, count;    // capacity: 0 or a power of two
    uint64_t refused;
};

void tk_heap_blocks_deinit(struct tk_heap_blocks *blocks, struct tk_alloc *alloc);
// Returns the block at an address of a heap, or NULL.
struct tk_heap_block *tk_heap_blocks_find(const struct tk_heap_blocks *blocks, uint32_t heap, uint64_t address);
// Adds a block; there must be none at its address. Returns false, counted in `refused`, if there is no room.
bool tk_heap_blocks_add(struct tk_heap_blocks *blocks, struct tk_alloc *alloc, const struct tk_heap_block *block);
void tk_heap_blocks_remove(struct tk_heap_blocks *blocks, struct tk_heap_block *block);

#endif
