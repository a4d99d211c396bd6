// SPDX-License-Identifier: MIT
//
// Several lanes -> one order: by (section, time, core, lane), where what has no time comes first, by its lane alone: it was
// there before lanes were opened behind it, of whatever cores.
#ifndef TK_MODEL_TIME_MERGE_H
#define TK_MODEL_TIME_MERGE_H

#include "lane.h"

enum { TK_MERGE_DONE = -1 };
enum { TK_MERGE_PATIENCE = TK_LANE_PATIENCE }; // events of a stream that wait for a silent lane of the same stream

// The lane whose first event comes next, and in *out_rival the one that follows it (TK_MERGE_DONE: there is none).
// *out_starved: the lane that is returned has nothing and has not ended, it must speak first.
// TK_MERGE_DONE: all have ended.
int tk_merge_next(struct tk_lane *const *lanes, uint32_t count, int *out_rival, bool *out_starved);
// Events of one section and time: a, of the earlier lane, comes first unless both have a time and b is of a lower core.
bool tk_merge_stays_first(const struct tk_event *a, const struct tk_event *b);
static inline bool tk_merge_comes_first(const struct tk_event *a, const struct tk_event *b) {
    if (a->section != b->section) return a->section < b->section;
    return a->ticks != b->ticks ? a->ticks < b->ticks : tk_merge_stays_first(a, b);
}

// Events of the lanes of these numbers.
static inline bool tk_merge_is_before(const struct tk_event *of_a, int a, const struct tk_event *of_b, int b) {
    return a < b ? tk_merge_comes_first(of_a, of_b) : !tk_merge_comes_first(of_b, of_a);
}

// Does the first event of `next`, found by tk_merge_next, still come before the rival's?
static inline bool tk_merge_goes_on(struct tk_lane *const *lanes, int next, int rival) {
    return tk_lane_has_event(lanes[next]) && (rival < 0 || tk_merge_is_before(tk_lane_first(lanes[next]), next, tk_lane_first(lanes[rival]), rival));
}

#endif
