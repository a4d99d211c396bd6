// SPDX-License-Identifier: MIT
//
// What is drawn: tracks, slices, counters and task states. Makes tracks on first use, keeps slices balanced,
// and sends one state per task and tick. Knows nothing of queues or interrupts.
#ifndef TK_MODEL_TIMELINE_TIMELINE_H
#define TK_MODEL_TIMELINE_TIMELINE_H

#include "../../base/diag.h"
#include "../../base/idmap.h"
#include "names.h"

enum { TK_MAX_DEPTH = 256 };                      // slices open on one track; deeper ones are counted, not drawn
enum { TK_MAX_TRACKS = 65536, TK_MAX_ARGS = 64 }; // arguments of one event
enum { TK_LOSS_SCOPES = 33 };                     // where a loss is of concern: the whole target, or core n at 1 + n

enum tk_group {
    TK_GROUP_TARGET,
    TK_GROUP_INTERRUPTS,
    TK_GROUP_QUEUES,
    TK_GROUP_MARKERS,
    TK_GROUP_VALUES,
    TK_GROUP_EVENTS,
    TK_GROUP_SENDERS,
    TK_GROUP_SCHEDULER,
    TK_GROUP_POOLS,
    TK_GROUP_TIMERS,
    TK_GROUP_RECORDS,
    TK_GROUP_NOTES,
    TK_GROUP_LOAD,
    TK_GROUP_MACHINES,
    TK_GROUP_INTERVALS,
    TK_GROUP_SOFT_TIMERS,
    TK_GROUP_MARKER_VALUES,
    TK_GROUP_MEMORY,
    TK_GROUPS
};

// How the groups of the target follow each other, those at its head (Load) left out; the first view opens the first
// ones, as many as there is room for.
struct tk_group_order {
    uint8_t opened, groups[TK_GROUPS - 2];
}; // opened: how many may be

// Ranks of what stands between the groups of the target. Those of cores begin here. TOLD: those of the format.
enum {
    TK_RANK_LOAD = 0,
    TK_RANK_LOW_POWER = 32,
    TK_RANK_LOST = 62,
    TK_RANK_NOT_RECORDED,
    TK_RANK_PROBLEMS,
    TK_RANK_FAILURES,
    TK_RANK_GROUPS,
    TK_RANK_FORMAT = 1024
};

// Ranks of what stands in a task's group "more".
enum { TK_RANK_CALLS, TK_RANK_RUNNABLES, TK_RANK_JOBS, TK_RANK_PRIORITY, TK_RANK_STACK, TK_RANK_OTHERS };

struct tk_track {
    uint32_t parent;   // id
    uint32_t entity;   // whose name it bears; TK_NONE: `title`
    const char *title; // static; with an entity: follows the name, or NULL
    union {
        struct {
            const char *unit, *description;
        }; // static or NULL
        struct {
            uint32_t unit_text, description_text, share;
        }; // from_recording: as in struct tk_track_details
    };
    uint64_t declared; // hash of the name it was declared with; 0: not yet
    int32_t pid;       // tracks of a task: its pid (the viewer shows it behind the name); else -1
    int32_t rank;
    union {
        struct {
            uint32_t crossed;    // so many of the open slices, from the outermost on, began before events were lost
            uint32_t loss;       // tk_timeline.losses up to which `crossed` is known
            uint32_t outer_name; // name id of the outermost open slice
        };
        int64_t first_value; // of a counter
    };
    uint16_t depth, hidden; // open slices; those too deep to draw
    uint8_t kind;           // enum tk_track_kind
    uint8_t deepest;        // most slices and instants that were drawn below each other, from 2 on; 0: not nested
    uint8_t of_core; // core + 1: its name ends with the number of the core, and losses of that core are of concern; 0:
                     // neither
    bool show_number : 1;    // another track has the same name
    bool from_recording : 1; // unit and description came with the recording
    bool ordered : 1;        // its children by rank, else by name
    bool has_group : 1; // a counter whose group is declared at the end, when it is known whether its value ever changed
    uint8_t values : 2; // of a counter: 0, 1, or 2 for more different ones
};

