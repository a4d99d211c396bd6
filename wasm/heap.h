// SPDX-License-Identifier: MIT
//
// All memory of a module at once.
#ifndef TKW_HEAP_H
#define TKW_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TKW_HEAP_SIZES = 128 };

struct tkw_heap_gap {
    struct tkw_heap_gap *next;
};

// What was in use, and which gaps there were.
struct tkw_heap_copy {
    struct tkw_heap_gap *gaps[TKW_HEAP_SIZES];
    uint8_t *bytes;
    size_t len;
};

// False: no memory. Until it is put back `copy` stays where it is.
bool tkw_heap_save(struct tkw_heap_copy *copy);
// Memory is as it was. What was taken since then is free, and keeps its bytes until something else is taken.
void tkw_heap_restore(const struct tkw_heap_copy *copy);
// A block above all others, or NULL. Of 0 bytes: where that would be.
void *tkw_heap_above(size_t size);
// What is taken from now on lies behind `end`, an address. False: no memory.
bool tkw_heap_reserve(size_t end);

#endif
