// SPDX-License-Identifier: MIT
//
// Markers and values: items that the application records itself, for the whole target or for one task.
#ifndef TK_MODEL_TRACKERS_MARKERS_MARKERS_H
#define TK_MODEL_TRACKERS_MARKERS_MARKERS_H

#include "../../tables/keyed_rows.h"
#include "../../tables/stats.h"
#include "../rtos/rtos.h"
#include "../tracker.h"

enum {
    TK_MAX_MARKERS = 8192,
    TK_MARKER_TEXTS = 64, // texts of a marker whose slices have a row of their own; further ones share one row
    TK_MARKER_ROWS = 96   // rows of all markers; the slices of further ones are not measured, which TOO_MANY counts
};

// An open slice of a marker.
struct tk_open_marker {
    uint64_t begin;
    uint32_t row; // index in tk_markers.slices; TK_NONE: none
    uint32_t gap; // tk_stats.gap at its begin
};

// A marker or a value, of the target or of one task.
struct tk_marker {
    uint32_t entity, track;
    bool stale;      // from before a restart: its number may now belong to another one
    bool of_markers; // a value in a marker
    uint16_t times;  // number + 1 in tk_markers.times; 0: its slices are not measured yet
    uint32_t count;  // number of drawn slices and instants
};

// A marker whose slices are measured.
struct tk_marker_times {
    struct tk_open_marker *open; // those that are drawn, the outermost first
    uint32_t open_count, open_capacity;
    uint32_t text_count; // texts with a row of their own
};

// Slices of a marker with one text.
struct tk_marker_slices {
    uint32_t marker;
    uint32_t task;                      // of the timeline; TK_NONE: not of a task
    uint32_t text;                      // id in names.strings; 0: none
    bool is_further;                    // all further texts
    uint64_t count;                     // slices that ended, also unseen
    struct tk_measure duration, period; // period: from begin to begin
    uint64_t last_begin;
    uint32_t gap; // tk_stats.gap + 1 at last_begin; 0: none
};

struct tk_markers {
    const struct tk_tracker_host *host;
    struct tk_marker *markers;
    uint32_t count, capacity;
    // [0] markers, [1] values; key: id, or (task index + 1) << 32 | id
    struct tk_idmap by_key[2], default_names[2]; // default: id -> string id, for task markers named before any task ran
    uint32_t default_count;                      // number of both kinds of default names
    uint32_t overflow_tracks[2];
    struct tk_keyed_rows slices; // struct tk_marker_slices
    struct tk_marker_times *times;
    uint32_t times_count, times_capacity;
};

// ---- Durations of slices (marker_times.c) ----

// A slice of a marker begins; its begin was drawn. task: of the timeline; TK_NONE: none.
void tk_marker_begins(struct tk_markers *markers, uint32_t marker, uint32_t task, const char *text, size_t len);
// The innermost slice of a marker ends; its end is not drawn yet.
void tk_marker_ends(struct tk_markers *markers, uint32_t marker);
// Counts open slices, which are not measured.
void tk_marker_times_finish(struct tk_markers *markers);
void tk_marker_times_clear(struct tk_markers *markers);
extern const struct tk_table tk_marker_times_table;
void tk_marker_times_tables(const struct tk_markers *markers, const struct tk_table_sink *sink);

#endif
