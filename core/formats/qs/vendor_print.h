// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_QS_VENDOR_PRINT_H
#define TK_FORMATS_QS_VENDOR_PRINT_H

#include "../format.h"

extern const struct tk_vendor_printer qs_original;

#endif
