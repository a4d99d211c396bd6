// SPDX-License-Identifier: MIT
// A conversion on the memory of heap.h: inputs in chunks as told, output and reports in buffers that live on.
#ifndef TK_FUZZ_CONVERSION_H
#define TK_FUZZ_CONVERSION_H

#include "tonkopf.h"

enum { CONVERSION_INPUTS = 4, CONVERSION_OPTIONS = 16 };

struct conversion_input {
    const char *name;
    const uint8_t *bytes;
    size_t len;
    int32_t core;
    bool side;
    const struct tk_probe *probe; // what it is, where that is known or need not be; else NULL
};

struct conversion_job {
    struct conversion_input inputs[CONVERSION_INPUTS];
    size_t input_count;
    struct {
        const char *key, *value;
    } options[CONVERSION_OPTIONS];
    size_t option_count;
    int dump;            // a tk_dump_stage, or -1: the trace
    const char *samples; // those of the signal of this path instead; NULL: no
    bool pipe;           // the output cannot seek
    unsigned cuts;       // 16 bits, turning: each chooses the length of a chunk; 0: inputs as a whole
    unsigned snapshots;  // likewise: after this chunk a snapshot is made, which must be sound
    unsigned failures;   // likewise: an allocation of this snapshot fails; the lowest bits choose which
};

// Bytes that grow, and stay allocated from one execution to the next.
struct conversion_bytes {
    uint8_t *data;
    size_t len, cap;
};

struct conversion_result {
    tk_status status;
    struct conversion_bytes output, json, text; // output: with its final head
    bool head_corrected;
    struct tk_progress progress;
    struct tk_account_sums accounts[CONVERSION_INPUTS];
    size_t fed; // bytes handed in, over all inputs
};

void conversion_option(struct conversion_job *job, const char *key, const char *value);
// result: zeroed before its first use.
void conversion_run(const struct conversion_job *job, struct conversion_result *result);
bool conversion_equal(const struct conversion_bytes *a, const struct conversion_bytes *b);
void conversion_append(struct conversion_bytes *to, const void *bytes, size_t len);

// What must hold after any conversion: status, every byte taken and accounted for, reports that parse, a trace that is
// sound.
void conversion_check(const struct conversion_job *job, const struct conversion_result *result);
// Both ways of cutting the inputs must give the same.
void conversion_check_equal(const struct conversion_result *whole, const struct conversion_result *cut);
// Runs and checks the job uncut or with `cuts`; of one input of four both, which must give the same. Reports are made
// of one of eight, and the trace is read back for half.
void conversion_try(struct conversion_job *job, unsigned cuts);

#endif
