// SPDX-License-Identifier: MIT
//
// Markers and values: what an application draws itself, of the whole target or of one task.
#ifndef TK_MODEL_TRACKERS_MARKERS_MARKERS_H
#define TK_MODEL_TRACKERS_MARKERS_MARKERS_H

#include "../../tables/stats.h"
#include "../rtos/rtos.h"
#include "../tracker.h"

enum { TK_MAX_MARKERS = 8192 };

// A marker or a value, of the target or of one task.
struct tk_marker {
    uint32_t entity, track;
    uint64_t begin;  // of the outermost open slice
    bool stale;      // from before a restart: its number may mean another one now
    bool of_markers; // a value that stands in markers
    uint32_t count;  // how often it was drawn; its ends are not counted
};

struct tk_markers {
    const struct tk_tracker_host *host;
    struct tk_marker *markers;
    uint32_t count, capacity;
    // [0] markers, [1] values; key: id, or (task index + 1) << 32 | id
    struct tk_idmap by_key[2], default_names[2]; // default: id -> string id, for task markers named before any task ran
    uint32_t default_count;                      // of both
    uint32_t overflow_tracks[2];
};

#endif
