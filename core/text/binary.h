// SPDX-License-Identifier: MIT
//
// Distinguishes text from binary data. Runs for every input, before the readers of encodings.
#ifndef TK_TEXT_BINARY_H
#define TK_TEXT_BINARY_H

#include "chars.h"
#include "../base/text.h"

struct tk_encoding_probe;

// Returns true if the bytes are not text; out_probe contains the reason.
bool tk_is_binary(const uint8_t *bytes, size_t len, struct tk_encoding_probe *out_probe);
// Returns the number of bytes that do not occur in text, and the position of the first.
uint64_t tk_count_non_text_bytes(struct tk_span head, uint64_t *out_first);
void tk_describe_binary(struct tk_text *reason, uint64_t odd_at);
struct tk_span tk_skip_byte_order_mark(struct tk_span head); // returns head without a byte order mark

#endif
