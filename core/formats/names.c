// SPDX-License-Identifier: MIT
#include "format.h"

const struct tk_record_names *tk_record_names_of(const struct tk_format_info *info) {
    static const struct tk_record_names *const all[] = {
#define TK_FORMAT(name) &tk_names_##name,
#include "formats.def"
#undef TK_FORMAT
    };
    size_t i = 0;
    while (all[i]->info != info) i++;
    return all[i];
}
