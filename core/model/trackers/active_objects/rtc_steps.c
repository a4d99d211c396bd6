// SPDX-License-Identifier: MIT
//
// Active objects: posts, the queue of each object, steps and states.
#include "active_objects_internal.h"

#include <string.h>

#include "../../../base/duration.h"

// ---- Queues of posts ---------------------------------------------------------------------------

static struct tk_post *post_at(struct tk_post_queue *queue, uint32_t index) {
    return &queue->posts[(queue->head + index) & (queue->capacity - 1)];
}

static bool make_room(struct tk_active_objects *o, struct tk_post_queue *queue) {
    if (queue->count < queue->capacity) return true;
    if (queue->count == TK_MAX_PENDING_POSTS) {
        tk_diag_count(o->diag, TK_DIAG_TOO_MANY, NULL);
        return false;
    }
    struct tk_post_queue wider = *queue;
    wider.capacity = queue->capacity ? 2 * queue->capacity : 8;
    wider.head = 0;
    wider.posts = tk_alloc_zero(o->alloc, wider.capacity * sizeof *wider.posts);
    if (!wider.posts) return false;
    for (uint32_t i = 0; i < queue->count; i++) wider.posts[i] = *post_at(queue, i);
    tk_alloc_free(o->alloc, queue->posts, queue->capacity * sizeof *queue->posts);
    *queue = wider;
    return true;
}

// Returns false if there is no room: the event gets no arrow.
static bool enqueue(struct tk_active_objects *o, struct tk_post_queue *queue, struct tk_post post, bool in_front) {
    if (!make_room(o, queue)) return false;
    if (in_front) queue->head = (queue->head - 1) & (queue->capacity - 1);
    queue->count++;
    *post_at(queue, in_front ? 0 : queue->count - 1) = post;
    return true;
}

// Removes the event that is taken now; events before it left the queue unrecorded. Returns false if the post of the
// event is unknown.
static bool dequeue(struct tk_post_queue *queue, uint32_t signal, bool last, struct tk_post *out_post) {
    uint32_t at = 0;
    while (at < queue->count && post_at(queue, at)->signal != signal) at++;
    bool found = at < queue->count;
    if (found) {
        *out_post = *post_at(queue, at);
        queue->head = (queue->head + at + 1) & (queue->capacity - 1);
        queue->count -= at + 1;
    }
    if (last) queue->count = 0;
    return found;
}

// Removes a deferred event of this queue; the others stay.
static bool take_deferred(struct tk_post_queue *deferred, uint32_t signal, uint32_t queue, struct tk_post *out_post) {
    uint32_t at = 0;
    while (at < deferred->count && (post_at(deferred, at)->signal != signal || post_at(deferred, at)->queue != queue))
        at++;
    if (at == deferred->count) return false;
    *out_post = *post_at(deferred, at);
    for (; at; at--) *post_at(deferred, at) = *post_at(deferred, at - 1);
    deferred->head = (deferred->head + 1) & (deferred->capacity - 1);
    deferred->count--;
    return true;
}

// Returns true if the event taken now is one whose post is known. After a loss, events with unknown posts may precede
// those; `last` or the number of free places shows when only known ones are left. Returns false otherwise; then the
// known ones cannot be distinguished any more.
static bool takes_known(const struct tk_active_objects *o, struct tk_post_queue *inbox, uint64_t free_places,
                        bool last) {
    if (tk_post_queue_is_known(o, inbox)) return true;
    bool countable = last || (inbox->places && inbox->places >= free_places);
    uint64_t left = last ? 0 : inbox->places - free_places;
    bool known = countable && left < inbox->count;
    if (known || last) inbox->losses = o->losses;
    if (!countable) inbox->count = 0;
    return known;
}

// Returns the number of taken places after a post or a get; -1 if unknown. fills: the queue was empty.
static int64_t used_places(struct tk_active_objects *o, struct tk_post_queue *queue, uint32_t entity, const char *kind,
                           const struct tk_event *event, int64_t free_places, bool fills) {
    bool empty = event->kind == TK_EV_LAST_EVENT_TAKEN || event->kind == TK_EV_RAW_QUEUE_LAST_TAKEN;
    return empty ? tk_ao_queue_emptied(o, queue, entity, kind)
                 : tk_ao_queue_level(o, queue, entity, kind, (uint64_t)free_places, fills);
}

// ---- States ------------------------------------------------------------------------------------

static void begin_state(struct tk_active_objects *o, struct tk_ao_object *object, enum tk_label label,
                        const struct tk_details *details) {
    uint32_t track = tk_ao_own_track(o, object, &object->state_track, TK_TRACK_SLICES, "state", 1, NULL);
    uint32_t name = tk_names_label(tk_ao_names(o), object->state - 1, label);
    tk_timeline_begin(o->tl, track, tk_named(name), details->args, details->count);
}

