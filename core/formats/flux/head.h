// SPDX-License-Identifier: MIT
//
// The beginning of a recording, as the probe and the decoder recognise it.
#ifndef TK_FORMATS_FLUX_HEAD_H
#define TK_FORMATS_FLUX_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLUX_HEAD_LEN = 64 }; // number of leading bytes that suffice to recognise a recording

// Returns the length of printed text before a recording. The recording itself begins with a zero byte, which is no
// text.
size_t flux_text_len(const uint8_t *bytes, size_t len);
// Returns true if a recording begins here, with a head of flux or a packed block.
bool flux_begins(const uint8_t *bytes, size_t len);

#endif
