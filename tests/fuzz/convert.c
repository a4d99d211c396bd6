// SPDX-License-Identifier: MIT
//
// One to three inputs through the whole library. Byte 0: number of inputs, which is a side input, cores; 1: options; 2:
// a time range, dumps; 3, 4: chunk boundaries; then per input except the last its length in two bytes, and the inputs.
// The result must be the same for any chunking, the trace valid, and the reports must be parsed.
#include <string.h>

#include "common/conversion.h"
#include "common/take.h"

static void choose_options(unsigned bits, struct conversion_job *job) {
    static const char *const tick[] = { "1000", "9223372036854775807" }, *const mode[] = { "bare-metal", "free-rtos" };
    if (bits & 1) conversion_option(job, "tick-ns", tick[bits >> 1 & 1]);
    if (bits & 4) conversion_option(job, "mode", mode[bits >> 3 & 1]);
    if (bits & 0x10) conversion_option(job, "raw-events", "1");
    if (bits & 0x20) conversion_option(job, "wall-clock-ns", "1700000000000000000");
    if (!(bits & 0x40)) conversion_option(job, "format", "tonbandgeraet");
    job->pipe = bits & 0x80;
}

static void choose_time_range(unsigned bits, struct conversion_job *job) {
    static const char *const from[] = { "1", "100", "300000", "1000000" }, *const to[] = { "50", "200", "900000",
                                                                                           "3000000" };
    bool of_figures = bits & 0x40, is_backward = (bits & 1) && (bits >> 1 & 3) > (bits >> 4 & 3); // which is rejected
    if (bits & 1) conversion_option(job, of_figures ? "figures-from-ns" : "from-ns", from[bits >> 1 & 3]);
    if ((bits & 8) && !is_backward) conversion_option(job, of_figures ? "figures-to-ns" : "to-ns", to[bits >> 4 & 3]);
    job->dump = bits >= 0xC0 ? (int)(bits & 7) : -1;
}

static void choose_inputs(struct take *from, unsigned head, struct conversion_job *job) {
    job->input_count = 1 + (head & 3) % 3;
    for (size_t i = 0; i < job->input_count; i++) {
        struct conversion_input *input = &job->inputs[i];
        size_t len = SIZE_MAX;
        if (i + 1 < job->input_count) {
            len = take_byte(from);
            len |= (size_t)take_byte(from) << 8;
        }
        *input = (struct conversion_input){ .name = "input",
                                            .core = head & 0x80 ? (int32_t)i : -1,
                                            .side = !i && (head & 0x40) };
        input->bytes = take_bytes(from, len, &input->len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned head = take_byte(&from);
    choose_options(take_byte(&from), &job);
    choose_time_range(take_byte(&from), &job);
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    choose_inputs(&from, head, &job);
    conversion_try(&job, cuts);
    return 0;
}
