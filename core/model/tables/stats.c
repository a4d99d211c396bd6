// SPDX-License-Identifier: MIT
#include "stats.h"

#include "../../base/attributes.h"

#include <string.h>

static TK_INLINE uint64_t add(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

TK_COLD void tk_stats_init(struct tk_stats *stats, struct tk_alloc *alloc) {
    memset(stats, 0, sizeof *stats);
    stats->alloc = stats->histograms.alloc = alloc;
    tk_load_init(&stats->load, alloc);
    stats->strip = tk_alloc_zero(alloc, TK_STATS_ROWS * sizeof *stats->strip);
}

static void clear(void *entries, uint32_t count, size_t size) {
    if (count) memset(entries, 0, count * size);
}

TK_COLD void tk_stats_reset(struct tk_stats *stats, uint64_t ticks) {
    memset(stats->kinds, 0, sizeof stats->kinds);
    for (unsigned i = 0; i < TK_STATS_CORES; i++)
        stats->cores[i] = (struct tk_stats_core){ .seen = stats->cores[i].seen || stats->cores[i].events,
                                                  .end = stats->cores[i].end };
    clear(stats->tasks, stats->task_count, sizeof *stats->tasks);
    for (uint32_t i = 0; i < stats->isr_count; i++) {
        struct tk_stats_isr *entry = &stats->isrs[i];
        entry->entered = entry->last_enter = entry->gap = entry->deepest = 0;
        entry->net_total = entry->net_max = entry->net_max_at = 0;
        entry->is_net_unknown = false;
        tk_measure_clear(&stats->histograms, &entry->duration);
        tk_measure_clear(&stats->histograms, &entry->period);
    }
    clear(stats->queues, stats->queue_count, sizeof *stats->queues);
    clear(stats->running, stats->running_rows * stats->core_width, sizeof *stats->running);
    clear(stats->strip, stats->strip ? TK_STATS_ROWS : 0, sizeof *stats->strip);
    stats->shift = 0;
    stats->bucket_from = stats->bucket_to = 0;
    stats->started = true;
    stats->start = stats->end = ticks;
    tk_load_start(&stats->load, ticks);
}

// ---- Rows ----

// Resizes the table of running times. Rows and columns only grow; there are few cores, and they appear one by one.
TK_COLD static bool shape_running(struct tk_stats *stats, uint32_t rows, uint32_t width) {
    if (rows == stats->running_rows && width == stats->core_width) return true;
    if (rows == 0 || width == 0) {
        stats->running_rows = rows;
        stats->core_width = width;
        return true;
    }
    if (rows > SIZE_MAX / width / sizeof *stats->running) return stats->alloc->failed = true, false;
    struct tk_stats_running *fresh = tk_alloc_zero(stats->alloc, (size_t)rows * width * sizeof *fresh);
    if (!fresh) return false;
    if (stats->running) {
        for (uint32_t row = 0; row < stats->running_rows; row++)
            memcpy(&fresh[(size_t)row * width], &stats->running[(size_t)row * stats->core_width],
                   stats->core_width * sizeof *fresh);
    }
    tk_alloc_free(stats->alloc, stats->running, (size_t)stats->running_rows * stats->core_width * sizeof *fresh);
    stats->running = fresh;
    stats->running_rows = rows;
    stats->core_width = width;
    return true;
}

TK_COLD bool tk_stats_need_tasks(struct tk_stats *stats, uint32_t count) {
    if (count <= stats->task_count) return true;
    if (!tk_alloc_grow(stats->alloc, (void **)&stats->tasks, &stats->task_capacity, count, sizeof *stats->tasks))
        return false;
    if (stats->running_rows < count && !shape_running(stats, stats->task_capacity, stats->core_width)) return false;
    stats->task_count = count;
    return true;
}

TK_COLD bool tk_stats_need_cores(struct tk_stats *stats, uint32_t count) {
    if (count > TK_STATS_CORES) count = TK_STATS_CORES;
    if (count <= stats->core_width) return true;
    return shape_running(stats, stats->running_rows, count);
}

TK_COLD bool tk_stats_need_isrs(struct tk_stats *stats, uint32_t count) {
    if (count <= stats->isr_count) return true;
    if (!tk_alloc_grow(stats->alloc, (void **)&stats->isrs, &stats->isr_capacity, count, sizeof *stats->isrs))
        return false;
    stats->isr_count = count;
    return true;
}

TK_COLD bool tk_stats_need_queues(struct tk_stats *stats, uint32_t count) {
    if (count <= stats->queue_count) return true;
    if (!tk_alloc_grow(stats->alloc, (void **)&stats->queues, &stats->queue_capacity, count, sizeof *stats->queues))
        return false;
    stats->queue_count = count;
    return true;
}

// ---- Strip ----

// Merges the buckets of a row to buckets 2^steps as wide.
TK_COLD static void merge_buckets(uint64_t buckets[TK_STATS_BUCKETS], uint32_t steps) {
    for (uint32_t from = 0; from < TK_STATS_BUCKETS; from++) {
        uint64_t amount = buckets[from];
        buckets[from] = 0;
        if (amount) buckets[steps < 8 ? from >> steps : 0] += amount;
    }
}

// Halves the resolution until `last` (relative to the start) is within the buckets.
TK_COLD static void widen(struct tk_stats *stats, uint64_t last) {
    uint32_t steps = 0;
    while (last >> (stats->shift + steps) >= TK_STATS_BUCKETS) steps++;
    stats->shift += steps;
    stats->bucket_from = stats->bucket_to = 0;
    for (uint32_t row = 0; row < TK_STATS_ROWS; row++) merge_buckets(stats->strip[row], steps);
}

static void select_bucket(struct tk_stats *stats, uint64_t bucket) {
    stats->bucket = (uint32_t)bucket;
    stats->bucket_from = stats->start + (bucket << stats->shift);
    stats->bucket_to = stats->bucket_from + ((uint64_t)1 << stats->shift);
}

// Adds a span that is not within the bucket of the last one.
TK_NOINLINE static void add_long_span(struct tk_stats *stats, uint32_t row, uint64_t from, uint64_t to) {
    if (!stats->strip || to <= stats->start) return;
    from = from > stats->start ? from - stats->start : 0;
    to -= stats->start;
    if ((to - 1) >> stats->shift >= TK_STATS_BUCKETS) widen(stats, to - 1);
    select_bucket(stats, (to - 1) >> stats->shift);
    uint64_t *buckets = stats->strip[row];
    while (from < to) {
        uint64_t bucket = from >> stats->shift;
        uint64_t last = from | (((uint64_t)1 << stats->shift) - 1); // end of this bucket
        if (last >= to - 1) last = to - 1;
        buckets[bucket] = add(buckets[bucket], last - from + 1);
        from = last + 1;
    }
}

// Adds a span. The common case, a span within the bucket of the last one, needs one addition.
static TK_INLINE void add_span(struct tk_stats *stats, uint32_t row, uint64_t from, uint64_t to) {
    if (from >= stats->bucket_from && to <= stats->bucket_to) stats->strip[row][stats->bucket] += to - from;
    else add_long_span(stats, row, from, to);
}

// ---- Input ----

static TK_INLINE uint64_t later_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Returns the interrupts within the current run of `ticks`.
static TK_INLINE uint64_t interrupts_in_run(const struct tk_stats_core *core, uint64_t ticks) {
    uint64_t within = core->interrupted - core->mark;
    return within < ticks ? within : ticks;
}

inline void tk_stats_run(struct tk_stats *stats, uint32_t task, uint32_t core, uint64_t from, uint64_t to) {
    if (task >= stats->task_count || to < from) return;
    stats->tasks[task].runs++;
    uint64_t begin = later_of(from, stats->start);
    if (core >= stats->core_width || to <= begin) return;
    struct tk_stats_running *running = &stats->running[(size_t)task * stats->core_width + core];
    uint64_t ticks = to - begin, within = interrupts_in_run(&stats->cores[core], ticks);
    running->ticks = add(running->ticks, ticks);
    running->interrupted = add(running->interrupted, within);
    tk_load_run(&stats->load, task, core, from, to, within);
    if (task < TK_STATS_TASK_ROWS) add_span(stats, task, from, to);
}

TK_COLD void tk_stats_unmeasured_run(struct tk_stats *stats, uint32_t task, uint32_t core) {
    if (task >= stats->task_count) return;
    if (core < TK_STATS_CORES) stats->cores[core].run_unmeasured = true;
    stats->tasks[task].runs++;
    stats->tasks[task].runs_unmeasured++;
}

void tk_stats_idle(struct tk_stats *stats, uint32_t core, uint64_t from, uint64_t to) {
    if (core >= TK_STATS_CORES || to < from) return;
    uint64_t ticks = to - later_of(from, stats->start);
    stats->cores[core].idle = add(stats->cores[core].idle, ticks - interrupts_in_run(&stats->cores[core], ticks));
}

TK_COLD void tk_stats_unmeasured_idle(struct tk_stats *stats, uint32_t core) {
    if (core < TK_STATS_CORES) stats->cores[core].run_unmeasured = true;
}

TK_COLD void tk_stats_unmeasured_wait(struct tk_stats *stats, uint32_t task) {
    if (task >= stats->task_count) return;
    stats->tasks[task].waits++;
    stats->tasks[task].waits_unmeasured++;
}

inline void tk_stats_isr_enter(struct tk_stats *stats, uint32_t isr, uint64_t ticks) {
    if (isr >= stats->isr_count) return;
    struct tk_stats_isr *entry = &stats->isrs[isr];
    entry->entered++;
    if (entry->gap == stats->gap + 1 && ticks >= entry->last_enter)
        tk_measure_add(&stats->histograms, &entry->period, entry->last_enter, ticks - entry->last_enter);
    entry->gap = stats->gap + 1;
    entry->last_enter = ticks;
}

inline void tk_stats_isr_exit(struct tk_stats *stats, uint32_t isr, uint32_t core, uint64_t enter, uint64_t exit,
                              bool outermost) {
    if (exit < enter) return;
    if (enter < stats->start) {
        if (isr < stats->isr_count) stats->isrs[isr].entered++;
        tk_stats_unmeasured_isr(stats, core, enter, exit, outermost);
        return;
    }
    uint64_t ticks = exit - enter;
    if (outermost && core < TK_STATS_CORES) {
        stats->cores[core].interrupt = add(stats->cores[core].interrupt, ticks);
        stats->cores[core].interrupted = add(stats->cores[core].interrupted, ticks);
    }
    if (ticks && core < TK_STATS_CORES) tk_load_interrupt(&stats->load, isr, core, enter, exit, outermost);
    if (isr >= stats->isr_count) return;
    tk_measure_add(&stats->histograms, &stats->isrs[isr].duration, enter, ticks);
    if (isr < TK_STATS_ISR_ROWS && ticks) add_span(stats, TK_STATS_FIRST_ISR_ROW + isr, enter, exit);
}

TK_COLD void tk_stats_unmeasured_isr(struct tk_stats *stats, uint32_t core, uint64_t enter, uint64_t exit,
                                     bool outermost) {
    if (!outermost || core >= TK_STATS_CORES || exit < enter) return;
    uint64_t ticks = exit - later_of(enter, stats->start);
    stats->cores[core].interrupt_unmeasured = add(stats->cores[core].interrupt_unmeasured, ticks);
    stats->cores[core].interrupted = add(stats->cores[core].interrupted, ticks);
    if (exit > enter) tk_load_unmeasured_interrupt(&stats->load, core, enter, exit);
}

TK_COLD void tk_stats_unmeasured_outside(struct tk_stats *stats, uint32_t core, uint64_t from, uint64_t to) {
    from = later_of(from, stats->start);
    if (core < TK_STATS_CORES && to > from)
        stats->cores[core].interrupt_unmeasured = add(stats->cores[core].interrupt_unmeasured, to - from);
}

// ---- Results ----

TK_COLD uint64_t tk_stats_event_count(const struct tk_stats *stats) {
    uint64_t count = 0;
    for (unsigned kind = 0; kind < TK_STATS_KINDS; kind++) count = add(count, stats->kinds[kind]);
    return count;
}

TK_COLD uint64_t tk_stats_timed_count(const struct tk_stats *stats) {
    uint64_t count = 0;
    for (unsigned core = 0; core < TK_STATS_CORES; core++) count = add(count, stats->cores[core].events);
    return count;
}

struct tk_stats_running tk_stats_running_on(const struct tk_stats *stats, uint32_t task, uint32_t core) {
    if (task >= stats->task_count || core >= stats->core_width) return (struct tk_stats_running){ 0 };
    return stats->running[(size_t)task * stats->core_width + core];
}

TK_COLD uint64_t tk_stats_running(const struct tk_stats *stats, uint32_t task) {
    uint64_t ticks = 0;
    for (uint32_t core = 0; core < stats->core_width; core++)
        ticks = add(ticks, tk_stats_running_on(stats, task, core).ticks);
    return ticks;
}

uint32_t tk_stats_bucket_count(const struct tk_stats *stats) {
    if (!stats->started || !stats->strip || stats->end == stats->start) return 0;
    uint64_t last = (stats->end - stats->start - 1) >> stats->shift;
    return last < TK_STATS_BUCKETS ? (uint32_t)last + 1 : TK_STATS_BUCKETS;
}

TK_COLD struct tk_noise tk_stats_noise(const struct tk_stats *stats, uint32_t row) {
    double values[TK_PARTS_LEAST] = { 0 };
    uint32_t count = tk_stats_bucket_count(stats);
    if (!count || row >= TK_STATS_ROWS) return (struct tk_noise){ .is_known = false };
    uint64_t width = (uint64_t)1 << stats->shift;
    bool is_last_full = stats->end - stats->start == count * width;
    uint32_t per_part = (count - !is_last_full) / TK_PARTS_LEAST;
    for (uint32_t i = 0; i < TK_PARTS_LEAST * per_part; i++)
        values[i / per_part] += (double)stats->strip[row][i] / ((double)width * per_part);
    return tk_noise_of(values, per_part ? TK_PARTS_LEAST : 0);
}
