// SPDX-License-Identifier: MIT
//
// Writes the trace as text that a user reads during the conversion: one line per slice and instant, indented by its
// depth.
#ifndef TK_REPORT_OUTLINE_H
#define TK_REPORT_OUTLINE_H

#include "../base/alloc.h"
#include "../base/strtab.h"
#include "../base/text.h"
#include "../model/timeline/track_sink.h"

struct tk_outline_track {
    int32_t pid;    // pid of the task to which the track belongs; 0: none
    uint32_t name;  // string id; 0: unknown
    uint32_t depth; // number of open slices
    bool counts;
};

struct tk_outline {
    struct tk_alloc *alloc;
    bool json;
    bool (*line)(void *ctx, const char *line, size_t len);
    void *ctx;
    uint64_t (*tick_units)(const void *ctx); // time units per tick; 0: times are counts
    uint64_t (*units_per_ns)(const void *ctx);
    const void *tick_ctx;
    bool refused;
    struct tk_strtab strings;
    uint32_t *texts[TK_INTERNS]; // string ids, indexed by interned id - 1
    uint32_t text_capacity[TK_INTERNS];
    struct tk_outline_track *tracks; // indexed by id - 1
    struct {
        int32_t pid;
        uint32_t name;
    } *tasks;
    uint32_t track_capacity, task_count, task_capacity;
    struct tk_text text; // the current line; it grows
};

struct tk_track_sink tk_outline_sink(struct tk_outline *outline);

#endif
