// SPDX-License-Identifier: MIT
//
// A QS recording through the whole library, alone, with a side input (an earlier capture, a dictionary file) or with
// another recording. Byte 0: options; 1: sizes from options; 2: outputs; 3, 4: chunk boundaries; with two inputs the
// length of the first in two bytes.
#include "common/conversion.h"
#include "common/take.h"

static void choose_options(unsigned bits, unsigned sizes, struct conversion_job *job) {
    static const char *const rates[] = { "1", "1000000", "10000000000", "32768" }, *const versions[] = { "610", "700",
                                                                                                         "740", "810" };
    static const char *const keys[] = { "size-time",  "size-object", "size-function", "size-signal",
                                        "size-event", "size-queue",  "size-pool",     "size-timer" };
    static const char *const widths[] = { "1", "2", "4", "auto" };
    conversion_option(job, "format", "qs");
    if (bits & 1) conversion_option(job, "rate-hz", rates[bits >> 1 & 3]);
    if (bits & 8) conversion_option(job, "qp-version", versions[bits >> 4 & 3]);
    for (unsigned i = 0; i < 8; i++)
        if (sizes >> i & 1) conversion_option(job, keys[i], widths[(sizes + i) % 4]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned options = take_byte(&from), sizes = take_byte(&from);
    choose_options(options, sizes, &job);
    conversion_choose_output(&job, take_byte(&from));
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    conversion_take_inputs(&job, &from, options & 0x80, (options & 0xC0) == 0x40);
    conversion_try(&job, cuts);
    return 0;
}
