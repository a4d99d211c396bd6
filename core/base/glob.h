// SPDX-License-Identifier: MIT
//
// Patterns of paths, as the user writes them.
#ifndef TK_BASE_GLOB_H
#define TK_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

// Whether a text matches one of the patterns, which are separated by commas; blanks around a pattern do not count. `*`
// stands for any characters, `?` for one. Without any pattern nothing matches. Takes at most patterns_len * len steps.
bool tk_glob_matches(const char *patterns, size_t patterns_len, const char *text, size_t len);

#endif
