// SPDX-License-Identifier: MIT
//
// A tracker converts events of its kinds to tracks and figures, and owns the required state. A decoder lists the
// trackers that its events need, each after those that it uses; the linker can drop a tracker that no decoder lists.
// Several trackers work side by side in one recording.
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
struct tk_facts;

// Context of a tracker; lives as long as the tracker.
struct tk_tracker_host {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *timeline;
    struct tk_stats *stats;
    struct tk_rtos *rtos;            // state of the rtos tracker; NULL: not listed
    const struct tk_facts *facts;    // receiver of resolved facts (facts.h); NULL: none
    bool has_analysis;               // figures of the analysis are wanted
    const uint64_t *tick_ns;         // current tick length in ns; 0: unknown
    const uint64_t *preamble_at;     // number of timed events before the last start of tracing + 1; 0: none
    struct tk_detail_names *details; // names of details; NULL: no tracker needs them
    // Draws an instant on the track of problems with the input position of the event. words: static.
    void (*draw_problem)(void *ctx, const char *words, const struct tk_event *event);
    void *problem_ctx;
};

struct tk_tracker {
    enum tk_owner owner; // owner of the event kinds that it takes
    size_t size;         // size in bytes of the zeroed memory for init
    bool starts_at_once; // initialise before the first event, because other trackers use it or its tables exist without
                         // events
    bool draws_details;
    void (*init)(void *tracker, const struct tk_tracker_host *host);
    void (*event)(void *tracker, const struct tk_event *event);
    void (*resolve)(void *tracker, const struct tk_event *event); // called before any state changes, while
                                                                  // tk_timeline.unresolved is not 0: this event comes
                                                                  // next. NULL: the tracker has no unresolved states
    void (*loss)(void *tracker, int32_t core); // events were lost, of one core or (< 0) of all: open slices may have
                                               // ended. NULL: ignored
    void (*lost)(void *tracker, const struct tk_event *event, uint64_t since); // called before `loss`, for
                                                                               // TK_EV_EVENTS_LOST; since: start of
                                                                               // the loss. NULL: ignored
    void (*restart)(void *tracker, bool announced);  // the target restarted; announced: ids and names stay valid
    void (*finish)(void *tracker);                   // the recording ends: what still runs has run until now
    void (*closed)(void *tracker, uint64_t tick_ns); // called when all slices are closed, to draw items over the whole
                                                     // time; may be NULL
    // Restarts its figures: time of open items counts from here on, and their length is not measured.
    void (*begin_stats)(void *tracker, uint64_t ticks);
    void (*tables)(const void *tracker, const struct tk_table_sink *sink); // its tables in the report
    const struct tk_table *const *table_list; // all tables that `tables` may output, ended by NULL
};

extern const struct tk_tracker tk_tracker_rtos;           // rtos.h
extern const struct tk_tracker tk_tracker_markers;        // markers.h, after rtos
extern const struct tk_tracker tk_tracker_active_objects; // active_objects.h
extern const struct tk_tracker tk_tracker_calls;          // calls.h
extern const struct tk_tracker tk_tracker_tracks;         // tracks.h

#endif
