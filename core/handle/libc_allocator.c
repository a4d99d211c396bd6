// SPDX-License-Identifier: MIT
// In a file of its own: only who asks for it links the C library's heap.
#include "tonkopf.h"

#include <stdlib.h>

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx, (void)old_size;
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

const struct tk_allocator *tk_libc_allocator(void) {
    static const struct tk_allocator allocator = { .realloc = resize };
    return &allocator;
}
