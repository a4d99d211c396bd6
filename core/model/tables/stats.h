// SPDX-License-Identifier: MIT
//
// The figures of the report: where the time went, per task, interrupt, queue, core and bucket of time.
// Fed while events pass; all times are ticks of the trace clock. Entities are dense indices from 0 that the
// caller numbers and caps; room for a new one is made once (tk_stats_need_*), the feeding functions then cost
// a few adds. An index without room, a core >= TK_STATS_CORES and a negative span are ignored. Sums saturate.
// A figure is right or missing: a run, a wait or a call whose length is not known (events were lost meanwhile, its
// end was never seen, it goes on at the end of the recording) is counted as not measured and is in no other figure.
// After "no memory" (alloc->failed) everything may still be called.
#ifndef TK_MODEL_TABLES_STATS_H
#define TK_MODEL_TABLES_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../base/alloc.h"
#include "load.h"
#include "table.h"

enum {
    TK_STATS_CORES = 32,
    TK_STATS_KINDS = 256, // a kind of event is any uint8_t
    TK_STATS_BUCKETS = 256,
    TK_STATS_TASK_ROWS = 48, // the first tasks, interrupts and markers have a row in the strip
    TK_STATS_ISR_ROWS = 16,
    TK_STATS_MARKER_ROWS = 8,
    TK_STATS_FIRST_ISR_ROW = TK_STATS_TASK_ROWS,
    TK_STATS_FIRST_MARKER_ROW = TK_STATS_FIRST_ISR_ROW + TK_STATS_ISR_ROWS,
    TK_STATS_ROWS = TK_STATS_FIRST_MARKER_ROW + TK_STATS_MARKER_ROWS,
    TK_STATS_SIGNALS = 24 // the first signals have a row of samples
};

struct tk_stats_task {
    uint64_t runs, runs_unmeasured;           // times it was switched in; of them those whose length is not known
    uint64_t waits, waits_unmeasured;         // those with a length, or with one that is not known
    uint64_t longest_wait, longest_wait_from; // ticks, of the measured ones; longest_wait 0: there was none
    uint64_t longest_wait_reason;             // as given to tk_stats_wait
};

struct tk_stats_isr {
    uint64_t entered, measured; // calls; of them those whose length is known: the other entered - measured are not
                                // measured
    uint64_t total, min, max, max_from;                                 // of the measured ones, nested ones included
    uint64_t last_enter, periods, period_total, period_min, period_max; // between enters
    uint32_t gap;                                                       // tk_stats.gap + 1 at last_enter; 0: none yet
};

struct tk_stats_queue {
    uint64_t operations;
    uint64_t max_len : 63, has_max : 1;
};

struct tk_stats_core {
    uint64_t events;               // with a time
    bool seen;                     // there were events before the figures began
    bool run_unmeasured;           // something ran, nobody knows for how long
    uint64_t interrupt;            // ticks within measured interrupts, nested ones not counted twice
    uint64_t interrupt_unmeasured; // ticks of interrupts that are not measured, and between interrupts where events
                                   // were lost: an upper bound, in no figure
    uint64_t idle; // ticks while the scheduler said that nobody runs, without interrupts; idle tasks are not in it
    uint64_t end;  // time of the last event, also before the figures began
    uint64_t interrupted, mark; // ticks of interrupts, measured or not; the same when the present run began
};

// Of one task on one core, measured runs only.
struct tk_stats_running {
    uint64_t ticks;       // begin to end, the interrupts within included
    uint64_t interrupted; // those interrupts
};

struct tk_stats {
    struct tk_alloc *alloc;
    uint64_t kinds[TK_STATS_KINDS];
    struct tk_stats_core cores[TK_STATS_CORES];
    bool started;
    uint32_t ended; // cores whose data is over (bit n = core n): what they did behind their last event nobody knows
    uint64_t start, end; // first and last time that the figures cover

