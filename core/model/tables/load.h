// SPDX-License-Identifier: MIT
//
// Load of each core over time, for counters with at most TK_LOAD_VALUES values. Sums up the time in tasks and
// interrupts in buckets that grow with the recording; the window of a counter is chosen at the end, when the tick
// length is known. The time of a task excludes its interrupts, so that shares add up. Times are ticks of the trace
// clock.
#ifndef TK_MODEL_TABLES_LOAD_H
#define TK_MODEL_TABLES_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "../../base/alloc.h"

enum {
    TK_LOAD_CORES = 32,
    TK_LOAD_VALUES = 250,   // largest number of windows of a counter
    TK_LOAD_BUCKETS = 1250, // at least 250 of them are in use once the recording is long enough: a window is not
                            // shorter than a bucket
    TK_LOAD_TASKS = 64,     // number of tasks with separate buckets on a core; all others share those of the last one
    TK_LOAD_ISRS = 8,       // a core with more interrupts shows none of them separately
    TK_LOAD_ROWS = 128      // rows of buckets on all cores together
};

struct tk_load_row {
    uint64_t ticks[TK_LOAD_BUCKETS];
};

struct tk_load_core {
    struct tk_load_row *tasks[TK_LOAD_TASKS]; // by number; NULL: did not run on this core
    struct tk_load_row *isrs[TK_LOAD_ISRS];   // interrupts in order of appearance
    uint32_t isr_ids[TK_LOAD_ISRS];
    uint32_t isr_count;             // TK_LOAD_ISRS + 1: more than that
    struct tk_load_row *interrupts; // all interrupts, nested ones not counted twice
    struct tk_load_row *unmeasured; // interrupts of unknown length: excluded from the time of their task
    bool incomplete;                // there was no room for a row
};

struct tk_load {
    struct tk_alloc *alloc;
    bool started;
    uint64_t start; // start of the first bucket
    uint64_t width; // width of a bucket in ticks: 1, 5, 10, 50 ...
    uint32_t row_count;
    uint32_t bucket;                           // bucket of the last span
    uint64_t bucket_from, bucket_len;          // start and length of that bucket; 0: none
    struct tk_load_core *cores[TK_LOAD_CORES]; // cores; NULL: no activity on that core
};

void tk_load_init(struct tk_load *load, struct tk_alloc *alloc);

// core < TK_LOAD_CORES in all of these functions. Sets the first time of the recording.
static inline void tk_load_start(struct tk_load *load, uint64_t ticks) {
    if (load->started) return;
    load->started = true;
    load->start = ticks;
}

// Adds a run of a task after its end; from < to. interrupted: ticks of it in interrupts, measured or not.
void tk_load_run(struct tk_load *load, uint32_t task, uint32_t core, uint64_t from, uint64_t to, uint64_t interrupted);
// Adds a call of an interrupt after its end; from < to. outermost: no other interrupt is active on this core.
void tk_load_interrupt(struct tk_load *load, uint32_t isr, uint32_t core, uint64_t from, uint64_t to, bool outermost);
void tk_load_unmeasured_interrupt(struct tk_load *load, uint32_t core, uint64_t from, uint64_t to);

// ---- Results ----

// Windows of `ns` nanoseconds from the start on: the smallest of 1, 2, 5 times a power of ten that gives at most
// TK_LOAD_VALUES windows and is not shorter than a bucket. The last one includes the rest of the recording.
struct tk_load_windows {
    uint64_t ns;
    uint64_t length_ns; // length of the recording in ns
    uint64_t tick_ns;
    uint32_t count; // number of windows; 0: no time passed
};

struct tk_load_windows tk_load_windows(const struct tk_load *load, uint64_t end, uint64_t tick_ns);
// Returns nanoseconds of a row within a window. A bucket shared by two windows is divided by its length in each.
uint64_t tk_load_in_window(const struct tk_load *load, const struct tk_load_windows *windows,
                           const struct tk_load_row *row, uint32_t window);
// Returns the share of a window in millionths, at most 1000000.
uint32_t tk_load_share(const struct tk_load_windows *windows, uint64_t ns, uint32_t window);

#endif
