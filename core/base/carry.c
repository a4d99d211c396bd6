// SPDX-License-Identifier: MIT
#include "carry.h"

#include <string.h>

bool tk_carry_add(struct tk_carry *carry, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    uint32_t kept = tk_carry_len(carry);
    if (!len) return true;
    if (len > UINT32_MAX - kept) return false;
    if (len > carry->capacity - carry->end) { // move the bytes to the front, and grow if that is not enough
        if (kept) memmove(carry->memory, carry->memory + carry->at, kept);
        carry->at = 0;
        carry->end = kept;
        if (!tk_alloc_grow(alloc, (void **)&carry->memory, &carry->capacity, kept + (uint32_t)len, 1)) return false;
    }
    memcpy(carry->memory + carry->end, bytes, len);
    carry->end += (uint32_t)len;
    return true;
}

size_t tk_carry_fill(struct tk_carry *carry, struct tk_alloc *alloc, uint32_t limit, const uint8_t *bytes, size_t len) {
    size_t room = limit - tk_carry_len(carry), step = len < room ? len : room;
    return tk_carry_add(carry, alloc, bytes, step) ? step : len;
}

void tk_carry_drop(struct tk_carry *carry, size_t len) {
    carry->at += (uint32_t)len;
    if (carry->at == carry->end) carry->at = carry->end = 0;
}

void tk_carry_cut(struct tk_carry *carry, size_t len) {
    carry->end = carry->at + (uint32_t)len;
    if (!len) carry->at = carry->end = 0;
}

void tk_carry_free(struct tk_carry *carry, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, carry->memory, carry->capacity);
    *carry = (struct tk_carry){ .memory = NULL };
}
