// SPDX-License-Identifier: MIT
// A separate file, so that only programs that use it link the C library's heap.
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
