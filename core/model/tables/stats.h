// SPDX-License-Identifier: MIT
//
// Figures of the report: time per task, interrupt, queue, core and bucket of time. Trackers update them with each
// event; all times are ticks of the trace clock. Entities are dense indexes from 0 that the caller assigns and limits;
// tk_stats_need_* makes room for a new one once, then updates need a few additions. An index without room, a core >=
// TK_STATS_CORES and a negative span are ignored. Sums saturate. A figure is right or missing: a run, a wait or a call
// of unknown length (events were lost, its end is missing, it continues at the end of the recording) is counted as not
// measured and excluded from all other figures. After a failed allocation (alloc->failed) all functions may still be
// called.
#ifndef TK_MODEL_TABLES_STATS_H
#define TK_MODEL_TABLES_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../base/alloc.h"
#include "load.h"
#include "measure.h"
#include "parts.h"
#include "table.h"

enum {
    TK_STATS_CORES = 32,
    TK_STATS_KINDS = 256, // an event kind is any uint8_t
    TK_STATS_BUCKETS = 256,
    TK_STATS_TASK_ROWS = 48, // the first tasks and interrupts have a row in the strip
    TK_STATS_ISR_ROWS = 16,
    TK_STATS_FIRST_ISR_ROW = TK_STATS_TASK_ROWS,
    TK_STATS_ROWS = TK_STATS_FIRST_ISR_ROW + TK_STATS_ISR_ROWS
};

struct tk_stats_task {
    uint64_t runs, runs_unmeasured;           // number of runs; number of runs of unknown length
    uint64_t waits, waits_unmeasured;         // number of waits of known length, and of unknown length
    uint64_t longest_wait, longest_wait_from; // ticks, of the measured ones; longest_wait 0: none
    uint64_t longest_wait_reason;             // reason passed to tk_stats_wait
};

struct tk_stats_isr {
    uint64_t entered;                        // number of calls; those that are not in `duration` are not measured
    struct tk_measure duration;              // of the measured calls, including nested calls
    struct tk_measure period;                // from enter to enter
    uint64_t net_total, net_max, net_max_at; // of the measured calls, without nested ones
    uint64_t last_enter;
    uint32_t gap;        // tk_stats.gap + 1 at last_enter; 0: none yet
    uint16_t deepest;    // largest number of interrupts that were active on its core, itself included
    bool is_net_unknown; // the length of a nested call is unknown
};

struct tk_stats_queue {
    uint64_t operations;
    uint64_t max_len : 63, has_max : 1;
};

struct tk_stats_core {
    uint64_t events;               // with a time
    bool seen;                     // there were events before the figures began
    bool run_unmeasured;           // there was a run, or idle time, of unknown length
    uint64_t interrupt;            // ticks in measured interrupts, nested ones not counted twice
    uint64_t interrupt_unmeasured; // ticks of unmeasured interrupts, and between interrupts where events were lost: an
                                   // upper bound, in no figure
    uint64_t idle;              // ticks in which the scheduler reports no task, without interrupts; excludes idle tasks
    uint64_t end;               // time of the last event, also before the figures began
    uint64_t interrupted, mark; // ticks of interrupts, measured or not; the same at the start of the current run
};

// Running time of one task on one core, measured runs only.
struct tk_stats_running {
    uint64_t ticks;       // begin to end, including interrupts
    uint64_t interrupted; // ticks of those interrupts
};

struct tk_stats {
    struct tk_alloc *alloc;
    struct tk_histogram_pool histograms;
    uint64_t kinds[TK_STATS_KINDS];
    struct tk_stats_core cores[TK_STATS_CORES];
    bool started;
    uint32_t ended; // cores whose data has ended (bit n = core n): their activity after their last event is unknown
    uint64_t start, end; // first and last time covered by the figures

    struct tk_stats_task *tasks;
    struct tk_stats_isr *isrs;
    struct tk_stats_queue *queues;
    struct tk_stats_running *running;            // [task * core_width + core]
    uint32_t task_count, isr_count, queue_count; // number of entities with room
    uint32_t task_capacity, isr_capacity, queue_capacity;
    uint32_t core_width, running_rows; // shape of `running`
    uint32_t gap;                      // number of tk_stats_gap calls

    // The strip, for tk_stats_noise: bucket i contains the busy ticks of [start + (i << shift), start + ((i + 1) <<
    // shift)).
    uint64_t (*strip)[TK_STATS_BUCKETS]; // [TK_STATS_ROWS]; tasks first, then interrupts
    uint32_t shift;
    uint32_t bucket;                 // bucket of the last span
    uint64_t bucket_from, bucket_to; // bounds of that bucket; both 0: none

    struct tk_load load; // load per core, for the counters of the trace
};

// Copies only the pointer. Sets alloc->failed when out of memory.
void tk_stats_init(struct tk_stats *stats, struct tk_alloc *alloc);
// Restarts the figures at `ticks`; keeps the room. Time of open runs, waits and calls counts from here on, and their
// length is not measured.
void tk_stats_reset(struct tk_stats *stats, uint64_t ticks);

// Make room for `count` entities, or cores 0 .. count-1. Cheap if there is room. Return false when out of memory.
bool tk_stats_need_tasks(struct tk_stats *stats, uint32_t count);
bool tk_stats_need_isrs(struct tk_stats *stats, uint32_t count);
bool tk_stats_need_queues(struct tk_stats *stats, uint32_t count);
bool tk_stats_need_cores(struct tk_stats *stats, uint32_t count);

