// SPDX-License-Identifier: MIT
//
// Tracks, slices, counters and task states of the trace. Creates tracks on first use, keeps slices balanced, and sends
// one state per task and tick. Does not depend on queues or interrupts.
#ifndef TK_MODEL_TIMELINE_TIMELINE_H
#define TK_MODEL_TIMELINE_TIMELINE_H

#include "../../base/diag.h"
#include "../../base/idmap.h"
#include "names.h"

enum { TK_MAX_DEPTH = 256 };                      // open slices on one track; deeper ones are counted, not drawn
enum { TK_MAX_TRACKS = 65536, TK_MAX_ARGS = 64 }; // TK_MAX_ARGS: arguments of one event
enum { TK_LOSS_SCOPES = 33 };                     // scope of a loss: 0 the whole target, 1 + n core n

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

// Order of the groups of the target, without those at its top (Load). The initial view expands the first `opened`
// groups, as far as there is room.
struct tk_group_order {
    uint8_t opened, groups[TK_GROUPS - 2];
};

// Ranks of the tracks between the groups of the target; tracks of cores start at these ranks. TK_RANK_FORMAT: tracks of
// the format.
enum {
    TK_RANK_FINDINGS = -1,
    TK_RANK_LOAD = 0,
    TK_RANK_LOW_POWER = 32,
    TK_RANK_LOST = 62,
    TK_RANK_NOT_RECORDED,
    TK_RANK_PROBLEMS,
    TK_RANK_FAILURES,
    TK_RANK_GROUPS,
    TK_RANK_FORMAT = 1024
};

// Ranks of the tracks in a task's group "more".
enum {
    TK_RANK_CALLS,
    TK_RANK_RUNNABLES,
    TK_RANK_JOBS,
    TK_RANK_RESPONSE,
    TK_RANK_PRIORITY,
    TK_RANK_STACK,
    TK_RANK_OTHERS
};

struct tk_track {
    uint32_t parent;   // id
    uint32_t entity;   // entity whose name the track has; TK_NONE: `title` is the name
    const char *title; // static; with an entity: text after the name, or NULL
    union {
        struct {
            const char *unit, *description;
        }; // static or NULL
        struct {
            uint32_t unit_text, description_text, share;
        }; // if from_recording: as in struct tk_track_details
    };
    uint64_t declared; // hash of the name in its declaration; 0: not declared
    int32_t pid;       // tracks of a task: its pid (the viewer shows it after the name); else -1
    int32_t rank;
    union {
        struct {
            uint32_t crossed;    // number of open slices, from the outermost on, that began before a loss of events
            uint32_t loss;       // tk_timeline.losses up to which `crossed` is valid
            uint32_t outer_name; // name id of the outermost open slice
        };
        int64_t first_value; // first value of a counter
    };
    uint16_t depth, hidden; // number of open slices; number of those too deep to draw
    uint8_t kind;           // enum tk_track_kind
    uint8_t deepest;        // largest nesting depth of drawn slices and instants, from 2 on; 0: not nested
    uint8_t of_core; // core + 1: the name ends with the number of the core, and losses of that core affect the track;
                     // 0: neither
    bool show_number : 1;    // another track has the same name
    bool from_recording : 1; // unit and description come from the recording
    bool ordered : 1;        // children are sorted by rank; false: by name
    bool has_group : 1;      // a counter whose group is declared at the end, when it is known whether its value changed
    uint8_t values : 2;      // number of different values of a counter: 0, 1, or 2 for more
};

// State of a task on the CPU and state tracks.
struct tk_timeline_task {
    uint32_t entity;
    int32_t pid; // pid of the process; 0: none yet
    uint32_t thread_track, more_track;
    uint64_t shown_at;  // time of `shown`
    uint64_t task_hash; // hash of the last task() call; 0: none
    uint16_t want_core, shown_core;
    uint8_t shown, want; // enum tk_task_state + 1; 0: none
    uint8_t want_waker;  // enum tk_waker
    bool listed : 1;     // the task is in `changed`
    bool idle : 1;
};

