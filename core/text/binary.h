// SPDX-License-Identifier: MIT
//
// Text or not: asked of every input, before anything that knows the notations.
#ifndef TK_TEXT_BINARY_H
#define TK_TEXT_BINARY_H

#include "chars.h"
#include "../base/text.h"

struct tk_encoding_probe;

// True: no text, out_probe says why.
bool tk_is_binary(const uint8_t *bytes, size_t len, struct tk_encoding_probe *out_probe);
// Bytes that do not belong in a text.
uint64_t tk_count_non_text_bytes(struct tk_span head, uint64_t *out_first);
void tk_describe_binary(struct tk_text *reason, uint64_t odd_at);
struct tk_span tk_skip_byte_order_mark(struct tk_span head); // without a byte order mark

#endif
