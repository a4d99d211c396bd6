// SPDX-License-Identifier: MIT
//
// Queues, semaphores and buffers: their lengths. Mutexes are queues as well (mutexes.c).
#include "rtos_internal.h"

// In the order of TK_LABEL_SEND_BY.
enum operation { OP_SEND, OP_RECEIVE, OP_OVERWRITE, OP_RESET, OP_SEND_TO_FRONT, OP_PEEK, OP_LENGTH };

_Static_assert(TK_LABEL_RECEIVE_BY - TK_LABEL_SEND_BY == OP_RECEIVE &&
                   TK_LABEL_OVERWRITE_BY - TK_LABEL_SEND_BY == OP_OVERWRITE &&
                   TK_LABEL_RESET_BY - TK_LABEL_SEND_BY == OP_RESET &&
                   TK_LABEL_SEND_TO_FRONT_BY - TK_LABEL_SEND_BY == OP_SEND_TO_FRONT &&
                   TK_LABEL_PEEK_BY - TK_LABEL_SEND_BY == OP_PEEK &&
                   TK_LABEL_PEEK_FROM_ISR - TK_LABEL_SEND_FROM_ISR == OP_PEEK && TK_TEXT_PEEK - TK_TEXT_SEND == OP_PEEK,
               "labels of operations are in the order of the operations");

// Text id of "send by producer", "send from interrupt UART", or "send" if the actor is unknown.
static TK_INLINE uint32_t operation_text(struct tk_rtos *rtos, struct tk_actor actor, enum operation op) {
    struct tk_names *names = tk_rtos_names(rtos);
    switch (actor.kind) {
    case TK_ACTOR_INTERRUPT:
        return tk_names_label(names, rtos->isrs[actor.index].entity,
                              (enum tk_label)(TK_LABEL_SEND_FROM_ISR + (unsigned)op));
    case TK_ACTOR_TASK:
        return tk_names_label(names, rtos->tasks[actor.index].entity, (enum tk_label)(TK_LABEL_SEND_BY + (unsigned)op));
    default: return tk_names_fixed_text(names, (enum tk_fixed_text)(TK_TEXT_SEND + (unsigned)op));
    }
}

// Key of a queue in dead_queue_by_name. string: id of its name.
static uint64_t dead_queue_key(const struct tk_queue *queue, uint32_t string) {
    return (uint64_t)queue->kind << 32 | string;
}

TK_COLD void tk_rtos_reuse_queue_tracks(struct tk_rtos *rtos, struct tk_queue *queue) {
    uint32_t string = tk_rtos_names(rtos)->entities[queue->entity].name;
    uint32_t dead = string && rtos->queues_deleted
                        ? tk_idmap_find(&rtos->dead_queue_by_name, dead_queue_key(queue, string))
                        : TK_NONE;
    if (dead == TK_NONE || &rtos->queues[dead] == queue) return;
    struct tk_queue *old = &rtos->queues[dead];
    queue->track = old->track;
    queue->lock_track = old->lock_track;
    old->track = old->lock_track = 0;
}

static uint32_t clamp_length(struct tk_rtos *rtos, const struct tk_queue *queue, const struct tk_event *event,
                             uint32_t len) {
    if (queue->capacity && len == (uint64_t)queue->capacity + 1) return queue->capacity; // an overwrite of a full queue
    if (len <= 1 || (queue->kind != TK_QUEUE_BINARY_SEMAPHORE && !tk_queue_is_lock(queue))) return len;
    if (len > 2 && rtos->traces_services && !tk_queue_is_lock(queue)) return len; // damage (queue_lengths.c)
    tk_rtos_problem(rtos, TK_DIAG_QUEUE_CLAMPED, event);
    return 1;
}

static const char *queue_description(const struct tk_queue *queue) {
    static const char *const words[] = {
        [TK_QUEUE_BASE] = "Queue: items in it",           [TK_QUEUE_COUNTING_SEMAPHORE] = "Counting semaphore",
        [TK_QUEUE_BINARY_SEMAPHORE] = "Binary semaphore", [TK_QUEUE_MUTEX] = "Mutex",
        [TK_QUEUE_RECURSIVE_MUTEX] = "Recursive mutex",   [TK_QUEUE_SET] = "Queue set",
        [TK_QUEUE_UNKNOWN] = "Queue of unknown kind",     [TK_QUEUE_SEMAPHORE] = "Semaphore",
        [TK_QUEUE_STREAM_BUFFER] = "Stream buffer",       [TK_QUEUE_MESSAGE_BUFFER] = "Message buffer",
    };
    return queue->kind_known ? words[queue->kind] : NULL;
}

