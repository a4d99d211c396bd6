// SPDX-License-Identifier: MIT
//
// Memory for what tells its size when it gives back: no headers, and lists of gaps instead of a search. What is given
// back waits for the next of its size; four sizes to an octave, so above 64 bytes at most a fifth of a block is unused.
#include "io.h"

#include <string.h>

enum { PAGE = 65536, PAGES_AT_ONCE = 16, SIZES = 128 };

struct gap {
    struct gap *next;
};

struct heap {
    struct gap *gaps[SIZES];
    size_t top; // what is above was never used; 0: nothing was
};

extern uint8_t __heap_base; // from the linker: behind data and stack

// Rounds up. Returns the number of the rounded size.
static unsigned round_size(size_t *size) {
    size_t last = ((*size + 15) & ~(size_t)15) - 1;
    unsigned shift = 29 - (unsigned)__builtin_clz((unsigned)last | 8);
    size_t steps = (last >> shift) + 1;
    *size = steps << shift;
    return shift * 4 + (unsigned)steps;
}

static void *take(struct heap *heap, size_t size) {
    size_t rounded = size;
    unsigned number = round_size(&rounded);
    struct gap *gap = heap->gaps[number];
    if (rounded < size) return NULL;
    if (gap) {
        heap->gaps[number] = gap->next;
        return gap;
    }
    if (!heap->top) heap->top = ((size_t)&__heap_base + 15) & ~(size_t)15;
    size_t left = __builtin_wasm_memory_size(0) * PAGE - heap->top;
    if (rounded > left) {
        size_t pages = (rounded - left) / PAGE + PAGES_AT_ONCE;
        if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return NULL;
    }
    heap->top += rounded;
    return (void *)(heap->top - rounded);
}

static void give_back(struct heap *heap, struct gap *gap, size_t size) {
    unsigned number = round_size(&size);
    gap->next = heap->gaps[number];
    heap->gaps[number] = gap;
}

static void *reallocate(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    void *fresh = new_size ? take(ctx, new_size) : NULL;
    if (!ptr || (new_size && !fresh)) return fresh;
    if (fresh) memcpy(fresh, ptr, old_size < new_size ? old_size : new_size);
    give_back(ctx, ptr, old_size);
    return fresh;
}

static struct heap heap; // the module has one memory, and so one of these
const struct tk_allocator tkw_heap = {reallocate, &heap};