    struct tk_stats_task *tasks;
    struct tk_stats_isr *isrs;
    struct tk_stats_queue *queues;
    struct tk_stats_running *running;            // [task * core_width + core]
    uint32_t task_count, isr_count, queue_count; // with room
    uint32_t task_capacity, isr_capacity, queue_capacity;
    uint32_t core_width, running_rows; // shape of `running`
    uint32_t gap;                      // number of tk_stats_gap calls

    // The strip: bucket i holds the busy ticks of [start + (i << shift), start + ((i + 1) << shift)).
    uint64_t (*strip)[TK_STATS_BUCKETS];   // [TK_STATS_ROWS]; tasks first, then interrupts, then markers
    uint64_t (*samples)[TK_STATS_BUCKETS]; // [TK_STATS_SIGNALS]: how many; NULL: there was none
    uint32_t shift;
    uint32_t bucket;                 // the one of the last span,
    uint64_t bucket_from, bucket_to; // and its bounds; both 0: there was none

    struct tk_load load; // the same per core, for the counters of the trace
};

// Copies nothing but the pointer. No memory: alloc->failed.
void tk_stats_init(struct tk_stats *stats, struct tk_alloc *alloc);
// Figures begin anew at `ticks`; room stays. Of what is open, time counts from here on, and its length is not measured.
void tk_stats_reset(struct tk_stats *stats, uint64_t ticks);

// Room for `count` entities, or cores 0 .. count-1. Cheap when there is room already. False: no memory.
bool tk_stats_need_tasks(struct tk_stats *stats, uint32_t count);
bool tk_stats_need_isrs(struct tk_stats *stats, uint32_t count);
bool tk_stats_need_queues(struct tk_stats *stats, uint32_t count);
bool tk_stats_need_cores(struct tk_stats *stats, uint32_t count);

// An event without a time (names and other settings).
static inline void tk_stats_event(struct tk_stats *stats, uint8_t kind) { stats->kinds[kind]++; }

// An event with a time. Times may fall, the first one called is the start.
static inline void tk_stats_timed_event(struct tk_stats *stats, uint8_t kind, uint32_t core, uint64_t ticks) {
    stats->kinds[kind]++;
    if (core >= TK_STATS_CORES) return;
    stats->cores[core].events++;
    stats->cores[core].end = ticks;
    if (ticks > stats->end) stats->end = ticks;
    if (!stats->started) {
        stats->started = true;
        stats->start = ticks;
        stats->end = ticks;
        tk_load_start(&stats->load, ticks);
    }
}

// The same for a time that is not before any other, after the first one; core < TK_STATS_CORES.
static inline void tk_stats_next_event(struct tk_stats *stats, uint8_t kind, uint32_t core, uint64_t ticks) {
    stats->kinds[kind]++;
    stats->cores[core].events++;
    stats->cores[core].end = ticks;
    stats->end = ticks;
}

// Something begins to run on a core, or nothing: interrupts from here on are within it. core < TK_STATS_CORES.
static inline void tk_stats_run_begins(struct tk_stats *stats, uint32_t core) {
    stats->cores[core].mark = stats->cores[core].interrupted;
}
// One run of a task, when it is over; from == to: a run without length. Runs of one task do not overlap.
void tk_stats_run(struct tk_stats *stats, uint32_t task, uint32_t core, uint64_t from, uint64_t to);
void tk_stats_unmeasured_run(struct tk_stats *stats, uint32_t task, uint32_t core);
// A stretch in which the scheduler said that nobody runs.
void tk_stats_idle(struct tk_stats *stats, uint32_t core, uint64_t from, uint64_t to);

// One wait of a task, when it is over. reason: anything that the report's owner can turn into words later.
void tk_stats_unmeasured_wait(struct tk_stats *stats, uint32_t task);
static inline void tk_stats_wait(struct tk_stats *stats, uint32_t task, uint64_t from, uint64_t to, uint64_t reason) {
    if (task >= stats->task_count || to <= from) return;
    if (from < stats->start) {
        tk_stats_unmeasured_wait(stats, task);
        return;
    }
    struct tk_stats_task *entry = &stats->tasks[task];
    entry->waits++;
    if (to - from <= entry->longest_wait) return;
    entry->longest_wait = to - from;
    entry->longest_wait_from = from;
    entry->longest_wait_reason = reason;
}

