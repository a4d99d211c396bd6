// SPDX-License-Identifier: MIT
//
// Queues, semaphores and mutexes: fills and holders.
#include "rtos_internal.h"

enum operation { OP_SEND, OP_RECEIVE, OP_OVERWRITE, OP_RESET, OP_SEND_FIRST, OP_PEEK, OP_LENGTH };

// Text id of "send by producer" or "send from interrupt UART"; 0 where nobody can be named.
static TK_INLINE uint32_t operation_text(struct tk_rtos *rtos, const struct tk_core *core, enum operation op,
                                         bool from_isr) {
    struct tk_names *names = tk_rtos_names(rtos);
    if (op == OP_LENGTH) return 0;
    if (core->depth)
        return tk_names_label(names, rtos->isrs[core->stack[core->depth - 1].isr].entity, TK_ISR_SENDS + (unsigned)op);
    if (from_isr || core->task == TK_NONE) return tk_names_fixed_text(names, TK_TEXT_BY_NOBODY_SENDS + (unsigned)op);
    return tk_names_label(names, rtos->tasks[core->task].entity, TK_TASK_SENDS + (unsigned)op);
}

_Static_assert(TK_TASK_RECEIVES - TK_TASK_SENDS == OP_RECEIVE && TK_ISR_OVERWRITES - TK_ISR_SENDS == OP_OVERWRITE &&
                   TK_TASK_RESETS - TK_TASK_SENDS == OP_RESET,
               "labels of operations stand in the order of the operations");
_Static_assert(TK_TASK_OVERWRITES - TK_TASK_SENDS == OP_OVERWRITE &&
                   TK_TEXT_BY_NOBODY_RESETS - TK_TEXT_BY_NOBODY_SENDS == OP_RESET,
               "same");
_Static_assert(TK_TASK_PEEKS - TK_TASK_SENDS == OP_PEEK && TK_ISR_PEEKS - TK_ISR_SENDS == OP_PEEK &&
                   TK_TEXT_BY_NOBODY_PEEKS - TK_TEXT_BY_NOBODY_SENDS == OP_PEEK,
               "same");

static void release_lock(struct tk_rtos *rtos, struct tk_queue *queue) {
    if (queue->held) tk_timeline_end(rtos->tl, queue->lock_track, NULL, 0);
    queue->held = false;
}

// Nobody said that it was given back.
static void close_mutex_after_loss(struct tk_rtos *rtos, struct tk_queue *queue) {
    if (queue->held) tk_timeline_end_lost(rtos->tl, queue->lock_track);
    queue->held = false;
}

// A new object with the name of a deleted one of its kind goes on in its row.
TK_COLD static void reuse_row(struct tk_rtos *rtos, struct tk_queue *queue) {
    uint32_t string = tk_rtos_names(rtos)->entities[queue->entity].name;
    uint32_t dead = string && rtos->queues_deleted
                        ? tk_idmap_find(&rtos->dead_queue_by_name, tk_queue_name_key(queue, string))
                        : TK_NONE;
    if (dead == TK_NONE || &rtos->queues[dead] == queue) return;
    struct tk_queue *old = &rtos->queues[dead];
    queue->track = old->track;
    queue->lock_track = old->lock_track;
    old->track = old->lock_track = 0;
}

