// SPDX-License-Identifier: MIT
//
// Active objects: state machines that process one event after the other from a queue of their own. Tracks steps (from
// taking an event to its completion), current states, posts and their arrows, queues, pools, time events, a scheduler
// that reports priorities, and records of the application. docs/MODEL.md, "Active objects".
#ifndef TK_MODEL_TRACKERS_ACTIVE_OBJECTS_ACTIVE_OBJECTS_H
#define TK_MODEL_TRACKERS_ACTIVE_OBJECTS_ACTIVE_OBJECTS_H

#include "../../timeline/details.h"
#include "../../event/event.h"
#include "../../tables/keyed_rows.h"
#include "../../tables/stats.h"
#include "../../timeline/timeline.h"
#include "../tracker.h"

// Limits. Above them a counter reports the number: further objects share one, further events have no arrow, further
// details are cut.
enum {
    TK_MAX_AO_OBJECTS = 4096,
    TK_MAX_PENDING_POSTS = 128,
    TK_MAX_OPEN_STEPS = 64,
    TK_MAX_SCHEDULERS = 32,
    TK_AO_CACHE = 512
};

// Flag in the reason of a wait, which is an entity or TK_NONE: the object blocked in a call, it did not wait for its
// queue.
#define TK_AO_BLOCKED ((uint64_t)1 << 32)

// An event between its post and its receiver, or deferred.
struct tk_post {
    uint64_t flow, ticks;
    uint32_t signal, queue;
};

struct tk_post_queue {
    struct tk_post *posts;          // ring buffer
    uint32_t capacity, head, count; // capacity: 0 or a power of two
    uint32_t store;                 // row in the table of queues + 1; 0: none yet
    uint64_t places;                // capacity of the target's queue, from a post into the empty queue; 0: unknown
    uint64_t least;                 // while `places` is unknown: smallest number of free places + 1; 0: none reported
    uint32_t losses;                // tk_active_objects.losses for which the contents are known
};

// Run-to-completion steps of an object.
struct tk_step_times {
    struct tk_measure gross, net;        // from begin to end; of it on the core
    struct tk_measure latency, response; // from the post of the event to the begin; to the end
    struct tk_measure period;            // from begin to begin
    uint64_t last_begin;                 // if has_last
    uint32_t losses;                     // tk_active_objects.losses at last_begin
    bool has_last;
    // The open step
    uint64_t posted;     // time at which its event was posted; if is_post_known
    uint64_t ran;        // CPU time of the object at the begin of the step
    uint64_t unmeasured; // number of its runs of unknown length then
    bool is_post_known, is_run_known, was_scheduled;
};

// Steps of an object for one signal.
struct tk_signal_steps {
    uint32_t object, signal; // entities
    uint64_t count;          // steps that began
    struct tk_durations latency;
};

// A symbol with activities; it may be an object, a queue, a pool and so on at the same time.
struct tk_ao_object {
    uint32_t entity;
    uint32_t timeline_task; // its task in the timeline; TK_NONE: has no steps
    uint32_t state;         // entity + 1; 0: unknown
    uint32_t next_active;   // index + 1 of the next one in tk_active_objects.active
    uint32_t state_track, used_track, sender_track, store_track, pool_track, least_track, timer_track, count_track,
        lock_track, record_track;
    uint32_t least;    // last shown minimum of free blocks + 1
    uint32_t priority; // priority of its thread; 0: unknown
    bool in_step, armed, held, blocked;
    bool uncertain;      // `state` is from before a loss
    bool listed;         // the object is in tk_active_objects.active
    bool is_thread;      // only its priority is known
    bool ready_deferred; // made ready at `ready_at`; drawn when its run is known
    uint8_t ready_by;    // enum tk_waker
    struct tk_post_queue inbox, store, deferred;
    struct tk_post arrival;      // the last taken event; flow 0: its post is unknown
    struct tk_step_times *times; // NULL: no step yet
    uint64_t blocked_since, ready_at, step_since;
    uint64_t steps, steps_unmeasured; // number of steps; number of steps whose end is unknown, or that began before the
                                      // figures
    uint32_t blocked_on;              // entity
};

