// SPDX-License-Identifier: MIT
//
// What is drawn, as text that a person reads while it comes: a line per slice and instant, indented as deep as it is
// nested.
#ifndef TK_REPORT_OUTLINE_H
#define TK_REPORT_OUTLINE_H

#include "../base/alloc.h"
#include "../base/strtab.h"
#include "../base/text.h"
#include "../model/timeline/track_sink.h"

struct tk_outline_track {
    int32_t pid;    // of the task whose track it is; 0: none
    uint32_t name;  // string id; 0: not told yet
    uint32_t depth; // open slices
    bool counts;
};

struct tk_outline {
    struct tk_alloc *alloc;
    bool json;
    bool (*line)(void *ctx, const char *line, size_t len);
    void *ctx;
    uint64_t (*tick_units)(const void *ctx); // units of time per tick; 0: times are counts
    uint64_t (*units_per_ns)(const void *ctx);
    const void *tick_ctx;
    bool refused;
    struct tk_strtab strings;
    uint32_t *texts[TK_INTERNS]; // string ids, by interned id - 1
    uint32_t text_capacity[TK_INTERNS];
    struct tk_outline_track *tracks; // id - 1
    struct {
        int32_t pid;
        uint32_t name;
    } *tasks;
    uint32_t track_capacity, task_count, task_capacity;
    struct tk_text text; // the line that is being put together; it grows
};

struct tk_track_sink tk_outline_sink(struct tk_outline *outline);

#endif
