// SPDX-License-Identifier: MIT
#include "alloc.h"

#include "attributes.h"

#include <string.h>

struct tk_block_copy {
    struct tk_block_copy *outer; // copy for the savepoint before; NULL: none
    uint8_t bytes[];
};

static void add(struct tk_alloc *alloc, struct tk_block_head *head) {
    head->before = NULL;
    head->next = alloc->blocks;
    if (head->next) head->next->before = head;
    alloc->blocks = head;
}

static void unlink_block(struct tk_alloc *alloc, const struct tk_block_head *head) {
    if (head->next) head->next->before = head->before;
    if (head->before) head->before->next = head->next;
    else alloc->blocks = head->next;
}

// Not inlined: the page's module stays small.
TK_NOINLINE static void *resize(struct tk_alloc *alloc, void *ptr, size_t old_size, size_t new_size) {
    struct tk_block_head *old = ptr ? (struct tk_block_head *)ptr - 1 : NULL, *fresh = NULL;
    const void *saved = old && old->copy ? ptr : NULL; // a block that a savepoint has copied stays where it is
    if (saved && !new_size) return NULL;
    if (saved) old = NULL;
    size_t old_whole = old ? old_size + sizeof *old : 0, new_whole = new_size ? new_size + sizeof *old : 0;
    if (old) unlink_block(alloc, old);
    if (new_whole >= new_size) fresh = alloc->realloc(alloc->ctx, old, old_whole, new_whole);
    if (!fresh && new_size) {
        if (old) add(alloc, old);
        alloc->failed = true;
        return NULL;
    }
    alloc->in_use += new_whole - old_whole;
    if (alloc->in_use > alloc->peak) alloc->peak = alloc->in_use;
    if (!fresh) return NULL;
    fresh->size = new_size;
    fresh->copy = NULL;
    add(alloc, fresh);
    if (saved) memcpy(fresh + 1, saved, old_size < new_size ? old_size : new_size);
    return fresh + 1;
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

void tk_alloc_free_all(struct tk_alloc *alloc) {
    while (alloc->blocks) tk_alloc_free(alloc, alloc->blocks + 1, alloc->blocks->size);
}

// ---- Savepoints --------------------------------------------------------------------------------

static void drop_copy(struct tk_alloc *alloc, struct tk_block_head *head) {
    struct tk_block_copy *outer = head->copy->outer;
    alloc->realloc(alloc->ctx, head->copy, sizeof *head->copy + head->size, 0);
    head->copy = outer;
}

bool tk_alloc_savepoint(struct tk_alloc *alloc) {
    for (struct tk_block_head *head = alloc->blocks; head; head = head->next) {
        struct tk_block_copy *copy = alloc->realloc(alloc->ctx, NULL, 0, sizeof *copy + head->size);
        if (!copy) {
            while ((head = head->before)) drop_copy(alloc, head);
            return false;
        }
        copy->outer = head->copy;
        memcpy(copy->bytes, head + 1, head->size);
        head->copy = copy;
    }
    return true;
}

void tk_alloc_rollback(struct tk_alloc *alloc) {
    for (struct tk_block_head *head = alloc->blocks, *next; head; head = next) {
        next = head->next;
        if (head->copy) {
            memcpy(head + 1, head->copy->bytes, head->size);
            drop_copy(alloc, head);
        } else {
            tk_alloc_free(alloc, head + 1, head->size);
        }
    }
}
