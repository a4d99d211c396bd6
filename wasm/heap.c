// SPDX-License-Identifier: MIT
//
// An allocator whose callers pass the size of a block when they free it, so blocks have no headers. Lists of freed
// blocks, one per size, serve later allocations of the same size. There are 16 sizes between two powers of two, so at
// most 1/17 of a block is unused.
#include "heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PAGE = 65536, PAGES_AT_ONCE = 16 };

extern uint8_t __heap_base; // from the linker: the first byte after data and stack

struct tkw_heap tkw_heap;

void tkw_heap_open(void) { tkw_heap.first = tkw_heap.top = ((size_t)&__heap_base + 15) & ~(size_t)15; }

// Rounds *size up to the size of a block. Returns the number of its list.
static unsigned round_size(size_t *size) {
    size_t last = ((*size + 15) & ~(size_t)15) - 1;
    unsigned shift = 27 - (unsigned)__builtin_clz((unsigned)last | 16);
    size_t steps = (last >> shift) + 1;
    *size = steps << shift;
    return shift * 16 + (unsigned)steps;
}

static bool make_room(size_t size) {
    size_t left = __builtin_wasm_memory_size(0) * PAGE - tkw_heap.top;
    return size <= left || __builtin_wasm_memory_grow(0, (size - left) / PAGE + PAGES_AT_ONCE) != SIZE_MAX;
}

static void *allocate(size_t size) {
    size_t rounded = size;
    unsigned number = round_size(&rounded);
    struct tkw_gap *gap = tkw_heap.gaps[number];
    if (rounded < size) return NULL;
    if (gap) {
        tkw_heap.gaps[number] = gap->next;
        return gap;
    }
    if (!make_room(rounded)) return NULL;
    tkw_heap.top += rounded;
    return (void *)(tkw_heap.top - rounded);
}

static void free_block(struct tkw_gap *gap, size_t size) {
    unsigned number = round_size(&size);
    *gap = (struct tkw_gap){ tkw_heap.gaps[number], size };
    tkw_heap.gaps[number] = gap;
}

void *tkw_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    void *fresh = new_size ? allocate(new_size) : NULL;
    (void)ctx;
    if (!ptr || (new_size && !fresh)) return fresh;
    if (fresh) memcpy(fresh, ptr, old_size < new_size ? old_size : new_size);
    free_block(ptr, old_size);
    return fresh;
}
