// SPDX-License-Identifier: MIT
// Included before every C file of a fuzz build: comparisons of a few bytes as simple loops. The functions of the
// sanitizer and of libFuzzer take longer than the comparison, half of the time of some decoders. An instrumented loop
// guides the fuzzer towards magic numbers byte by byte.
#ifndef TK_FUZZ_COMPARE_H
#define TK_FUZZ_COMPARE_H

#include <stddef.h>
#include <string.h>

enum { COMPARE_FEW = 64 };

static inline int compare_bytes(const void *a, const void *b, size_t len) {
    if (len > COMPARE_FEW) return memcmp(a, b, len);
    const unsigned char *left = (const unsigned char *)a, *right = (const unsigned char *)b;
    for (; len; left++, right++, len--)
        if (*left != *right) return *left < *right ? -1 : 1;
    return 0;
}

static inline int compare_texts(const char *a, const char *b) {
    for (; *a && *a == *b; a++, b++) continue;
    return (unsigned char)*a - (unsigned char)*b;
}

#define memcmp(a, b, len) compare_bytes(a, b, len)
#define strcmp(a, b) compare_texts(a, b)

#endif
