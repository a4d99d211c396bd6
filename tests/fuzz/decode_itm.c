// SPDX-License-Identifier: MIT
#include "common/check.h"
#include "common/decoding.h"

static const struct decoding_option options[] = { { 3, 1, "prescaler", "16" },
                                                  { 3, 2, "prescaler", "64" },
                                                  { 4, 4, "ports", "instants" },
                                                  { 8, 8, "numbers", "signed" },
                                                  { 0x30, 0x10, "text-ports", "0,1,2,300,x" },
                                                  { 0x30, 0x20, "text-ports", "" },
                                                  { 0x40, 0x40, "task-port", "1" },
                                                  { 0x80, 0x80, "omit-ports", "2,3" },
                                                  { 0 } };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct decoding_job job = { .decoder = &tk_decoder_itm, .options = options };
    decoding_try(&job, data, len);
    return 0;
}
