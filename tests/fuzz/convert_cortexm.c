// SPDX-License-Identifier: MIT
//
// A call trace through the whole library, alone or with a side file: symbols, receive times. Byte 0: options; 1:
// outputs; 2, 3: chunk boundaries; with a side file its length in two bytes.
#include "common/conversion.h"
#include "common/take.h"

static void choose_options(unsigned bits, struct conversion_job *job) {
    static const char *const bauds[] = { "1", "115200", "460800", "1000000000" };
    conversion_option(job, "format", "cortexm");
    if (bits & 1) conversion_option(job, "flags", bits & 2 ? "new" : "old");
    if (bits & 4) conversion_option(job, "calls", "flat");
    if (bits & 8) conversion_option(job, "baud", bauds[bits >> 4 & 3]);
    if (bits & 64) conversion_option(job, "pc-start", "10");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned options = take_byte(&from);
    choose_options(options, &job);
    conversion_choose_output(&job, take_byte(&from));
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    conversion_take_inputs(&job, &from, options & 0x80, false);
    conversion_try(&job, cuts);
    return 0;
}
