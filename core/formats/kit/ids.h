// SPDX-License-Identifier: MIT
//
// Dense numbers for ids. Ids of a recording may be any numbers, also huge or damaged ones. A decoder keeps its data
// about ids in a list and finds the index of an id in a map.
#ifndef TK_FORMATS_KIT_IDS_H
#define TK_FORMATS_KIT_IDS_H

#include "../../base/idmap.h"

// Makes room for item number `count` of a list and maps `id` to it. The caller fills in list[count], increases its
// count, and checks its own limit before the call. Returns false without memory.
static inline bool tk_ids_add(struct tk_idmap *map, struct tk_alloc *alloc, uint64_t id, void **list,
                              uint32_t *capacity, uint32_t count, size_t item_len) {
    return tk_alloc_grow(alloc, list, capacity, count + 1, item_len) && tk_idmap_set(map, alloc, id, count);
}

#endif
