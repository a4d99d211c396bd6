// SPDX-License-Identifier: MIT
//
// What each core ran, and who was made ready there, as ftrace bundles: a few bytes for a switch with the state of the
// task that leaves. Collected per core until there are enough for a bundle; a switch whose state comes late waits for
// it. Rules of the importer: docs/formats/perfetto.md.
#ifndef TK_PERFETTO_SCHED_H
#define TK_PERFETTO_SCHED_H

#include "../base/alloc.h"
#include "../model/timeline/track_sink.h"

enum {
    TK_SCHED_CORES = 32,
    TK_SCHED_BUNDLE = 256,     // most switches in a bundle, and most wake-ups
    TK_SCHED_ROOM = 10 * 1024, // enough for any bundle
    TK_SCHED_OPEN = 16 * 1024, // most switches that wait for a state, more than there are tasks; then all count as
                               // ready
    TK_SEQUENCE_TICKS = 2,     // sequences of the bundles: their clock 64 counts ticks ...
    TK_SEQUENCE_EARLY = 3      // ... and the same, one nanosecond earlier
};

enum { TK_PREV_STATE_PENDING = 0xFF }; // instead of an enum tk_task_state: it comes later

// The thread for unrecorded time of a core has this pid minus the number of the core; tasks have pids from 300 on.
enum { TK_PID_UNRECORDED = 299 };

static inline bool tk_sched_is_unrecorded(int32_t pid) {
    return pid <= TK_PID_UNRECORDED && pid > TK_PID_UNRECORDED - TK_SCHED_CORES;
}

// `prev` left and `next` came; pid 0: nobody, or an idle task.
struct tk_switch {
    uint64_t ticks;
    int32_t prev, next;
    uint8_t prev_state; // enum tk_task_state of `prev`, or TK_PREV_STATE_PENDING
};

struct tk_wakeup {
    uint64_t ticks;
    int32_t pid;
    bool by_interrupt;
};

// What is not written yet; both by time.
struct tk_sched_core {
    struct tk_alloc *alloc;
    struct tk_switch *switches;     // the last one may still change
    uint32_t count, capacity, open; // open: so many are TK_PREV_STATE_PENDING
    int32_t running;                // pid; 0: nobody
    uint32_t unrecorded;            // switches to the thread for unrecorded time
    bool begun;                     // a bundle was written
    bool resolved;                  // the last switch does not change any more
    uint32_t wakeup_count;
    struct tk_wakeup wakeups[TK_SCHED_BUNDLE];
};

// Zeroed memory. Without memory (`failed` of the allocator) switches are left out.
void tk_sched_init(struct tk_sched_core *core, struct tk_alloc *alloc);

// The core runs a task from `ticks` on; 0: nobody. At the tick of the last switch: instead of that one's.
void tk_sched_run(struct tk_sched_core *core, uint64_t ticks, int32_t pid);
// Who was made ready at `ticks` by "the task that runs there" is taken back, one pid for each call, until there is none
// (0): where a switch has the same tick, the importer would name the task that comes.
int32_t tk_sched_take_unresolved(struct tk_sched_core *core, uint64_t ticks);
// Runs `pid`, the thread for unrecorded time, from `ticks` on. Does nothing before the first switch of the core, or if
// a later switch is known.
void tk_sched_unrecorded(struct tk_sched_core *core, uint64_t ticks, int32_t pid);
// How a task left the core at `ticks`: enum tk_task_state or TK_PREV_STATE_PENDING. False: it did not leave it then.
bool tk_sched_switch_out(struct tk_sched_core *core, uint64_t ticks, int32_t pid, uint8_t prev_state);
// False: a wake-up cannot say who made it ready, or there is no room.
bool tk_sched_wake(struct tk_sched_core *core, const struct tk_task_change *change);
// A task is idle: what is not written yet tells of nobody instead.
void tk_sched_set_idle(struct tk_sched_core *core, int32_t pid);
// At the end: what is open counts as ready, and the last switch as known.
void tk_sched_resolve_all(struct tk_sched_core *core);

// Is there enough for a bundle?
static inline bool tk_sched_is_due(const struct tk_sched_core *core) {
    return core->count - core->open > TK_SCHED_BUNDLE || core->wakeup_count == TK_SCHED_BUNDLE;
}
// Appends a bundle of what is known, at most TK_SCHED_ROOM bytes; returns `at` if nothing is.
uint8_t *tk_sched_bundle(struct tk_sched_core *core, uint8_t *at, uint32_t number);
// The running task leaves one nanosecond before `ticks`: a bundle of its own, likewise.
uint8_t *tk_sched_switch_out_early(struct tk_sched_core *core, uint8_t *at, uint32_t number, uint64_t ticks);

#endif
