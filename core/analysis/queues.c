// SPDX-License-Identifier: MIT
//
// Queues, semaphores and buffers: their fill over time, senders that wait, and the time from a send to its receive.
// Items between pairs of tasks and interrupts.
//
// Proof: time counts between two proven lengths of one epoch. The tracker proves which send belongs to a receive.
#include "internal.h"

static struct tk_queue_figures *figures_of(struct tk_analysis *analysis, uint32_t index) {
    if (index >= analysis->queue_count || analysis->is_between) return NULL;
    struct tk_analysed_queue *queue = &analysis->queues[index];
    if (!queue->figures) queue->figures = tk_alloc_zero(analysis->alloc, sizeof *queue->figures);
    return queue->figures;
}

// Counts the time from the last operation until `at`.
static void pass_time(const struct tk_analysis *analysis, struct tk_queue_figures *figures, uint64_t at) {
    if (figures->epoch != analysis->epoch || at <= figures->since) return;
    uint64_t time = at - figures->since;
    figures->known += time;
    figures->filled += (double)figures->length * (double)time;
    if (!figures->length) figures->empty += time;
    if (figures->length == figures->most) figures->at_most += time;
    figures->since = at;
}

static void queue_operation(void *ctx, uint32_t index, enum tk_queue_change change, uint32_t length, uint64_t at,
                            bool is_proven) {
    struct tk_analysis *analysis = ctx;
    struct tk_queue_figures *figures = figures_of(analysis, index);
    if (!figures) return;
    if (is_proven) pass_time(analysis, figures, at);
    figures->receives += change == TK_QUEUE_SHRINKS;
    figures->since = at;
    figures->epoch = is_proven ? analysis->epoch : TK_PROVEN_NEVER;
    figures->length = length;
    if (!is_proven || length <= figures->most) return;
    figures->most = length;
    figures->at_most = 0;
}

void tk_queues_sender_waits(struct tk_analysis *analysis, uint32_t index) {
    struct tk_queue_figures *figures = figures_of(analysis, index);
    if (!figures) return;
    figures->sender_waits++;
    if (figures->epoch == analysis->epoch) figures->capacity = figures->length;
}

// ---- Items -------------------------------------------------------------------------------------

static uint64_t mix_hash(uint64_t value) { return (value ^ value >> 31) * 0x9E3779B97F4A7C15u; }

static struct tk_pair_figures *find_pair(struct tk_analysis *analysis, const struct tk_fact_item *item) {
    uint64_t actors = (uint64_t)item->from << 32 | item->to;
    uint64_t key = mix_hash(mix_hash(actors) + item->object) | (uint64_t)1 << 63;
    struct tk_pair_figures *row =
        tk_keyed_rows_find(&analysis->pairs, analysis->alloc, analysis->diag, key, sizeof *row);
    if (!row) return NULL;
    row->from = item->from;
    row->object = item->object;
    row->to = item->to;
    return row;
}

// last: number + 1 of the row of the last item of the queue; NULL: no queue.
static void count_pair(struct tk_analysis *analysis, const struct tk_fact_item *item, uint64_t at, bool is_measured,
                       uint32_t *last) {
    if (item->from == TK_NONE || item->to == TK_NONE) return;
    struct tk_pair_figures *rows = analysis->pairs.rows;
    struct tk_pair_figures *row = last && *last ? &rows[*last - 1] : NULL;
    if (!row || row->from != item->from || row->to != item->to || row->object != item->object) {
        row = find_pair(analysis, item);
        if (!row) return;
        if (last) *last = (uint32_t)(row - (struct tk_pair_figures *)analysis->pairs.rows) + 1;
    }
    row->count++;
    if (is_measured) tk_durations_add(&row->latency, item->sent, at - item->sent);
}

static void item_received(void *ctx, const struct tk_fact_item *item, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    bool is_measured = item->has_sent && item->sent >= analysis->stats_from && at >= item->sent;
    struct tk_queue_figures *figures = figures_of(analysis, item->queue);
    if (figures && is_measured) tk_measure_add(analysis->histograms, &figures->latency, item->sent, at - item->sent);
    if (!analysis->is_between) count_pair(analysis, item, at, is_measured, figures ? &figures->last_pair : NULL);
}

// ---- Sections and time ranges ------------------------------------------------------------------

TK_COLD void tk_queues_end_section(struct tk_analysis *analysis, uint64_t at) {
    for (uint32_t i = 0; i < analysis->queue_count; i++) {
        struct tk_queue_figures *figures = analysis->queues[i].figures;
        if (!figures) continue;
        pass_time(analysis, figures, at);
        figures->epoch = TK_PROVEN_NEVER;
    }
}

TK_COLD void tk_queues_begin_stats(struct tk_analysis *analysis, uint64_t at) {
    tk_keyed_rows_clear(&analysis->pairs, analysis->alloc);
    for (uint32_t i = 0; i < analysis->queue_count; i++) {
        struct tk_queue_figures *figures = analysis->queues[i].figures;
        if (!figures) continue;
        struct tk_measure latency = figures->latency;
        tk_measure_clear(analysis->histograms, &latency);
        *figures = (struct tk_queue_figures){ .since = at,
                                              .epoch = figures->epoch,
                                              .length = figures->length,
                                              .most = figures->length,
                                              .capacity = figures->capacity,
                                              .latency = latency };
        if (figures->epoch != analysis->epoch) figures->most = 0;
    }
}

TK_COLD void tk_analysis_init_queues(struct tk_facts *facts) {
    facts->queue_operation = queue_operation;
    facts->item_received = item_received;
}
