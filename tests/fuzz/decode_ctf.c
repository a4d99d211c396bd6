// SPDX-License-Identifier: MIT
#include "common/check.h"
#include "common/decoding.h"

static const struct decoding_option options[] = { { 0 } };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct decoding_job job = { .decoder = &tk_decoder_ctf, .options = options };
    decoding_try(&job, data, len);
    return 0;
}
