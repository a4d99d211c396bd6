// SPDX-License-Identifier: MIT
//
// Collects the task switches and wake-ups of each core and writes them as ftrace bundles: a few bytes per switch,
// including the state of the task that leaves. A switch whose state is still unknown waits for it. Rules of the
// importer: docs/formats/perfetto.md.
#ifndef TK_PERFETTO_SCHED_H
#define TK_PERFETTO_SCHED_H

#include "../base/alloc.h"
#include "../model/timeline/track_sink.h"

enum {
    TK_SCHED_CORES = 32,
    TK_SCHED_BUNDLE = 256,     // largest number of switches in a bundle, and of wake-ups
    TK_SCHED_ROOM = 10 * 1024, // enough for any bundle, in bytes
    TK_SCHED_OPEN = 16 * 1024, // largest number of switches that wait for a state, more than there are tasks; above it
                               // all pending tasks count as ready
    TK_SEQUENCE_TICKS = 2,     // sequences of the bundles: clock 64 of the first counts ticks ...
    TK_SEQUENCE_EARLY = 3      // ... and clock 64 of the second is one nanosecond earlier
};

enum { TK_PREV_STATE_PENDING = 0xFF }; // used in place of an enum tk_task_state while the state is unknown

// The thread for unrecorded time of a core has this pid minus the number of the core; tasks have pids from 300 on.
enum { TK_PID_UNRECORDED = 299 };

static inline bool tk_sched_is_unrecorded(int32_t pid) {
    return pid <= TK_PID_UNRECORDED && pid > TK_PID_UNRECORDED - TK_SCHED_CORES;
}

// `prev` left the core and `next` came; pid 0: no task, or an idle task.
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

// Switches and wake-ups of one core that are not written yet, in order of time.
struct tk_sched_core {
    struct tk_alloc *alloc;
    struct tk_switch *switches;     // the last one may still change
    uint32_t count, capacity, open; // open: number of switches with TK_PREV_STATE_PENDING
    int32_t running;                // pid of the running task; 0: none
    uint32_t unrecorded;            // number of switches to the thread for unrecorded time
    bool begun;                     // a bundle was written
    bool resolved;                  // the last switch cannot change any more
    uint32_t wakeup_count;
    struct tk_wakeup wakeups[TK_SCHED_BUNDLE];
};

// Expects zeroed memory. Drops switches when out of memory (`failed` of the allocator).
void tk_sched_init(struct tk_sched_core *core, struct tk_alloc *alloc);

// The core runs task `pid` from `ticks` on (0: none). At the tick of the last switch, replaces its task.
void tk_sched_run(struct tk_sched_core *core, uint64_t ticks, int32_t pid);
// Removes one wake-up at `ticks` by the running task and returns its pid; 0 if there is none. The caller calls it for a
// switch at the same tick, because the importer would attribute the wake-up to the new task.
int32_t tk_sched_take_unresolved(struct tk_sched_core *core, uint64_t ticks);
// Removes one wake-up after `ticks` by the running task and returns its pid; 0 if there is none. The caller calls it
// before tk_sched_unrecorded, because the importer would attribute the wake-up to the thread for unrecorded time.
int32_t tk_sched_take_wakeup_after(struct tk_sched_core *core, uint64_t ticks, uint64_t *out_ticks);
// Runs `pid`, the thread for unrecorded time, from `ticks` on. Does nothing if a later switch is known.
void tk_sched_unrecorded(struct tk_sched_core *core, uint64_t ticks, int32_t pid);
// Records how task `pid` left the core at `ticks`: enum tk_task_state or TK_PREV_STATE_PENDING. Returns false if it did
// not leave the core at that time.
bool tk_sched_switch_out(struct tk_sched_core *core, uint64_t ticks, int32_t pid, uint8_t prev_state);
// Adds a wake-up. Returns false if a bundle cannot express who woke the task, or there is no room.
bool tk_sched_wake(struct tk_sched_core *core, const struct tk_task_change *change);
// Marks a task as idle: replaces it by no task in the pending switches.
void tk_sched_set_idle(struct tk_sched_core *core, int32_t pid);
// At the end of the trace: all pending states become ready, and the last switch is final.
void tk_sched_resolve_all(struct tk_sched_core *core);

// Returns true if there is enough for a bundle.
static inline bool tk_sched_is_due(const struct tk_sched_core *core) {
    return core->count - core->open > TK_SCHED_BUNDLE || core->wakeup_count == TK_SCHED_BUNDLE;
}
// Appends a bundle of all final switches and wake-ups, at most TK_SCHED_ROOM bytes; returns `at` if there are none.
uint8_t *tk_sched_bundle(struct tk_sched_core *core, uint8_t *at, uint32_t number);
// Appends a separate bundle in which the running task leaves one nanosecond before `ticks`, at most TK_SCHED_ROOM
// bytes.
uint8_t *tk_sched_switch_out_early(struct tk_sched_core *core, uint8_t *at, uint32_t number, uint64_t ticks);

#endif
