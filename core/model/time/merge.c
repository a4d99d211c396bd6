// SPDX-License-Identifier: MIT
#include "merge.h"

#include "../../base/attributes.h"

TK_NOINLINE bool tk_merge_stays_first(const struct tk_event *a, const struct tk_event *b) {
    bool a_timed = tk_event_has_time(a), b_timed = tk_event_has_time(b);
    return a_timed && b_timed ? a->core <= b->core : b_timed || !a_timed;
}

// Returns true if another event stream of the same input has waited long enough.
static bool is_silent(struct tk_event_stream *const *streams, uint32_t count, uint32_t stream) {
    for (uint32_t i = 0; i < count; i++)
        if (streams[i]->source == streams[stream]->source &&
            streams[i]->batch.count - streams[i]->head >= TK_MERGE_MAX_WAITING)
            return true;
    return false;
}

int tk_merge_next(struct tk_event_stream *const *streams, uint32_t count, int *out_rival, bool *out_starved) {
    int best = TK_MERGE_DONE, rival = TK_MERGE_DONE;
    *out_starved = false;
    for (uint32_t i = 0; i < count; i++) {
        int stream = (int)i;
        if (!tk_event_stream_has_event(streams[i])) {
            if (tk_event_stream_has_ended(streams[i])) continue;
            bool silent = is_silent(streams, count, i);
            if (silent && !tk_event_stream_resolve_now(streams[i])) continue; // what it needs would come too late
            if (!silent) {
                *out_starved = true;
                return stream;
            }
        }
        if (best < 0 || tk_merge_is_before(tk_event_stream_first(streams[stream]), stream,
                                           tk_event_stream_first(streams[best]), best))
            rival = best, best = stream;
        else if (rival < 0 || tk_merge_is_before(tk_event_stream_first(streams[stream]), stream,
                                                 tk_event_stream_first(streams[rival]), rival))
            rival = stream;
    }
    *out_rival = rival;
    return best;
}
