// SPDX-License-Identifier: MIT
//
// The heap: the memory of a module after its data and stack. module.ts saves and restores it as a whole.
#ifndef TKW_HEAP_H
#define TKW_HEAP_H

#include <stddef.h>

enum { TKW_GAP_LISTS = 512 };

// The head of a freed block. module.ts does not save the bytes after the head.
struct tkw_gap {
    struct tkw_gap *next;
    size_t size; // size of the block, including this head
};

struct tkw_heap {
    size_t first, top; // addresses: all blocks are between them; the memory from `top` on was never used
    struct tkw_gap *gaps[TKW_GAP_LISTS];
};

extern struct tkw_heap tkw_heap;

void tkw_heap_open(void);
// Implements `realloc` of struct tk_allocator.
void *tkw_resize(void *ctx, void *ptr, size_t old_size, size_t new_size);

#endif