// State of the scheduler of a core.
struct tk_ao_scheduler {
    uint32_t at_priority[256];          // object + 1
    uint32_t running;                   // object, or TK_NONE
    uint32_t priority;                  // running priority; 0: idle
    uint64_t since;                     // start of `running`
    uint64_t chosen;                    // start of `priority`
    bool is_idle;                       // the scheduler reported that no task runs
    bool run_known;                     // the object that runs since `chosen` is known, or the core is idle
    bool scheduled, awaits_first_event; // inference of objects by priority: no event was taken since the last priority
                                        // was scheduled
    uint32_t name;                      // entity for the names of its tracks; TK_NONE: the only core
    uint32_t priority_track, ceiling_track, critical_track, tick_tracks[16];
    uint32_t priority_names[256], ceiling_names[256], critical_name; // interned
    uint32_t open[TK_MAX_OPEN_STEPS];                                // objects with open steps, the innermost last
    uint32_t open_count;
    bool has_deeper;     // more steps than these are open, so it is unknown which one runs
    uint64_t step_since; // start of the current span of the innermost step
};

// Row of the table of queues.
struct tk_queue_stats {
    uint32_t entity;
    const char *kind;           // static
    bool unsure, unsure_before; // the capacity is unknown; it was unknown until the last start of the target
};

struct tk_active_objects {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *tl;
    struct tk_stats *stats;
    struct tk_detail_names *details;
    const struct tk_facts *facts; // NULL: none
    bool has_reported_posts;      // the facts contain that posts are recorded
    const uint64_t *tick_ns;      // current tick length in ns; 0: unknown
    struct tk_idmap object_by_id; // symbol -> object
    struct {
        uint32_t symbol, entity, object;
    } cache[TK_AO_CACHE]; // indexed by the low bits of the symbol; object + 1
    struct tk_ao_object *objects;
    uint32_t *object_of_task; // object + 1, indexed by task of the timeline; 0: none
    struct tk_queue_stats *stores;
    struct tk_ao_scheduler *schedulers[TK_MAX_SCHEDULERS];
    uint32_t count, capacity, object_of_task_capacity, store_count, store_capacity;
    bool has_analysis;                 // steps are measured
    struct tk_keyed_rows signal_steps; // struct tk_signal_steps
    uint32_t losses;                   // number of losses, including a start of the recording in mid-stream
    uint32_t begun;                    // `losses` at the last start of the target, when all queues were empty
    uint32_t active;                   // index + 1 of the first object that the next loss affects
    uint64_t next_flow;
    uint32_t note_tracks[TK_NOTE_TRACKS];
};

void tk_ao_init(struct tk_active_objects *objects, const struct tk_tracker_host *host);
// Takes an event of a kind of this tracker.
void tk_ao_event(struct tk_active_objects *objects, const struct tk_event *event);
// Handles a loss of events: open steps and waits may have ended.
void tk_ao_loss(struct tk_active_objects *objects);
// Handles the start of the target: all queues are empty.
void tk_ao_begin(struct tk_active_objects *objects);
// Handles a restart of the target.
void tk_ao_restart(struct tk_active_objects *objects);
// Handles the end of the recording: open steps are closed.
void tk_ao_finish(struct tk_active_objects *objects);
// Writes the text of a wait reason: "TIMEOUT_SIG", "wait for mutex".
size_t tk_ao_reason_text(const struct tk_active_objects *objects, uint64_t reason, char out_text[2 * TK_DISPLAY_LEN]);
// Returns the object of a task of the timeline; NULL if there is none.
const struct tk_ao_object *tk_ao_of_task(const struct tk_active_objects *objects, uint32_t task);

#endif
