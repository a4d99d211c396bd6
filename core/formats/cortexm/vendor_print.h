// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_CORTEXM_VENDOR_PRINT_H
#define TK_FORMATS_CORTEXM_VENDOR_PRINT_H

#include "../format.h"

extern const struct tk_vendor_printer cm_original;

#endif
