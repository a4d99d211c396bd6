// SPDX-License-Identifier: MIT
//
// Memory for what tells its size when it gives back: no headers, and lists of gaps instead of a search. What is given
// back waits for the next of its size; four sizes to an octave, so above 64 bytes at most a fifth of a block is unused.
#include "heap.h"
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

static size_t first(void) { return ((size_t)&__heap_base + 15) & ~(size_t)15; }

static bool make_room(size_t size, size_t top) {
    size_t left = __builtin_wasm_memory_size(0) * PAGE - top;
    return size <= left || __builtin_wasm_memory_grow(0, (size - left) / PAGE + PAGES_AT_ONCE) != SIZE_MAX;
}

static void *take_above(struct heap *heap, size_t rounded) {
    if (!heap->top) heap->top = first();
    if (!make_room(rounded, heap->top)) return NULL;
    heap->top += rounded;
    return (void *)(heap->top - rounded);
}

static void *take(struct heap *heap, size_t size) {
    size_t rounded = size;
    unsigned number = round_size(&rounded);
    struct gap *gap = heap->gaps[number];
    if (rounded < size) return NULL;
    if (!gap) return take_above(heap, rounded);
    heap->gaps[number] = gap->next;
    return gap;
}

static void free_block(struct heap *heap, struct gap *gap, size_t size) {
    unsigned number = round_size(&size);
    gap->next = heap->gaps[number];
    heap->gaps[number] = gap;
}

static void *reallocate(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    void *fresh = new_size ? take(ctx, new_size) : NULL;
    if (!ptr || (new_size && !fresh)) return fresh;
    if (fresh) memcpy(fresh, ptr, old_size < new_size ? old_size : new_size);
    free_block(ctx, ptr, old_size);
    return fresh;
}

static struct heap heap; // the module has one memory, and so one of these
const struct tk_allocator tkw_heap = { reallocate, &heap };

// ---- All of it

const void *tkw_heap_top(void) { return (const void *)heap.top; }

bool tkw_heap_reserve(size_t end) {
    if (end < heap.top) end = heap.top;
    if (!make_room(end - heap.top, heap.top)) return false;
    memset(heap.gaps, 0, sizeof heap.gaps);
    heap.top = end;
    return true;
}
