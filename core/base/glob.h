// SPDX-License-Identifier: MIT
//
// Matches paths against patterns with * and ?.
#ifndef TK_BASE_GLOB_H
#define TK_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

// Returns true if a text matches one of the comma-separated patterns. Blanks around a pattern are ignored. `*` matches
// any characters, `?` matches one. An empty list matches nothing. Takes at most patterns_len * len steps.
bool tk_glob_matches(const char *patterns, size_t patterns_len, const char *text, size_t len);

#endif
