// SPDX-License-Identifier: MIT
#include "timing.h"

enum { BITS = 10, NS_PER_RECORD = 1000 }; // BITS: a start bit, eight data bits and a stop bit
#define NS_PER_SECOND UINT64_C(1000000000)
#define FARTHEST ((uint64_t)1 << 60)

void cm_timing_init(struct cm_timing *timing, enum cm_timing_mode mode, uint64_t baud) {
    enum { RECORD_BITS = 10 * BITS };
    *timing =
        (struct cm_timing){ .mode = (uint8_t)mode, .baud = baud, .record_len = mode == CM_ORDER ? 1 : NS_PER_RECORD };
    if (mode != CM_ORDER && baud) timing->record_len = (RECORD_BITS * NS_PER_SECOND + baud / 2) / baud;
    if (!timing->record_len) timing->record_len = 1;
}

static uint64_t at_rate(const struct cm_timing *timing, uint64_t offset) {
    uint64_t bits = offset * BITS;
    return bits / timing->baud * NS_PER_SECOND + bits % timing->baud * NS_PER_SECOND / timing->baud;
}

// Returns true if the gap is longer than four times the mean of at least 16 earlier ones.
static bool is_long(const struct cm_timing *timing, uint64_t gap) {
    enum { ENOUGH = 16, TIMES = 4 };
    if (timing->gaps < ENOUGH) return false;
    return gap > TIMES * (timing->gap_sum / timing->gaps) + TIMES * (timing->gap_sum % timing->gaps) / timing->gaps;
}

struct cm_step cm_timing_next(struct cm_timing *timing, uint64_t number, uint64_t offset, uint64_t received) {
    if (timing->mode == CM_ORDER)
        return timing->last = number, (struct cm_step){ .time = number, .quiet_from = number };
    uint64_t time = timing->mode == CM_RATE ? at_rate(timing, offset) : received < FARTHEST ? received : FARTHEST;
    struct cm_step step = { .time = time, .quiet_from = time };
    if (timing->started) {
        step.is_assumed = time <= timing->last;
        timing->together += step.is_assumed;
        if (step.is_assumed) step.time = timing->last + 1;
        uint64_t gap = step.time - timing->last;
        step.quiet_from = gap > timing->record_len ? timing->last + timing->record_len : step.time;
        step.is_long = is_long(timing, gap);
        timing->gaps++;
        timing->gap_sum += gap;
    }
    timing->started = true;
    timing->last = step.time;
    return step;
}

const char *cm_timing_note(const struct cm_timing *timing) {
    static const char *const notes[] = {
        [CM_ORDER] = "", [CM_RATE] = "times from the line rate", [CM_RECEPTION] = "times of reception"
    };
    return notes[timing->mode];
}
