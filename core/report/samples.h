// SPDX-License-Identifier: MIT
//
// Writes the samples of one signal as CSV (RFC 4180): time, value as the trace shows it, and details as a JSON object.
// The signal is selected by its path among the custom tracks of the format. Stores only which tracks have that path.
#ifndef TK_REPORT_SAMPLES_H
#define TK_REPORT_SAMPLES_H

#include "../base/out.h"
#include "../model/trackers/tracks/tracks.h"

struct tk_samples {
    struct tk_alloc *alloc;
    struct tk_out out;
    const char *time_title;  // "time_ns"
    struct tk_idmap checked; // decoder's id of a track -> WANTED, or `definitions` at the time of the check
    uint32_t definitions;    // number of definitions of tracks, plus NONE_DEFINED
    uint32_t track, others;  // first track with that path, and number of others with it
    bool has_titles;
    bool begins_late; // the track had samples before it had that path
    uint32_t path_len;
    char path[];
};

// Returns NULL when out of memory. path: as in the table of signals, with or without the name of its root; copied.
struct tk_samples *tk_samples_new(struct tk_alloc *alloc, const char *path, tk_out_write_fn write, void *ctx);
// Registers a definition, which may change paths.
void tk_samples_definition(struct tk_samples *samples);
// Takes an event of the tracks, before the tracks take it. time: as in the trace.
void tk_samples_event(struct tk_samples *samples, struct tk_tracks *tracks, const struct tk_event *event,
                      uint64_t time);
// Writes the remaining rows after the last event. tracks NULL: the recording has none. Returns false, with an
// explanation for the user, if no signal or several signals have this path, or if the signal had another path before.
enum { TK_SAMPLES_TEXT = 256 };
bool tk_samples_end(struct tk_samples *samples, struct tk_tracks *tracks, char out_text[TK_SAMPLES_TEXT]);

#endif
