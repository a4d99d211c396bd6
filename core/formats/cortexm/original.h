// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_CORTEXM_ORIGINAL_H
#define TK_FORMATS_CORTEXM_ORIGINAL_H

#include "../format.h"

extern const struct tk_original cm_original;

#endif