// An interrupt begins. Times must not fall per interrupt.
void tk_stats_isr_enter(struct tk_stats *stats, uint32_t isr, uint64_t ticks);
// It ends. outermost: no other interrupt of this core is still open.
void tk_stats_isr_exit(struct tk_stats *stats, uint32_t isr, uint32_t core, uint64_t enter, uint64_t exit,
                       bool outermost);
// It is over, the start is unknown.
void tk_stats_unmeasured_isr(struct tk_stats *stats, uint32_t core, uint64_t enter, uint64_t exit, bool outermost);

// A stretch within an interrupt that nothing interrupted, where interrupts are no interrupts of the RTOS.
static inline void tk_stats_interrupt_time(struct tk_stats *stats, uint32_t core, uint64_t ticks) {
    stats->cores[core].interrupt += ticks;
}

// Whether an interrupt ran in this stretch is not known.
void tk_stats_unmeasured_outside(struct tk_stats *stats, uint32_t core, uint64_t from, uint64_t to);

// Events are missing here (drops, a restart): no period is taken across it.
static inline void tk_stats_gap(struct tk_stats *stats) { stats->gap++; }

// So many items were in it, as is known only now.
static inline void tk_stats_queue_level(struct tk_stats *stats, uint32_t queue, uint64_t len) {
    if (queue >= stats->queue_count) return;
    if (len > stats->queues[queue].max_len) stats->queues[queue].max_len = len;
    stats->queues[queue].has_max = 1;
}

static inline void tk_stats_queue_operation(struct tk_stats *stats, uint32_t queue) {
    if (queue < stats->queue_count) stats->queues[queue].operations++;
}

// One operation on a queue that left `len` items in it.
static inline void tk_stats_queue(struct tk_stats *stats, uint32_t queue, uint64_t len) {
    if (queue >= stats->queue_count) return;
    stats->queues[queue].operations++;
    tk_stats_queue_level(stats, queue, len);
}

// For the strip only: an outermost slice of a marker, a stretch of a context (in the row of a task), a sample of a
// signal.
void tk_stats_marker(struct tk_stats *stats, uint32_t marker, uint64_t from, uint64_t to);
void tk_stats_context(struct tk_stats *stats, uint32_t context, uint64_t from, uint64_t to);
void tk_stats_sample(struct tk_stats *stats, uint32_t signal, uint64_t ticks);

// Until when what a core does is known, from the start on.
static inline uint64_t tk_stats_until(const struct tk_stats *stats, uint32_t core, uint64_t now) {
    if (core >= TK_STATS_CORES || !(stats->ended >> core & 1)) return now;
    return stats->cores[core].end > stats->start ? stats->cores[core].end : stats->start;
}

// ---- Reading ----

uint64_t tk_stats_event_count(const struct tk_stats *stats);
uint64_t tk_stats_timed_count(const struct tk_stats *stats);
// Time of a task on one core; on all, interrupts included.
struct tk_stats_running tk_stats_running_on(const struct tk_stats *stats, uint32_t task, uint32_t core);
uint64_t tk_stats_running(const struct tk_stats *stats, uint32_t task);
// Buckets in use, 0 without a time.
uint32_t tk_stats_bucket_count(const struct tk_stats *stats);
// Busy part of a bucket in thousandths, at most 1000, at least 1 where something ran. The last bucket counts up to the
// end of the recording.
uint32_t tk_stats_busy(const struct tk_stats *stats, uint32_t row, uint32_t bucket);

// Busy parts of a row of the strip, whose number is series->index. Nothing when it was never busy.
void tk_stats_put_series(const struct tk_stats *stats, const struct tk_table_sink *sink,
                         const struct tk_series *series);
// The samples of signal series->index, as parts of those in its fullest bucket. Nothing without any.
void tk_stats_put_samples(const struct tk_stats *stats, const struct tk_table_sink *sink,
                          const struct tk_series *series);

#endif
