// SPDX-License-Identifier: MIT
#include "../format.h"
#include "vendor_print.h"
#include "records.h"

static const char *record_name(unsigned record) {
    static const char *const names[] = { [CM_FUNCTION] = "FUNCTION", [CM_LOG] = "ASCII_LOG", [CM_DUMP] = "DATA_DUMP" };
    return names[record];
}

const struct tk_record_names tk_names_cortexm = { .info = &tk_info_cortexm,
                                                  .name = record_name,
                                                  .original = &cm_original };
