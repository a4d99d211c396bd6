// SPDX-License-Identifier: MIT
//
// What a recording begins with: used by the probe and by the decoder.
#ifndef TK_FORMATS_FLUX_HEAD_H
#define TK_FORMATS_FLUX_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLUX_HEAD_LEN = 64 }; // bytes from the beginning of a recording that are enough to recognise it

// Length of the leading bytes that a program prints as text: a recording begins with a zero byte, which is none.
size_t flux_text_len(const uint8_t *bytes, size_t len);
// Whether a recording begins here: with the head of flux, or a packed block.
bool flux_begins(const uint8_t *bytes, size_t len);

#endif
