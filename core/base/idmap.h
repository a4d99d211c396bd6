// SPDX-License-Identifier: MIT
//
// u64 -> u32 index. Small keys, the common case, are a plain array look-up.
#ifndef TK_BASE_IDMAP_H
#define TK_BASE_IDMAP_H

#include "alloc.h"

enum { TK_IDMAP_DENSE = 256 };
#define TK_NONE UINT32_MAX

// In three halves, because a quarter of a large map would be padding.
struct tk_idmap_slot {
    uint32_t key_low, key_high;
    uint32_t index_plus_1; // 0: free
};

// Zero-initialised is empty. Free with tk_idmap_deinit.
struct tk_idmap {
    uint32_t dense[TK_IDMAP_DENSE]; // index + 1
    struct tk_idmap_slot *slots;
    uint32_t capacity, used; // capacity: 0 or a power of two
};

uint32_t tk_idmap_find_slow(const struct tk_idmap *map, uint64_t key);
// Adds or replaces. False: no memory.
bool tk_idmap_set(struct tk_idmap *map, struct tk_alloc *alloc, uint64_t key, uint32_t index);
void tk_idmap_deinit(struct tk_idmap *map, struct tk_alloc *alloc);

// Index, or TK_NONE.
static inline uint32_t tk_idmap_find(const struct tk_idmap *map, uint64_t key) {
    return key < TK_IDMAP_DENSE ? map->dense[key] - 1 : tk_idmap_find_slow(map, key);
}

#endif
