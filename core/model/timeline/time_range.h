// SPDX-License-Identifier: MIT
//
// A track sink that passes a time range to another sink. Slices, counters and task states that began before the range
// are drawn at its start; slices that continue after the range end with it. Names and tracks always pass. Slices opened
// at the start have their name but no arguments.
#ifndef TK_MODEL_TIMELINE_TIME_RANGE_H
#define TK_MODEL_TIMELINE_TIME_RANGE_H

#include "../../base/alloc.h"
#include "../../base/idmap.h"
#include "track_sink.h"

enum { TK_RANGE_NAME = 56, TK_RANGE_CORES = 32 };

struct tk_time_range_slice {
    uint32_t track, name, category;
    uint8_t string_len;
    bool drawn; // its begin was passed on
    bool late;  // it began before the range, but this was determined only within it: drawn when it ends
    char string[TK_RANGE_NAME];
};

struct tk_time_range_counter {
    int64_t value;
    double value_double;
    bool known, is_double;
    bool pending_at_start; // its value at the start of the range is drawn with its next value in the range, because it
                           // may still change until then
};

struct tk_time_range_task {
    int32_t pid;
    uint32_t core;
    uint8_t state;         // enum tk_task_state + 1; 0: unknown at the start of the range
    bool pending_at_start; // its state at the start of the range is drawn with its next change, which may be determined
                           // late and lie before the start
};

// Number of omitted items before the range.
struct tk_range_omitted {
    uint64_t states, slices, instants, values, arguments;
};

struct tk_time_range {
    struct tk_alloc *alloc;
    struct tk_track_sink out;
    uint64_t from_ns, to_ns;              // range on the clock of the trace, inclusive
    uint64_t (*tick_ns)(const void *ctx); // current tick length in ns
    const void *tick_ctx;
    uint64_t from, to, used_tick_ns;    // limits in ticks of that length
    struct tk_time_range_slice *slices; // open slices in the order of their begins
    uint32_t slice_count, slice_capacity;
    struct tk_time_range_counter *counters; // indexed by track - 1
    uint32_t counter_capacity;
    struct tk_time_range_task *tasks;
    uint32_t task_count, task_capacity, pending_count;
    struct tk_idmap task_of_pid;
    uint32_t running[TK_RANGE_CORES]; // index + 1 of the task that ran last on each core before the range
    uint32_t unrecorded;              // cores in unrecorded time before the range: bit n = core n
    uint64_t last;                    // time of the last event sent in order
    uint64_t seen_until;              // first tick after all calls so far; 0: none
    struct tk_range_omitted left_out;
    bool inside;       // the start of the range was drawn
    bool has_ended;    // there was a call after the end of the range
    bool tick_changed; // the tick length changed after the start of the range was drawn: the range is not the requested
                       // one
};

// Sets other limits, in ns. Returns false, without a change, if the range has begun, or would begin before calls that
// were already filtered.
bool tk_time_range_set(struct tk_time_range *range, uint64_t from_ns, uint64_t to_ns);
// Sets the same limits on a time axis of another scale, also after the range has begun.
void tk_time_range_rescale(struct tk_time_range *range, uint64_t from_ns, uint64_t to_ns);
void tk_time_range_init(struct tk_time_range *range, struct tk_alloc *alloc, const struct tk_track_sink *out);
struct tk_track_sink tk_time_range_sink(struct tk_time_range *range);

#endif
