// SPDX-License-Identifier: MIT
//
// Active objects: state machines that take one event after the other from a queue of their own. Steps from taking
// an event to being done with it, current states, posts and their arrows, queues, pools, time events, a scheduler
// that names priorities, records of the application. docs/MODEL.md, "Active objects".
#ifndef TK_MODEL_OBJECTS_H
#define TK_MODEL_OBJECTS_H

#include "event.h"
#include "timeline.h"

enum { TK_MAX_OBJECTS = 16384, TK_MAX_POSTS = 1024, TK_OBJECT_ARGS = 40 };

// An event on its way from a post to its receiver.
struct tk_post {
    uint64_t flow, ticks;
    uint32_t signal;
};

struct tk_post_queue {
    struct tk_post *posts; // ring
    uint32_t capacity, head, count;
    uint64_t places;       // most that were ever free and taken at once
};

// A symbol that does something; a symbol may do several things.
struct tk_object {
    uint32_t entity;
    uint32_t row;           // TK_NONE: has no steps
    uint32_t state;         // entity + 1; 0: not known
    uint32_t state_track, used_track;
    uint32_t sender_track, store_track, pool_track, timer_track, count_track, lock_track, record_track;
    bool in_step, armed, held;
    struct tk_post_queue inbox, store;
    uint64_t arrival, arrival_ticks; // flow of the event that was taken last; 0: none
};

struct tk_objects {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *tl;
    struct tk_idmap symbol_by_id; // -> entity
    struct tk_idmap object_by_id; // symbol -> object
    struct { const char *text; uint32_t id; } known_args[64]; // the same by address: such names are static
    struct tk_idmap arg_names, words; // hash of the text -> interned id
    struct tk_object *objects;
    uint32_t count, capacity;
    uint64_t next_flow;
    // Scheduler
    uint32_t at_priority[256];    // object + 1
    uint32_t running;             // object, TK_NONE
    uint32_t priority;            // that runs; 0: idle
    uint64_t since;
    bool scheduled, learning;     // a priority runs whose object is not known yet
    uint32_t priority_track, ceiling_track, critical_track, tick_tracks[16], note_tracks[TK_NOTE_TRACKS];
};

void tk_objects_init(struct tk_objects *objects, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *tl);
void tk_objects_deinit(struct tk_objects *objects);
// Any kind from SYMBOL_NAME on.
void tk_objects_event(struct tk_objects *objects, const struct tk_event *event);
// Events are missing here: what is open may have ended.
void tk_objects_loss(struct tk_objects *objects);
// The target starts again.
void tk_objects_restart(struct tk_objects *objects);

#endif