// How a task stands on the CPU and state tracks.
struct tk_timeline_task {
    uint32_t entity;
    int32_t pid; // 0: none yet
    uint32_t thread_track, more_track;
    uint64_t shown_at;  // of `shown`
    uint64_t task_hash; // what task() was last told; 0: nothing
    uint16_t want_core, shown_core;
    uint8_t shown, want; // enum tk_task_state + 1; 0: none
    uint8_t want_waker;  // enum tk_waker
    bool listed : 1;     // in `changed`
    bool idle : 1;
};

struct tk_timeline {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_track_sink *sink;
    uint64_t now;            // ticks
    struct tk_track *tracks; // id - 1
    uint32_t track_count, track_capacity;
    struct tk_idmap taken; // hash of (parent, name) -> track: names are unique among siblings
    uint32_t groups[TK_GROUPS];
    const struct tk_group_order *order; // static; set before the first group is made
    struct tk_timeline_task *tasks;
    uint32_t task_count, task_capacity;
    uint32_t *changed; // tasks whose state at `now` is not sent yet
    uint32_t changed_count, changed_capacity;
    uint32_t unresolved;             // states that only the next event explains (tk_tracker.settle)
    bool goes_on;                    // the recording does, behind what is taken of it
    uint64_t lost_since;             // when the last loss began
    uint32_t losses[TK_LOSS_SCOPES]; // how often events were lost so far: what was open meanwhile is not measured
    char note[96];    // what users must know of the times, behind the title of the group Target; terminated
    char axes[128];   // "1 Hz shown as 1 ms": what parts of the trace are drawn on, where that is no time; terminated
    char counts[48];  // of what times are counts, "records"; terminated, empty: they are times, or ticks
    int32_t next_pid; // for numbers that cannot be pid - 300
    struct tk_names names;
};

void tk_timeline_init(struct tk_timeline *tl, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_track_sink *sink);

// What states there are now; `next`: the time that follows.
void tk_timeline_flush_states(struct tk_timeline *tl, uint64_t next);
// Time moves to `ticks`; it never falls.
static inline void tk_timeline_advance(struct tk_timeline *tl, uint64_t ticks) {
    if (ticks == tl->now) return;
    if (tl->changed_count) tk_timeline_flush_states(tl, ticks);
    tl->now = ticks;
}

// ---- Tracks ----

struct tk_track_spec {
    uint32_t parent; // id
    enum tk_track_kind kind;
    uint32_t entity;   // or TK_NONE
    const char *title; // static; without entity: the name; with one: what follows the name, or NULL
    int32_t pid;       // or -1
    int32_t rank;
    const char *unit, *description;
    uint8_t of_core; // core + 1, for names that end with the number of a core; 0: not
};

// What may be told later, or change; else a track has what its spec says.
struct tk_track_details {
    int32_t rank;
    uint32_t unit_text, description_text; // id in names.strings, clean; 0: none
    uint32_t share;                       // counters of one parent with the same one have the same range; 0: its own
    bool ordered;                         // its children by rank, else by name
};

// Id of a new track, 0 when there are too many or no memory; all calls below ignore track 0.
uint32_t tk_timeline_add_track(struct tk_timeline *tl, const struct tk_track_spec *spec);
// One whose details come with the recording, and may come again; its name is that of its entity.
uint32_t tk_timeline_add_described_track(struct tk_timeline *tl, const struct tk_track_spec *spec,
                                         const struct tk_track_details *details);
void tk_timeline_update_track(struct tk_timeline *tl, uint32_t track, const struct tk_track_details *details);
uint32_t tk_timeline_group(struct tk_timeline *tl, enum tk_group group);
const char *tk_timeline_group_title(enum tk_group group);
enum { TK_TRACK_NAME_LEN = TK_DISPLAY_LEN + 96 };
// As it stands in the trace.
size_t tk_timeline_track_name(const struct tk_timeline *tl, uint32_t track, char out_text[TK_TRACK_NAME_LEN]);
uint32_t tk_timeline_group_of(const struct tk_timeline *tl, uint32_t track); // the enum tk_group that a track is, or
                                                                             // TK_GROUPS
uint32_t tk_timeline_thread(struct tk_timeline *tl, uint32_t task);          // track of the reasons of waits
uint32_t tk_timeline_task_group(struct tk_timeline *tl, uint32_t task);      // closed group below it; its children have
                                                                             // ranks (enum tk_task_detail_rank)

// ---- Losses ----

