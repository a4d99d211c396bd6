// SPDX-License-Identifier: MIT
#include "common/check.h"
#include "common/decoding.h"

static const struct decoding_option options[] = { { 3, 1, "mode", "bare-metal" },
                                                  { 3, 2, "mode", "free-rtos" },
                                                  { 0 } };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct decoding_job job = { .decoder = &tk_decoder_tonbandgeraet,
                                             .options = options,
                                             .may_be_dump = true };
    decoding_try(&job, data, len);
    return 0;
}
