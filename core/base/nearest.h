// SPDX-License-Identifier: MIT
//
// How similar two names are. tk_nearest_try (tonkopf.h) finds the known name that a user meant.
#ifndef TK_BASE_NEAREST_H
#define TK_BASE_NEAREST_H

#include <stddef.h>

enum { TK_COMPARED_LEN = 64 };

// Returns the number of inserted, omitted and changed characters apart from the case of letters. Of longer texts it
// compares the last TK_COMPARED_LEN bytes.
size_t tk_edit_distance(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
