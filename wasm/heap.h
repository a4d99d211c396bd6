// SPDX-License-Identifier: MIT
//
// All memory of a module at once.
#ifndef TKW_HEAP_H
#define TKW_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The end of the memory in use: all blocks lie below it.
const void *tkw_heap_top(void);
// What is taken from now on lies behind `end`, an address. False: no memory.
bool tkw_heap_reserve(size_t end);

#endif
