// SPDX-License-Identifier: MIT
#include "active_objects_internal.h"

#include "../../../base/bytes.h"
#include "../../../base/attributes.h"

// ---- Symbols -----------------------------------------------------------------------------------

uint32_t tk_ao_symbol_entity_slow(struct tk_active_objects *o, uint32_t symbol) {
    uint32_t entity = tk_names_symbol(tk_ao_names(o), symbol), slot = symbol % TK_AO_CACHE;
    if (entity == TK_NONE) return TK_NONE;
    o->cache[slot].symbol = symbol;
    o->cache[slot].entity = entity;
    o->cache[slot].object = tk_idmap_find(&o->object_by_id, symbol) + 1;
    return entity;
}

struct tk_label_text tk_ao_label(struct tk_active_objects *o, uint32_t symbol, enum tk_label label) {
    uint32_t entity = tk_ao_symbol_entity(o, symbol);
    if (entity == TK_NONE) return (struct tk_label_text){ 0, "none", 4 };
    return tk_named(tk_names_label(tk_ao_names(o), entity, label));
}

struct tk_ao_object *tk_ao_add(struct tk_active_objects *o, uint32_t entity) {
    if (entity == TK_NONE) return NULL;
    if (!tk_alloc_grow(o->alloc, (void **)&o->objects, &o->capacity, o->count + 1, sizeof *o->objects)) return NULL;
    o->objects[o->count] = (struct tk_ao_object){
        .entity = entity, .timeline_task = TK_NONE, .inbox.losses = o->begun, .store.losses = o->begun
    };
    return &o->objects[o->count++];
}

// Returns the object shared by all symbols above the limit.
static uint32_t further_object(struct tk_active_objects *o) {
    tk_diag_count(o->diag, TK_DIAG_TOO_MANY, NULL);
    if (o->count > TK_MAX_AO_OBJECTS) return TK_MAX_AO_OBJECTS;
    uint32_t entity = tk_names_add(tk_ao_names(o), TK_ENTITY_SYMBOL, 0);
    if (!tk_ao_add(o, entity)) return TK_NONE;
    tk_names_set(tk_ao_names(o), entity, "further objects", 15);
    return o->count - 1;
}

struct tk_ao_object *tk_ao_find_slow(struct tk_active_objects *o, uint32_t symbol) {
    uint32_t entity = tk_ao_symbol_entity(o, symbol),
             index = entity != TK_NONE ? tk_idmap_find(&o->object_by_id, symbol) : TK_NONE;
    if (entity == TK_NONE) return NULL;
    if (index == TK_NONE) {
        if (o->count < TK_MAX_AO_OBJECTS) index = tk_ao_add(o, entity) ? o->count - 1 : TK_NONE;
        else index = further_object(o);
        if (index == TK_NONE || !tk_idmap_set(&o->object_by_id, o->alloc, symbol, index)) return NULL;
    }
    o->cache[symbol % TK_AO_CACHE].object = index + 1; // the cache slot contains the entity already
    return &o->objects[index];
}

struct tk_ao_object *tk_ao_add_task(struct tk_active_objects *o, struct tk_ao_object *object) {
    uint32_t task = tk_timeline_add_task(o->tl, object->entity, o->tl->task_count + 1, false);
    if (task == TK_NONE || !tk_stats_need_tasks(o->stats, task + 1)) return NULL;
    if (!tk_alloc_grow(o->alloc, (void **)&o->object_of_task, &o->object_of_task_capacity, task + 1,
                       sizeof *o->object_of_task))
        return NULL;
    o->object_of_task[task] = tk_ao_index(o, object) + 1;
    object->timeline_task = task;
    return object;
}

const struct tk_ao_object *tk_ao_of_task(const struct tk_active_objects *o, uint32_t task) {
    return task < o->object_of_task_capacity && o->object_of_task[task] ? &o->objects[o->object_of_task[task] - 1]
                                                                        : NULL;
}

// ---- Tracks ------------------------------------------------------------------------------------

TK_COLD uint32_t tk_ao_add_track(struct tk_active_objects *o, uint32_t *track, enum tk_group group,
                                 enum tk_track_kind kind, uint32_t entity, const char *title, const char *unit) {
    struct tk_track_spec spec = { tk_timeline_group(o->tl, group), kind, entity, title, -1, 0, unit, NULL, 0 };
    return *track = tk_timeline_add_track(o->tl, &spec);
}

TK_COLD uint32_t tk_ao_add_own_track(struct tk_active_objects *o, struct tk_ao_object *object, uint32_t *track,
                                     enum tk_track_kind kind, const char *title, int32_t rank, const char *unit) {
    struct tk_track_spec spec = {
        tk_ao_thread(o, object), kind, TK_NONE, title, o->tl->tasks[object->timeline_task].pid, rank, unit, NULL, 0
    };
    return *track = tk_timeline_add_track(o->tl, &spec);
}

