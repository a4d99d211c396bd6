// SPDX-License-Identifier: MIT
#include "common/check.h"
#include "common/decoding.h"

static const struct decoding_option options[] = { { 3, 1, "rate-hz", "1" },
                                                  { 3, 2, "rate-hz", "32768" },
                                                  { 3, 3, "rate-hz", "10000000000" },
                                                  { 0x0C, 0x04, "qp-version", "610" },
                                                  { 0x0C, 0x08, "qp-version", "700" },
                                                  { 0x0C, 0x0C, "qp-version", "810" },
                                                  { 0x30, 0x10, "size-object", "8" },
                                                  { 0x30, 0x20, "size-object", "2" },
                                                  { 0x30, 0x30, "size-time", "1" },
                                                  { 0x40, 0x40, "size-signal", "4" },
                                                  { 0x80, 0x80, "size-pool", "1" },
                                                  { 0 } };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct decoding_job job = { .decoder = &tk_decoder_qs, .options = options };
    decoding_try(&job, data, len);
    return 0;
}
