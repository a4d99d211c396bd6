// SPDX-License-Identifier: MIT
//
// Shared by the files of this folder: symbols, details, tracks.
#ifndef TK_MODEL_TRACKERS_ACTIVE_OBJECTS_ACTIVE_OBJECTS_INTERNAL_H
#define TK_MODEL_TRACKERS_ACTIVE_OBJECTS_ACTIVE_OBJECTS_INTERNAL_H

#include "../../facts.h"
#include "active_objects.h"

static inline struct tk_names *tk_ao_names(struct tk_active_objects *o) { return &o->tl->names; }
static inline uint32_t tk_ao_index(const struct tk_active_objects *o, const struct tk_ao_object *object) {
    return (uint32_t)(object - o->objects);
}

// ---- Symbols and objects; entity TK_NONE, object NULL: out of memory, or symbol 0 ----

uint32_t tk_ao_symbol_entity_slow(struct tk_active_objects *o, uint32_t symbol);
struct tk_ao_object *tk_ao_find_slow(struct tk_active_objects *o, uint32_t symbol);
struct tk_ao_object *tk_ao_add_task(struct tk_active_objects *o, struct tk_ao_object *object);
// Adds an object without a symbol.
struct tk_ao_object *tk_ao_add(struct tk_active_objects *o, uint32_t entity);

static inline uint32_t tk_ao_symbol_entity(struct tk_active_objects *o, uint32_t symbol) {
    uint32_t slot = symbol % TK_AO_CACHE;
    return symbol && o->cache[slot].symbol == symbol ? o->cache[slot].entity : tk_ao_symbol_entity_slow(o, symbol);
}

static inline struct tk_ao_object *tk_ao_find(struct tk_active_objects *o, uint32_t symbol) {
    uint32_t slot = symbol % TK_AO_CACHE;
    if (symbol && o->cache[slot].symbol == symbol && o->cache[slot].object)
        return &o->objects[o->cache[slot].object - 1];
    return tk_ao_find_slow(o, symbol);
}

// Returns an object with steps.
static inline struct tk_ao_object *tk_ao_find_active(struct tk_active_objects *o, uint32_t symbol) {
    struct tk_ao_object *object = tk_ao_find(o, symbol);
    return object && object->timeline_task == TK_NONE ? tk_ao_add_task(o, object) : object;
}

// Registers an object for the next loss.
static inline void tk_ao_mark_active(struct tk_active_objects *o, struct tk_ao_object *object) {
    if (object->listed) return;
    object->listed = true;
    object->next_active = o->active;
    o->active = tk_ao_index(o, object) + 1;
}

struct tk_label_text tk_ao_label(struct tk_active_objects *o, uint32_t symbol, enum tk_label label);

// ---- Tracks; `*track` stores the id ----

uint32_t tk_ao_add_track(struct tk_active_objects *o, uint32_t *track, enum tk_group group, enum tk_track_kind kind,
                         uint32_t entity, const char *title, const char *unit);
uint32_t tk_ao_add_own_track(struct tk_active_objects *o, struct tk_ao_object *object, uint32_t *track,
                             enum tk_track_kind kind, const char *title, int32_t rank, const char *unit);
static inline uint32_t tk_ao_track(struct tk_active_objects *o, uint32_t *track, enum tk_group group,
                                   enum tk_track_kind kind, uint32_t entity, const char *title, const char *unit) {
    return *track ? *track : tk_ao_add_track(o, track, group, kind, entity, title, unit);
}
static inline uint32_t tk_ao_own_track(struct tk_active_objects *o, struct tk_ao_object *object, uint32_t *track,
                                       enum tk_track_kind kind, const char *title, int32_t rank, const char *unit) {
    return *track ? *track : tk_ao_add_own_track(o, object, track, kind, title, rank, unit);
}
static inline uint32_t tk_ao_thread(struct tk_active_objects *o, const struct tk_ao_object *object) {
    return tk_timeline_thread(o->tl, object->timeline_task);
}
// Returns true if the posts of all events in the queue are known.
static inline bool tk_post_queue_is_known(const struct tk_active_objects *o, const struct tk_post_queue *queue) {
    return queue->losses == o->losses;
}
static inline void tk_post_queue_invalidate(const struct tk_active_objects *o, struct tk_post_queue *queue) {
    queue->losses = o->losses - 1;
}
// Adds a row to the table of queues and stores it in *store. tk_ao_count_queue_level records the number of taken places
// in it; 0 if unknown.
void tk_ao_add_queue_stats(struct tk_active_objects *o, uint32_t *store, uint32_t entity, const char *kind);
static inline void tk_ao_count_queue_level(struct tk_active_objects *o, uint32_t *store, uint32_t entity,
                                           const char *kind, uint64_t used) {
    if (!*store) tk_ao_add_queue_stats(o, store, entity, kind);
    if (*store) tk_stats_queue(o->stats, *store - 1, used);
}
// Records the free places after an operation. Returns the taken places, or -1 if the capacity is unknown. first:
// exactly one place is taken.
int64_t tk_ao_queue_level(struct tk_active_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind,
                          uint64_t free_places, bool first);
