// SPDX-License-Identifier: MIT
// A conversion with the memory of heap.h: inputs in chunks of given lengths, output and reports in buffers that are
// reused.
#ifndef TK_FUZZ_CONVERSION_H
#define TK_FUZZ_CONVERSION_H

#include "take.h"
#include "tonkopf.h"

enum { CONVERSION_INPUTS = 4, CONVERSION_OPTIONS = 16 };

struct conversion_input {
    const char *name;
    const uint8_t *bytes;
    size_t len;
    int32_t core;
    bool side;
    const struct tk_probe *probe; // its role, if known or not needed; else NULL
};

struct conversion_job {
    struct conversion_input inputs[CONVERSION_INPUTS];
    size_t input_count;
    struct {
        const char *key, *value;
    } options[CONVERSION_OPTIONS];
    size_t option_count;
    int dump;            // a tk_dump_stage, or -1: the trace
    const char *samples; // samples of the signal with this path instead; NULL: no
    bool pipe;           // the output cannot seek
    unsigned cuts;       // 16-bit shift register whose values choose the length of each chunk; 0: inputs as a whole
    unsigned snapshots;  // 16-bit shift register: after this chunk a snapshot is made, which must be valid
    unsigned failures;   // 16-bit shift register: an allocation of this snapshot fails; the lowest bits choose which
};

// A growing buffer that stays allocated from one execution to the next.
struct conversion_bytes {
    uint8_t *data;
    size_t len, cap;
};

struct conversion_result {
    tk_status status;
    struct conversion_bytes output, json, text; // output: with its final header
    bool head_corrected;
    struct tk_progress progress;
    struct tk_account_sums accounts[CONVERSION_INPUTS];
    size_t fed; // bytes passed in, over all inputs
};

void conversion_option(struct conversion_job *job, const char *key, const char *value);
// Chooses a time range, options that every format has, and a dump instead of the trace.
void conversion_choose_output(struct conversion_job *job, unsigned bits);
// Takes the inputs of a job, to the end of the bytes: a recording, and before it a side input or the recording of
// another core, after its length in two bytes. side, second: at most one is true.
void conversion_take_inputs(struct conversion_job *job, struct take *from, bool side, bool second);
// result: zeroed before its first use.
void conversion_run(const struct conversion_job *job, struct conversion_result *result);
bool conversion_equal(const struct conversion_bytes *a, const struct conversion_bytes *b);
void conversion_append(struct conversion_bytes *to, const void *bytes, size_t len);

// Invariants of any conversion: status, every byte consumed and accounted for, reports that can be parsed, a valid
// trace.
void conversion_check(const struct conversion_job *job, const struct conversion_result *result);
// Both chunkings of the inputs must give the same result.
void conversion_check_equal(const struct conversion_result *whole, const struct conversion_result *cut);
// Runs and checks the job as a whole or with `cuts`; for one input of four in both ways, which must give the same
// result. Makes reports for one of eight, and reads the trace back for half.
void conversion_try(struct conversion_job *job, unsigned cuts);

#endif