uint32_t tk_ao_activity_track(struct tk_active_objects *o, struct tk_ao_object *object) {
    if (object->timeline_task != TK_NONE) return tk_ao_thread(o, object);
    return tk_ao_track(o, &object->sender_track, TK_GROUP_SENDERS, TK_TRACK_SLICES, object->entity, NULL, NULL);
}

TK_COLD void tk_ao_add_queue_stats(struct tk_active_objects *o, uint32_t *store, uint32_t entity, const char *kind) {
    if (!tk_alloc_grow(o->alloc, (void **)&o->stores, &o->store_capacity, o->store_count + 1, sizeof *o->stores))
        return;
    if (!tk_stats_need_queues(o->stats, o->store_count + 1)) return;
    o->stores[o->store_count++] = (struct tk_queue_stats){ .entity = entity, .kind = kind };
    *store = o->store_count;
}

// Sets the capacity of a queue, which may become known late: then the highest fill follows from the fewest free places.
static void set_places(struct tk_active_objects *o, struct tk_post_queue *queue, uint64_t places) {
    uint64_t most = queue->least && places >= queue->least ? places - (queue->least - 1) : 0;
    queue->places = places;
    queue->least = 0;
    if (queue->store) tk_stats_queue_level(o->stats, queue->store - 1, most);
}

static int64_t level_counted(struct tk_active_objects *o, struct tk_post_queue *queue, uint32_t entity,
                             const char *kind, int64_t used) {
    tk_ao_count_queue_level(o, &queue->store, entity, kind, used < 0 ? 0 : (uint64_t)used);
    if (queue->store) o->stores[queue->store - 1].unsure = !queue->places;
    return used;
}

int64_t tk_ao_queue_level(struct tk_active_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind,
                          uint64_t free_places, bool first) {
    if (first) set_places(o, queue, free_places + 1);
    if (free_places > queue->places) queue->places = 0; // the capacity is unknown again
    if (!queue->places && (!queue->least || free_places < queue->least - 1)) queue->least = free_places + 1;
    return level_counted(o, queue, entity, kind, queue->places ? (int64_t)(queue->places - free_places) : -1);
}

int64_t tk_ao_queue_emptied(struct tk_active_objects *o, struct tk_post_queue *queue, uint32_t entity,
                            const char *kind) {
    return level_counted(o, queue, entity, kind, 0);
}

// ---- Damage and restarts -----------------------------------------------------------------------

void tk_ao_loss(struct tk_active_objects *o) {
    o->losses++;
    while (o->active) {
        struct tk_ao_object *object = &o->objects[o->active - 1];
        o->active = object->next_active;
        object->listed = false;
        tk_ao_invalidate(o, object);
    }
    tk_ao_scheduler_loss(o, false);
}

static void forget_queue(struct tk_active_objects *o, struct tk_post_queue *queue) {
    if (queue->store && queue->least) o->stores[queue->store - 1].unsure_before = true;
    queue->places = queue->least = 0;
    queue->losses = o->losses; // the queue is empty
}

TK_COLD void tk_ao_begin(struct tk_active_objects *o) {
    o->begun = o->losses;
    for (uint32_t i = 0; i < o->count; i++) {
        forget_queue(o, &o->objects[i].inbox);
        forget_queue(o, &o->objects[i].store);
    }
}

TK_COLD void tk_ao_restart(struct tk_active_objects *o) {
    tk_ao_loss(o);
    tk_ao_begin(o);
    for (uint32_t i = 0; i < o->count; i++) {
        struct tk_ao_object *object = &o->objects[i];
        tk_ao_clear_state(o, object);
        tk_ao_end_wait_unmeasured(o, object);
        tk_ao_disarm(o, object);
        if (object->held) tk_timeline_end(o->tl, object->lock_track, NULL, 0);
        object->held = false;
    }
    tk_ao_scheduler_loss(o, true);
}

TK_COLD void tk_ao_finish(struct tk_active_objects *o) {
    tk_ao_scheduler_finish(o);
    for (uint32_t i = 0; i < o->count; i++) {
        struct tk_ao_object *object = &o->objects[i];
        if (object->ready_deferred) tk_ao_scheduler_draw_ready(o, 0, object);
        if (object->blocked) tk_stats_unmeasured_wait(o->stats, object->timeline_task);
        if (object->in_step) tk_ao_count_step(o, object, false);
        tk_ao_discard_posts(o, object, object->inbox.count);
    }
}

size_t tk_ao_reason_text(const struct tk_active_objects *o, uint64_t reason, char out_text[2 * TK_DISPLAY_LEN]) {
    if ((uint32_t)reason >= o->tl->names.count) return 0;
    return tk_names_label_text(&o->tl->names, (uint32_t)reason,
                               reason & TK_AO_BLOCKED ? TK_LABEL_WAIT_FOR : TK_LABEL_TEXT, out_text);
}

