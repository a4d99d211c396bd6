// SPDX-License-Identifier: MIT
//
// A value change dump through the whole library. Byte 0: options; 1: what comes out; 2, 3: where the input is cut.
#include "common/conversion.h"
#include "common/take.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const char *const scales[] = { "auto", "real", "fine" };
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned options = take_byte(&from), output = take_byte(&from), cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    conversion_option(&job, "format", "vcd");
    conversion_option(&job, "time-scale", scales[(options & 3) % 3]);
    if (output & 1) conversion_option(&job, "from-ns", "100");
    if (output & 2) conversion_option(&job, "to-ns", "4000");
    job.dump = output & 0x80 ? (int)(output >> 4 & 7) : -1;
    job.inputs[0] = (struct conversion_input){ .name = "input", .core = -1 };
    job.inputs[0].bytes = take_bytes(&from, SIZE_MAX, &job.inputs[0].len);
    job.input_count = 1;
    conversion_try(&job, cuts);
    return 0;
}
