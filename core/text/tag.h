// SPDX-License-Identifier: MIT
//
// Finding the prefix that a logger puts before data.
#ifndef TK_TEXT_TAG_H
#define TK_TEXT_TAG_H

#include "layout.h"

// The tag whose lines carry most hex, with at least `digits` digits of hex. False: most hex has none before it.
bool tk_tag_infer(struct tk_span text, char *out_tag, uint8_t *out_len);

#endif
