// SPDX-License-Identifier: MIT
// A track sink that aborts when the timeline violates its contract (core/model/timeline/track_sink.h).
#ifndef TK_FUZZ_SINK_CHECK_H
#define TK_FUZZ_SINK_CHECK_H

#include "model/timeline/track_sink.h"

enum { SINK_TRACKS = 2 * 65536 + 64, SINK_TEXTS = 65536, SINK_TASKS = 1024 };

struct sink_state {
    int32_t pid;
    uint8_t state;          // enum tk_task_state + 1
    bool task_called, late; // late: its last state was reported late
    uint64_t replaced_at; // another task has run on its core since, and the state in which it left is not reported yet;
                          // 0: no
    uint64_t since;
};

struct sink_check {
    uint64_t in_order; // last time in order
    uint64_t from, to; // no time is outside of this range
    uint64_t calls;
    uint32_t last_track, last_text[TK_INTERNS];
    uint32_t task_count;
    bool free_times;               // times increase only within each track
    bool finished, tracks_by_name; // by name: siblings' names are compared at the end
    struct sink_state tasks[SINK_TASKS];
    int32_t running[32]; // pid on each core; 0: none
    uint64_t running_since[32];
    // By number; sink_check_start clears those up to last_track, last_text.
    uint16_t depth[SINK_TRACKS];
    uint64_t in_order_on[SINK_TRACKS]; // last time in order
    uint8_t declared[SINK_TRACKS], used_track[SINK_TRACKS];
    uint64_t name_of[SINK_TRACKS]; // hash of parent and name
    uint8_t defined[TK_INTERNS][SINK_TEXTS], used_text[TK_INTERNS][SINK_TEXTS];
};

// Zeroed before its first use. Returns the sink to pass on.
struct tk_track_sink sink_check_start(struct sink_check *check);
// After all calls, including finish(): all slices have ended, everything that was used is defined.
void sink_check_end(const struct sink_check *check);

#endif
