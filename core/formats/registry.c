// SPDX-License-Identifier: MIT
#include "format.h"

const struct tk_format *const tk_formats[] = {
    &tk_format_tonbandgeraet,
    &tk_format_qs,
};
const size_t tk_formats_len = sizeof tk_formats / sizeof *tk_formats;