static const char *queue_unit(const struct tk_queue *queue) {
    if (queue->kind == TK_QUEUE_STREAM_BUFFER || queue->kind == TK_QUEUE_MESSAGE_BUFFER) return "bytes";
    return tk_queue_is_semaphore(queue) ? "tokens" : "items";
}

TK_COLD static void add_queue_track(struct tk_rtos *rtos, struct tk_queue *queue) {
    tk_rtos_reuse_queue_tracks(rtos, queue);
    if (queue->track) return;
    struct tk_track_spec spec = { tk_timeline_group(rtos->tl, TK_GROUP_QUEUES),
                                  TK_TRACK_COUNTER,
                                  queue->entity,
                                  NULL,
                                  -1,
                                  0,
                                  queue_unit(queue),
                                  queue_description(queue),
                                  0 };
    queue->track = tk_timeline_add_track(rtos->tl, &spec);
}

// The queues above the limit have different lengths, so each operation is an instant, and not a value of a counter.
TK_COLD static void draw_overflow_queue(struct tk_rtos *rtos, const struct tk_event *event, struct tk_queue *queue,
                                        uint32_t operation, uint32_t len) {
    struct tk_timeline *tl = rtos->tl;
    char room[32];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, "queue #");
    tk_text_u64(&text, tk_event_id(event));
    struct tk_arg args[2] = {
        { .name = tk_names_arg(tk_rtos_names(rtos), TK_ARGN_VALUE), .type = TK_ARG_UINT, .value.u = len }
    };
    if (operation)
        args[1] = (struct tk_arg){ .name = tk_names_arg(tk_rtos_names(rtos), TK_ARGN_OPERATION),
                                   .type = TK_ARG_TEXT,
                                   .value.text = operation };
    if (!queue->track) {
        struct tk_track_spec spec = { tk_timeline_group(tl, TK_GROUP_QUEUES),
                                      TK_TRACK_SLICES,
                                      queue->entity,
                                      NULL,
                                      -1,
                                      0,
                                      NULL,
                                      "Operations on queues beyond the limit",
                                      0 };
        queue->track = tk_timeline_add_track(tl, &spec);
    }
    tk_timeline_instant(tl, queue->track, (struct tk_label_text){ 0, text.text, text.len }, args, operation ? 2 : 1);
}

// is_proven: the length may be drawn and counts for the figures.
static void draw_operation(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core,
                           struct tk_actor actor, uint32_t index, enum operation op, uint32_t len, bool is_proven) {
    struct tk_queue *queue = &rtos->queues[index];
    bool overflow = index == TK_MAX_QUEUES;
    tk_stats_queue_operation(rtos->stats, index);
    if (!rtos->traces_services || overflow || tk_queue_is_lock(queue)) tk_stats_queue_level(rtos->stats, index, len);
    if (op != OP_LENGTH) tk_rtos_set_last_target(core, event, tk_wait_target_key(TK_WAIT_TARGET_QUEUE, index));
    if (tk_queue_is_lock(queue) && !overflow) {
        bool is_creation = op == OP_LENGTH && queue->fresh; // a new mutex has length 0 until it is given
        if (op != OP_PEEK && !is_creation && len) tk_rtos_give_mutex(rtos, queue, actor);
        else if (op != OP_PEEK && !is_creation)
            tk_rtos_take_mutex(rtos, queue, op != OP_LENGTH && actor.kind == TK_ACTOR_TASK ? actor.index : TK_NONE);
    } else {
        if (!queue->track && !overflow) add_queue_track(rtos, queue);
        uint32_t text = op == OP_LENGTH ? 0 : operation_text(rtos, actor, op);
        if (overflow) draw_overflow_queue(rtos, event, queue, text, len);
        else if (!is_proven && queue->length.state == TK_QUEUE_LENGTH_UNCERTAIN) queue->length.uncertain->text = text;
        else if (is_proven)
            tk_timeline_counter_text(rtos->tl, queue->track, len,
                                     text ? tk_names_arg(tk_rtos_names(rtos), TK_ARGN_OPERATION) : 0, text);
    }
    queue->used = true;
    queue->fresh = false;
}

// Draws the call before the operation changes the queue. has_flow: the length of the queue is proven.
static void draw_call(struct tk_rtos *rtos, const struct tk_event *event, uint32_t index, const struct tk_core *core,
                      struct tk_actor actor, uint32_t len, bool has_flow) {
    tk_rtos_cancel_wait(rtos, actor);
    tk_rtos_draw_queue_call(rtos, event, index, core, actor, len, has_flow);
}

