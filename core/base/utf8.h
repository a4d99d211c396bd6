// SPDX-License-Identifier: MIT
//
// Validates and cleans strings. Strings of a recording are arbitrary bytes; the core outputs valid UTF-8 without zero
// bytes.
#ifndef TK_BASE_UTF8_H
#define TK_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TK_UTF8_GROWTH = 3 }; // largest number of bytes that tk_utf8_clean writes per input byte

bool tk_utf8_is_clean(const uint8_t *bytes, size_t len);
// Copies a string; each bad sequence (maximal part) becomes U+FFFD, a zero byte becomes U+2400. Returns the length
// written. *out_bad: number of bad sequences; zero bytes do not count.
size_t tk_utf8_clean(const uint8_t *bytes, size_t len, uint8_t *out, size_t *out_bad);

// Returns the length of the longest prefix of a clean text that has at most `most` bytes and ends with a whole
// character. Requires `most` < length of the text.
static inline size_t tk_utf8_cut(const char *text, size_t most) {
    while (most && (text[most] & 0xC0) == 0x80) most--;
    return most;
}

#endif
