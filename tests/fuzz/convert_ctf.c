// SPDX-License-Identifier: MIT
//
// A CTF stream through the whole library, alone, with metadata or with another stream. Byte 0: inputs; 1: outputs;
// 2, 3: chunk boundaries; with two inputs the length of the first in two bytes.
#include "common/conversion.h"
#include "common/take.h"

static void choose_output(unsigned bits, struct conversion_job *job) {
    conversion_option(job, "format", "ctf");
    if (bits & 1) conversion_option(job, "from-ns", "100");
    if (bits & 2) conversion_option(job, "to-ns", "900000");
    if (bits & 4) conversion_option(job, "raw-events", "1");
    job->dump = bits & 0x80 ? (int)(bits >> 4 & 7) : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned inputs = take_byte(&from);
    choose_output(take_byte(&from), &job);
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    conversion_take_inputs(&job, &from, inputs & 0x80, (inputs & 0xC0) == 0x40);
    conversion_try(&job, cuts);
    return 0;
}