struct tk_timeline {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_track_sink *sink;
    uint64_t now;            // ticks
    struct tk_track *tracks; // indexed by id - 1
    uint32_t track_count, track_capacity;
    uint64_t idled_at;     // tick + 1 at which the last core became idle without an idle task; 0: none did
    bool has_log;          // log messages were drawn
    struct tk_idmap taken; // hash of (parent, name) -> track: names are unique among siblings
    uint32_t groups[TK_GROUPS];
    const struct tk_group_order *order; // static; set before the first group is created
    struct tk_timeline_task *tasks;
    uint32_t task_count, task_capacity;
    uint32_t *changed; // tasks whose state at `now` is not sent yet
    uint32_t changed_count, changed_capacity;
    uint32_t unresolved;             // number of states that only the next event determines (tk_tracker.settle)
    bool goes_on;                    // the recording continues after the end of the trace
    uint64_t lost_since;             // time at which the last loss began
    uint32_t losses[TK_LOSS_SCOPES]; // number of losses per scope; slices that were open during a loss are not measured
    char note[96];    // note for users about the times, shown after the title of the group Target; terminated
    char axes[128];   // axes of parts of the trace that are not time, such as "1 Hz shown as 1 ms"; terminated
    char counts[48];  // unit of times that are counts, such as "records"; terminated; empty: times or ticks
    int32_t next_pid; // next pid for ids from which pid - 300 cannot be derived
    struct tk_names names;
};

void tk_timeline_init(struct tk_timeline *tl, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_track_sink *sink);

// Sends all pending task states at `now`. `next`: the following time.
void tk_timeline_flush_states(struct tk_timeline *tl, uint64_t next);
// Advances the time to `ticks`, which must not fall.
static inline void tk_timeline_advance(struct tk_timeline *tl, uint64_t ticks) {
    if (ticks == tl->now) return;
    if (tl->changed_count) tk_timeline_flush_states(tl, ticks);
    tl->now = ticks;
}

// ---- Tracks ----

struct tk_track_spec {
    uint32_t parent; // id
    enum tk_track_kind kind;
    uint32_t entity;   // entity of the track; TK_NONE: none
    const char *title; // static; without entity: the name; with one: text after the name, or NULL
    int32_t pid;       // pid of the task; -1: none
    int32_t rank;
    const char *unit, *description;
    uint8_t of_core; // core + 1, for names that end with the number of a core; 0: none
};

// Details from the recording that may come late or change; they override the spec of a track.
struct tk_track_details {
    int32_t rank;
    uint32_t unit_text, description_text; // id in names.strings, clean; 0: none
    uint32_t share;                       // counters with the same parent and number share their y range; 0: own range
    bool ordered;                         // children are sorted by rank; false: by name
};

// Returns the id of a new track; 0 when there are too many or out of memory. All calls below ignore track 0.
uint32_t tk_timeline_add_track(struct tk_timeline *tl, const struct tk_track_spec *spec);
// Adds a track whose details come from the recording and may be updated; its name is that of its entity.
uint32_t tk_timeline_add_described_track(struct tk_timeline *tl, const struct tk_track_spec *spec,
                                         const struct tk_track_details *details);
void tk_timeline_update_track(struct tk_timeline *tl, uint32_t track, const struct tk_track_details *details);
uint32_t tk_timeline_group(struct tk_timeline *tl, enum tk_group group);
const char *tk_timeline_group_title(enum tk_group group);
enum { TK_TRACK_NAME_LEN = TK_DISPLAY_LEN + 96 };
// Writes the name of the track in the trace.
size_t tk_timeline_track_name(const struct tk_timeline *tl, uint32_t track, char out_text[TK_TRACK_NAME_LEN]);
uint32_t tk_timeline_group_of(const struct tk_timeline *tl, uint32_t track); // the enum tk_group that a track is, or
                                                                             // TK_GROUPS
uint32_t tk_timeline_thread(struct tk_timeline *tl, uint32_t task);          // track with the reasons of waits
uint32_t tk_timeline_task_group(struct tk_timeline *tl, uint32_t task); // closed group below the thread; its children
                                                                        // have ranks (TK_RANK_CALLS ...)

// ---- Losses ----

// Records a loss of events on a core, or on all cores (core < 0). Slices that are open now are marked when they end.
void tk_timeline_loss(struct tk_timeline *tl, int32_t core);
// Marks the open slices of a track as not measured although no event was lost.
void tk_timeline_invalidate_open(struct tk_timeline *tl, uint32_t track);
// Returns true if events were lost since the open slice number `depth` (0: outermost) began; also if there is no such
// track.
bool tk_timeline_crosses_loss(struct tk_timeline *tl, uint32_t track, uint32_t depth);
static inline uint32_t tk_timeline_depth(const struct tk_timeline *tl, uint32_t track) {
    return track ? tl->tracks[track - 1].depth : 0;
}

