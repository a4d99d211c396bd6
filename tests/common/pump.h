// SPDX-License-Identifier: MIT
// For tests: converts files in memory with the library, in chunks of any size, with faults on request.
#ifndef TK_TESTS_PUMP_H
#define TK_TESTS_PUMP_H

#include "../../core/tonkopf.h"

struct pump_bytes {
    uint8_t *data;
    size_t len, cap;
};

struct pump_file {
    const char *name;
    struct pump_bytes bytes;
    int32_t core; // -1: unknown
    bool side;
    // Facts that a host knows before the conversion, set by pump_look:
    tk_role role;
    bool is_dump; // a memory dump, in which the recording begins at `from`
    uint64_t from;
};

enum { PUMP_MAX_OPTIONS = 32 };

struct pump_job {
    struct pump_file files[TK_MAX_INPUTS];
    size_t file_count;
    const char *options[PUMP_MAX_OPTIONS]; // "key=value"
    size_t option_count;
};

struct pump_how {
    size_t chunk;         // 0: each file as a whole
    int dump;             // a tk_dump_stage, or -1: the trace
    size_t cut;           // bytes omitted at the end of each recording
    size_t fail_alloc_at; // this allocation (from 1) and all later ones fail; 0: none
    size_t refuse_at;     // the sink refuses this call (from 1); 0: none
    size_t snapshot_at;   // a snapshot is made after this many calls of tk_feed; 0: none
    bool failing_first;   // before it, for each n, a snapshot in which the n-th and all later allocations fail
    size_t stop_at;       // all inputs end after this many calls of tk_feed; 0: never
};

struct pump_result {
    tk_status status;                                   // the first fatal one
    struct pump_bytes output, report_json, report_text; // output: a trace with its final header, or lines
    struct pump_bytes snapshot;                         // also a trace
    size_t failed_snapshots;
    size_t feeds;             // calls of tk_feed
    size_t at[TK_MAX_INPUTS]; // bytes consumed of each file
    bool ended[TK_MAX_INPUTS];
    size_t allocations, writes;
    size_t bytes_in_use; // after tk_free: 0 unless memory leaks
    size_t peak_bytes;
    char error[256];
};

// Arguments [KEY=VALUE ...] -- [-s SIDE_FILE ...] FILE[@CORE] ... ; on failure returns false, writes a message to
// stderr and frees nothing.
bool pump_read_job(int argc, char **argv, struct pump_job *out_job);
// The main function of a tool. `run` gets the arguments of one job and returns its exit code. TOOL @LIST WORD ... runs
// one job per line of the file LIST: the name of the job, and the arguments that follow WORD ..., separated by tabs.
// Prints the name of each job before it runs. Returns 1 when a job fails, after all of them have run.
int pump_main(int argc, char **argv, int (*run)(int argc, char **argv));

void pump_look(struct pump_file *file); // once for all runs: probing costs more than a short run
void pump_free_job(struct pump_job *job);

// Converts; exits if the account of the bytes does not add up, or if a failed snapshot leaks memory. The caller frees
// the result.
void pump_run(const struct pump_job *job, const struct pump_how *how, struct pump_result *out_result);
void pump_free_result(struct pump_result *result);

bool pump_equal(const struct pump_bytes *a, const struct pump_bytes *b);

#endif
