// SPDX-License-Identifier: MIT
//
// Recognises UTF-16 text, which some shells and editors write, by its first four bytes, and converts it to UTF-8.
#ifndef TK_TEXT_UTF16_H
#define TK_TEXT_UTF16_H

#include "chars.h"

enum { TK_UTF16_HEAD_LEN = 4, TK_UTF16_MAX_LEN = 3 }; // bytes needed for recognition; largest size of a unit in UTF-8

enum tk_utf16 { TK_UTF16_NONE, TK_UTF16_LITTLE, TK_UTF16_BIG };

enum tk_utf16 tk_utf16_find(struct tk_span head);
// Converts one unit. Returns the number of bytes. Half a surrogate pair becomes a byte that is invalid in text.
size_t tk_utf16_to_utf8(enum tk_utf16 order, const uint8_t unit[2], uint8_t out[TK_UTF16_MAX_LEN]);

#endif
