// SPDX-License-Identifier: MIT
#include "../format.h"
#include "vendor_print.h"
#include "decode.h"

static const char *record_name(unsigned record) {
    static const char *const names[QS_RECORDS + 1] = {
#define QS_RECORD(number, name, fields, event, ...) [number] = #name,
#define QS_OLD(number, before, name, fields, event, ...) [QS_OLD_##name] = #name,
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
        [QS_RECORDS] = "USER"
    };
    return names[record];
}

const struct tk_record_names tk_names_qs = { .info = &tk_info_qs, .name = record_name, .original = &qs_original };