// Records an empty queue.
int64_t tk_ao_queue_emptied(struct tk_active_objects *o, struct tk_post_queue *queue, uint32_t entity,
                            const char *kind);
// Returns the track for activities of an object other than steps: its own, or one below the senders.
uint32_t tk_ao_activity_track(struct tk_active_objects *o, struct tk_ao_object *object);

// ---- Steps and posts (rtc_steps.c) ----

void tk_ao_step_begin(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_step_end(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_enter_state(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_note(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_post(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_publish(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_take_event(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_queue_operation(struct tk_active_objects *o, const struct tk_event *event);
// Resets an object after a loss: no step is open, no event is pending, the state is uncertain.
void tk_ao_invalidate(struct tk_active_objects *o, struct tk_ao_object *object);
// Counts a step. measured: its end was recorded.
static inline void tk_ao_count_step(const struct tk_active_objects *o, struct tk_ao_object *object, bool measured) {
    object->steps++;
    object->steps_unmeasured += !measured || object->step_since < o->stats->start;
}
// Discards posts to an object whose reception is unknown.
void tk_ao_discard_posts(struct tk_active_objects *o, const struct tk_ao_object *object, uint32_t count);
void tk_ao_clear_state(struct tk_active_objects *o, struct tk_ao_object *object);

// ---- Figures of steps (step_times.c) ----

// A step of an object begins; object->arrival is its event. signal: entity, or TK_NONE.
void tk_ao_step_time_begins(struct tk_active_objects *o, struct tk_ao_object *object, uint8_t core, uint32_t signal);
// A step ends, and its end was recorded. Called after the scheduler took note of it.
void tk_ao_step_time_ends(struct tk_active_objects *o, struct tk_ao_object *object, uint8_t core);
void tk_ao_step_times_clear(struct tk_active_objects *o);
extern const struct tk_table tk_ao_steps_table, tk_ao_step_signals_table;
void tk_ao_step_tables(const struct tk_active_objects *o, const struct tk_table_sink *sink);

// ---- Scheduler, threads and what they wait for (scheduler.c) ----

// Returns NULL when out of memory.
struct tk_ao_scheduler *tk_ao_add_scheduler(struct tk_active_objects *o, uint8_t core);
static inline struct tk_ao_scheduler *tk_ao_scheduler_of(struct tk_active_objects *o, uint8_t core) {
    struct tk_ao_scheduler *scheduler = o->schedulers[core % TK_MAX_SCHEDULERS];
    return scheduler ? scheduler : tk_ao_add_scheduler(o, core);
}
void tk_ao_scheduler_step_begins(struct tk_active_objects *o, uint8_t core, uint32_t object);
void tk_ao_scheduler_step_ends(struct tk_active_objects *o, uint8_t core, uint32_t object);
void tk_ao_scheduler_took_event(struct tk_active_objects *o, uint8_t core, struct tk_ao_object *object);
void tk_ao_scheduler_make_ready(struct tk_active_objects *o, uint8_t core, struct tk_ao_object *object,
                                enum tk_waker waker);
void tk_ao_scheduler_draw_ready(struct tk_active_objects *o, uint8_t core, struct tk_ao_object *object);
void tk_ao_scheduler_priority(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_scheduler_ceiling(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_scheduler_critical(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_scheduler_semaphore(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_scheduler_blocked(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_scheduler_lock(struct tk_active_objects *o, const struct tk_event *event);
// Ends the wait of a thread.
void tk_ao_unblock(struct tk_active_objects *o, struct tk_ao_object *object);
// Ends a wait of unknown start, or at the end of the recording.
void tk_ao_end_wait_unmeasured(struct tk_active_objects *o, struct tk_ao_object *object);
// Handles a loss or a restart: the running task is unknown.
void tk_ao_scheduler_loss(struct tk_active_objects *o, bool restart);
void tk_ao_scheduler_finish(struct tk_active_objects *o);
// Returns true if it is known that an object runs.
bool tk_ao_scheduler_runs(const struct tk_active_objects *o, uint8_t core, uint32_t object);
// Returns the CPU time of an object until now. *out_is_scheduled: the scheduler reports what runs; else the time of the
// innermost step counts.
uint64_t tk_ao_scheduler_ran(const struct tk_active_objects *o, uint8_t core, uint32_t object, bool *out_is_scheduled);

// ---- Pools, time events, ticks, records, notes (event_pools.c) ----

void tk_ao_pool(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_timer(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_disarm(struct tk_active_objects *o, struct tk_ao_object *timer);
void tk_ao_tick(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_record(struct tk_active_objects *o, const struct tk_event *event);
void tk_ao_emit_note(struct tk_active_objects *o, const struct tk_event *event);
// Draws a failed operation of the target.
void tk_ao_failure(struct tk_active_objects *o, const char *words, const struct tk_event *event);
void tk_ao_assertion(struct tk_active_objects *o, const struct tk_event *event);

#endif
