// SPDX-License-Identifier: MIT
//
// Recordings of any format, with snapshots during the conversion, some of them without enough memory. Byte 0: format, a
// time range, a pipe; 1: number of inputs, whether the format is given, the first one is a side input, each is a core;
// 2, 3: chunk boundaries; 4, 5: which snapshots fail, at which allocation; 6: when snapshots are made; then per input
// except the last its length in two bytes, and the inputs.
#include "common/check.h"
#include "common/conversion.h"
#include "common/take.h"

static unsigned take_two(struct take *from) {
    unsigned low = take_byte(from);
    return low | take_byte(from) << 8;
}

static void choose_options(unsigned bits, unsigned inputs, struct conversion_job *job) {
    if (!(inputs & 0x20)) conversion_option(job, "format", tk_format_at((bits & 7) % tk_format_count())->name);
    if (bits & 8) conversion_option(job, "from-ns", "2000");
    if (bits & 16) conversion_option(job, "to-ns", "400000");
    job->pipe = bits & 32;
}

static void choose_inputs(unsigned bits, struct take *from, struct conversion_job *job) {
    job->input_count = 1 + (bits & 3) % 3;
    for (size_t i = 0; i < job->input_count; i++) {
        struct conversion_input *input = &job->inputs[i];
        size_t len = i + 1 < job->input_count ? take_two(from) : SIZE_MAX;
        *input = (struct conversion_input){ .name = "input",
                                            .core = bits & 0x80 ? (int32_t)i : -1,
                                            .side = !i && job->input_count > 1 && (bits & 0x40) };
        input->bytes = take_bytes(from, len, &input->len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct conversion_result plain, watched;
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned options = take_byte(&from), inputs = take_byte(&from), cuts = take_two(&from), failures = take_two(&from),
             snapshots = take_byte(&from);
    choose_options(options, inputs, &job);
    choose_inputs(inputs, &from, &job);
    job.cuts = cuts | 32;
    conversion_run(&job, &plain);
    job.snapshots = snapshots;
    job.failures = failures;
    conversion_run(&job, &watched);
    conversion_check(&job, &watched);
    conversion_check_equal(&plain, &watched);
    return 0;
}
