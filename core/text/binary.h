// SPDX-License-Identifier: MIT
//
// Text or not: asked of every input, before anything that knows the notations.
#ifndef TK_TEXT_BINARY_H
#define TK_TEXT_BINARY_H

#include "chars.h"

enum { TK_PLAIN_LEN = 8192 };

// Without a byte order mark.
struct tk_span tk_without_mark(struct tk_span head);
// The part that recognising looks at; UTF-16 is narrowed and terminal colours are taken out, as tk_armor_feed does, into `room`.
struct tk_span tk_plain_head(const uint8_t *bytes, size_t len, uint8_t room[TK_PLAIN_LEN]);

#endif