static void set_state(struct tk_active_objects *o, struct tk_ao_object *object, uint32_t symbol, uint32_t signal) {
    uint32_t entity = tk_ao_symbol_entity(o, symbol);
    if (entity == TK_NONE || (object->state == entity + 1 && !object->uncertain)) return;
    struct tk_details details;
    details.count = 0;
    if (signal) tk_details_symbol(o->details, &details, "entered by", signal);
    if (object->state) tk_timeline_end(o->tl, object->state_track, NULL, 0);
    object->state = entity + 1;
    object->uncertain = false;
    begin_state(o, object, TK_LABEL_NAME, &details);
    tk_ao_mark_active(o, object);
}

void tk_ao_clear_state(struct tk_active_objects *o, struct tk_ao_object *object) {
    if (object->state) tk_timeline_end(o->tl, object->state_track, NULL, 0);
    object->state = 0;
    object->uncertain = false;
}

void tk_ao_enter_state(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *object = tk_ao_find_active(o, event->object_state.object);
    if (object) set_state(o, object, event->object_state.state, 0);
}

// ---- Steps -------------------------------------------------------------------------------------

static void end_step(struct tk_active_objects *o, struct tk_ao_object *object, uint8_t core,
                     const struct tk_details *details, bool seen) {
    if (!object->in_step) return;
    tk_ao_unblock(o, object);
    tk_ao_count_step(o, object, seen);
    object->in_step = false;
    tk_timeline_end(o->tl, tk_ao_thread(o, object), details->args, details->count);
    tk_ao_scheduler_step_ends(o, core, tk_ao_index(o, object));
    if (seen) tk_ao_step_time_ends(o, object, core);
}

void tk_ao_discard_posts(struct tk_active_objects *o, const struct tk_ao_object *object, uint32_t count) {
    for (; count; count--) tk_stats_unmeasured_wait(o->stats, object->timeline_task);
}

void tk_ao_invalidate(struct tk_active_objects *o, struct tk_ao_object *object) {
    struct tk_details none;
    none.count = 0;
    if (object->in_step) {
        tk_ao_end_wait_unmeasured(o, object);
        tk_ao_count_step(o, object, false);
        tk_timeline_end_lost(o->tl, tk_ao_thread(o, object));
    }
    object->in_step = false; // the kernel discards the event itself
    tk_ao_discard_posts(o, object, object->inbox.count + (object->arrival.flow != 0));
    object->inbox.count = object->store.count = object->deferred.count = 0;
    object->arrival.flow = 0;
    if (!object->state || object->uncertain) return;
    object->uncertain = true;
    tk_timeline_end_lost(o->tl, object->state_track);
    begin_state(o, object, TK_LABEL_UNCERTAIN, &none);
}

// Adds a duration, in nanoseconds if the tick length is known.
static void add_wait(struct tk_active_objects *o, struct tk_details *details, uint64_t ticks) {
    uint64_t ns;
    bool is_known = tk_ticks_to_ns(ticks, *o->tick_ns, &ns);
    tk_details_number(o->details, details, is_known ? "waited until dispatch (ns)" : "waited until dispatch (ticks)",
                      is_known ? ns : ticks);
}

void tk_ao_step_begin(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *object = tk_ao_find_active(o, event->rtc_step.object);
    struct tk_details details;
    details.count = 0;
    if (!object) return;
    end_step(o, object, event->core, &details, false);
    tk_ao_mark_active(o, object);
    set_state(o, object, event->rtc_step.state, 0);
    tk_details_symbol(o->details, &details, "in state", event->rtc_step.state);
    uint32_t signal = tk_ao_symbol_entity(o, event->rtc_step.signal);
    if (object->arrival.flow) {
        add_wait(o, &details, o->tl->now - object->arrival.ticks);
        tk_stats_wait(o->stats, object->timeline_task, object->arrival.ticks, o->tl->now, signal);
    }
    tk_details_values(o->details, &details, event);
    struct tk_label_text name = tk_ao_label(o, event->rtc_step.signal, TK_LABEL_NAME);
    struct tk_track_event step = { .track = tk_ao_thread(o, object),
                                   .name = name.id,
                                   .string = name.text,
                                   .string_len = name.len,
                                   .args = details.args,
                                   .arg_count = (uint8_t)details.count,
                                   .flow_end = object->arrival.flow };
    tk_timeline_begin_event(o->tl, &step);
    object->in_step = true;
    object->step_since = o->tl->now;
    tk_ao_scheduler_step_begins(o, event->core, tk_ao_index(o, object));
    if (o->has_analysis) tk_ao_step_time_begins(o, object, event->core, signal);
    object->arrival.flow = 0;
}

