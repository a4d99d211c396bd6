// SPDX-License-Identifier: MIT
//
// Finding the prefix that a logger puts before data.
#ifndef TK_TEXT_LOG_PREFIX_H
#define TK_TEXT_LOG_PREFIX_H

#include "layout.h"

// The tag whose lines carry most hex, with at least `digits` digits of hex. False: most hex has none before it.
bool tk_log_prefix_infer(struct tk_span text, char *out_tag, uint8_t *out_len);

#endif
