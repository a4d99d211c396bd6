// SPDX-License-Identifier: MIT
//
// Reads numbers of either byte order.
#ifndef TK_LOOKUP_BYTE_ORDER_H
#define TK_LOOKUP_BYTE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads a number of 1 to 8 bytes.
static inline uint64_t tk_read_ordered(const uint8_t *at, size_t len, bool big_endian) {
    uint64_t value = 0;
    for (size_t i = 0; i < len; i++) value = value << 8 | at[big_endian ? i : len - 1 - i];
    return value;
}

#endif
