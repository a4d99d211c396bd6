// SPDX-License-Identifier: MIT
//
// Rules about queues, stacks, heaps and interrupts.
#include <string.h>

#include "findings.h"
#include "internal.h"

static const uint64_t LATEST = UINT64_MAX / 2; // later times may be damaged; the end of a part must not overflow

static struct tk_finding_subject entity_subject(enum tk_finder rule, uint32_t entity) {
    return (struct tk_finding_subject){ .rule = (uint8_t)rule, .task = TK_NONE, .entity = entity };
}

static bool is_task(const struct tk_analysis *analysis, uint32_t task) {
    return task < analysis->task_count && !analysis->is_between;
}

// ---- Refused operations ------------------------------------------------------------------------

TK_COLD static void send_refused(void *ctx, uint32_t entity, uint32_t from, uint64_t at, bool is_given_again) {
    struct tk_analysis *analysis = ctx;
    struct tk_finding_subject subject =
        entity_subject(is_given_again ? TK_FINDER_GIVEN_AGAIN : TK_FINDER_SEND_REFUSED, entity);
    if (analysis->is_between) return;
    struct tk_finding *row = tk_finding_note(analysis, &subject, (struct tk_finding_place){ at, 0 }, NULL);
    if (row && row->count == 1) row->other = from;
}

// The task tries to receive without waiting, and there is nothing.
static void receive_refused(void *ctx, uint32_t entity, uint32_t task, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    if (!is_task(analysis, task) || analysis->tasks[task].has_no_jobs) return;
    struct tk_open_job *job = &analysis->tasks[task].job;
    if (++job->vain != TK_POLLS) return;
    struct tk_finding_subject subject = entity_subject(TK_FINDER_POLLING, entity);
    subject.task = task;
    tk_finding_note(analysis, &subject, (struct tk_finding_place){ at, 0 }, NULL);
}

// ---- Stacks ------------------------------------------------------------------------------------

static bool is_low(int64_t words, uint32_t size) {
    int64_t least = ((int64_t)size * TK_LEAST_STACK_PERCENT + 99) / 100; // rounded up
    return words >= 0 && (words < TK_LEAST_STACK_WORDS || words < least);
}

TK_COLD static void stack_free(void *ctx, uint32_t task, uint64_t at, int64_t words, uint32_t size) {
    struct tk_analysis *analysis = ctx;
    struct tk_finding_subject subject = { .rule = TK_FINDER_STACK, .task = task, .entity = TK_NONE };
    analysis->has_stacks = true;
    if (!is_low(words, size) || !is_task(analysis, task)) return;
    struct tk_finding *row = tk_finding_note(analysis, &subject, (struct tk_finding_place){ at, 0 }, NULL);
    if (!row || (row->count > 1 && (uint64_t)words >= row->figure)) return;
    row->figure = (uint64_t)words;
    row->second = size;
}

// ---- Heaps -------------------------------------------------------------------------------------

static uint32_t bucket_of(const struct tk_analysed_heap *heap, uint64_t at) {
    uint64_t bucket = (at - heap->start) / heap->width;
    return bucket < TK_HEAP_BUCKETS ? (uint32_t)bucket : TK_HEAP_BUCKETS;
}

// Doubles the width of the buckets.
static void widen(struct tk_analysed_heap *heap) {
    for (uint32_t i = 0; i < TK_HEAP_BUCKETS / 2; i++) {
        uint64_t a = heap->least[2 * i], b = heap->least[2 * i + 1];
        heap->least[i] = a < b ? a : b;
    }
    for (uint32_t i = TK_HEAP_BUCKETS / 2; i < TK_HEAP_BUCKETS; i++) heap->least[i] = UINT64_MAX;
    heap->width *= 2;
}

// The heap had its last level until `at`.
static void hold_level(struct tk_analysed_heap *heap, uint64_t at) {
    while (bucket_of(heap, at) == TK_HEAP_BUCKETS) widen(heap);
    for (uint32_t i = bucket_of(heap, heap->at); i <= bucket_of(heap, at); i++)
        if (heap->level < heap->least[i]) heap->least[i] = heap->level;
    heap->at = at;
}

static struct tk_analysed_heap *heap_of(struct tk_analysis *analysis, uint32_t entity) {
    uint32_t i = 0;
    while (i < analysis->heap_count && analysis->heaps[i].entity != entity) i++;
    if (i < analysis->heap_count) return &analysis->heaps[i];
    if (i == TK_ANALYSED_HEAPS) return NULL;
    if (!analysis->heaps) analysis->heaps = tk_alloc_zero(analysis->alloc, TK_ANALYSED_HEAPS * sizeof *analysis->heaps);
    if (!analysis->heaps) return NULL;
    analysis->heaps[i].entity = entity;
    analysis->heap_count++;
    return &analysis->heaps[i];
}

static void heap_level(void *ctx, uint32_t entity, uint64_t at, uint64_t level, bool frees) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_heap *heap = analysis->is_between ? NULL : heap_of(analysis, entity);
    if (!heap) return;
    if (heap->epoch != analysis->epoch || at < heap->at) {
        *heap = (struct tk_analysed_heap){
            .entity = entity, .epoch = analysis->epoch, .start = at, .at = at, .level = level, .width = 64
        };
        memset(heap->least, 0xFF, sizeof heap->least);
    }
    hold_level(heap, at);
    heap->level = level;
    heap->frees += frees;
}