static enum tk_queue_change change_by(enum operation op) {
    static const uint8_t changes[] = {
        [OP_SEND] = TK_QUEUE_GROWS,    [OP_RECEIVE] = TK_QUEUE_SHRINKS,     [OP_OVERWRITE] = TK_QUEUE_GROWS,
        [OP_RESET] = TK_QUEUE_EMPTIES, [OP_SEND_TO_FRONT] = TK_QUEUE_GROWS, [OP_PEEK] = TK_QUEUE_STAYS,
        [OP_LENGTH] = TK_QUEUE_STAYS,
    };
    return (enum tk_queue_change)changes[op];
}

// Follows the items of a queue for the analysis where calls are not drawn.
static void pass_items(struct tk_rtos *rtos, struct tk_queue *queue, enum operation op, struct tk_actor actor,
                       uint32_t len) {
    if (queue->length.loss != rtos->tl->losses[0] || rtos->damaged) queue->length.follows = false;
    queue->length.loss = rtos->tl->losses[0];
    if (op == OP_SEND || op == OP_OVERWRITE) tk_rtos_flow_of_send(rtos, queue, TK_LABEL_CALL_SEND, actor, len);
    else if (op == OP_SEND_TO_FRONT) tk_rtos_flow_of_send(rtos, queue, TK_LABEL_CALL_SEND_TO_FRONT, actor, len);
    else if (op == OP_RECEIVE) tk_rtos_flow_of_receive(rtos, queue, actor, len);
    if (queue->length.now != len) tk_rtos_forget_senders(queue, len);
}

static void operate(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, uint32_t id,
                    enum operation op, uint32_t len) {
    uint32_t index = tk_rtos_find_queue(rtos, id);
    if (index == TK_NONE) return;
    struct tk_queue *queue = &rtos->queues[index];
    struct tk_actor actor = tk_rtos_actor(core, event);
    len = clamp_length(rtos, queue, event, len);
    bool has_length = index != TK_MAX_QUEUES && !tk_queue_is_lock(queue), is_proven = true;
    if (rtos->traces_services) {
        if (has_length) is_proven = tk_rtos_prove_length(rtos, event, index, change_by(op), len);
        if (op != OP_LENGTH) draw_call(rtos, event, index, core, actor, len, is_proven);
        if (has_length && is_proven && queue->length.now != len) tk_rtos_forget_senders(queue, len);
        if (has_length && op == OP_RESET) tk_rtos_forget_senders(queue, 0);
    } else if (has_length && rtos->facts && index < TK_ANALYSED_QUEUES) {
        pass_items(rtos, queue, op, tk_rtos_certain_actor(rtos, core, actor), len);
    }
    if (has_length) TK_TELL(rtos->facts, queue_operation, index, change_by(op), len, rtos->tl->now, is_proven);
    draw_operation(rtos, event, core, actor, index, op, len, is_proven);
    if (op != OP_LENGTH) tk_rtos_forget_wait(rtos, actor);
}

