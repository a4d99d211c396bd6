// SPDX-License-Identifier: MIT
#include "common/check.h"
#include "common/decoding.h"

static const struct decoding_option options[] = {
    { 3, 1, "flags", "old" },         { 3, 3, "flags", "new" },
    { 4, 4, "calls", "flat" },        { 0x18, 0x08, "baud", "1" },
    { 0x18, 0x10, "baud", "115200" }, { 0x18, 0x18, "baud", "1000000000" },
    { 0x40, 0x40, "pc-start", "10" }, { 0 }
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct decoding_job job = { .decoder = &tk_decoder_cortexm, .options = options };
    decoding_try(&job, data, len);
    return 0;
}
