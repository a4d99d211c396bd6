// SPDX-License-Identifier: MIT
//
// Sorting in place, in n log n steps whatever the order was, without memory of its own. Not stable.
#ifndef TK_BASE_SORT_H
#define TK_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

enum { TK_SORT_ITEM_MAX = 64 }; // bytes of an item

typedef bool (*tk_sort_less)(const void *ctx, const void *a, const void *b);

void tk_sort(void *items, size_t count, size_t item_size, tk_sort_less less, const void *ctx);

#endif
