// SPDX-License-Identifier: MIT
//
// A tracker turns events of its kinds into tracks and figures, and owns the state that this takes. A decoder lists
// those that its events need, each behind what it builds on; a program without such a decoder carries none of it.
// Several work side by side in one recording.
#ifndef TK_MODEL_TRACKERS_TRACKER_H
#define TK_MODEL_TRACKERS_TRACKER_H

#include "../../base/alloc.h"
#include "../../base/diag.h"
#include "../event/event.h"
#include "../tables/table.h"

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
    struct tk_rtos *rtos;            // NULL: it is not listed
    const uint64_t *tick_ns;         // length of a tick as told so far; 0: not known
    const uint64_t *preamble_at;     // timed events before the last start of tracing + 1; 0: there was none
    struct tk_detail_names *details; // NULL: no tracker needs them
    // An instant among the problems, which tells where in the input: of the event at hand. words: static.
    void (*draw_problem)(void *ctx, const char *words, const struct tk_event *event);
    void *problem_ctx;
};

struct tk_tracker {
    enum tk_owner owner; // of the kinds that it takes
    size_t size;         // zeroed memory for init
    bool starts_at_once; // others build on it, or its tables are there without events; else it costs nothing before its
                         // first event
    bool draws_details;
    void (*init)(void *tracker, const struct tk_tracker_host *host);
    void (*event)(void *tracker, const struct tk_event *event);
    void (*resolve)(void *tracker, const struct tk_event *event); // before anything may change, while
                                                                  // tk_timeline.undecided: this event comes next. NULL:
                                                                  // it decides at once
    void (*loss)(void *tracker, int32_t core); // events are missing here, of one core or (< 0) of any: what is open may
                                               // have ended. NULL: it takes no notice
    void (*lost)(void *tracker, const struct tk_event *event, uint64_t since); // the same, before `loss`, where
                                                                               // TK_EV_EVENTS_LOST tells since when.
                                                                               // NULL: likewise
    void (*restart)(void *tracker, bool announced);  // the target starts again; told: numbers and names go on
    void (*finish)(void *tracker);                   // the recording ends: what still runs has run until now
    void (*closed)(void *tracker, uint64_t tick_ns); // every slice is: what is drawn over the whole time. NULL: nothing
    // Its own figures count from here on; of what is open, time counts from here on, and its length is not measured.
    void (*begin_stats)(void *tracker, uint64_t ticks);
    void (*tables)(const void *tracker, const struct tk_table_sink *sink); // of its own in the report
    const struct tk_table *const *table_list;                              // all that `tables` can put, up to NULL
    void (*series)(const void *tracker, const struct tk_table_sink *sink);
};

extern const struct tk_tracker tk_tracker_rtos;           // rtos.h
extern const struct tk_tracker tk_tracker_markers;        // markers.h, after rtos
extern const struct tk_tracker tk_tracker_active_objects; // active_objects.h
extern const struct tk_tracker tk_tracker_calls;          // calls.h
extern const struct tk_tracker tk_tracker_tracks;         // tracks.h

#endif
