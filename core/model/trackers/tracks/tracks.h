// SPDX-License-Identifier: MIT
//
// Tracks that only the format knows: groups at any depth, slices, states, instants and counters, with names, units and
// arguments that come with the recording. A track is defined and used in any order (events.def, TRACK_...): it is drawn
// once something is on it, or on a track below it. Each one may have a row of figures, the table of signals.
//
// What is drawn before its definition stands below the target, "track #5", and stays there; the rest of the definition
// still counts. So does a later definition: name, rank, unit, description. What does not fit a track (a slice on a
// counter, a number on slices) is not drawn.
#ifndef TK_MODEL_TRACKERS_TRACKS_TRACKS_H
#define TK_MODEL_TRACKERS_TRACKS_TRACKS_H

#include "../../timeline/details.h"
#include "../rtos/rtos.h"
#include "../../tables/stats.h"
#include "../tracker.h"

enum { TK_MAX_TRACK_DEPTH = 64 };            // tracks below each other; what is deeper stands below the target
enum { TK_MAX_AXES = 64, TK_UNIT_LEN = 32 }; // further ones are not told, longer units are cut

// A domain that is no time (the order of records, cycles, an angle): drawn as if one of it took some time.
struct tk_axis {
    uint64_t shown_ns;   // so much
    int64_t first, last; // positions; of all of the recording: from 0 to the present one
    uint32_t track;      // the decoder's number of the track below which it holds; 0: none is drawn
    uint32_t unit;       // text: id in the names' strings
    bool is_of_all;      // it holds for the whole recording
};

// What was seen on a track. Samples: begins, instants, states and numbers, and what marks the lack of a value.
struct tk_track_stats {
    uint64_t samples, none, tagged;
    uint64_t first, last; // ticks
    double sum;           // of the numbers
    uint64_t numbers;
    union {
        int64_t i;
        double d;
    } smallest, largest;
    bool is_double;
};

struct tk_custom_track {
    uint64_t last; // time of what was drawn last
    uint32_t id;   // the decoder's number
    uint32_t entity;
    uint32_t track;  // of the timeline; 0: nothing was drawn yet
    uint32_t parent; // as parent_kind says
    int32_t rank;
    uint32_t unit, description, type_words, share; // texts: id in the names' strings
    uint32_t figures;                              // row of figures + 1; 0: none
    uint32_t number;                               // in their table
    uint32_t overview_row;                         // of the picture + 1; 0: none
    uint32_t next_open;                            // index + 1 in tk_tracks.open
    uint16_t state_depth;                // slices open when the present state began, itself included; 0: there is none
    uint8_t parent_kind, type, category; // enum tk_track_parent, enum tk_track_type, enum tk_category
    uint8_t depth;                       // tracks above it, itself included
    bool defined, ends_at_loss, is_untimed, listed;
};

struct tk_tracks {
    const struct tk_tracker_host *host;
    struct tk_custom_track *tracks;
    uint32_t count, capacity;
    struct tk_track_stats *figures;
    uint32_t figure_count, figure_capacity;
    uint32_t overview_rows; // in use; further ones are not in the picture
    struct tk_idmap by_id;  // decoder's number -> tracks
    uint32_t last_id, last; // found last
    struct tk_axis *axes;
    uint32_t axis_count, axis_capacity;
    uint32_t open; // index + 1 of the first one whose slices end at the next loss
};

// By the decoder's number; NULL: not known yet.
const struct tk_custom_track *tk_tracks_find(const struct tk_tracks *t, uint32_t id);
// "scope/signal": the names from the root on, as far as they fit; root: whether its name is one of them. Returns the
// length.
enum { TK_TRACK_PATH = 1024 };
size_t tk_tracks_path(const struct tk_tracks *t, const struct tk_custom_track *track, bool root,
                      char out_text[TK_TRACK_PATH]);
// Whether signals stand below different roots, so that only paths from the root tell them apart.
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
// Name of a track, and after it what its axis is: "sim by Hz (1 Hz shown as 1 ms)". Not terminated; returns the length.
size_t tk_tracks_title(const struct tk_tracks *t, uint32_t track, const char *name, size_t len,
                       char out_text[TK_DISPLAY_LEN]);
extern const struct tk_table tk_tracks_domains_table;
void tk_tracks_put_axes(const struct tk_tracks *t, const struct tk_table_sink *sink);

#endif
