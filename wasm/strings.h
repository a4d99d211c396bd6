// SPDX-License-Identifier: MIT
//
// Texts that the module of any format may need stand once, in the module that recognises; hosts hand them on.
#ifndef TKW_TEXTS_H
#define TKW_TEXTS_H

#include "io.h"

// Each with a zero after it. For each problem, in the order of their numbers: what diag.def says of it; then the words
// of each event, and the sentences on empty results.
void tkw_put_strings(struct tkw_bytes *to);

#endif
