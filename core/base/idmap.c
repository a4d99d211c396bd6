// SPDX-License-Identifier: MIT
#include "idmap.h"

#include "attributes.h"

#include <string.h>

static uint64_t key_of(const struct tk_idmap_slot *slot) { return (uint64_t)slot->key_high << 32 | slot->key_low; }

// Returns the slot with this key, or an empty one. In that one `index_plus_1` is 0, whatever its key is. The highest
// bits of the product choose the slot: they spread keys at equal distances, such as addresses of tasks.
static inline struct tk_idmap_slot *slot_for(struct tk_idmap_slot *slots, uint32_t capacity, uint64_t key) {
    uint64_t high = key * 0x9E3779B97F4A7C15u >> 32;
    uint32_t at = (uint32_t)(high * capacity >> 32);
    while (slots[at].index_plus_1 && key_of(&slots[at]) != key) at = (at + 1) & (capacity - 1);
    return &slots[at];
}

uint32_t tk_idmap_find_slow(const struct tk_idmap *map, uint64_t key) {
    if (!map->capacity) return TK_NONE;
    return slot_for(map->slots, map->capacity, key)->index_plus_1 - 1;
}

TK_COLD static bool grow(struct tk_idmap *map, struct tk_alloc *alloc) {
    uint32_t capacity = map->capacity ? map->capacity * 2 : 64;
    struct tk_idmap_slot *slots = tk_alloc_zero(alloc, capacity * sizeof *slots);
    if (!slots) return false;
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->slots[i].index_plus_1) *slot_for(slots, capacity, key_of(&map->slots[i])) = map->slots[i];
    tk_alloc_free(alloc, map->slots, map->capacity * sizeof *slots);
    map->slots = slots;
    map->capacity = capacity;
    return true;
}

bool tk_idmap_set(struct tk_idmap *map, struct tk_alloc *alloc, uint64_t key, uint32_t index) {
    if (key < TK_IDMAP_DENSE) {
        map->dense[key] = index + 1;
        return true;
    }
    if (map->used >= map->capacity / 4 * 3 && !grow(map, alloc)) return false;
    struct tk_idmap_slot *slot = slot_for(map->slots, map->capacity, key);
    map->used += !slot->index_plus_1;
    *slot = (struct tk_idmap_slot){ (uint32_t)key, (uint32_t)(key >> 32), index + 1 };
    return true;
}

void tk_idmap_deinit(struct tk_idmap *map, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, map->slots, map->capacity * sizeof *map->slots);
    memset(map, 0, sizeof *map);
}
