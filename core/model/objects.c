// SPDX-License-Identifier: MIT
#include "objects_parts.h"

#include "../base/bytes.h"
#include "../base/cold.h"

// ---- Symbols -----------------------------------------------------------------------------------

uint32_t tk_objects_entity_slow(struct tk_objects *o, uint32_t symbol) {
    uint32_t entity = tk_names_symbol(tk_objects_names(o), symbol), slot = symbol % TK_OBJECT_CACHE;
    if (entity == TK_NONE) return TK_NONE;
    o->cache[slot].symbol = symbol;
    o->cache[slot].entity = entity;
    o->cache[slot].object = tk_idmap_find(&o->object_by_id, symbol) + 1;
    return entity;
}

struct tk_label_text tk_objects_label(struct tk_objects *o, uint32_t symbol, unsigned slot) {
    uint32_t entity = tk_objects_entity(o, symbol);
    if (entity == TK_NONE) return (struct tk_label_text){ 0, "none", 4 };
    return tk_named(tk_names_label(tk_objects_names(o), entity, slot));
}

struct tk_object *tk_objects_add(struct tk_objects *o, uint32_t entity) {
    if (entity == TK_NONE) return NULL;
    if (!tk_alloc_grow(o->alloc, (void **)&o->objects, &o->capacity, o->count + 1, sizeof *o->objects)) return NULL;
    o->objects[o->count] = (struct tk_object){ .entity = entity, .row = TK_NONE, .inbox.losses = o->begun, .store.losses = o->begun };
    return &o->objects[o->count++];
}

// The last object is the one that all further symbols share.
static uint32_t further_object(struct tk_objects *o) {
    tk_diag_hit(o->diag, TK_DIAG_TOO_MANY, NULL);
    if (o->count > TK_MAX_OBJECTS) return TK_MAX_OBJECTS;
    uint32_t entity = tk_names_add(tk_objects_names(o), TK_ENTITY_SYMBOL, 0);
    if (!tk_objects_add(o, entity)) return TK_NONE;
    tk_names_set(tk_objects_names(o), entity, "further objects", 15);
    return o->count - 1;
}

struct tk_object *tk_objects_find_slow(struct tk_objects *o, uint32_t symbol) {
    uint32_t entity = tk_objects_entity(o, symbol), index = entity != TK_NONE ? tk_idmap_find(&o->object_by_id, symbol) : TK_NONE;
    if (entity == TK_NONE) return NULL;
    if (index == TK_NONE) {
        if (o->count < TK_MAX_OBJECTS) index = tk_objects_add(o, entity) ? o->count - 1 : TK_NONE;
        else index = further_object(o);
        if (index == TK_NONE || !tk_idmap_set(&o->object_by_id, o->alloc, symbol, index)) return NULL;
    }
    o->cache[symbol % TK_OBJECT_CACHE].object = index + 1; // the entity is in this place
    return &o->objects[index];
}

struct tk_object *tk_objects_give_row(struct tk_objects *o, struct tk_object *object) {
    uint32_t row = tk_timeline_add_row(o->tl, object->entity, o->tl->row_count + 1, false);
    if (row == TK_NONE || !tk_stats_need_tasks(o->stats, row + 1)) return NULL;
    if (!tk_alloc_grow(o->alloc, (void **)&o->row_objects, &o->row_capacity, row + 1, sizeof *o->row_objects)) return NULL;
    o->row_objects[row] = tk_objects_index(o, object) + 1;
    object->row = row;
    return object;
}

const struct tk_object *tk_objects_of_row(const struct tk_objects *o, uint32_t row) {
    return row < o->row_capacity && o->row_objects[row] ? &o->objects[o->row_objects[row] - 1] : NULL;
}

// ---- Tracks ------------------------------------------------------------------------------------

TK_COLD uint32_t tk_objects_add_track(struct tk_objects *o, uint32_t *track, enum tk_group group, enum tk_track_kind kind, uint32_t entity, const char *title, const char *unit) {
    struct tk_track_spec spec = { tk_timeline_group(o->tl, group), kind, entity, title, -1, 0, unit, NULL, 0 };
    return *track = tk_timeline_add_track(o->tl, &spec);
}

TK_COLD uint32_t tk_objects_add_own_track(struct tk_objects *o, struct tk_object *object, uint32_t *track, enum tk_track_kind kind, const char *title, int32_t rank, const char *unit) {
    struct tk_track_spec spec = { tk_objects_thread(o, object), kind, TK_NONE, title, o->tl->rows[object->row].pid, rank, unit, NULL, 0 };
    return *track = tk_timeline_add_track(o->tl, &spec);
}