// Counts an event without a time (names and other settings).
static inline void tk_stats_event(struct tk_stats *stats, uint8_t kind) { stats->kinds[kind]++; }

// Counts an event with a time. Times may fall; the first call sets the start.
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

// Counts an event whose time is not before any other, after the first one. core < TK_STATS_CORES.
static inline void tk_stats_next_event(struct tk_stats *stats, uint8_t kind, uint32_t core, uint64_t ticks) {
    stats->kinds[kind]++;
    stats->cores[core].events++;
    stats->cores[core].end = ticks;
    stats->end = ticks;
}

// Starts a run on a core, or idle time: later interrupts are within it. core < TK_STATS_CORES.
static inline void tk_stats_run_begins(struct tk_stats *stats, uint32_t core) {
    stats->cores[core].mark = stats->cores[core].interrupted;
}
// Adds a run of a task after its end; from == to: a run without length. Runs of one task do not overlap.
void tk_stats_run(struct tk_stats *stats, uint32_t task, uint32_t core, uint64_t from, uint64_t to);
void tk_stats_unmeasured_run(struct tk_stats *stats, uint32_t task, uint32_t core);
// Adds a span in which the scheduler reports no running task.
void tk_stats_idle(struct tk_stats *stats, uint32_t core, uint64_t from, uint64_t to);
void tk_stats_unmeasured_idle(struct tk_stats *stats, uint32_t core);

// Adds a wait of a task after its end. reason: any value that the owner of the report can convert to a text later.
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

// Starts a call of an interrupt. Times must not fall per interrupt.
void tk_stats_isr_enter(struct tk_stats *stats, uint32_t isr, uint64_t ticks);
// Ends a call. outermost: no other interrupt of this core is active.
void tk_stats_isr_exit(struct tk_stats *stats, uint32_t isr, uint32_t core, uint64_t enter, uint64_t exit,
                       bool outermost);
// Adds the length of a measured call without nested ones, after tk_stats_isr_exit. is_known: false: it is unknown.
static inline void tk_stats_isr_net(struct tk_stats *stats, uint32_t isr, uint64_t enter, uint64_t net, bool is_known) {
    if (isr >= stats->isr_count || enter < stats->start) return;
    struct tk_stats_isr *entry = &stats->isrs[isr];
    entry->is_net_unknown |= !is_known;
    entry->net_total = net > UINT64_MAX - entry->net_total ? UINT64_MAX : entry->net_total + net;
    if (net <= entry->net_max && entry->duration.durations.measured > 1) return;
    entry->net_max = net;
    entry->net_max_at = enter;
}
// depth: number of interrupts that are active on the core, this one included.
static inline void tk_stats_isr_depth(struct tk_stats *stats, uint32_t isr, uint32_t depth) {
    if (isr < stats->isr_count && depth > stats->isrs[isr].deepest) stats->isrs[isr].deepest = (uint16_t)depth;
}
// Ends a call of unknown start.
void tk_stats_unmeasured_isr(struct tk_stats *stats, uint32_t core, uint64_t enter, uint64_t exit, bool outermost);

// Adds a span in an interrupt without nested interrupts, for interrupts outside of the RTOS.
static inline void tk_stats_interrupt_time(struct tk_stats *stats, uint32_t core, uint64_t ticks) {
    stats->cores[core].interrupt += ticks;
}

// Marks a span in which an interrupt may have run.
void tk_stats_unmeasured_outside(struct tk_stats *stats, uint32_t core, uint64_t from, uint64_t to);

// Marks a gap (lost events, a restart): periods across it are not measured.
static inline void tk_stats_gap(struct tk_stats *stats) { stats->gap++; }

// Sets a queue length that became known later.
static inline void tk_stats_queue_level(struct tk_stats *stats, uint32_t queue, uint64_t len) {
    if (queue >= stats->queue_count) return;
    if (len > stats->queues[queue].max_len) stats->queues[queue].max_len = len;
    stats->queues[queue].has_max = 1;
}

static inline void tk_stats_queue_operation(struct tk_stats *stats, uint32_t queue) {
    if (queue < stats->queue_count) stats->queues[queue].operations++;
}

// Counts an operation on a queue that left `len` items in it.
static inline void tk_stats_queue(struct tk_stats *stats, uint32_t queue, uint64_t len) {
    if (queue >= stats->queue_count) return;
    stats->queues[queue].operations++;
    tk_stats_queue_level(stats, queue, len);
}

// Returns the time until which the activity of a core is known.
static inline uint64_t tk_stats_until(const struct tk_stats *stats, uint32_t core, uint64_t now) {
    if (core >= TK_STATS_CORES || !(stats->ended >> core & 1)) return now;
    return stats->cores[core].end > stats->start ? stats->cores[core].end : stats->start;
}

// ---- Results ----

uint64_t tk_stats_event_count(const struct tk_stats *stats);
uint64_t tk_stats_timed_count(const struct tk_stats *stats);
// Return the time of a task on one core; on all cores, including interrupts.
struct tk_stats_running tk_stats_running_on(const struct tk_stats *stats, uint32_t task, uint32_t core);
uint64_t tk_stats_running(const struct tk_stats *stats, uint32_t task);
// Returns the number of buckets in use; 0 without a time.
uint32_t tk_stats_bucket_count(const struct tk_stats *stats);
// Returns the noise of the busy share of a row of the strip, in eight equal parts of the time. The last buckets are
// left out if their number is no multiple of eight.
struct tk_noise tk_stats_noise(const struct tk_stats *stats, uint32_t row);

#endif
