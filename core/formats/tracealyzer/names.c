// SPDX-License-Identifier: MIT
#include "../format.h"
#include "map.h"

static const char *record_name(unsigned record) {
    static const char *const names[PSF_RECORDS] = {
#define PSF_RECORD(code, name, ...) [PSF_##name] = #name,
#define PSF_CODE(kernel, code, name)
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
        [PSF_UNKNOWN] = "EVENT",
        [PSF_EXTENSION] = "EXTENSION",
        [PSF_KERNEL_CALL] = "KERNEL_CALL",
        [PSF_AUTO_ISR_BEGIN] = "AUTO_ISR_BEGIN",
        [PSF_AUTO_ISR_RESUME] = "AUTO_ISR_RESUME",
    };
    return names[record];
}

const struct tk_record_names tk_names_tracealyzer = { .info = &tk_info_tracealyzer,
                                                      .name = record_name,
                                                      .show = psf_show };
