// SPDX-License-Identifier: MIT
//
// Map from u64 keys to u32 indexes. Small keys, the common case, use a plain array.
#ifndef TK_BASE_IDMAP_H
#define TK_BASE_IDMAP_H

#include "alloc.h"

enum { TK_IDMAP_DENSE = 256 };
#define TK_NONE UINT32_MAX

// Two 32-bit halves of the key avoid padding, which would be a quarter of a large map.
struct tk_idmap_slot {
    uint32_t key_low, key_high;
    uint32_t index_plus_1; // index + 1; 0: free slot
};

// A zero-initialised map is empty. Free it with tk_idmap_deinit.
struct tk_idmap {
    uint32_t dense[TK_IDMAP_DENSE]; // index + 1; 0: free
    struct tk_idmap_slot *slots;
    uint32_t capacity, used; // capacity is 0 or a power of two
};

uint32_t tk_idmap_find_slow(const struct tk_idmap *map, uint64_t key);
// Adds or replaces an entry. Returns false when out of memory.
bool tk_idmap_set(struct tk_idmap *map, struct tk_alloc *alloc, uint64_t key, uint32_t index);
void tk_idmap_deinit(struct tk_idmap *map, struct tk_alloc *alloc);

// Returns the index, or TK_NONE.
static inline uint32_t tk_idmap_find(const struct tk_idmap *map, uint64_t key) {
    return key < TK_IDMAP_DENSE ? map->dense[key] - 1 : tk_idmap_find_slow(map, key);
}

#endif
