// SPDX-License-Identifier: MIT
//
// Merges several event streams in the order of (section, time, core, event stream). Events without a time come first,
// in the order of their event streams: they precede event streams that were opened later, of any core.
#ifndef TK_MODEL_TIME_MERGE_H
#define TK_MODEL_TIME_MERGE_H

#include "event_stream.h"

enum { TK_MERGE_DONE = -1 };
enum {
    TK_MERGE_MAX_WAITING = TK_STREAM_MAX_WAITING
}; // events of a stream that wait for a silent event stream of the same input

// Returns the event stream with the next event, and in *out_rival the one with the event after it (TK_MERGE_DONE:
// none). *out_starved: the returned event stream has no event and has not ended; its input must be read first. Returns
// TK_MERGE_DONE if all have ended.
int tk_merge_next(struct tk_event_stream *const *streams, uint32_t count, int *out_rival, bool *out_starved);
// Orders events of one section and time: a, of the earlier event stream, comes first unless both have a time and b is
// of a lower core.
bool tk_merge_stays_first(const struct tk_event *a, const struct tk_event *b);
static inline bool tk_merge_comes_first(const struct tk_event *a, const struct tk_event *b) {
    if (a->section != b->section) return a->section < b->section;
    return a->ticks != b->ticks ? a->ticks < b->ticks : tk_merge_stays_first(a, b);
}

// Compares events of the event streams with these indexes.
static inline bool tk_merge_is_before(const struct tk_event *of_a, int a, const struct tk_event *of_b, int b) {
    return a < b ? tk_merge_comes_first(of_a, of_b) : !tk_merge_comes_first(of_b, of_a);
}

// Returns true if the next event of `next`, found by tk_merge_next, still precedes that of the rival.
static inline bool tk_merge_continues(struct tk_event_stream *const *streams, int next, int rival) {
    return tk_event_stream_has_event(streams[next]) &&
           (rival < 0 || tk_merge_is_before(tk_event_stream_first(streams[next]), next,
                                            tk_event_stream_first(streams[rival]), rival));
}

#endif
