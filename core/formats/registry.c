// SPDX-License-Identifier: MIT
#include "format.h"

const struct tk_format *const tk_formats[] = {
#define TK_FORMAT(name) &tk_format_##name,
#include "formats.def"
#undef TK_FORMAT
};
const size_t tk_formats_len = sizeof tk_formats / sizeof *tk_formats;