// Events were lost here, of one core or (core < 0) of any. Slices that are open now are marked when they end.
void tk_timeline_loss(struct tk_timeline *tl, int32_t core);
// What is open on this track is not what it seems, although no event was lost.
void tk_timeline_invalidate_open(struct tk_timeline *tl, uint32_t track);
// Were events lost since slice `depth` of the open ones (0: the outermost) began? True also of a track that is not
// there.
bool tk_timeline_crosses_loss(struct tk_timeline *tl, uint32_t track, uint32_t depth);
static inline uint32_t tk_timeline_depth(const struct tk_timeline *tl, uint32_t track) {
    return track ? tl->tracks[track - 1].depth : 0;
}

// ---- Slices, instants, counters; at `now` unless said otherwise ----

void tk_timeline_begin(struct tk_timeline *tl, uint32_t track, struct tk_label_text name, const struct tk_arg *args,
                       unsigned arg_count);
// The same with arrows, a colour and whatever else; fills in the time.
void tk_timeline_begin_event(struct tk_timeline *tl, struct tk_track_event *event);
void tk_timeline_end(struct tk_timeline *tl, uint32_t track, const struct tk_arg *args, unsigned arg_count); // nothing
                                                                                                             // open:
                                                                                                             // ignored
// The same with all that an event may have; its type and time are filled in. What is open stays open, also behind a
// loss: whoever calls this ends what it begins.
void tk_timeline_open(struct tk_timeline *tl, struct tk_track_event *event);
// Ends a slice by force, marked: its own end was lost.
void tk_timeline_end_lost(struct tk_timeline *tl, uint32_t track);
void tk_timeline_end_lost_at(struct tk_timeline *tl, uint32_t track, uint64_t ticks); // some time ago, and nothing was
                                                                                      // drawn on the track since
void tk_timeline_instant(struct tk_timeline *tl, uint32_t track, struct tk_label_text name, const struct tk_arg *args,
                         unsigned arg_count);
void tk_timeline_counter(struct tk_timeline *tl, uint32_t track, int64_t value, const struct tk_arg *args,
                         unsigned arg_count);
// With one argument that is an interned text; arg 0: without.
void tk_timeline_end_text(struct tk_timeline *tl, uint32_t track, uint32_t arg, uint32_t text);
void tk_timeline_counter_text(struct tk_timeline *tl, uint32_t track, int64_t value, uint32_t arg, uint32_t text);
// Any event; fills in what is missing (ticks when TK_IN_ORDER). Keeps no balance.
void tk_timeline_event(struct tk_timeline *tl, struct tk_track_event *event);
// Ends every open slice, marked as open until here. mark: TK_ARGN_OPEN_AT_END is added.
void tk_timeline_close_all(struct tk_timeline *tl, bool mark);

// ---- Tasks ----

// own_pid: not the one that belongs to the task's number, because another task has it. TK_NONE: no memory.
uint32_t tk_timeline_add_task(struct tk_timeline *tl, uint32_t entity, uint32_t id, bool own_pid);
// The state of a task from `now` on; core: it runs there, or ran there until now.
void tk_timeline_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core);
// RUNNABLE from `now` on, unless it runs; somebody on that core made it so.
void tk_timeline_wake(struct tk_timeline *tl, uint32_t task, uint32_t core, enum tk_waker waker);
// Takes back what was asked for at `now`: the task is as it was before.
void tk_timeline_cancel_state(struct tk_timeline *tl, uint32_t task);
// What the core ran from `ticks` to its next task is unknown. `ticks` is not before its last task began to run.
void tk_timeline_unrecorded(struct tk_timeline *tl, uint32_t core, uint64_t ticks);
// The core is idle from now on: needed only after unrecorded time, for a core without a running task is idle.
void tk_timeline_core_idle(struct tk_timeline *tl, uint32_t core);
// A state that began at `ticks`, before now, and was understood only now.
void tk_timeline_late_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core,
                            uint64_t ticks);
void tk_timeline_late_wake(struct tk_timeline *tl, uint32_t task, uint32_t core, enum tk_waker waker, uint64_t ticks);
void tk_timeline_idle(struct tk_timeline *tl, uint32_t task); // it is an idle task

// Sends what is still waiting: states, names. Slices must be closed before.
void tk_timeline_finish(struct tk_timeline *tl);

#endif
