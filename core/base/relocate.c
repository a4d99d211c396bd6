// SPDX-License-Identifier: MIT
#include "relocate.h"

#include "sort.h"

static bool is_before(const void *ctx, const void *a, const void *b) {
    (void)ctx;
    return ((const struct tk_relocated_block *)a)->old < ((const struct tk_relocated_block *)b)->old;
}

bool tk_relocation_begin(struct tk_relocation *move) {
    tk_sort(move->blocks, move->count, sizeof *move->blocks, is_before, NULL);
    for (size_t i = 0; i < move->count; i++) {
        const struct tk_relocated_block *block = &move->blocks[i];
        uintptr_t room = (i + 1 < move->count ? block[1].old : UINTPTR_MAX) - block->old;
        if (block->size > room) move->refused = true;
    }
    return !move->refused;
}

// The last one that does not begin behind `old`; NULL: it is in none.
static const struct tk_relocated_block *find(const struct tk_relocation *move, uintptr_t old) {
    size_t from = 0, to = move->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (move->blocks[middle].old <= old) from = middle + 1;
        else to = middle;
    }
    const struct tk_relocated_block *block = from ? &move->blocks[from - 1] : NULL;
    return block && old - block->old <= block->size ? block : NULL;
}

void *tk_relocate(struct tk_relocation *move, const void *old, size_t size) {
    const struct tk_relocated_block *block = old ? find(move, (uintptr_t)old) : NULL;
    size_t offset = block ? (uintptr_t)old - block->old : 0;
    if (block ? size > block->size - offset : old || size) move->refused = true;
    return move->refused || !block ? NULL : block->now + offset;
}

void *tk_relocate_array(struct tk_relocation *move, const void *old, size_t count, size_t capacity, size_t size) {
    if (count > capacity || capacity > SIZE_MAX / size) move->refused = true;
    return tk_relocate(move, old, capacity * size);
}

const void *tk_relocate_static(const struct tk_relocation *move, const void *old) {
    return old && !move->refused ? (const void *)((uintptr_t)old + move->program) : NULL;
}

const void *tk_relocate_any(struct tk_relocation *move, const void *old, size_t size) {
    return old && find(move, (uintptr_t)old) ? tk_relocate(move, old, size) : tk_relocate_static(move, old);
}