uint32_t tk_objects_doer_track(struct tk_objects *o, struct tk_object *object) {
    if (object->row != TK_NONE) return tk_objects_thread(o, object);
    return tk_objects_track(o, &object->sender_track, TK_GROUP_SENDERS, TK_TRACK_SLICES, object->entity, NULL, NULL);
}

TK_COLD void tk_objects_add_store(struct tk_objects *o, uint32_t *store, uint32_t entity, const char *kind) {
    if (!tk_alloc_grow(o->alloc, (void **)&o->stores, &o->store_capacity, o->store_count + 1, sizeof *o->stores)) return;
    if (!tk_stats_need_queues(o->stats, o->store_count + 1)) return;
    o->stores[o->store_count++] = (struct tk_store){ .entity = entity, .kind = kind };
    *store = o->store_count;
}

// How many places there are may be known last: then the highest fill follows from the fewest free ones.
static void set_places(struct tk_objects *o, struct tk_post_queue *queue, uint64_t places) {
    uint64_t most = queue->least && places >= queue->least ? places - (queue->least - 1) : 0;
    queue->places = places;
    queue->least = 0;
    if (queue->store) tk_stats_queue_level(o->stats, queue->store - 1, most);
}

static int64_t stored(struct tk_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind, int64_t used) {
    tk_objects_stored(o, &queue->store, entity, kind, used < 0 ? 0 : (uint64_t)used);
    if (queue->store) o->stores[queue->store - 1].unsure = !queue->places;
    return used;
}

int64_t tk_objects_used(struct tk_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind, uint64_t free_places, bool first) {
    if (first) set_places(o, queue, free_places + 1);
    if (free_places > queue->places) queue->places = 0; // nobody knows after all
    if (!queue->places && (!queue->least || free_places < queue->least - 1)) queue->least = free_places + 1;
    return stored(o, queue, entity, kind, queue->places ? (int64_t)(queue->places - free_places) : -1);
}

int64_t tk_objects_emptied(struct tk_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind) { return stored(o, queue, entity, kind, 0); }

// ---- Damage and restarts -----------------------------------------------------------------------

void tk_objects_loss(struct tk_objects *o) {
    o->losses++;
    while (o->active) {
        struct tk_object *object = &o->objects[o->active - 1];
        o->active = object->next_active;
        object->listed = false;
        tk_objects_doubt(o, object);
    }
    tk_kernel_loss(o, false);
}

static void forget_queue(struct tk_objects *o, struct tk_post_queue *queue) {
    if (queue->store && queue->least) o->stores[queue->store - 1].unsure_before = true;
    queue->places = queue->least = 0;
    queue->losses = o->losses; // it is empty
}

TK_COLD void tk_objects_begin(struct tk_objects *o) {
    o->begun = o->losses;
    for (uint32_t i = 0; i < o->count; i++) {
        forget_queue(o, &o->objects[i].inbox);
        forget_queue(o, &o->objects[i].store);
    }
}

TK_COLD void tk_objects_restart(struct tk_objects *o) {
    tk_objects_loss(o);
    tk_objects_begin(o);
    for (uint32_t i = 0; i < o->count; i++) {
        struct tk_object *object = &o->objects[i];
        tk_objects_forget_state(o, object);
        tk_objects_stop_waiting(o, object);
        tk_objects_disarm(o, object);
        if (object->held) tk_timeline_end(o->tl, object->lock_track, NULL, 0);
        object->held = false;
    }
    tk_kernel_loss(o, true);
}

TK_COLD void tk_objects_finish(struct tk_objects *o) {
    tk_kernel_finish(o);
    for (uint32_t i = 0; i < o->count; i++) {
        struct tk_object *object = &o->objects[i];
        if (object->ready_held) tk_kernel_draw_ready(o, 0, object);
        if (object->blocked) tk_stats_unmeasured_wait(o->stats, object->row);
        if (object->in_step) tk_objects_count_step(o, object, false);
        tk_objects_lose_posts(o, object, object->inbox.count);
    }
}

size_t tk_objects_reason_text(const struct tk_objects *o, uint64_t reason, char out_text[2 * TK_DISPLAY_LEN]) {
    if ((uint32_t)reason >= o->tl->names.count) return 0;
    return tk_names_label_text(&o->tl->names, (uint32_t)reason, reason & TK_OBJECTS_BLOCKED ? TK_SYMBOL_WAITED_FOR : TK_SYMBOL_TEXT, out_text);
}

// ---- Dispatch ----------------------------------------------------------------------------------

static void on_post_failed(struct tk_objects *o, const struct tk_event *event) {
    tk_objects_failure(o, "post failed", event);
    tk_objects_post(o, event);
}

