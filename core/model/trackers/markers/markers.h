// SPDX-License-Identifier: MIT
//
// Markers and values: items that the application records itself, for the whole target or for one task.
#ifndef TK_MODEL_TRACKERS_MARKERS_MARKERS_H
#define TK_MODEL_TRACKERS_MARKERS_MARKERS_H

#include "../../tables/stats.h"
#include "../rtos/rtos.h"
#include "../tracker.h"

enum { TK_MAX_MARKERS = 8192 };

// A marker or a value, of the target or of one task.
struct tk_marker {
    uint32_t entity, track;
    uint64_t begin;  // start of the outermost open slice
    bool stale;      // from before a restart: its number may now belong to another one
    bool of_markers; // a value in a marker
    uint32_t count;  // number of drawn slices and instants
};

struct tk_markers {
    const struct tk_tracker_host *host;
    struct tk_marker *markers;
    uint32_t count, capacity;
    // [0] markers, [1] values; key: id, or (task index + 1) << 32 | id
    struct tk_idmap by_key[2], default_names[2]; // default: id -> string id, for task markers named before any task ran
    uint32_t default_count;                      // number of both kinds of default names
    uint32_t overflow_tracks[2];
};

#endif
