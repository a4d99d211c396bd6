// SPDX-License-Identifier: MIT
//
// Active objects: threads known only by their priority, and the semaphores and locks that they wait for.
#include "active_objects_internal.h"
#include "../../../base/attributes.h"
#include <string.h>

// Returns NULL when out of memory.
TK_COLD static struct tk_ao_object *add_thread(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler,
                                               uint32_t priority) {
    char room[TK_DISPLAY_LEN + 32];
    struct tk_text text = tk_text_in(room, sizeof room);
    uint32_t entity = tk_names_add(tk_ao_names(o), TK_ENTITY_SYMBOL, priority);
    struct tk_ao_object *thread = tk_ao_add(o, entity);
    if (!thread) return NULL;
    if (scheduler->name != TK_NONE) tk_names_put(tk_ao_names(o), scheduler->name, &text);
    tk_text_add(&text, "thread of priority ");
    tk_text_u64(&text, priority);
    tk_names_set(tk_ao_names(o), entity, text.text, text.len);
    thread->is_thread = true;
    thread->priority = priority;
    if (!tk_ao_add_task(o, thread)) return NULL;
    scheduler->at_priority[priority] = tk_ao_index(o, thread) + 1;
    return thread;
}

// Returns the object of a priority, or adds a thread for it. Returns NULL for priority 0 or when out of memory.
static inline struct tk_ao_object *thread_of(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler,
                                             uint32_t priority) {
    uint32_t known = scheduler->at_priority[priority & 0xFF];
    if (!(priority & 0xFF)) return NULL;
    return known ? &o->objects[known - 1] : add_thread(o, scheduler, priority & 0xFF);
}

void tk_ao_unblock(struct tk_active_objects *o, struct tk_ao_object *object) {
    if (!object->blocked) return;
    uint32_t track = tk_ao_thread(o, object);
    object->blocked = false;
    if (tk_timeline_crosses_loss(o->tl, track, tk_timeline_depth(o->tl, track) - 1))
        tk_stats_unmeasured_wait(o->stats, object->timeline_task);
    else
        tk_stats_wait(o->stats, object->timeline_task, object->blocked_since, o->tl->now,
                      object->blocked_on | TK_AO_BLOCKED);
    tk_timeline_end(o->tl, track, NULL, 0);
}

void tk_ao_end_wait_unmeasured(struct tk_active_objects *o, struct tk_ao_object *object) {
    if (!object->blocked) return;
    object->blocked = false;
    tk_timeline_end_lost(o->tl, tk_ao_thread(o, object));
    tk_stats_unmeasured_wait(o->stats, object->timeline_task);
}

// Returns true if a slice shows that a wait for this symbol ended.
static bool wake(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler, uint32_t priority, uint32_t symbol) {
    struct tk_ao_object *thread = thread_of(o, scheduler, priority);
    if (!thread || !thread->blocked) return false;
    bool awaited = tk_ao_thread(o, thread) && thread->blocked_on == tk_ao_symbol_entity(o, symbol);
    tk_ao_unblock(o, thread);
    if (scheduler->scheduled && scheduler->running != tk_ao_index(o, thread))
        tk_timeline_state(o->tl, thread->timeline_task, TK_STATE_RUNNABLE, 0);
    return awaited;
}

// Returns true if a slice shows that a wait begins.
static bool block(struct tk_active_objects *o, const struct tk_event *event, struct tk_ao_scheduler *scheduler) {
    struct tk_ao_object *thread = thread_of(o, scheduler, event->semaphore.priority);
    uint32_t what = tk_ao_symbol_entity(o, event->semaphore.semaphore);
    struct tk_details details;
    details.count = 0;
    if (!thread || what == TK_NONE) return false;
    tk_ao_unblock(o, thread);
    tk_details_values(o->details, &details, event);
    uint32_t name = tk_names_label(tk_ao_names(o), what, TK_LABEL_WAIT_FOR);
    uint32_t track = tk_ao_thread(o, thread);
    tk_timeline_begin(o->tl, track, tk_named(name), details.args, details.count);
    thread->blocked = true;
    thread->blocked_since = o->tl->now;
    thread->blocked_on = what;
    if (scheduler->scheduled)
        tk_timeline_state(o->tl, thread->timeline_task,
                          event->semaphore.count < 0 ? TK_STATE_WAITING_LOCK : TK_STATE_WAITING, event->core);
    return track != 0;
}

// in_slice: the slice of a wait that begins or ends at the same time contains the arguments. Without them the value is
// added to the packet of the slice.
static void draw_count(struct tk_active_objects *o, const struct tk_event *event, bool in_slice) {
    struct tk_ao_object *semaphore = tk_ao_find(o, event->semaphore.semaphore);
    struct tk_details details;
    details.count = 0;
    if (!semaphore) return;
    if (!in_slice) {
        tk_details_fixed(o->details, &details, "operation", event->str);
        tk_details_values(o->details, &details, event);
    }
    uint32_t track = tk_ao_track(o, &semaphore->count_track, TK_GROUP_QUEUES, TK_TRACK_COUNTER, semaphore->entity,
                                 " (semaphore)", "tokens");
    tk_timeline_counter(o->tl, track, event->semaphore.count, details.args, details.count);
    tk_ao_count_queue_level(o, &semaphore->store.store, semaphore->entity, "counting semaphore",
                            (uint64_t)event->semaphore.count);
}

static void begin_lock(struct tk_active_objects *o, const struct tk_event *event, struct tk_ao_scheduler *scheduler,
                       uint32_t lock, uint32_t track, const struct tk_details *details) {
    const struct tk_ao_object *holder = thread_of(o, scheduler, event->lock.holder); // may move the lock
    struct tk_names *names = tk_ao_names(o);
    uint32_t name =
        holder ? tk_names_label(names, holder->entity, TK_LABEL_HELD_BY) : tk_names_fixed(names, TK_FIXED_HELD);
    tk_timeline_begin(o->tl, track, tk_named(name), details->args, details->count);
    o->objects[lock].held = true;
}

void tk_ao_scheduler_semaphore(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, event->core);
    if (!scheduler) return;
    draw_count(o, event, wake(o, scheduler, event->semaphore.priority, event->semaphore.semaphore));
}

void tk_ao_scheduler_blocked(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, event->core);
    if (!scheduler) return;
    bool in_slice = block(o, event, scheduler);
    if (event->semaphore.count >= 0) draw_count(o, event, in_slice);
}

void tk_ao_scheduler_lock(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, event->core);
    struct tk_ao_object *lock = scheduler ? tk_ao_find(o, event->lock.lock) : NULL;
    struct tk_details details;
    details.count = 0;
    if (!lock) return;
    uint32_t track = tk_ao_track(o, &lock->lock_track, TK_GROUP_QUEUES, TK_TRACK_SLICES, lock->entity, " (lock)", NULL);
    tk_details_values(o->details, &details, event);
    if (event->kind == TK_EV_LOCK_NOTE) {
        tk_timeline_instant(o->tl, track, tk_named(tk_details_name(o->details, event->str, event->str_len)),
                            details.args, details.count);
        return;
    }
    tk_ao_count_queue_level(o, &lock->store.store, lock->entity, "mutex", event->kind == TK_EV_LOCK_HELD);
    if (event->kind == TK_EV_LOCK_FREE) {
        if (lock->held) tk_timeline_end(o->tl, track, NULL, 0);
        lock->held = false;
        return;
    }
    if (!lock->held) begin_lock(o, event, scheduler, tk_ao_index(o, lock), track, &details);
    wake(o, scheduler, event->lock.holder, event->lock.lock);
}
