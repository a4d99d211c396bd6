// SPDX-License-Identifier: MIT
//
// A track sink that lets a stretch of time through to another one. What began before it (slices, counters, task
// states) is drawn from its first moment on, slices that go on after it end with it. Names and tracks pass always.
// Slices opened at the first moment carry their name but no arguments.
#ifndef TK_MODEL_TIMELINE_TIME_RANGE_H
#define TK_MODEL_TIMELINE_TIME_RANGE_H

#include "../../base/alloc.h"
#include "../../base/idmap.h"
#include "track_sink.h"

enum { TK_RANGE_NAME = 56, TK_RANGE_CORES = 32 };

struct tk_time_range_slice {
    uint32_t track, name, category;
    uint8_t string_len;
    bool drawn; // its begin went out
    bool late;  // it began before the part, which was understood only in it: drawn when it ends
    char string[TK_RANGE_NAME];
};

struct tk_time_range_counter {
    int64_t value;
    double value_double;
    bool known, is_double;
    bool pending_at_start; // its value at the first moment is drawn with its next one in the part, since until then it
                           // may change
};

struct tk_time_range_task {
    int32_t pid;
    uint32_t core;
    uint8_t state;         // enum tk_task_state + 1; 0: not known at the first moment
    bool pending_at_start; // its state at the first moment is drawn with its next one, which may be understood late and
                           // lie before
};

// What came before the first moment and was not drawn.
struct tk_range_omitted {
    uint64_t states, slices, instants, values, arguments;
};

struct tk_time_range {
    struct tk_alloc *alloc;
    struct tk_track_sink out;
    uint64_t from_ns, to_ns;              // of the trace's clock, both inside
    uint64_t (*tick_ns)(const void *ctx); // length of a tick as known now
    const void *tick_ctx;
    uint64_t from, to, used_tick_ns;    // in ticks of that length
    struct tk_time_range_slice *slices; // open ones, in the order of their begins
    uint32_t slice_count, slice_capacity;
    struct tk_time_range_counter *counters; // track - 1
    uint32_t counter_capacity;
    struct tk_time_range_task *tasks;
    uint32_t task_count, task_capacity, pending_count;
    struct tk_idmap task_of_pid;
    uint32_t running[TK_RANGE_CORES]; // index of the task that ran last there before the first moment, + 1
    uint64_t last;                    // time of what went out last, in order
    uint64_t seen_until;              // the first moment behind all calls; 0: there was none
    struct tk_range_omitted left_out;
    bool inside;       // the first moment has been drawn
    bool has_ended;    // something came after the last moment
    bool tick_changed; // another tick length was told when the first moment had been drawn: the part is not the one
                       // that was asked for
};

// Other limits, in ns. False: the part has begun already, or would begin before what it was told of; then nothing
// changes.
bool tk_time_range_set(struct tk_time_range *range, uint64_t from_ns, uint64_t to_ns);
void tk_time_range_init(struct tk_time_range *range, struct tk_alloc *alloc, const struct tk_track_sink *out);
struct tk_track_sink tk_time_range_sink(struct tk_time_range *range);

#endif
