// SPDX-License-Identifier: MIT
//
// What the parts of the active objects share: symbols, details, tracks. Included by objects*.c only.
#ifndef TK_MODEL_OBJECTS_PARTS_H
#define TK_MODEL_OBJECTS_PARTS_H

#include "objects.h"

static inline struct tk_names *tk_objects_names(struct tk_objects *o) { return &o->tl->names; }
static inline uint32_t tk_objects_index(const struct tk_objects *o, const struct tk_object *object) { return (uint32_t)(object - o->objects); }

// ---- Symbols and objects; entity TK_NONE, object NULL: no memory, or symbol 0 ----

uint32_t tk_objects_entity_slow(struct tk_objects *o, uint32_t symbol);
struct tk_object *tk_objects_find_slow(struct tk_objects *o, uint32_t symbol);
struct tk_object *tk_objects_give_row(struct tk_objects *o, struct tk_object *object);
// An object that is known by no symbol.
struct tk_object *tk_objects_add(struct tk_objects *o, uint32_t entity);

static inline uint32_t tk_objects_entity(struct tk_objects *o, uint32_t symbol) {
    uint32_t slot = symbol % TK_OBJECT_CACHE;
    return symbol && o->cache[slot].symbol == symbol ? o->cache[slot].entity : tk_objects_entity_slow(o, symbol);
}

static inline struct tk_object *tk_objects_find(struct tk_objects *o, uint32_t symbol) {
    uint32_t slot = symbol % TK_OBJECT_CACHE;
    if (symbol && o->cache[slot].symbol == symbol && o->cache[slot].object) return &o->objects[o->cache[slot].object - 1];
    return tk_objects_find_slow(o, symbol);
}

// An object with steps of its own.
static inline struct tk_object *tk_objects_find_active(struct tk_objects *o, uint32_t symbol) {
    struct tk_object *object = tk_objects_find(o, symbol);
    return object && object->row == TK_NONE ? tk_objects_give_row(o, object) : object;
}

// A loss from here on concerns this object.
static inline void tk_objects_touch(struct tk_objects *o, struct tk_object *object) {
    if (object->listed) return;
    object->listed = true;
    object->next_active = o->active;
    o->active = tk_objects_index(o, object) + 1;
}

struct tk_label_text tk_objects_label(struct tk_objects *o, uint32_t symbol, unsigned slot);

// ---- Tracks; `track` keeps the id ----

uint32_t tk_objects_add_track(struct tk_objects *o, uint32_t *track, enum tk_group group, enum tk_track_kind kind, uint32_t entity, const char *title, const char *unit);
uint32_t tk_objects_add_own_track(struct tk_objects *o, struct tk_object *object, uint32_t *track, enum tk_track_kind kind, const char *title, int32_t rank, const char *unit);
static inline uint32_t tk_objects_track(struct tk_objects *o, uint32_t *track, enum tk_group group, enum tk_track_kind kind, uint32_t entity, const char *title, const char *unit) {
    return *track ? *track : tk_objects_add_track(o, track, group, kind, entity, title, unit);
}
static inline uint32_t tk_objects_own_track(struct tk_objects *o, struct tk_object *object, uint32_t *track, enum tk_track_kind kind, const char *title, int32_t rank, const char *unit) {
    return *track ? *track : tk_objects_add_own_track(o, object, track, kind, title, rank, unit);
}
static inline uint32_t tk_objects_thread(struct tk_objects *o, const struct tk_object *object) { return tk_timeline_thread(o->tl, object->row); }
// What is in it was seen coming.
static inline bool tk_queue_is_known(const struct tk_objects *o, const struct tk_post_queue *queue) { return queue->losses == o->losses; }
static inline void tk_queue_lose_count(const struct tk_objects *o, struct tk_post_queue *queue) { queue->losses = o->losses - 1; }
// Row of the table of queues, kept in `*store`; fed with the taken places, 0 where they are not known.
void tk_objects_add_store(struct tk_objects *o, uint32_t *store, uint32_t entity, const char *kind);
static inline void tk_objects_stored(struct tk_objects *o, uint32_t *store, uint32_t entity, const char *kind, uint64_t used) {
    if (!*store) tk_objects_add_store(o, store, entity, kind);
    if (*store) tk_stats_queue(o->stats, *store - 1, used);
}
// The same from the free places behind an operation: the taken ones, -1 where nobody knows how many there are. first: it is the only one that is taken.
int64_t tk_objects_used(struct tk_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind, uint64_t free_places, bool first);
// None is taken.
int64_t tk_objects_emptied(struct tk_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind);
// The track of what an object does besides steps: its own, or one below the senders.
uint32_t tk_objects_doer_track(struct tk_objects *o, struct tk_object *object);

