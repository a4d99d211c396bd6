// SPDX-License-Identifier: MIT
//
// Proof of queue lengths. An operation reports how many items the queue contains afterwards. A length that does not
// continue the one before is deferred until the next operation on the queue. If that one continues the length before,
// the deferred length is damage and is discarded. Otherwise operations on the queue were not recorded, for example
// those of another core; if no operation continues any length, the highest fill of the queue is unknown.
#include "rtos_internal.h"

// Returns 0 if unknown.
static uint32_t capacity_of(const struct tk_queue *queue) {
    return queue->capacity ? queue->capacity : queue->kind == TK_QUEUE_BINARY_SEMAPHORE;
}

// Returns true if an operation on a queue of length `from` can leave it with length `to`.
static bool continues(const struct tk_queue *queue, uint32_t from, enum tk_queue_change change, uint32_t to) {
    bool is_buffer = tk_queue_is_buffer(queue);
    bool stays_full = to == from && to && (to == queue->capacity || (!queue->capacity && to == 1)); // an item was
                                                                                                    // replaced
    switch (change) {
    case TK_QUEUE_GROWS: return is_buffer ? to >= from : (uint64_t)from + 1 == to || stays_full;
    case TK_QUEUE_SHRINKS: return is_buffer ? to <= from : from && from - 1 == to;
    case TK_QUEUE_STAYS: return to == from;
    default: return true;
    }
}

// Returns the length after an operation if only the length before it is known.
static uint32_t expected_length(const struct tk_queue *queue, enum tk_queue_change change) {
    uint32_t from = queue->length.now;
    if (change == TK_QUEUE_EMPTIES) return 0;
    if (tk_queue_is_buffer(queue) || change == TK_QUEUE_STAYS) return from;
    if (change == TK_QUEUE_SHRINKS) return from - (from > 0);
    return from + (from < UINT32_MAX && (!queue->capacity || from < queue->capacity));
}

TK_COLD static void draw_deferred(struct tk_rtos *rtos, const struct tk_queue *queue) {
    const struct tk_uncertain_length *uncertain = queue->length.uncertain;
    struct tk_arg arg = { .name = tk_names_arg(tk_rtos_names(rtos), TK_ARGN_OPERATION),
                          .type = TK_ARG_TEXT,
                          .value.text = uncertain->text };
    struct tk_track_event event = { .ticks = uncertain->ticks,
                                    .track = queue->track,
                                    .type = TK_EVENT_COUNTER,
                                    .when = TK_LATE,
                                    .value = uncertain->length,
                                    .args = &arg,
                                    .arg_count = uncertain->text != 0 };
    tk_timeline_event(rtos->tl, &event);
}

// Handles the operation after an uncertain one.
TK_COLD static void resolve_uncertain(struct tk_rtos *rtos, const struct tk_event *event, uint32_t index,
                                      enum tk_queue_change change, uint32_t length) {
    struct tk_queue *queue = &rtos->queues[index];
    struct tk_queue_length *known = &queue->length;
    bool continues_deferred = continues(queue, known->uncertain->length, change, length);
    known->state = TK_QUEUE_LENGTH_PROVEN;
    if (!continues_deferred && continues(queue, known->now, change, length)) {
        tk_rtos_problem(rtos, TK_DIAG_QUEUE_LENGTH_IMPOSSIBLE, event);
        return;
    }
    draw_deferred(rtos, queue);
    known->incomplete |= !continues_deferred;
    if (continues_deferred) tk_stats_queue_level(rtos->stats, index, known->uncertain->length);
    else known->state = TK_QUEUE_LENGTH_RECORDED;
}

// Defers a length; discards it when out of memory.
TK_COLD static bool defer(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t length) {
    struct tk_queue_length *known = &queue->length;
    known->follows = false;
    if (!known->uncertain) known->uncertain = tk_alloc_zero(rtos->alloc, sizeof *known->uncertain);
    if (known->uncertain) *known->uncertain = (struct tk_uncertain_length){ rtos->tl->now, length, 0 };
    known->state = known->uncertain ? TK_QUEUE_LENGTH_UNCERTAIN : TK_QUEUE_LENGTH_UNKNOWN;
    return false;
}

bool tk_rtos_prove_length(struct tk_rtos *rtos, const struct tk_event *event, uint32_t index,
                          enum tk_queue_change change, uint32_t length) {
    struct tk_queue *queue = &rtos->queues[index];
    struct tk_queue_length *known = &queue->length;
    uint32_t most = capacity_of(queue);
    if (most && length > most) {
        tk_rtos_problem(rtos, TK_DIAG_QUEUE_LENGTH_IMPOSSIBLE, event);
        if (known->state == TK_QUEUE_LENGTH_UNCERTAIN) known->state = TK_QUEUE_LENGTH_UNKNOWN;
        known->now = expected_length(queue, change);
        known->follows = false;
        return false;
    }
    switch ((enum tk_queue_length_state)known->state) {
    case TK_QUEUE_LENGTH_UNCERTAIN:
        resolve_uncertain(rtos, event, index, change, length);
        if (known->state == TK_QUEUE_LENGTH_RECORDED) return true;
        break;
    case TK_QUEUE_LENGTH_UNKNOWN: known->state = TK_QUEUE_LENGTH_RECORDED; return true;
    default:
        if (!continues(queue, known->now, change, length)) {
            known->now = expected_length(queue, change);
            return defer(rtos, queue, length);
        }
        if (known->state == TK_QUEUE_LENGTH_RECORDED) tk_stats_queue_level(rtos->stats, index, known->now);
        known->state = TK_QUEUE_LENGTH_PROVEN;
    }
    tk_stats_queue_level(rtos->stats, index, length);
    return true;
}

void tk_rtos_end_lengths(struct tk_rtos *rtos, bool by_loss) {
    for (uint32_t i = 0; i < rtos->queue_count; i++) {
        struct tk_queue *queue = &rtos->queues[i];
        if (queue->length.state == TK_QUEUE_LENGTH_RECORDED && !by_loss)
            tk_stats_queue_level(rtos->stats, i, queue->length.now);
        if (queue->length.state == TK_QUEUE_LENGTH_UNCERTAIN) queue->length.incomplete = true;
        queue->length.state = TK_QUEUE_LENGTH_UNKNOWN;
        queue->length.follows = false;
    }
}
