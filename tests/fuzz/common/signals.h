// SPDX-License-Identifier: MIT
// A recording of signals through the whole library. Byte 0: options; 1: outputs; 2, 3: chunk boundaries.
#ifndef TK_FUZZ_SIGNALS_H
#define TK_FUZZ_SIGNALS_H

#include "conversion.h"
#include "take.h"

static inline int signals_try(const char *format, const uint8_t *data, size_t len) {
    static const struct tk_probe recording; // the format is given, and probing it has a target of its own
    static const char *const scales[] = { "auto", "real", "fine" };
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1 };
    unsigned options = take_byte(&from), output = take_byte(&from), cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    conversion_option(&job, "format", format);
    conversion_option(&job, "time-scale", scales[(options & 3) % 3]);
    if (output & 1) conversion_option(&job, "from-ns", "100");
    if (output & 2) conversion_option(&job, "to-ns", "4000");
    if (options & 4) conversion_option(&job, "figures-from-ns", "200");
    job.dump = output & 0x80 ? (int)(output >> 4 & 7) : -1;
    if (job.dump < 0 && options & 8) job.samples = options & 16 ? "a/b" : "x";
    job.inputs[0] = (struct conversion_input){ .name = "input", .core = -1, .probe = &recording };
    job.inputs[0].bytes = take_bytes(&from, SIZE_MAX, &job.inputs[0].len);
    job.input_count = 1;
    conversion_try(&job, cuts);
    return 0;
}

#endif