// ---- Steps and posts (objects_steps.c) ----

void tk_objects_step_begin(struct tk_objects *o, const struct tk_event *event);
void tk_objects_step_end(struct tk_objects *o, const struct tk_event *event);
void tk_objects_enter_state(struct tk_objects *o, const struct tk_event *event);
void tk_objects_note(struct tk_objects *o, const struct tk_event *event);
void tk_objects_post(struct tk_objects *o, const struct tk_event *event);
void tk_objects_publish(struct tk_objects *o, const struct tk_event *event);
void tk_objects_get(struct tk_objects *o, const struct tk_event *event);
void tk_objects_store(struct tk_objects *o, const struct tk_event *event);
// After a loss: no step is open, no event waits, the state is a guess.
void tk_objects_doubt(struct tk_objects *o, struct tk_object *object);
// A step is over. measured: its end was seen.
static inline void tk_objects_count_step(const struct tk_objects *o, struct tk_object *object, bool measured) {
    object->steps++;
    object->steps_unmeasured += !measured || object->step_since < o->stats->start;
}
// Events that waited for it, nobody knows until when.
void tk_objects_lose_posts(struct tk_objects *o, const struct tk_object *object, uint32_t count);
void tk_objects_forget_state(struct tk_objects *o, struct tk_object *object);

// ---- Scheduler, threads and what they wait for (objects_kernel.c) ----

// NULL: no memory.
struct tk_kernel *tk_objects_add_kernel(struct tk_objects *o, uint8_t core);
static inline struct tk_kernel *tk_objects_kernel(struct tk_objects *o, uint8_t core) {
    struct tk_kernel *kernel = o->kernels[core % TK_KERNELS];
    return kernel ? kernel : tk_objects_add_kernel(o, core);
}
void tk_kernel_step_begins(struct tk_objects *o, uint8_t core, uint32_t object);
void tk_kernel_step_ends(struct tk_objects *o, uint8_t core, uint32_t object);
void tk_kernel_took_event(struct tk_objects *o, uint8_t core, struct tk_object *object);
void tk_kernel_make_ready(struct tk_objects *o, uint8_t core, struct tk_object *object, enum tk_waker waker);
void tk_kernel_draw_ready(struct tk_objects *o, uint8_t core, struct tk_object *object);
void tk_kernel_priority(struct tk_objects *o, const struct tk_event *event);
void tk_kernel_ceiling(struct tk_objects *o, const struct tk_event *event);
void tk_kernel_critical(struct tk_objects *o, const struct tk_event *event);
void tk_kernel_semaphore(struct tk_objects *o, const struct tk_event *event);
void tk_kernel_blocked(struct tk_objects *o, const struct tk_event *event);
void tk_kernel_lock(struct tk_objects *o, const struct tk_event *event);
// A thread waits no longer.
void tk_objects_unblock(struct tk_objects *o, struct tk_object *object);
// It does, nobody knows since when; or the recording ends.
void tk_objects_stop_waiting(struct tk_objects *o, struct tk_object *object);
// Nobody is known to run.
void tk_kernel_loss(struct tk_objects *o, bool restart);
void tk_kernel_finish(struct tk_objects *o);

// ---- Pools, time events, ticks, records, notes (objects_things.c) ----

void tk_objects_pool(struct tk_objects *o, const struct tk_event *event);
void tk_objects_timer(struct tk_objects *o, const struct tk_event *event);
void tk_objects_disarm(struct tk_objects *o, struct tk_object *timer);
void tk_objects_tick(struct tk_objects *o, const struct tk_event *event);
void tk_objects_record(struct tk_objects *o, const struct tk_event *event);
void tk_objects_say(struct tk_objects *o, const struct tk_event *event);
// Something that the target wanted to do did not work.
void tk_objects_failure(struct tk_objects *o, const char *words, const struct tk_event *event);
void tk_objects_assertion(struct tk_objects *o, const struct tk_event *event);

#endif
