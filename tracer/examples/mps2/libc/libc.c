/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include "string.h"

void *memcpy(void *to, const void *from, size_t len) {
    uint8_t *out = to;
    for (const uint8_t *in = from; len--;) *out++ = *in++;
    return to;
}

void *memset(void *to, int byte, size_t len) {
    for (uint8_t *out = to; len--;) *out++ = (uint8_t)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t len) {
    const uint8_t *left = a, *right = b;
    for (; len--; left++, right++)
        if (*left != *right) return *left - *right;
    return 0;
}

size_t strlen(const char *text) {
    size_t len = 0;
    while (text[len]) len++;
    return len;
}
