// SPDX-License-Identifier: MIT
//
// Memory that stands elsewhere now: a copy of all blocks that one struct tk_alloc gave out, or an image of them that is
// put up again. What points into it follows. Each struct that holds pointers has a function tk_..._moved that lets them
// follow, once, before anything else looks at it.
#ifndef TK_BASE_RELOCATE_H
#define TK_BASE_RELOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A function that lets pointers follow, as descriptors name it. In WebAssembly every conversion has a memory of its
// own, where things stay at their places (wasm/image.c): no such function is ever called there, and modules carry none.
#ifdef __wasm__
#define TK_RELOCATE_FN(function) (0 ? (function) : NULL)
#else
#define TK_RELOCATE_FN(function) (function)
#endif

struct tk_relocated_block {
    uintptr_t old;
    size_t size;
    uint8_t *now;
};

struct tk_relocation {
    struct tk_relocated_block *blocks; // by their old places; they may touch
    size_t count;
    uintptr_t program; // what is added to the address of static memory, modulo the size of an address
    bool refused;      // sticky: a pointer led nowhere, or to less than belongs there. Then nothing follows any more
};

// Puts them in order. Do they overlap? Then the move is refused.
bool tk_relocation_begin(struct tk_relocation *move);
// Where `size` bytes at `old` are now, or NULL: `old` is NULL, or the move is refused.
void *tk_relocate(struct tk_relocation *move, const void *old, size_t size);
// The same for the array of `capacity` elements of `size` bytes; refused as well where more than these are said to be
// in use.
void *tk_relocate_array(struct tk_relocation *move, const void *old, size_t count, size_t capacity, size_t size);
// The same for static memory of the program.
const void *tk_relocate_static(const struct tk_relocation *move, const void *old);
// The same for what may be either.
const void *tk_relocate_any(struct tk_relocation *move, const void *old, size_t size);

#endif
