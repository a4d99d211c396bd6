// SPDX-License-Identifier: MIT
#include "merge.h"

#include "../../base/cold.h"

TK_NOINLINE bool tk_merge_stays_first(const struct tk_event *a, const struct tk_event *b) {
    bool a_timed = tk_event_has_time(a), b_timed = tk_event_has_time(b);
    return a_timed && b_timed ? a->core <= b->core : b_timed || !a_timed;
}

// Another lane of the same stream has waited long enough.
static bool is_silent(struct tk_lane *const *lanes, uint32_t count, uint32_t lane) {
    for (uint32_t i = 0; i < count; i++)
        if (lanes[i]->source == lanes[lane]->source && lanes[i]->batch.count - lanes[i]->head >= TK_MERGE_PATIENCE) return true;
    return false;
}

int tk_merge_next(struct tk_lane *const *lanes, uint32_t count, int *out_rival, bool *out_starved) {
    int best = TK_MERGE_DONE, rival = TK_MERGE_DONE;
    *out_starved = false;
    for (uint32_t i = 0; i < count; i++) {
        int lane = (int)i;
        if (!tk_lane_has_event(lanes[i])) {
            if (tk_lane_is_over(lanes[i])) continue;
            bool silent = is_silent(lanes, count, i);
            if (silent && !tk_lane_settle_now(lanes[i])) continue; // what it waits for comes too late
            if (!silent) {
                *out_starved = true;
                return lane;
            }
        }
        if (best < 0 || tk_merge_is_before(tk_lane_first(lanes[lane]), lane, tk_lane_first(lanes[best]), best)) rival = best, best = lane;
        else if (rival < 0 || tk_merge_is_before(tk_lane_first(lanes[lane]), lane, tk_lane_first(lanes[rival]), rival)) rival = lane;
    }
    *out_rival = rival;
    return best;
}
