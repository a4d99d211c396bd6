// SPDX-License-Identifier: MIT
//
// The host's allocator with a sticky "out of memory" flag and a running total.
// Stages check tk_alloc.failed at their end instead of threading a status through every call.
#ifndef TK_BASE_ALLOC_H
#define TK_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tk_block_copy;

// In front of every block that is given out, so that all of them are known.
struct tk_block_head {
    _Alignas(max_align_t) struct tk_block_head *next;
    struct tk_block_head *before;
    size_t size;                // of the block, without its head
    struct tk_block_copy *copy; // its bytes at the last savepoint; NULL: it is newer, or there is no savepoint
};

struct tk_alloc {
    void *(*realloc)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *ctx;
    size_t in_use, peak;          // bytes
    bool failed;                  // sticky
    struct tk_block_head *blocks; // all that are in use, in no order
};

// Zeroed memory, or NULL with `failed` set. size > 0.
void *tk_alloc_zero(struct tk_alloc *alloc, size_t size);
void tk_alloc_free(struct tk_alloc *alloc, void *ptr, size_t size);
void tk_alloc_free_all(struct tk_alloc *alloc);
// Copies the bytes of all blocks, to memory of the host's allocator. Until the rollback these blocks are neither freed
// nor moved: freeing one does nothing, and a larger array gets a new block. Savepoints may be nested. False: no memory,
// there is no savepoint.
bool tk_alloc_savepoint(struct tk_alloc *alloc);
// Ends the last savepoint: frees the blocks that are newer and restores the bytes of the others. `failed` and `peak`
// stay as they are.
void tk_alloc_rollback(struct tk_alloc *alloc);
// Makes room for `needed` elements in a growing array (doubling, new part zeroed). False: no memory, array unchanged.
bool tk_alloc_grow(struct tk_alloc *alloc, void **array, uint32_t *capacity, uint32_t needed, size_t element_size);

#endif
