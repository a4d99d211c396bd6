// SPDX-License-Identifier: MIT
//
// Mutexes and their holders.
#include "rtos_internal.h"

TK_COLD static uint32_t lock_track(struct tk_rtos *rtos, struct tk_queue *queue) {
    if (queue->lock_track) return queue->lock_track;
    tk_rtos_reuse_queue_tracks(rtos, queue);
    if (queue->lock_track) return queue->lock_track;
    struct tk_track_spec spec = { tk_timeline_group(rtos->tl, TK_GROUP_QUEUES),
                                  TK_TRACK_SLICES,
                                  queue->entity,
                                  queue->track ? " (lock)" : NULL,
                                  -1,
                                  0,
                                  NULL,
                                  "Who holds the mutex",
                                  0 };
    return queue->lock_track = tk_timeline_add_track(rtos->tl, &spec);
}

static uint32_t queue_index(const struct tk_rtos *rtos, const struct tk_queue *queue) {
    return (uint32_t)(queue - rtos->queues);
}

void tk_rtos_release_mutex(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t giver) {
    if (!queue->held) return;
    tk_timeline_end(rtos->tl, queue->lock_track, NULL, 0);
    TK_TELL(rtos->facts, mutex_given, queue_index(rtos, queue), giver, rtos->tl->now);
    queue->held = false;
}

// Returns true if the holder must have given the mutex in this tick: it runs on another core, and no event was lost
// since it took the mutex. Events of several cores at the same time are in the order of the cores, so a take may
// precede the give that made it possible.
static bool is_given_in_this_tick(const struct tk_rtos *rtos, const struct tk_queue *queue, uint32_t taker) {
    if (!queue->held || queue->holder == taker || queue->taken_loss != rtos->tl->losses[0]) return false;
    if (queue->holder >= rtos->task_count || taker >= rtos->task_count) return false;
    int32_t core = rtos->tasks[queue->holder].core;
    return core >= 0 && core != rtos->tasks[taker].core;
}

static void release_to_taker(struct tk_rtos *rtos, struct tk_queue *queue) {
    tk_rtos_release_mutex(rtos, queue, queue->holder);
    queue->give_follows = true;
    queue->given_by = queue->holder;
    queue->given_at = rtos->tl->now;
}

static bool is_give_before_take(const struct tk_rtos *rtos, const struct tk_queue *queue, struct tk_actor actor) {
    return queue->give_follows && queue->given_at == rtos->tl->now && actor.kind == TK_ACTOR_TASK &&
           actor.index == queue->given_by;
}

void tk_rtos_give_mutex(struct tk_rtos *rtos, struct tk_queue *queue, struct tk_actor actor) {
    if (!is_give_before_take(rtos, queue, actor))
        tk_rtos_release_mutex(rtos, queue, actor.kind == TK_ACTOR_TASK ? actor.index : TK_NONE);
    queue->give_follows = false;
}

void tk_rtos_close_mutex_after_loss(struct tk_rtos *rtos, struct tk_queue *queue) {
    if (!queue->held) return;
    tk_timeline_end_lost(rtos->tl, queue->lock_track);
    TK_TELL(rtos->facts, mutex_given, queue_index(rtos, queue), TK_NONE, rtos->tl->now);
    queue->held = false;
}

// Returns true if the task waited for the mutex and made no other call since.
static bool has_waited(const struct tk_rtos *rtos, const struct tk_queue *queue, uint32_t task) {
    uint32_t target = tk_wait_target_key(TK_WAIT_TARGET_QUEUE, queue_index(rtos, queue));
    return task != TK_NONE && rtos->tasks[task].waits_for == target;
}

void tk_rtos_take_mutex(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t holder) {
    struct tk_timeline *tl = rtos->tl;
    struct tk_names *names = tk_rtos_names(rtos);
    queue->give_follows = false;
    if (is_given_in_this_tick(rtos, queue, holder)) release_to_taker(rtos, queue);
    tk_rtos_close_mutex_after_loss(rtos, queue);
    if (!queue->lock_track && !lock_track(rtos, queue)) return;
    uint32_t name = holder == TK_NONE ? tk_names_fixed(names, TK_FIXED_HELD)
                                      : tk_names_label(names, rtos->tasks[holder].entity, TK_LABEL_HELD_BY);
    uint64_t flow = holder == TK_NONE ? 0 : ++rtos->next_flow;
    // An instant on the track of the holder leads to the slice with one click; a drawn call does that already
    if (flow && !rtos->traces_services) {
        struct tk_track_event took = { .type = TK_EVENT_INSTANT, .flow = flow };
        took.track = tk_timeline_thread(tl, holder);
        took.name = tk_names_label(names, queue->entity, TK_LABEL_TOOK);
        tk_timeline_event(tl, &took);
    }
    struct tk_track_event held = { .track = queue->lock_track, .name = name, .flow_end = flow };
    tk_timeline_begin_event(tl, &held);
    queue->held = true;
    queue->holder = holder;
    queue->taken_loss = tl->losses[0];
    TK_TELL(rtos->facts, mutex_taken, queue_index(rtos, queue), holder, tl->now, has_waited(rtos, queue, holder));
}

// ---- Kernel services ---------------------------------------------------------------------------

// A task gives a mutex whose taking was not traced: it has held it since this section began.
static void draw_hold_from_before_start(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t holder) {
    struct tk_details args;
    args.count = 0;
    struct tk_track_event event = { .ticks = rtos->section_since, .type = TK_EVENT_BEGIN, .when = TK_LATE };
    uint32_t track = lock_track(rtos, queue);
    if (!track || rtos->section_since >= rtos->tl->now) return;
    tk_details_fixed(rtos->host->details, &args, "since", "before the recording");
    event.track = track;
    event.name = tk_names_label(tk_rtos_names(rtos), rtos->tasks[holder].entity, TK_LABEL_HELD_BY);
    event.args = args.args;
    event.arg_count = (uint8_t)args.count;
    tk_timeline_event(rtos->tl, &event);
    event = (struct tk_track_event){ .track = track, .type = TK_EVENT_END };
    tk_timeline_event(rtos->tl, &event);
}

uint64_t tk_rtos_mutex_call(struct tk_rtos *rtos, struct tk_queue *queue, enum tk_label call, struct tk_actor actor) {
    if (call == TK_LABEL_CALL_UNLOCK && is_give_before_take(rtos, queue, actor)) return 0; // released at the take
    bool starts_held = call == TK_LABEL_CALL_UNLOCK && !queue->held && !queue->fresh && !queue->seen_taken;
    if (starts_held && actor.kind == TK_ACTOR_TASK && !tk_rtos_is_shared(actor.index))
        draw_hold_from_before_start(rtos, queue, actor.index);
    if (call == TK_LABEL_CALL_LOCK || call == TK_LABEL_CALL_UNLOCK || call == TK_LABEL_CALL_CREATE)
        queue->seen_taken = true;
    if (call != TK_LABEL_CALL_LOCK) return 0;
    return actor.kind == TK_ACTOR_TASK ? rtos->next_flow + 1 : 0; // tk_rtos_take_mutex uses it next
}
