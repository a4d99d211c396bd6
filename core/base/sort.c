// SPDX-License-Identifier: MIT
#include "sort.h"

#include <stdint.h>
#include <string.h>

struct heap {
    uint8_t *items;
    size_t size;
    tk_sort_less less;
    const void *ctx;
};

static uint8_t *item(const struct heap *heap, size_t index) { return heap->items + index * heap->size; }

// Sifts `value` down from items[at] in a heap of `count` items.
static void sift(const struct heap *heap, size_t at, size_t count, const uint8_t *value) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap->less(heap->ctx, item(heap, child), item(heap, child + 1))) child++;
        if (!heap->less(heap->ctx, value, item(heap, child))) break;
        memcpy(item(heap, at), item(heap, child), heap->size);
    }
    memcpy(item(heap, at), value, heap->size);
}

static bool is_sorted(const struct heap *heap, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (heap->less(heap->ctx, item(heap, i), item(heap, i - 1))) return false;
    return true;
}

void tk_sort(void *items, size_t count, size_t item_size, tk_sort_less less, const void *ctx) {
    struct heap heap = { items, item_size, less, ctx };
    uint8_t value[TK_SORT_ITEM_MAX];
    if (is_sorted(&heap, count)) return;
    for (size_t i = count / 2; i-- > 0;) {
        memcpy(value, item(&heap, i), item_size);
        sift(&heap, i, count, value);
    }
    for (size_t last = count; last-- > 1;) {
        memcpy(value, item(&heap, last), item_size);
        memcpy(item(&heap, last), item(&heap, 0), item_size);
        sift(&heap, 0, last, value);
    }
}
