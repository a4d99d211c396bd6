// SPDX-License-Identifier: MIT
//
// A SystemView recording through the whole library, alone, with a description file of the OS or with the recording of
// another core. Byte 0: inputs and options; 1: outputs; 2, 3: chunk boundaries; with two inputs the length of the first
// in two bytes.
#include "common/conversion.h"
#include "common/take.h"

enum { DESCRIBED = 1, SECOND_CORE = 2, RANGE_OF_FIGURES = 4, RAW_EVENTS = 8 };

static void choose_output(unsigned options, unsigned bits, struct conversion_job *job) {
    bool of_figures = options & RANGE_OF_FIGURES;
    conversion_option(job, "format", "systemview");
    if (options & RAW_EVENTS) conversion_option(job, "raw-events", "1");
    if (bits & 1) conversion_option(job, of_figures ? "figures-from-ns" : "from-ns", "1000");
    if (bits & 2) conversion_option(job, of_figures ? "figures-to-ns" : "to-ns", "400000");
    job->dump = bits & 0x80 ? (int)(bits >> 4 & 7) : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned options = take_byte(&from);
    choose_output(options, take_byte(&from), &job);
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    conversion_take_inputs(&job, &from, options & DESCRIBED, (options & (DESCRIBED | SECOND_CORE)) == SECOND_CORE);
    conversion_try(&job, cuts);
    return 0;
}
