// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_QS_ORIGINAL_H
#define TK_FORMATS_QS_ORIGINAL_H

#include "../format.h"

extern const struct tk_original qs_original;

#endif
