// SPDX-License-Identifier: MIT
//
// A tracker turns events of its kinds into tracks and figures, and owns the state that this takes. Tasks, queues and
// interrupts are always tracked (rtos.h). A decoder lists what else its events need; a program without such a decoder
// carries none of it. Several work side by side in one recording.
#ifndef TK_MODEL_TRACKER_H
#define TK_MODEL_TRACKER_H

#include "../base/alloc.h"
#include "../base/diag.h"
#include "../base/move.h"
#include "event.h"
#include "table.h"

struct tk_timeline;
struct tk_stats;
struct tk_rtos;
struct tk_detail_names;

// Lives as long as the tracker.
struct tk_tracker_host {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *timeline;
    struct tk_stats *stats;
    struct tk_rtos *rtos;
    const uint64_t *tick_ns; // length of a tick as told so far; 0: not known
    struct tk_detail_names *details;
    // An instant among the problems, which tells where in the input: of the event at hand. words: static.
    void (*draw_problem)(void *ctx, const char *words, const struct tk_event *event);
    void *problem_ctx;
};

struct tk_tracker {
    enum tk_owner owner; // of the kinds that it takes
    size_t size; // zeroed memory for init
    void (*init)(void *tracker, const struct tk_tracker_host *host);
    void (*event)(void *tracker, const struct tk_event *event);
    void (*loss)(void *tracker, int32_t core); // events are missing here, of one core or (< 0) of any: what is open may have ended
    void (*restart)(void *tracker); // the target starts again
    void (*finish)(void *tracker);  // the recording ends: what still runs has run until now
    // Its own figures count from here on; of what is open, time counts from here on, and its length is not measured.
    void (*begin_figures)(void *tracker, uint64_t ticks);
    void (*tables)(const void *tracker, const struct tk_table_sink *sink); // of its own in the report
    void (*series)(const void *tracker, const struct tk_table_sink *sink);
    void (*moved)(void *tracker, const struct tk_tracker_host *host, struct tk_move *move); // it stands elsewhere now, and so do its host and what belongs to it
};

extern const struct tk_tracker tk_tracker_active_objects; // objects.h
extern const struct tk_tracker tk_tracker_calls;          // calls.h
extern const struct tk_tracker tk_tracker_rtos_more;      // rtos_more.h: takes the kinds of RTOS that rtos.h leaves
extern const struct tk_tracker tk_tracker_tracks;         // tracks.h

#endif
