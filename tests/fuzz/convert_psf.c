// SPDX-License-Identifier: MIT
//
// A TraceRecorder stream or memory image through the whole library, alone or with the file of another core. Byte 0:
// options; 1: outputs; 2, 3: chunk boundaries; with two inputs the length of the first in two bytes.
#include "common/conversion.h"
#include "common/take.h"

static const struct tk_probe recording; // the format is given, and probing it has a target of its own

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned options = take_byte(&from);
    conversion_option(&job, "format", "tracealyzer");
    conversion_choose_output(&job, take_byte(&from));
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    conversion_take_inputs(&job, &from, false, options & 1);
    for (size_t i = 0; i < job.input_count; i++) job.inputs[i].probe = &recording;
    conversion_try(&job, cuts);
    return 0;
}