// The least level of each eighth of the time, without the first one, is above that of the eighth before.
static void find_trend(struct tk_analysis *analysis, struct tk_analysed_heap *heap, uint64_t end) {
    enum { EIGHTHS = 8 };
    uint64_t least[EIGHTHS];
    if (heap->epoch != analysis->epoch || heap->frees < TK_LEAST_FREES || end < heap->at) return;
    hold_level(heap, end);
    uint32_t count = bucket_of(heap, end) + 1;
    if (count < 2 * EIGHTHS) return;
    memset(least, 0xFF, sizeof least);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t eighth = i * EIGHTHS / count;
        if (heap->least[i] < least[eighth]) least[eighth] = heap->least[i];
    }
    for (uint32_t i = 2; i < EIGHTHS; i++)
        if (least[i] <= least[i - 1]) return;
    struct tk_finding_subject subject = entity_subject(TK_FINDER_HEAP_TREND, heap->entity);
    struct tk_finding *row = tk_finding_note(analysis, &subject, (struct tk_finding_place){ heap->start, 0 }, NULL);
    if (row) row->figure = least[EIGHTHS - 1] - least[1];
}

// ---- Share of an interrupt -------------------------------------------------------------------------

static uint64_t window_of(const struct tk_isr_share *share) { return share->width * TK_SHARE_PARTS; }

static void close_part(struct tk_isr_share *share) {
    uint64_t percent = share->sum * 100 / window_of(share);
    if (percent > share->most_percent) {
        bool is_whole = share->end - share->begin > window_of(share);
        share->most_percent = percent;
        share->most_at = is_whole ? share->end - window_of(share) : share->begin;
    }
    share->current = (share->current + 1) % TK_SHARE_PARTS;
    share->sum -= share->parts[share->current];
    share->parts[share->current] = 0;
    share->end += share->width;
}

static void end_share(struct tk_isr_share *share) {
    if (share->width) close_part(share);
    share->width = 0;
}

// The first part begins with an interrupt, also after a pause in which all parts become empty.
static void begin_share(const struct tk_analysis *analysis, struct tk_isr_share *share, uint64_t at) {
    end_share(share);
    *share = (struct tk_isr_share){ .width = tk_analysis_ticks_of_ms(analysis, TK_STORM_MS) / TK_SHARE_PARTS,
                                    .begin = at,
                                    .counted = at,
                                    .most_percent = share->most_percent,
                                    .most_at = share->most_at };
    share->end = at + share->width;
}

static void add_to_part(struct tk_isr_share *share, uint64_t ticks) {
    share->parts[share->current] += (uint32_t)ticks; // a part of 10 ms in ns fits
    share->sum += ticks;
}

static void add_to_share(struct tk_isr_share *share, uint64_t from, uint64_t to) {
    while (from >= share->end) close_part(share);
    while (to > share->end) {
        add_to_part(share, share->end - from);
        from = share->end;
        close_part(share);
    }
    add_to_part(share, to - from);
    share->counted = to;
}

// ---- Interrupts --------------------------------------------------------------------------------

// Return the sum and the number of the times from one interrupt to the next.
static uint64_t covered(const struct tk_analysed_isr *isr) {
    return isr->covered + (isr->last > isr->first ? isr->last - isr->first : 0);
}
static uint64_t intervals(const struct tk_analysed_isr *isr) {
    uint64_t inside = isr->count - isr->first_count;
    return isr->intervals + (inside ? inside - 1 : 0);
}

TK_COLD static struct tk_analysed_isr *add_isr(struct tk_analysis *analysis, uint32_t index, uint32_t entity) {
    if (index >= TK_ANALYSED_ISRS || !tk_alloc_grow(analysis->alloc, (void **)&analysis->isrs, &analysis->isr_capacity,
                                                    index + 1, sizeof *analysis->isrs)) {
        analysis->has_further_isrs = true;
        return NULL;
    }
    while (analysis->isr_count <= index)
        analysis->isrs[analysis->isr_count++] = (struct tk_analysed_isr){ .densest = UINT64_MAX };
    analysis->isrs[index].entity = entity;
    return &analysis->isrs[index];
}

// Times from one interrupt to the next are measured within an epoch.
TK_COLD static void begin_epoch(const struct tk_analysis *analysis, struct tk_analysed_isr *isr, uint64_t at) {
    isr->covered = covered(isr);
    isr->intervals = intervals(isr);
    isr->epoch = analysis->epoch;
    isr->first = at;
    isr->first_count = isr->count;
    end_share(&isr->share);
}