static void on_store_failed(struct tk_objects *o, const struct tk_event *event) { tk_objects_failure(o, "store failed", event); }

static void on_pool_failed(struct tk_objects *o, const struct tk_event *event) {
    tk_objects_failure(o, "pool exhausted", event);
    tk_objects_pool(o, event);
}

void tk_objects_event(struct tk_objects *o, const struct tk_event *event) {
    static void (*const handlers[TK_EV_COUNT])(struct tk_objects *o, const struct tk_event *event) = {
        [TK_EV_STEP_BEGIN] = tk_objects_step_begin, [TK_EV_STEP_END] = tk_objects_step_end, [TK_EV_STATE_ENTERED] = tk_objects_enter_state,
        [TK_EV_OBJECT_NOTE] = tk_objects_note, [TK_EV_PUBLISHED] = tk_objects_publish,
        [TK_EV_POSTED] = tk_objects_post, [TK_EV_POSTED_FIRST] = tk_objects_post, [TK_EV_POST_FAILED] = on_post_failed,
        [TK_EV_GOT] = tk_objects_get, [TK_EV_GOT_LAST] = tk_objects_get,
        [TK_EV_STORED] = tk_objects_store, [TK_EV_STORED_FIRST] = tk_objects_store, [TK_EV_STORE_FAILED] = on_store_failed,
        [TK_EV_FETCHED] = tk_objects_store, [TK_EV_FETCHED_LAST] = tk_objects_store,
        [TK_EV_POOL_LEVEL] = tk_objects_pool, [TK_EV_POOL_FAILED] = on_pool_failed,
        [TK_EV_TIMER_ARMED] = tk_objects_timer, [TK_EV_TIMER_DISARMED] = tk_objects_timer, [TK_EV_TIMER_FIRED] = tk_objects_timer,
        [TK_EV_TICKED] = tk_objects_tick, [TK_EV_PRIORITY_RUNS] = tk_kernel_priority,
        [TK_EV_CEILING_RAISED] = tk_kernel_ceiling, [TK_EV_CEILING_LOWERED] = tk_kernel_ceiling,
        [TK_EV_CRITICAL_ENTERED] = tk_kernel_critical, [TK_EV_CRITICAL_LEFT] = tk_kernel_critical,
        [TK_EV_THREAD_BLOCKED] = tk_kernel_blocked, [TK_EV_SEMAPHORE_COUNT] = tk_kernel_semaphore,
        [TK_EV_LOCK_HELD] = tk_kernel_lock, [TK_EV_LOCK_FREE] = tk_kernel_lock, [TK_EV_LOCK_NOTE] = tk_kernel_lock,
        [TK_EV_RECORD] = tk_objects_record, [TK_EV_NOTE] = tk_objects_say, [TK_EV_ASSERTED] = tk_objects_assertion,
    };
    handlers[event->kind](o, event);
}

TK_COLD void tk_objects_init(struct tk_objects *o, const struct tk_tracker_host *host) {
    memset(o, 0, sizeof *o);
    o->alloc = host->alloc;
    o->diag = host->diag;
    o->tl = host->timeline;
    o->stats = host->stats;
    o->details = host->details;
    o->losses = 1; // what came before
    o->next_flow = (uint64_t)1 << 40; // apart from those of queues and locks
}

static void queue_moved(struct tk_post_queue *queue, struct tk_move *move) { queue->posts = tk_follow(move, queue->posts, queue->capacity * sizeof *queue->posts); }

TK_COLD void tk_objects_moved(struct tk_objects *o, const struct tk_tracker_host *host, struct tk_move *move) {
    o->alloc = host->alloc;
    o->diag = host->diag;
    o->tl = host->timeline;
    o->stats = host->stats;
    o->details = host->details;
    tk_idmap_moved(&o->object_by_id, move);
    o->objects = tk_follow_array(move, o->objects, o->count, o->capacity, sizeof *o->objects);
    o->row_objects = tk_follow(move, o->row_objects, o->row_capacity * sizeof *o->row_objects);
    o->stores = tk_follow_array(move, o->stores, o->store_count, o->store_capacity, sizeof *o->stores);
    for (uint32_t i = 0; i < o->store_count && !move->refused; i++) o->stores[i].kind = tk_follow_static(move, o->stores[i].kind);
    for (unsigned core = 0; core < TK_KERNELS; core++) o->kernels[core] = tk_follow(move, o->kernels[core], o->kernels[core] ? sizeof *o->kernels[core] : 0);
    for (uint32_t i = 0; i < o->count && !move->refused; i++) {
        queue_moved(&o->objects[i].inbox, move);
        queue_moved(&o->objects[i].store, move);
        queue_moved(&o->objects[i].deferred, move);
    }
}