void tk_ao_step_end(struct tk_active_objects *o, const struct tk_event *event) {
    static const char *const outcomes[] = { "transition", "internal transition", "ignored" };
    struct tk_ao_object *object = tk_ao_find_active(o, event->rtc_step.object);
    struct tk_details details;
    details.count = 0;
    if (!object) return;
    bool is_transition = event->rtc_step.outcome == TK_OUTCOME_TRANSITION;
    if (object->in_step) {
        tk_details_fixed(o->details, &details, "outcome", outcomes[event->rtc_step.outcome]);
        tk_details_symbol(o->details, &details, is_transition ? "new state" : "handled in", event->rtc_step.state);
        tk_details_values(o->details, &details, event);
        end_step(o, object, event->core, &details, true);
    }
    if (is_transition)
        set_state(o, object, event->rtc_step.state, event->rtc_step.signal); // otherwise `state` handled the
    // event, possibly an outer state
}

_Static_assert(TK_LABEL_PUBLISH - TK_LABEL_ENTRY == TK_NOTE_PUBLISHED &&
                   TK_LABEL_UNHANDLED - TK_LABEL_ENTRY == TK_NOTE_UNHANDLED,
               "labels of notes are in the order of enum tk_note");

static void draw_note(struct tk_active_objects *o, const struct tk_event *event, struct tk_track_event *note) {
    struct tk_label_text name = { tk_details_name(o->details, event->str, event->str_len), NULL, 0 };
    if (!event->str_len)
        name = tk_ao_label(o, event->object_action.symbol, (enum tk_label)(TK_LABEL_ENTRY + event->object_action.note));
    struct tk_details details;
    details.count = 0;
    tk_details_values(o->details, &details, event);
    note->type = TK_EVENT_INSTANT;
    note->name = name.id;
    note->string = name.id ? NULL : name.text;
    note->string_len = name.len;
    note->args = details.args;
    note->arg_count = (uint8_t)details.count;
    tk_timeline_event(o->tl, note);
}

void tk_ao_note(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *object = tk_ao_find_active(o, event->object_action.object);
    struct tk_post put_off = { o->next_flow, o->tl->now, event->object_action.symbol, event->object_action.queue };
    if (!object) return;
    struct tk_track_event note = { .track = tk_ao_thread(o, object) };
    if (event->object_action.note == TK_NOTE_DEFERRED && !event->str_len) {
        tk_ao_mark_active(o, object);
        if (enqueue(o, &object->deferred, put_off, false)) note.flow = o->next_flow++;
    } else if (event->object_action.note == TK_NOTE_RECALLED &&
               take_deferred(&object->deferred, event->object_action.symbol, event->object_action.queue, &put_off)) {
        note.flow_end = put_off.flow;
    }
    draw_note(o, event, &note);
}

// ---- Posts -------------------------------------------------------------------------------------

static void draw_post(struct tk_active_objects *o, const struct tk_event *event, uint32_t track, enum tk_label label,
                      uint64_t flow) {
    struct tk_details details;
    details.count = 0;
    if (event->post.receiver) tk_details_symbol(o->details, &details, "receiver", event->post.receiver);
    if (event->post.sender) tk_details_symbol(o->details, &details, "sender", event->post.sender);
    tk_details_values(o->details, &details, event);
    struct tk_label_text name = tk_ao_label(o, event->post.signal, label);
    struct tk_track_event post = { .track = track,
                                   .type = TK_EVENT_INSTANT,
                                   .name = name.id,
                                   .string = name.id ? NULL : name.text,
                                   .string_len = name.len,
                                   .args = details.args,
                                   .arg_count = (uint8_t)details.count,
                                   .flow = flow };
    tk_timeline_event(o->tl, &post);
}

static void draw_used(struct tk_active_objects *o, struct tk_ao_object *object, const struct tk_event *event,
                      int64_t free_places, bool fills) {
    int64_t used = used_places(o, &object->inbox, object->entity, "event queue", event, free_places, fills);
    if (used < 0) return;
    uint32_t track = tk_ao_own_track(o, object, &object->used_track, TK_TRACK_COUNTER, "waiting events", 2, "events");
    tk_timeline_counter(o->tl, track, used, NULL, 0);
}

// Returns the waker of a post: an interrupt if a tick or a driver posts.
static enum tk_waker poster(const struct tk_active_objects *o, const struct tk_event *event,
                            const struct tk_ao_object *sender) {
    const struct tk_ao_scheduler *scheduler = o->schedulers[event->core % TK_MAX_SCHEDULERS];
    if (!event->post.sender || !sender || !scheduler) return TK_WAKER_UNKNOWN;
    if (sender->timeline_task == TK_NONE) return TK_WAKER_INTERRUPT;
    return scheduler->running == tk_ao_index(o, sender) ? TK_WAKER_TASK : TK_WAKER_UNKNOWN;
}