void tk_rtos_on_queue_operation(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    static const uint8_t operations[TK_EV_COUNT] = {
        [TK_EV_QUEUE_SEND] = OP_SEND,
        [TK_EV_QUEUE_SEND_FROM_ISR] = OP_SEND,
        [TK_EV_QUEUE_OVERWRITE] = OP_OVERWRITE,
        [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = OP_OVERWRITE,
        [TK_EV_QUEUE_RECEIVE] = OP_RECEIVE,
        [TK_EV_QUEUE_RECEIVE_FROM_ISR] = OP_RECEIVE,
        [TK_EV_QUEUE_RESET] = OP_RESET,
        [TK_EV_QUEUE_LENGTH] = OP_LENGTH,
        [TK_EV_QUEUE_SEND_TO_FRONT] = OP_SEND_TO_FRONT,
        [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = OP_SEND_TO_FRONT,
        [TK_EV_QUEUE_PEEKED] = OP_PEEK,
        [TK_EV_QUEUE_PEEKED_FROM_ISR] = OP_PEEK,
    };
    enum operation op = (enum operation)operations[event->kind];
    const struct tk_event_queue_operation *done = &event->queue_operation;
    operate(rtos, event, core, done->queue, op, op == OP_RESET ? 0 : done->length_after);
}

void tk_rtos_draw_length_of_failed(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    operate(rtos, event, core, event->queue_failed.queue, OP_LENGTH, event->queue_failed.length);
}

TK_COLD void tk_rtos_on_queue_created(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_queue(rtos, event->queue.queue);
    struct tk_actor actor = tk_rtos_actor(core, event);
    if (rtos->traces_services) draw_call(rtos, event, index, core, actor, 0, false);
    tk_rtos_forget_wait(rtos, actor);
    if (index >= TK_MAX_QUEUES) return;
    struct tk_queue *queue = &rtos->queues[index];
    queue->fresh = true;
    queue->length.state = TK_QUEUE_LENGTH_UNKNOWN;
    queue->length.follows = false;
    if (!queue->kind_known || queue->kind == TK_QUEUE_COUNTING_SEMAPHORE || queue->kind == TK_QUEUE_SEMAPHORE ||
        tk_queue_is_lock(queue))
        return; // such a queue may have initial items
    queue->length.state = TK_QUEUE_LENGTH_RECORDED;
    tk_rtos_forget_senders(queue, 0);
}

TK_COLD void tk_rtos_on_queue_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->name.entity);
    if (index >= TK_MAX_QUEUES) return;
    if (rtos->queues[index].stale &&
        tk_names_differs(tk_rtos_names(rtos), rtos->queues[index].entity, event->str, event->str_len)) {
        index = tk_rtos_add_queue(rtos, event->name.entity);
        if (index >= TK_MAX_QUEUES) return;
    }
    rtos->queues[index].stale = false;
    if (tk_names_set(tk_rtos_names(rtos), rtos->queues[index].entity, event->str, event->str_len))
        tk_rtos_problem(rtos, TK_DIAG_NAME_CHANGED, event);
}

static uint8_t noun_of(const struct tk_queue *queue) {
    if (tk_queue_is_lock(queue)) return TK_NOUN_MUTEX;
    if (tk_queue_is_semaphore(queue)) return TK_NOUN_SEMAPHORE;
    return queue->kind == TK_QUEUE_STREAM_BUFFER    ? TK_NOUN_STREAM_BUFFER
           : queue->kind == TK_QUEUE_MESSAGE_BUFFER ? TK_NOUN_MESSAGE_BUFFER
                                                    : TK_NOUN_OF_TYPE;
}

TK_COLD void tk_rtos_on_queue_kind(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->queue_kind.queue);
    if (index >= TK_MAX_QUEUES) return;
    struct tk_queue *queue = &rtos->queues[index];
    uint8_t kind =
        event->queue_kind.queue_kind < TK_QUEUE_KINDS ? (uint8_t)event->queue_kind.queue_kind : TK_QUEUE_UNKNOWN;
    if (tk_rtos_names(rtos)->borrowing && queue->kind_known) return;
    if (kind == TK_QUEUE_UNKNOWN) tk_rtos_problem(rtos, TK_DIAG_KIND_UNKNOWN, event);
    if (queue->used && queue->kind != kind && !(kind == TK_QUEUE_BASE)) tk_rtos_problem(rtos, TK_DIAG_KIND_LATE, event);
    if (queue->kind != kind) tk_rtos_close_mutex_after_loss(rtos, queue);
    queue->kind = kind;
    queue->kind_known = true;
    tk_rtos_names(rtos)->entities[queue->entity].noun = noun_of(queue);
}

TK_COLD void tk_rtos_on_queue_capacity(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->queue_capacity.queue);
    if (index < TK_MAX_QUEUES) rtos->queues[index].capacity = event->queue_capacity.capacity;
}

TK_COLD void tk_rtos_on_queue_deleted(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_queue(rtos, event->queue.queue);
    if (index >= TK_MAX_QUEUES) return;
    struct tk_queue *queue = &rtos->queues[index];
    tk_rtos_draw_plain_call(rtos, core, tk_rtos_actor(core, event), TK_LABEL_CALL_DELETE, queue->entity);
    queue->length.state = TK_QUEUE_LENGTH_UNKNOWN;
    queue->length.follows = false;
    uint32_t string = tk_rtos_names(rtos)->entities[queue->entity].name;
    tk_rtos_release_mutex(rtos, queue, core->depth ? TK_NONE : core->task);
    if (queue->track)
        tk_timeline_counter(rtos->tl, queue->track, 0, NULL, 0); // otherwise its last value would be drawn until the
                                                                 // end
    queue->deleted = rtos->queues_deleted = true;
    if (string) tk_idmap_set(&rtos->dead_queue_by_name, rtos->alloc, dead_queue_key(queue, string), index);
}