// ---- Dispatch ----------------------------------------------------------------------------------

// Tells the analysis that an event could not be stored in a queue or taken from a pool.
static void tell_refused(struct tk_active_objects *o, uint32_t store, uint32_t sender) {
    uint32_t entity = tk_ao_symbol_entity(o, store);
    if (entity == TK_NONE) return; // out of memory
    TK_TELL_ALONE(o->facts, posts_are_recorded);
    TK_TELL(o->facts, send_refused, entity, sender ? tk_ao_symbol_entity(o, sender) : TK_NONE, o->tl->now, false);
}

static void on_post_failed(struct tk_active_objects *o, const struct tk_event *event) {
    tk_ao_failure(o, "post failed", event);
    tk_ao_post(o, event);
    tell_refused(o, event->post.receiver, event->post.sender);
}

static void on_raw_queue_post_failed(struct tk_active_objects *o, const struct tk_event *event) {
    tk_ao_failure(o, "store failed", event);
    tell_refused(o, event->object_queue.object, 0);
}

static void on_pool_failed(struct tk_active_objects *o, const struct tk_event *event) {
    tk_ao_failure(o, "pool exhausted", event);
    tk_ao_pool(o, event);
    tell_refused(o, event->pool.pool, 0);
}

void tk_ao_event(struct tk_active_objects *o, const struct tk_event *event) {
    static void (*const handlers[TK_EV_COUNT])(struct tk_active_objects *o, const struct tk_event *event) = {
        [TK_EV_RTC_STEP_BEGIN] = tk_ao_step_begin,
        [TK_EV_RTC_STEP_END] = tk_ao_step_end,
        [TK_EV_STATE_ENTERED] = tk_ao_enter_state,
        [TK_EV_OBJECT_ACTION] = tk_ao_note,
        [TK_EV_PUBLISHED] = tk_ao_publish,
        [TK_EV_POSTED] = tk_ao_post,
        [TK_EV_POSTED_LIFO] = tk_ao_post,
        [TK_EV_POST_FAILED] = on_post_failed,
        [TK_EV_EVENT_TAKEN] = tk_ao_take_event,
        [TK_EV_LAST_EVENT_TAKEN] = tk_ao_take_event,
        [TK_EV_RAW_QUEUE_POSTED] = tk_ao_queue_operation,
        [TK_EV_RAW_QUEUE_POSTED_LIFO] = tk_ao_queue_operation,
        [TK_EV_RAW_QUEUE_POST_FAILED] = on_raw_queue_post_failed,
        [TK_EV_RAW_QUEUE_TAKEN] = tk_ao_queue_operation,
        [TK_EV_RAW_QUEUE_LAST_TAKEN] = tk_ao_queue_operation,
        [TK_EV_POOL_LEVEL] = tk_ao_pool,
        [TK_EV_POOL_FAILED] = on_pool_failed,
        [TK_EV_TIMER_ARMED] = tk_ao_timer,
        [TK_EV_TIMER_DISARMED] = tk_ao_timer,
        [TK_EV_TIMER_FIRED] = tk_ao_timer,
        [TK_EV_CLOCK_TICK] = tk_ao_tick,
        [TK_EV_PRIORITY_SCHEDULED] = tk_ao_scheduler_priority,
        [TK_EV_CEILING_RAISED] = tk_ao_scheduler_ceiling,
        [TK_EV_CEILING_LOWERED] = tk_ao_scheduler_ceiling,
        [TK_EV_CRITICAL_ENTERED] = tk_ao_scheduler_critical,
        [TK_EV_CRITICAL_EXITED] = tk_ao_scheduler_critical,
        [TK_EV_THREAD_BLOCKED] = tk_ao_scheduler_blocked,
        [TK_EV_SEMAPHORE_COUNT] = tk_ao_scheduler_semaphore,
        [TK_EV_LOCK_HELD] = tk_ao_scheduler_lock,
        [TK_EV_LOCK_FREE] = tk_ao_scheduler_lock,
        [TK_EV_LOCK_NOTE] = tk_ao_scheduler_lock,
        [TK_EV_APP_RECORD] = tk_ao_record,
        [TK_EV_NOTE] = tk_ao_emit_note,
        [TK_EV_ASSERTION_FAILED] = tk_ao_assertion,
    };
    handlers[event->kind](o, event);
}

TK_COLD void tk_ao_init(struct tk_active_objects *o, const struct tk_tracker_host *host) {
    memset(o, 0, sizeof *o);
    o->alloc = host->alloc;
    o->diag = host->diag;
    o->tl = host->timeline;
    o->stats = host->stats;
    o->details = host->details;
    o->facts = host->facts;
    o->tick_ns = host->tick_ns;
    o->has_analysis = host->has_analysis;
    o->losses = 1;                    // events before the recording
    o->next_flow = (uint64_t)1 << 40; // separate from those of queues and locks
}
