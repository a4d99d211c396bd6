// SPDX-License-Identifier: MIT
#include "utf16.h"

// Recognises a byte order mark, or two characters of which one byte each is zero.
enum tk_utf16 tk_utf16_find(struct tk_span head) {
    if (head.len < TK_UTF16_HEAD_LEN) return TK_UTF16_NONE;
    bool even = !head.at[0] && !head.at[2], odd = !head.at[1] && !head.at[3];
    unsigned first = (unsigned)head.at[0] << 8 | head.at[1];
    if (first == 0xFFFE || (odd && !even)) return TK_UTF16_LITTLE;
    return first == 0xFEFF || (even && !odd) ? TK_UTF16_BIG : TK_UTF16_NONE;
}

size_t tk_utf16_to_utf8(enum tk_utf16 order, const uint8_t unit[2], uint8_t out[TK_UTF16_MAX_LEN]) {
    unsigned high = unit[order == TK_UTF16_LITTLE], low = unit[order == TK_UTF16_BIG];
    unsigned code = high << 8 | low;
    if (code < 0x80) return out[0] = (uint8_t)code, 1;
    if (code >= 0xD800 && code < 0xE000) return out[0] = 0xFF, 1;
    size_t len = code < 0x800 ? 2 : 3;
    out[0] = (uint8_t)(len == 2 ? 0xC0 | code >> 6 : 0xE0 | code >> 12);
    out[1] = (uint8_t)(0x80 | (code >> (len == 2 ? 0 : 6) & 0x3F));
    out[len - 1] = (uint8_t)(0x80 | (code & 0x3F));
    return len;
}