TK_COLD static uint32_t add_lock_track(struct tk_rtos *rtos, struct tk_queue *queue) {
    reuse_row(rtos, queue);
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

static void take_lock(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t holder) {
    struct tk_timeline *tl = rtos->tl;
    struct tk_names *names = tk_rtos_names(rtos);
    close_mutex_after_loss(rtos, queue);
    if (!queue->lock_track && !add_lock_track(rtos, queue)) return;
    uint32_t name = holder == TK_NONE ? tk_names_fixed(names, TK_FIXED_HELD)
                                      : tk_names_label(names, rtos->tasks[holder].entity, TK_TASK_HELD_BY);
    uint64_t flow = holder == TK_NONE ? 0 : ++rtos->next_flow;
    if (flow && !rtos->observer) { // an instant on the taker's own track, tied to the slice: one click leads from one
                                   // to the other
        struct tk_track_event took = { .type = TK_EVENT_INSTANT, .flow = flow };
        took.track = tk_timeline_thread(tl, holder);
        took.name = tk_names_label(names, queue->entity, TK_QUEUE_TOOK);
        tk_timeline_event(tl, &took);
    }
    struct tk_track_event held = { .track = queue->lock_track, .name = name, .flow_end = flow };
    tk_timeline_begin_event(tl, &held);
    queue->held = true;
    queue->holder = holder;
}

static void sample_lock(struct tk_rtos *rtos, struct tk_queue *queue, const struct tk_core *core,
                        const struct tk_event *event, enum operation op, uint32_t len) {
    if (op == OP_PEEK || (op == OP_LENGTH && queue->fresh)) return; // a mutex is created with length 0 and then given
    if (len) release_lock(rtos, queue);
    else if (op == OP_LENGTH) take_lock(rtos, queue, TK_NONE);
    else take_lock(rtos, queue, core->depth || event->kind == TK_EV_QUEUE_RECEIVE_FROM_ISR ? TK_NONE : core->task);
}

static uint32_t clamp_length(struct tk_rtos *rtos, const struct tk_queue *queue, const struct tk_event *event,
                             uint32_t len) {
    if (queue->capacity && len > queue->capacity) return queue->capacity; // an overwrite on a full one
    if (len <= 1 || (queue->kind != TK_QUEUE_BINARY_SEMAPHORE && !tk_queue_is_lock(queue))) return len;
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

// What a queue holds.
static const char *queue_unit(const struct tk_queue *queue) {
    if (queue->kind == TK_QUEUE_STREAM_BUFFER || queue->kind == TK_QUEUE_MESSAGE_BUFFER) return "bytes";
    return tk_queue_is_semaphore(queue) ? "tokens" : "items";
}

TK_COLD static void add_queue_track(struct tk_rtos *rtos, struct tk_queue *queue) {
    reuse_row(rtos, queue);
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

// Fills of different queues make no counter: each operation is an instant.
TK_COLD static void draw_overflow_queue(struct tk_rtos *rtos, const struct tk_event *event, struct tk_queue *queue,
                                        uint32_t operation, uint32_t len) {
    struct tk_timeline *tl = rtos->tl;
    char text[32];
    size_t text_len = tk_append_number(text, tk_append_text(text, 0, "queue #"), event->id);
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
    tk_timeline_instant(tl, queue->track, (struct tk_label_text){ 0, text, (uint32_t)text_len }, args,
                        operation ? 2 : 1);
}

static void sample_queue(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, enum operation op,
                         bool from_isr, uint32_t len) {
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index == TK_NONE) return;
    struct tk_queue *queue = &rtos->queues[index];
    len = clamp_length(rtos, queue, event, len);
    tk_stats_queue(rtos->stats, index, len);
    bool overflow = index == TK_MAX_QUEUES;
    bool unseen_isr = from_isr && !core->depth; // not the running task
    if (op != OP_LENGTH)
        tk_rtos_set_last_target(core, unseen_isr ? tk_wait_target_key(TK_WAIT_TARGET_UNKNOWN, 0)
                                                 : tk_wait_target_key(TK_WAIT_TARGET_QUEUE, index));
    if (tk_queue_is_lock(queue) && !overflow) {
        sample_lock(rtos, queue, core, event, op, len);
    } else {
        if (!queue->track && !overflow) add_queue_track(rtos, queue);
        uint32_t text = operation_text(rtos, core, op, from_isr);
        if (overflow) draw_overflow_queue(rtos, event, queue, text, len);
        else
            tk_timeline_counter_text(rtos->tl, queue->track, len,
                                     text ? tk_names_arg(tk_rtos_names(rtos), TK_ARGN_OPERATION) : 0, text);
    }
    queue->used = true;
    queue->fresh = false;
}

void tk_rtos_on_queue_operation(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    static const struct {
        uint8_t op;
        bool from_isr;
    } table[TK_EV_COUNT] = {
        [TK_EV_QUEUE_SEND] = { OP_SEND, false },
        [TK_EV_QUEUE_SEND_FROM_ISR] = { OP_SEND, true },
        [TK_EV_QUEUE_OVERWRITE] = { OP_OVERWRITE, false },
        [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = { OP_OVERWRITE, true },
        [TK_EV_QUEUE_RECEIVE] = { OP_RECEIVE, false },
        [TK_EV_QUEUE_RECEIVE_FROM_ISR] = { OP_RECEIVE, true },
        [TK_EV_QUEUE_RESET] = { OP_RESET, false },
        [TK_EV_QUEUE_LENGTH] = { OP_LENGTH, false },
        [TK_EV_QUEUE_SEND_TO_FRONT] = { OP_SEND_FIRST, false },
        [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = { OP_SEND_FIRST, true },
        [TK_EV_QUEUE_PEEKED] = { OP_PEEK, false },
        [TK_EV_QUEUE_PEEKED_FROM_ISR] = { OP_PEEK, true },
    };
    sample_queue(rtos, event, core, (enum operation)table[event->kind].op, table[event->kind].from_isr,
                 event->kind == TK_EV_QUEUE_RESET ? 0 : event->arg);
}

TK_COLD void tk_rtos_on_queue_created(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index < TK_MAX_QUEUES) rtos->queues[index].fresh = true;
}

TK_COLD void tk_rtos_on_queue_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index >= TK_MAX_QUEUES) return;
    if (rtos->queues[index].stale &&
        tk_names_is_other(tk_rtos_names(rtos), rtos->queues[index].entity, event->str, event->str_len)) {
        index = tk_rtos_add_queue(rtos, event->id);
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
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index >= TK_MAX_QUEUES) return;
    struct tk_queue *queue = &rtos->queues[index];
    uint8_t kind = event->arg < TK_QUEUE_KINDS ? (uint8_t)event->arg : TK_QUEUE_UNKNOWN;
    if (tk_rtos_names(rtos)->borrowing && queue->kind_known) return;
    if (kind == TK_QUEUE_UNKNOWN) tk_rtos_problem(rtos, TK_DIAG_KIND_UNKNOWN, event);
    if (queue->used && queue->kind != kind && !(kind == TK_QUEUE_BASE)) tk_rtos_problem(rtos, TK_DIAG_KIND_LATE, event);
    if (queue->kind != kind) close_mutex_after_loss(rtos, queue);
    queue->kind = kind;
    queue->kind_known = true;
    tk_rtos_names(rtos)->entities[queue->entity].noun = noun_of(queue);
}

uint32_t tk_rtos_lock_track(struct tk_rtos *rtos, uint32_t queue) {
    return rtos->queues[queue].lock_track ? rtos->queues[queue].lock_track : add_lock_track(rtos, &rtos->queues[queue]);
}

void tk_rtos_sample_length(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    sample_queue(rtos, event, core, OP_LENGTH, false, event->arg);
}

TK_COLD void tk_rtos_delete_queue(struct tk_rtos *rtos, uint32_t index) {
    struct tk_queue *queue = &rtos->queues[index];
    uint32_t string = tk_rtos_names(rtos)->entities[queue->entity].name;
    release_lock(rtos, queue);
    if (queue->track)
        tk_timeline_counter(rtos->tl, queue->track, 0, NULL, 0); // else its last value would stand to the end
    queue->deleted = rtos->queues_deleted = true;
    if (string) tk_idmap_set(&rtos->dead_queue_by_name, rtos->alloc, tk_queue_name_key(queue, string), index);
}
