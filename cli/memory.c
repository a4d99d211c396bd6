// SPDX-License-Identifier: MIT
#include "memory.h"

#include <stdlib.h>

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx, (void)old_size;
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

const struct tk_allocator memory_allocator = {.realloc = resize};
