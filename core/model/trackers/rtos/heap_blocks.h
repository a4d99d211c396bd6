// SPDX-License-Identifier: MIT
//
// Blocks of memory that were allocated and not yet freed, by address.
#ifndef TK_MODEL_TRACKERS_RTOS_HEAP_BLOCKS_H
#define TK_MODEL_TRACKERS_RTOS_HEAP_BLOCKS_H

#include "../../../base/alloc.h"
#include "actor.h"

enum { TK_MAX_HEAP_BLOCKS = 32768 }; // further ones are not remembered

struct tk_heap_block {
    uint64_t address, size;
    uint32_t heap;
    struct tk_actor actor; // that allocated it
    bool used;
};

struct tk_heap_blocks {
    struct tk_heap_block *slots; // open addressing
    uint32_t capacity, count;    // capacity: 0 or a power of two
    uint64_t refused;
};

void tk_heap_blocks_deinit(struct tk_heap_blocks *blocks, struct tk_alloc *alloc);
// The block that is known at an address of a heap, or NULL.
struct tk_heap_block *tk_heap_blocks_find(const struct tk_heap_blocks *blocks, uint32_t heap, uint64_t address);
// None is known there. False: no room, it is counted in `refused`.
bool tk_heap_blocks_add(struct tk_heap_blocks *blocks, struct tk_alloc *alloc, const struct tk_heap_block *block);
void tk_heap_blocks_remove(struct tk_heap_blocks *blocks, struct tk_heap_block *block);

#endif
