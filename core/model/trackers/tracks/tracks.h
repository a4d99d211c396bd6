// SPDX-License-Identifier: MIT
//
// Custom tracks of a format: groups at any depth, slices, states, instants and counters, with names, units and
// arguments from the recording. A track may be defined before or after its use (events.def, TRACK_...); it is drawn as
// soon as it, or a track below it, has an item. Each track may have a row in the table of signals.
//
// A track that is used before its definition is drawn below the target as "track #5", and stays there; a later
// definition sets its name, rank, unit and description. Items that do not fit a track (a slice on a counter, a number
// on slices) are not drawn.
#ifndef TK_MODEL_TRACKERS_TRACKS_TRACKS_H
#define TK_MODEL_TRACKERS_TRACKS_TRACKS_H

#include "../../timeline/details.h"
#include "../rtos/rtos.h"
#include "../../tables/stats.h"
#include "../tracker.h"

enum { TK_MAX_TRACK_DEPTH = 64 };            // depth of nested tracks; deeper ones are moved below the target
enum { TK_MAX_AXES = 64, TK_UNIT_LEN = 32 }; // further axes are not listed, longer units are cut

// An axis that is not time (order of records, cycles, an angle): the trace shows one unit of it as some nanoseconds.
struct tk_axis {
    uint64_t shown_ns;   // length of one unit in the trace
    int64_t first, last; // positions; for the axis of the whole recording from 0 to the current one
    uint32_t track;      // decoder's id of the track below which the axis applies; 0: not drawn
    uint32_t unit;       // text: id in the names' strings
    bool is_of_all;      // the axis applies to the whole recording
};

// Statistics of a track. Samples are begins, instants, states, numbers, and marks for a missing value.
struct tk_track_stats {
    uint64_t samples, none, tagged;
    uint64_t first, last; // ticks
    double sum;           // sum of the numbers
    uint64_t numbers;
    union {
        int64_t i;
        double d;
    } smallest, largest;
    bool is_double;
};

struct tk_custom_track {
    uint64_t last; // time of the last drawn item
    uint32_t id;   // decoder's id
    uint32_t entity;
    uint32_t track;  // track of the timeline; 0: nothing drawn yet
    uint32_t parent; // meaning as in parent_kind
    int32_t rank;
    uint32_t unit, description, type_words, share; // texts: id in the names' strings
    uint32_t figures;                              // row of figures + 1; 0: none
    uint32_t number;                               // number in the table of signals
    uint32_t next_open;                            // index + 1 in tk_tracks.open
    uint16_t state_depth;                          // open slices when the current state began, including it; 0: none
    uint8_t parent_kind, type, category;           // enum tk_track_parent, enum tk_track_type, enum tk_category
    uint8_t depth;                                 // number of tracks above it, including itself
    bool defined, ends_at_loss, is_untimed, listed;
};

struct tk_tracks {
    const struct tk_tracker_host *host;
    struct tk_custom_track *tracks;
    uint32_t count, capacity;
    struct tk_track_stats *figures;
    uint32_t figure_count, figure_capacity;
    struct tk_idmap by_id;  // decoder's id -> tracks
    uint32_t last_id, last; // the track found last
    struct tk_axis *axes;
    uint32_t axis_count, axis_capacity;
    uint32_t open; // index + 1 of the first track whose slices end at the next loss
};

// Returns the track with the decoder's id; NULL if it is unknown.
const struct tk_custom_track *tk_tracks_find(const struct tk_tracks *t, uint32_t id);
// Writes the path "scope/signal": the names from the root on, cut to fit. root: includes the name of the root. Returns
// the length.
enum { TK_TRACK_PATH = 1024 };
size_t tk_tracks_path(const struct tk_tracks *t, const struct tk_custom_track *track, bool root,
                      char out_text[TK_TRACK_PATH]);
// Returns true if there are signals below different roots, so that only paths with the root are unique.
bool tk_tracks_have_roots(const struct tk_tracks *t);

// axes.c
// The number of the track of a sample: all events of this tracker but TRACK_DEFINED and TRACK_AXIS.
static inline uint32_t tk_tracks_number(const struct tk_event *event) {
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TRACK_COUNT: return event->track_count.track;
    case TK_EV_TRACK_COUNT_DOUBLE: return event->track_count_double.track;
    case TK_EV_TRACK_END: return event->track_end.track;
    default: return event->track_slice.track;
    }
}
void tk_tracks_add_axis(struct tk_tracks *t, const struct tk_event *event);
// Writes the name of a track with its axis: "sim by Hz (1 Hz shown as 1 ms)". Not terminated; returns the length.
size_t tk_tracks_title(const struct tk_tracks *t, uint32_t track, const char *name, size_t len,
                       char out_text[TK_DISPLAY_LEN]);
extern const struct tk_table tk_tracks_domains_table;
void tk_tracks_put_axes(const struct tk_tracks *t, const struct tk_table_sink *sink);

#endif