// ---- Slices, instants, counters; at `now` unless stated otherwise ----

void tk_timeline_begin(struct tk_timeline *tl, uint32_t track, struct tk_label_text name, const struct tk_arg *args,
                       unsigned arg_count);
// Begins a slice that may have arrows, a colour and other attributes; sets its time.
void tk_timeline_begin_event(struct tk_timeline *tl, struct tk_track_event *event);
void tk_timeline_end(struct tk_timeline *tl, uint32_t track, const struct tk_arg *args, unsigned arg_count); // ignored
                                                                                                             // if no
                                                                                                             // slice is
                                                                                                             // open
// Opens a slice with any attributes; sets its type and time. A loss does not close it: the caller must end each slice
// that it opens.
void tk_timeline_open(struct tk_timeline *tl, struct tk_track_event *event);
// Ends a slice whose end was lost, and marks it.
void tk_timeline_end_lost(struct tk_timeline *tl, uint32_t track);
void tk_timeline_end_lost_at(struct tk_timeline *tl, uint32_t track, uint64_t ticks); // ends it at an earlier time; the
                                                                                      // caller has drawn nothing on
                                                                                      // the track since
void tk_timeline_instant(struct tk_timeline *tl, uint32_t track, struct tk_label_text name, const struct tk_arg *args,
                         unsigned arg_count);
void tk_timeline_counter(struct tk_timeline *tl, uint32_t track, int64_t value, const struct tk_arg *args,
                         unsigned arg_count);
// With one argument that is an interned text; arg 0: none.
void tk_timeline_end_text(struct tk_timeline *tl, uint32_t track, uint32_t arg, uint32_t text);
void tk_timeline_counter_text(struct tk_timeline *tl, uint32_t track, int64_t value, uint32_t arg, uint32_t text);
// Sends the end of a slice without arguments. Does not balance slices.
void tk_timeline_end_plain(struct tk_timeline *tl, uint32_t track);
// Sends any event; sets missing fields (ticks when TK_IN_ORDER). Does not balance slices.
void tk_timeline_event(struct tk_timeline *tl, struct tk_track_event *event);
// Sends a log message, an instant with `log`; track 0: of no task. Sets its time.
void tk_timeline_log(struct tk_timeline *tl, struct tk_track_event *event);
// Ends all open slices. mark: adds the argument TK_ARGN_OPEN_AT_END.
void tk_timeline_close_all(struct tk_timeline *tl, bool mark);

// ---- Tasks ----

// Adds a task. own_pid: uses another pid than that of the task's number, because another task has it. Returns TK_NONE
// when out of memory.
uint32_t tk_timeline_add_task(struct tk_timeline *tl, uint32_t entity, uint32_t id, bool own_pid);
// Sets the state of a task from `now` on. core: where it runs, or ran until now.
void tk_timeline_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core);
// Makes a task, which must not run, RUNNABLE from `now` on. `waker` on `core` woke it.
void tk_timeline_wake(struct tk_timeline *tl, uint32_t task, uint32_t core, enum tk_waker waker);
// Cancels the changes of a task at `now`: it keeps its state from before.
void tk_timeline_cancel_state(struct tk_timeline *tl, uint32_t task);
// Marks the time of a core from `ticks` to its next task as unrecorded. `ticks` is not before its last task began to
// run.
void tk_timeline_unrecorded(struct tk_timeline *tl, uint32_t core, uint64_t ticks);
// Makes a core idle from now on. Needed only after unrecorded time: otherwise a core without a running task is idle.
void tk_timeline_core_idle(struct tk_timeline *tl, uint32_t core);
// Sets a state that began at `ticks`, before now, and was determined only now.
void tk_timeline_late_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core,
                            uint64_t ticks);
void tk_timeline_late_wake(struct tk_timeline *tl, uint32_t task, uint32_t core, enum tk_waker waker, uint64_t ticks);
void tk_timeline_idle(struct tk_timeline *tl, uint32_t task); // marks a task as idle task

// Sends all pending states and names. Slices must be closed before.
void tk_timeline_finish(struct tk_timeline *tl);

#endif
