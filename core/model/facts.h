// SPDX-License-Identifier: MIT
//
// Resolved facts about tasks, which trackers tell an analysis: states from .. to, waits with their reasons, losses. A
// tracker decides once whether a task that left its core was preempted or waits, which may need a later event; the
// analysis never sees an event of a format. Tasks are indexes of the tracker, times are ticks of the trace clock.
//
// A task that runs leaves its core (task_leaves); then the tracker tells its state: task_ready, task_waits or
// task_stops, at once or later, but before any other fact about the task. A wait ends with task_released.
#ifndef TK_MODEL_FACTS_H
#define TK_MODEL_FACTS_H

#include <stdbool.h>
#include <stdint.h>

// What a task waits for.
enum tk_wait_kind {
    TK_WAIT_FOR_TIME,
    TK_WAIT_FOR_OBJECT, // an item of a queue or buffer, a token of a semaphore, bits of an event group, a notification
    TK_WAIT_FOR_LOCK,   // a mutex
    TK_WAIT_FOR_ROOM,   // room in a queue or buffer
    TK_WAIT_SUSPENDED,  // suspended by itself
    TK_WAIT_DELETED,    // deleted by itself: the wait has no end
    TK_WAIT_NOT_TRACED  // the recording does not contain the reason
};

struct tk_fact_wait {
    uint64_t reason; // timeline/wait_reasons.h
    uint64_t since;
    uint32_t object; // index of the queue or mutex; TK_NONE: none
    uint32_t holder; // task that holds the mutex when the wait begins; TK_NONE: unknown or none
    uint8_t kind;    // enum tk_wait_kind
};

struct tk_facts {
    void *ctx;
    // A new task. entity: its name.
    void (*task_added)(void *ctx, uint32_t task, uint32_t entity);
    // The task has no jobs: an idle task, or a context that ends by itself.
    void (*task_has_no_jobs)(void *ctx, uint32_t task);
    void (*task_created)(void *ctx, uint32_t task);
    // The new task `task` has the name of the deleted task `row` and continues under that index.
    void (*task_continues)(void *ctx, uint32_t row, uint32_t task);
    void (*task_runs)(void *ctx, uint32_t task, uint64_t at);
    // The task leaves its core. interrupted: time in interrupts since task_runs.
    void (*task_leaves)(void *ctx, uint32_t task, uint64_t at, uint64_t interrupted);
    // The task was preempted when it left its core.
    void (*task_ready)(void *ctx, uint32_t task);
    void (*task_waits)(void *ctx, uint32_t task, const struct tk_fact_wait *wait);
    // The task was made ready: its wait, its suspension or the time before its first run ends.
    void (*task_released)(void *ctx, uint32_t task, uint64_t at, bool timed_out);
    // Another task suspended or deleted the task. is_certain: the running tasks of all cores were known.
    void (*task_stops)(void *ctx, uint32_t task, uint64_t at, bool is_deleted, bool is_certain);
    // The task runs on another core although it did not leave its core: some of its time is unknown.
    void (*task_migrates)(void *ctx, uint32_t task);
    // The running task declares its job done, now or (later) at its next call or wait. interrupted: time in interrupts
    // since task_runs.
    void (*job_done)(void *ctx, uint32_t task, uint64_t at, uint64_t interrupted, bool is_later);
    // The running task makes a call; told after job_done, until the task calls or waits.
    void (*task_calls)(void *ctx, uint32_t task, uint64_t at, uint64_t interrupted);
    // Events are missing before the next fact: what was known about tasks may be wrong.
    void (*lost)(void *ctx);
    // A section of the recording ends, or another one begins: all tasks begin anew. Facts in between are void.
    void (*section_ends)(void *ctx, uint64_t at);
    void (*section_begins)(void *ctx);
    // The figures restart at a time.
    void (*begin_stats)(void *ctx);
};

// Tells a fact if there is an analysis.
#define TK_TELL(facts, fact, ...) ((facts) ? (facts)->fact((facts)->ctx, __VA_ARGS__) : (void)0)
#define TK_TELL_ALONE(facts, fact) ((facts) ? (facts)->fact((facts)->ctx) : (void)0)

#endif
