// SPDX-License-Identifier: MIT
#include "alloc.h"

#include <string.h>

static void *resize(struct tk_alloc *alloc, void *ptr, size_t old_size, size_t new_size) {
    void *fresh = alloc->realloc(alloc->ctx, ptr, old_size, new_size);
    if (!fresh && new_size) {
        alloc->failed = true;
        return NULL;
    }
    alloc->in_use += new_size - old_size;
    if (alloc->in_use > alloc->peak) alloc->peak = alloc->in_use;
    return fresh;
}

void *tk_alloc_zero(struct tk_alloc *alloc, size_t size) {
    void *ptr = resize(alloc, NULL, 0, size);
    if (ptr) memset(ptr, 0, size);
    return ptr;
}

void tk_alloc_free(struct tk_alloc *alloc, void *ptr, size_t size) {
    if (ptr) resize(alloc, ptr, size, 0);
}

bool tk_alloc_grow(struct tk_alloc *alloc, void **array, uint32_t *capacity, uint32_t needed, size_t element_size) {
    if (needed <= *capacity) return true;
    uint32_t wanted = *capacity ? *capacity : 8;
    while (wanted < needed) {
        if (wanted > UINT32_MAX / 2) return alloc->failed = true, false;
        wanted *= 2;
    }
    if (wanted > SIZE_MAX / element_size) return alloc->failed = true, false;
    size_t old_size = *capacity * element_size, new_size = wanted * element_size;
    uint8_t *fresh = resize(alloc, *array, old_size, new_size);
    if (!fresh) return false;
    memset(fresh + old_size, 0, new_size - old_size);
    *array = fresh;
    *capacity = wanted;
    return true;
}