static void isr_enters(void *ctx, uint32_t index, uint32_t entity, uint32_t core, uint64_t at, bool is_outermost) {
    struct tk_analysis *analysis = ctx;
    struct tk_load_windows *load = is_outermost ? tk_windows_of(analysis, core) : NULL;
    if (load && load->is_idle) tk_windows_interrupt(analysis, load, at);
    struct tk_analysed_isr *isr =
        index < analysis->isr_count ? &analysis->isrs[index] : add_isr(analysis, index, entity);
    if (!isr || analysis->is_between) return;
    if (isr->epoch != analysis->epoch) begin_epoch(analysis, isr, at);
    uint64_t *oldest = &isr->enters[isr->oldest];
    isr->oldest = isr->oldest + 1 < TK_STORM_ENTERS ? isr->oldest + 1 : 0;
    if (!isr->count) isr->entity = entity;
    if (isr->count >= 2 * TK_STORM_ENTERS && at - *oldest < isr->densest) {
        isr->densest = at - *oldest;
        isr->densest_at = *oldest;
    }
    *oldest = isr->last = at;
    isr->count++;
}

// If the interrupt occurred again within itself, the time until the end of that has been counted, or is left out.
static void isr_leaves(void *ctx, uint32_t index, uint64_t since, uint64_t at) {
    const struct tk_analysis *analysis = ctx;
    if (index >= analysis->isr_count || analysis->is_between || at > LATEST) return;
    struct tk_analysed_isr *isr = &analysis->isrs[index];
    struct tk_isr_share *share = &isr->share;
    if (isr->count < 2 * TK_STORM_ENTERS || isr->epoch != analysis->epoch) return;
    uint64_t from = share->width && since < share->counted ? share->counted : since;
    if (at <= from) return;
    if (!share->width || (from > share->end && from - share->end > window_of(share)))
        begin_share(analysis, share, from);
    if (!share->width) return; // the length of a tick is unknown or too large
    if (at - from < window_of(share)) {
        add_to_share(share, from, at);
        return;
    }
    share->most_percent = 100;
    share->most_at = from;
    begin_share(analysis, share, at);
}

static void isrs_end(void *ctx, uint32_t core, uint64_t at) {
    struct tk_load_windows *load = tk_windows_of(ctx, core);
    if (load && load->is_paused) tk_windows_interrupt_ends(ctx, load, at);
}

// More than TK_STORM_ENTERS within TK_STORM_MS, and more often than TK_STORM_RATE times the mean; or more than
// TK_STORM_PERCENT of TK_STORM_MS.
static void find_storm(struct tk_analysis *analysis, struct tk_analysed_isr *isr) {
    uint64_t limit = tk_analysis_ticks_of_ms(analysis, TK_STORM_MS);
    end_share(&isr->share);
    if (!limit || isr->count < TK_STORM_LEAST || !intervals(isr)) return;
    uint64_t mean = covered(isr) / intervals(isr); // ticks from one to the next
    bool is_dense = isr->densest < limit && isr->densest * TK_STORM_RATE < mean * TK_STORM_ENTERS;
    if (!is_dense && isr->share.most_percent <= TK_STORM_PERCENT) return;
    struct tk_finding_subject subject = entity_subject(TK_FINDER_STORM, isr->entity);
    struct tk_finding_place place = is_dense ? (struct tk_finding_place){ isr->densest_at, isr->densest }
                                             : (struct tk_finding_place){ isr->share.most_at, limit };
    struct tk_finding *row = tk_finding_note(analysis, &subject, place, NULL);
    if (!row) return;
    row->figure = mean;
    row->second = is_dense ? 0 : isr->share.most_percent;
}

// ---- Sections ----------------------------------------------------------------------------------

TK_COLD void tk_findings_storms(struct tk_analysis *analysis) {
    for (uint32_t i = 0; i < analysis->isr_count; i++) find_storm(analysis, &analysis->isrs[i]);
}

TK_COLD void tk_findings_heaps_at_end(struct tk_analysis *analysis, uint64_t at) {
    for (uint32_t i = 0; i < analysis->heap_count; i++) find_trend(analysis, &analysis->heaps[i], at);
}

// The figures restart: what was before is in no finding.
TK_COLD void tk_findings_objects_clear(struct tk_analysis *analysis) {
    for (uint32_t i = 0; i < analysis->isr_count; i++)
        analysis->isrs[i] = (struct tk_analysed_isr){ .entity = analysis->isrs[i].entity, .densest = UINT64_MAX };
    for (uint32_t i = 0; i < analysis->heap_count; i++) analysis->heaps[i].epoch = TK_PROVEN_NEVER;
    analysis->has_stacks = false;
}

TK_COLD static void failures_are_recorded(void *ctx) { ((struct tk_analysis *)ctx)->records_failures = true; }
TK_COLD static void posts_are_recorded(void *ctx) { ((struct tk_analysis *)ctx)->records_posts = true; }

TK_COLD void tk_analysis_init_objects(struct tk_facts *facts) {
    facts->failures_are_recorded = failures_are_recorded;
    facts->posts_are_recorded = posts_are_recorded;
    facts->send_refused = send_refused;
    facts->receive_refused = receive_refused;
    facts->stack_free = stack_free;
    facts->heap_level = heap_level;
    facts->isr_enters = isr_enters;
    facts->isr_leaves = isr_leaves;
    facts->isrs_end = isrs_end;
}
