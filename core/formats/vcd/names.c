// SPDX-License-Identifier: MIT
#include "vcd.h"

static const char *record_name(unsigned record) {
    static const char *const names[VCD_RECORDS] = {
        [VCD_TIMESCALE] = "timescale", [VCD_SCOPE] = "scope",   [VCD_UPSCOPE] = "upscope", [VCD_VAR] = "var",
        [VCD_TIME] = "time",           [VCD_CHANGE] = "change", [VCD_GAP] = "dumpoff"
    };
    return names[record];
}

const struct tk_record_names tk_names_vcd = { .info = &tk_info_vcd, .name = record_name };
