// SPDX-License-Identifier: MIT
//
// How busy each core was over time, for counters of at most TK_LOAD_VALUES values. Time in tasks and interrupts is
// summed up in buckets that grow with the recording; the window of a counter is chosen at the end, when the length of a
// tick is known. A task's time is counted without the interrupts in it, so that shares add up. Times are ticks of the
// trace clock.
#ifndef TK_MODEL_TABLES_LOAD_H
#define TK_MODEL_TABLES_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "../../base/alloc.h"

enum {
    TK_LOAD_CORES = 32,
    TK_LOAD_VALUES = 250,   // windows of a counter, at most
    TK_LOAD_BUCKETS = 1250, // at least 250 of them are in use once the recording is that long: a window is no shorter
                            // than a bucket
    TK_LOAD_TASKS = 64,     // tasks with buckets of their own on a core; all others share those of the last
    TK_LOAD_ISRS = 8,       // a core with more interrupts shows none of them apart
    TK_LOAD_ROWS = 128      // rows of buckets, of all cores
};

struct tk_load_row {
    uint64_t ticks[TK_LOAD_BUCKETS];
};

struct tk_load_core {
    struct tk_load_row *tasks[TK_LOAD_TASKS]; // by number; NULL: did not run here
    struct tk_load_row *isrs[TK_LOAD_ISRS];   // in order of appearance
    uint32_t isr_ids[TK_LOAD_ISRS];
    uint32_t isr_count;             // TK_LOAD_ISRS + 1: more than that
    struct tk_load_row *interrupts; // all of them, nested ones not counted twice
    struct tk_load_row *unmeasured; // interrupts whose length is not known: no time of the task that they are drawn in
    bool incomplete;                // something had no room
};

struct tk_load {
    struct tk_alloc *alloc;
    bool started;
    uint64_t start; // of the first bucket
    uint64_t width; // of a bucket: 1, 5, 10, 50 ...
    uint32_t row_count;
    uint32_t bucket;                           // of the last span,
    uint64_t bucket_from, bucket_len;          // its begin and length; 0: there was none
    struct tk_load_core *cores[TK_LOAD_CORES]; // NULL: nothing happened there
};

void tk_load_init(struct tk_load *load, struct tk_alloc *alloc);

// core < TK_LOAD_CORES in all of these. The first time of the recording:
static inline void tk_load_start(struct tk_load *load, uint64_t ticks) {
    if (load->started) return;
    load->started = true;
    load->start = ticks;
}

// One run of a task, when it is over; from < to. interrupted: ticks of it in interrupts, measured or not.
void tk_load_run(struct tk_load *load, uint32_t task, uint32_t core, uint64_t from, uint64_t to, uint64_t interrupted);
// One call of an interrupt, when it is over; from < to. outermost: no other one is open on this core.
void tk_load_interrupt(struct tk_load *load, uint32_t isr, uint32_t core, uint64_t from, uint64_t to, bool outermost);
void tk_load_unmeasured_interrupt(struct tk_load *load, uint32_t core, uint64_t from, uint64_t to);

// ---- Reading ----

// Windows of `ns` nanoseconds from the start on, the smallest of 1, 2, 5 times a power of ten with at most
// TK_LOAD_VALUES of them. What is left at the end of the recording belongs to the last one.
struct tk_load_windows {
    uint64_t ns;
    uint64_t length_ns; // of the recording
    uint64_t tick_ns;
    uint32_t count; // 0: no time went by
};

struct tk_load_windows tk_load_windows(const struct tk_load *load, uint64_t end, uint64_t tick_ns);
// Nanoseconds of a row within a window. A bucket that two windows share counts by its length in each.
uint64_t tk_load_in_window(const struct tk_load *load, const struct tk_load_windows *windows,
                           const struct tk_load_row *row, uint32_t window);
// Millionths, at most 1000000, of the length of a window.
uint32_t tk_load_share(const struct tk_load_windows *windows, uint64_t ns, uint32_t window);

#endif
