// SPDX-License-Identifier: MIT
#include "heap_blocks.h"

#include <stddef.h>

static uint32_t home_slot(const struct tk_heap_blocks *blocks, uint32_t heap, uint64_t address) {
    return (uint32_t)((address + heap) * 0x9E3779B97F4A7C15u >> 40) & (blocks->capacity - 1);
}

static struct tk_heap_block *slot_for(const struct tk_heap_blocks *blocks, uint32_t heap, uint64_t address) {
    uint32_t at = home_slot(blocks, heap, address);
    while (blocks->slots[at].used && (blocks->slots[at].address != address || blocks->slots[at].heap != heap))
        at = (at + 1) & (blocks->capacity - 1);
    return &blocks->slots[at];
}

void tk_heap_blocks_deinit(struct tk_heap_blocks *blocks, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, blocks->slots, blocks->capacity * sizeof *blocks->slots);
}

struct tk_heap_block *tk_heap_blocks_find(const struct tk_heap_blocks *blocks, uint32_t heap, uint64_t address) {
    struct tk_heap_block *block = blocks->count ? slot_for(blocks, heap, address) : NULL;
    return block && block->used ? block : NULL;
}

// Grows the table so that half of the slots stay free.
static bool grow(struct tk_heap_blocks *blocks, struct tk_alloc *alloc) {
    if (2 * blocks->count < blocks->capacity) return true;
    if (blocks->count >= TK_MAX_HEAP_BLOCKS) return false;
    struct tk_heap_blocks fresh = { .capacity = blocks->capacity ? 2 * blocks->capacity : 64,
                                    .count = blocks->count,
                                    .refused = blocks->refused };
    fresh.slots = tk_alloc_zero(alloc, fresh.capacity * sizeof *fresh.slots);
    if (!fresh.slots) return false;
    for (uint32_t i = 0; i < blocks->capacity; i++)
        if (blocks->slots[i].used)
            *slot_for(&fresh, blocks->slots[i].heap, blocks->slots[i].address) = blocks->slots[i];
    tk_heap_blocks_deinit(blocks, alloc);
    *blocks = fresh;
    return true;
}

bool tk_heap_blocks_add(struct tk_heap_blocks *blocks, struct tk_alloc *alloc, const struct tk_heap_block *block) {
    if (!grow(blocks, alloc)) {
        blocks->refused++;
        return false;
    }
    struct tk_heap_block *slot = slot_for(blocks, block->heap, block->address);
    *slot = *block;
    slot->used = true;
    blocks->count++;
    return true;
}

// Removes a block; moves the blocks after it that a look-up would not find any more.
void tk_heap_blocks_remove(struct tk_heap_blocks *blocks, struct tk_heap_block *block) {
    uint32_t mask = blocks->capacity - 1, gap = (uint32_t)(block - blocks->slots);
    for (uint32_t at = (gap + 1) & mask; blocks->slots[at].used; at = (at + 1) & mask) {
        uint32_t wants = home_slot(blocks, blocks->slots[at].heap, blocks->slots[at].address);
        if (((at - wants) & mask) < ((at - gap) & mask)) continue;
        blocks->slots[gap] = blocks->slots[at];
        gap = at;
    }
    blocks->slots[gap].used = false;
    blocks->count--;
}
