// SPDX-License-Identifier: MIT
//
// Wraps the host's allocator: adds a sticky "out of memory" flag, totals and savepoints. Stages check tk_alloc.failed
// at their end instead of passing a status through every call.
#ifndef TK_BASE_ALLOC_H
#define TK_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tk_block_copy;

// Precedes every block that is in use and links it into the list of all blocks.
struct tk_block_head {
    _Alignas(max_align_t) struct tk_block_head *next;
    struct tk_block_head *before;
    size_t size;                // size of the block in bytes, without this head
    struct tk_block_copy *copy; // the bytes at the last savepoint; NULL: the block is newer, or there is no savepoint
};

struct tk_alloc {
    void *(*realloc)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *ctx;
    size_t in_use, peak;          // bytes, now and at most
    bool failed;                  // an allocation has failed; sticky
    struct tk_block_head *blocks; // list of all blocks in use, in no particular order
};

// Returns zeroed memory of `size` (> 0) bytes, or NULL with `failed` set.
void *tk_alloc_zero(struct tk_alloc *alloc, size_t size);
void tk_alloc_free(struct tk_alloc *alloc, void *ptr, size_t size);
void tk_alloc_free_all(struct tk_alloc *alloc);
// Copies the bytes of all blocks to memory of the host's allocator. Until the rollback the allocator neither frees nor
// moves these blocks: freeing one does nothing, and a growing array gets a new block. Savepoints may be nested. Returns
// false when out of memory; then there is no savepoint.
bool tk_alloc_savepoint(struct tk_alloc *alloc);
// Ends the last savepoint: frees the newer blocks and restores the bytes of the others. `failed` and `peak` stay as
// they are.
void tk_alloc_rollback(struct tk_alloc *alloc);
// Makes room for at least `needed` elements in a growing array: at least doubles it and zeroes the new elements.
// Returns false when out of memory; the array is unchanged.
bool tk_alloc_grow(struct tk_alloc *alloc, void **array, uint32_t *capacity, uint32_t needed, size_t element_size);

#endif
