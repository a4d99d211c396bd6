// SPDX-License-Identifier: MIT
//
// Finds the prefix that a logger writes before data.
#ifndef TK_TEXT_LOG_PREFIX_H
#define TK_TEXT_LOG_PREFIX_H

#include "layout.h"

// Finds the tag whose lines contain most of the hex digits. Returns false if most of them have no tag.
bool tk_log_prefix_infer(struct tk_span text, char *out_tag, uint8_t *out_len);

#endif
