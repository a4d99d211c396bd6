// SPDX-License-Identifier: MIT
//
// Active objects: state machines that take one event after the other from a queue of their own. Steps from taking
// an event to being done with it, current states, posts and their arrows, queues, pools, time events, a scheduler
// that names priorities, records of the application. docs/MODEL.md, "Active objects".
#ifndef TK_MODEL_TRACKERS_ACTIVE_OBJECTS_ACTIVE_OBJECTS_H
#define TK_MODEL_TRACKERS_ACTIVE_OBJECTS_ACTIVE_OBJECTS_H

#include "../../timeline/details.h"
#include "../../event/event.h"
#include "../../tables/stats.h"
#include "../../timeline/timeline.h"
#include "../tracker.h"

// What is beyond a limit is counted: further objects share one, further events have no arrow, further details are cut.
enum {
    TK_MAX_AO_OBJECTS = 4096,
    TK_MAX_PENDING_POSTS = 128,
    TK_MAX_OPEN_STEPS = 64,
    TK_MAX_SCHEDULERS = 32,
    TK_AO_CACHE = 512
};

// In the reason of a wait, which is an entity or TK_NONE: it was not waited for in the queue.
#define TK_AO_BLOCKED ((uint64_t)1 << 32)

// An event on its way from a post to its receiver, or put off.
struct tk_post {
    uint64_t flow, ticks;
    uint32_t signal, queue;
};

struct tk_post_queue {
    struct tk_post *posts;          // ring
    uint32_t capacity, head, count; // capacity: 0 or a power of two
    uint32_t store;                 // its row in the table of queues + 1; 0: none yet
    uint64_t places; // free and taken ones together, as told by a post into the empty queue; 0: not known
    uint64_t least;  // until then: the fewest free ones, plus 1; 0: none told
    uint32_t losses; // tk_active_objects.losses up to which it is known what is in it
};

// A symbol that does something; a symbol may do several things.
struct tk_ao_object {
    uint32_t entity;
    uint32_t timeline_task; // TK_NONE: has no steps
    uint32_t state;         // entity + 1; 0: not known
    uint32_t next_active;   // index + 1 of the next one in tk_active_objects.active
    uint32_t state_track, used_track, sender_track, store_track, pool_track, least_track, timer_track, count_track,
        lock_track, record_track;
    uint32_t least;    // free blocks as last shown + 1
    uint32_t priority; // 0: not known
    bool in_step, armed, held, blocked;
    bool uncertain;      // `state` is from before a loss
    bool listed;         // in tk_active_objects.active
    bool is_thread;      // known by its priority only
    bool ready_deferred; // made ready at `ready_at`; drawn when it is known when it runs
    uint8_t ready_by;    // enum tk_waker
    struct tk_post_queue inbox, store, deferred;
    struct tk_post arrival; // the event that was taken last; flow 0: not seen coming
    uint64_t blocked_since, ready_at, step_since;
    uint64_t steps, steps_unmeasured; // events that it handled; of them those of which the end was not seen, or that
                                      // began before the figures
    uint32_t blocked_on;              // entity
};

// What a core does: the scheduler, and whose step goes on.
struct tk_ao_scheduler {
    uint32_t at_priority[256];          // object + 1
    uint32_t running;                   // object, TK_NONE
    uint32_t priority;                  // that runs; 0: idle
    uint64_t since;                     // of `running`
    uint64_t chosen;                    // when `priority` was
    bool is_idle;                       // the scheduler said that nobody runs
    bool run_known;                     // it is known what the core runs since `chosen`
    bool scheduled, awaits_first_event; // learning: nobody took an event since a priority was chosen
    uint32_t name;                      // entity for the names of its tracks; TK_NONE: the only core
    uint32_t priority_track, ceiling_track, critical_track, tick_tracks[16];
    uint32_t priority_names[256], ceiling_names[256], critical_name; // interned
    uint32_t open[TK_MAX_OPEN_STEPS];                                // objects whose steps go on, the innermost last
    uint32_t open_count;
    uint64_t step_since; // the innermost one works since
};

// A row of the table of queues.
struct tk_queue_stats {
    uint32_t entity;
    const char *kind;           // static
    bool unsure, unsure_before; // how many places there are is not known; it was not known until the target began again
};

struct tk_active_objects {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *tl;
    struct tk_stats *stats;
    struct tk_detail_names *details;
    const uint64_t *tick_ns;      // length of a tick as known so far; 0: unknown
    struct tk_idmap object_by_id; // symbol -> object
    struct {
        uint32_t symbol, entity, object;
    } cache[TK_AO_CACHE]; // by the low bits of the symbol; object + 1
    struct tk_ao_object *objects;
    uint32_t *object_of_task; // + 1, by task of the timeline; 0: none
    struct tk_queue_stats *stores;
    struct tk_ao_scheduler *schedulers[TK_MAX_SCHEDULERS];
    uint32_t count, capacity, object_of_task_capacity, store_count, store_capacity;
    uint32_t losses; // how often events were lost, with what came before a recording that begins in mid-stream
    uint32_t begun;  // that, when the target began with all queues empty
    uint32_t active; // index + 1 of the first object that a loss concerns
    uint64_t next_flow;
    uint32_t note_tracks[TK_NOTE_TRACKS];
};

void tk_ao_init(struct tk_active_objects *objects, const struct tk_tracker_host *host);
// Any kind of this tracker.
void tk_ao_event(struct tk_active_objects *objects, const struct tk_event *event);
// Events are missing here: what is open may have ended.
void tk_ao_loss(struct tk_active_objects *objects);
// The target begins: nothing waits in any queue.
void tk_ao_begin(struct tk_active_objects *objects);
// The target starts again.
void tk_ao_restart(struct tk_active_objects *objects);
// The recording ends: what still runs has run until now.
void tk_ao_finish(struct tk_active_objects *objects);
// Words for the reason of a wait that the figures keep: "TIMEOUT_SIG", "wait for mutex".
size_t tk_ao_reason_text(const struct tk_active_objects *objects, uint64_t reason, char out_text[2 * TK_DISPLAY_LEN]);
// The object of a task of the timeline; NULL: there is none.
const struct tk_ao_object *tk_ao_of_task(const struct tk_active_objects *objects, uint32_t task);

#endif
