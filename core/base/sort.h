// SPDX-License-Identifier: MIT
//
// In-place heap sort: n log n steps in the worst case, no allocation, not stable.
#ifndef TK_BASE_SORT_H
#define TK_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

enum { TK_SORT_ITEM_MAX = 64 }; // largest size of an item in bytes

typedef bool (*tk_sort_less)(const void *ctx, const void *a, const void *b);

void tk_sort(void *items, size_t count, size_t item_size, tk_sort_less less, const void *ctx);

#endif