void tk_ao_post(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *receiver = tk_ao_find_active(o, event->post.receiver), *sender;
    if (!receiver) return;
    uint32_t index = tk_ao_index(o, receiver);
    sender = event->post.sender ? tk_ao_find(o, event->post.sender) : receiver;
    receiver = &o->objects[index]; // adding a sender may have moved it
    uint32_t track = tk_ao_activity_track(o, sender ? sender : receiver);
    if (event->kind == TK_EV_POST_FAILED) {
        draw_post(o, event, track, TK_LABEL_POST_FAILED, 0);
        return;
    }
    if (!o->has_reported_posts) {
        o->has_reported_posts = true;
        TK_TELL_ALONE(o->facts, posts_are_recorded);
    }
    struct tk_post entry = { o->next_flow, o->tl->now, event->post.signal, 0 };
    bool in_front = event->kind == TK_EV_POSTED_LIFO, known = tk_post_queue_is_known(o, &receiver->inbox),
         fills = known && !receiver->inbox.count;
    bool queued = (!in_front || known) && enqueue(o, &receiver->inbox, entry, in_front); // before events with unknown
                                                                                         // posts it cannot be inserted
    if (!queued) tk_post_queue_invalidate(o, &receiver->inbox);
    draw_post(o, event, track, TK_LABEL_POST, queued ? o->next_flow++ : 0);
    tk_ao_mark_active(o, receiver);
    tk_ao_scheduler_make_ready(o, event->core, receiver, poster(o, event, sender));
    draw_used(o, receiver, event, event->post.free_places, fills);
}

void tk_ao_publish(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *sender = tk_ao_find(o, event->post.sender);
    uint32_t track = sender ? tk_ao_activity_track(o, sender) : 0;
    if (track) draw_post(o, event, track, TK_LABEL_PUBLISH, 0);
    else tk_ao_emit_note(o, event);
}

void tk_ao_take_event(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *object = tk_ao_find_active(o, event->object_queue.object);
    if (!object) return;
    bool last = event->kind == TK_EV_LAST_EVENT_TAKEN;
    bool known = takes_known(o, &object->inbox, (uint64_t)event->object_queue.free_places, last);
    uint32_t waiting = object->inbox.count;
    bool found = known && dequeue(&object->inbox, event->object_queue.signal, last, &object->arrival);
    if (!found) object->arrival.flow = 0;
    if (!last && known && waiting != object->inbox.count + 1) tk_post_queue_invalidate(o, &object->inbox);
    tk_ao_discard_posts(o, object,
                        found ? waiting - object->inbox.count - 1 : waiting - object->inbox.count + 1); // those that
                                                                                                        // were skipped,
                                                                                                        // or one whose
                                                                                                        // post is
                                                                                                        // unknown
    tk_ao_mark_active(o, object);
    tk_ao_scheduler_took_event(o, event->core, object);
    draw_used(o, object, event, event->object_queue.free_places, false);
}

// Handles an operation on a queue without an object.
void tk_ao_queue_operation(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *queue = tk_ao_find(o, event->object_queue.object);
    struct tk_post post = { 0, o->tl->now, event->object_queue.signal, 0 };
    struct tk_details details;
    details.count = 0;
    if (!queue) return;
    bool last = event->kind == TK_EV_RAW_QUEUE_LAST_TAKEN,
         stores = event->kind == TK_EV_RAW_QUEUE_POSTED || event->kind == TK_EV_RAW_QUEUE_POSTED_LIFO;
    bool fills = stores && tk_post_queue_is_known(o, &queue->store) && !queue->store.count;
    tk_ao_mark_active(o, queue);
    if (stores ? !enqueue(o, &queue->store, post, event->kind == TK_EV_RAW_QUEUE_POSTED_LIFO)
               : !dequeue(&queue->store, event->object_queue.signal, last, &post))
        tk_post_queue_invalidate(o, &queue->store);
    if (last) queue->store.losses = o->losses;
    tk_details_symbol(o->details, &details, "signal", event->object_queue.signal);
    int64_t used = used_places(o, &queue->store, queue->entity, "queue", event, event->object_queue.free_places, fills);
    if (used < 0) return;
    uint32_t track =
        tk_ao_track(o, &queue->store_track, TK_GROUP_QUEUES, TK_TRACK_COUNTER, queue->entity, NULL, "events");
    tk_timeline_counter(o->tl, track, used, details.args, details.count);
}
