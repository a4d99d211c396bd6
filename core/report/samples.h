// SPDX-License-Identifier: MIT
//
// The samples of one signal as CSV (RFC 4180): when, the value as it is drawn, and its details as a JSON object. The
// signal is found by its path among the tracks that only the format knows. Nothing is kept but which tracks have that
// path.
#ifndef TK_REPORT_SAMPLES_H
#define TK_REPORT_SAMPLES_H

#include "../base/out.h"
#include "../model/trackers/tracks/tracks.h"

struct tk_samples {
    struct tk_alloc *alloc;
    struct tk_out out;
    const char *time_title; // "time_ns"
    struct tk_idmap judged; // decoder's number of a track -> whether it is the one
    uint32_t definitions;   // so many tracks were defined, and 1
    uint32_t track, others; // the first track with that path, by its number; how many more have it
    bool has_titles;
    bool begins_late; // it had samples before it had that path
    uint32_t path_len;
    char path[];
};

// NULL: no memory. path: as the table of signals has it, with or without the name of its root; copied.
struct tk_samples *tk_samples_new(struct tk_alloc *alloc, const char *path, tk_out_write_fn write, void *ctx);
// Paths may change.
void tk_samples_definition(struct tk_samples *samples);
// An event of the tracks, before they take it; its time as it is shown.
void tk_samples_event(struct tk_samples *samples, struct tk_tracks *tracks, const struct tk_event *event,
                      uint64_t time);
// Behind the last event: writes what is left. tracks NULL: the recording has none. False: there is none of this path,
// there are several, or it had another one before, which the text tells.
enum { TK_SAMPLES_TEXT = 256 };
bool tk_samples_end(struct tk_samples *samples, struct tk_tracks *tracks, char out_text[TK_SAMPLES_TEXT]);

#endif
