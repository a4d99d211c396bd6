// SPDX-License-Identifier: MIT
//
// Resolved facts about tasks, mutexes and queues, which trackers tell an analysis: states, waits, holds, losses. A
// tracker decides once whether a task that left its core was preempted or waits, which may need a later event; the
// analysis never sees an event of a format. Tasks and queues are indexes of the tracker, times are ticks of the trace
// clock.
//
// A task that runs leaves its core (task_leaves); then the tracker tells its state: task_ready, task_waits or
// task_stops, at once or later, but before any other fact about the task. A wait ends with task_released. The reason of
// a preliminary wait follows with wait_decided, at its end or later, but before the next wait of the task.
#ifndef TK_MODEL_FACTS_H
#define TK_MODEL_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct tk_rtos;

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

// How a wait ended.
enum tk_wait_end {
    TK_WAIT_END_UNKNOWN,
    TK_WAIT_END_MET,      // the task got what it waited for
    TK_WAIT_END_TIMED_OUT // the time-out of the call
};

struct tk_fact_wait {
    uint64_t reason; // timeline/wait_reasons.h
    uint64_t since;
    uint32_t object;     // index of the queue or mutex; TK_NONE: none
    uint32_t holder;     // task that held the mutex when the wait was announced; TK_NONE: unknown or none
    uint8_t kind;        // enum tk_wait_kind
    bool is_preliminary; // the reason may still change: wait_decided follows, unless the section ends before
};

enum { TK_ANALYSED_QUEUES = 128 }; // further queues have no figures of the analysis, which TOO_MANY counts

enum tk_queue_change { TK_QUEUE_GROWS, TK_QUEUE_SHRINKS, TK_QUEUE_STAYS, TK_QUEUE_EMPTIES };

// An item that one task or interrupt passed to another one: an item of a queue, a notification, bits of an event group.
struct tk_fact_item {
    uint32_t queue;            // TK_NONE: no queue
    uint32_t from, object, to; // entities; from, to: TK_NONE: unknown
    uint64_t sent;             // if has_sent
    bool has_sent;
};

struct tk_facts {
    void *ctx;
    // A new task. entity: its name.
    void (*task_added)(void *ctx, uint32_t task, uint32_t entity);
    // The task has no jobs: an idle task, or a context that ends by itself.
    void (*task_has_no_jobs)(void *ctx, uint32_t task);
    void (*task_is_idle)(void *ctx, uint32_t task); // told after task_has_no_jobs
    void (*task_created)(void *ctx, uint32_t task);
    // The new task `task` has the name of the deleted task `row` and continues under that index.
    void (*task_continues)(void *ctx, uint32_t row, uint32_t task);
    void (*task_runs)(void *ctx, uint32_t task, uint32_t core, uint64_t at);
    // The task leaves its core, on which task_runs tells the next task. interrupted: time in interrupts since
    // task_runs.
    void (*task_leaves)(void *ctx, uint32_t task, uint32_t core, uint64_t at, uint64_t interrupted);
    // No task runs on the core, and none is ready. Later a task runs, or it is unknown whether one does.
    void (*core_idles)(void *ctx, uint32_t core, uint64_t at);
    void (*core_works)(void *ctx, uint32_t core, uint64_t at);
    // The task was preempted when it left its core.
    void (*task_ready)(void *ctx, uint32_t task);
    void (*task_waits)(void *ctx, uint32_t task, const struct tk_fact_wait *wait);
    // The reason of the last preliminary wait of the task, which has ended or is open at the end of a section.
    void (*wait_decided)(void *ctx, uint32_t task, uint64_t reason);
    // The task was made ready: its wait, its suspension or the time before its first run ends.
    void (*task_released)(void *ctx, uint32_t task, uint64_t at, enum tk_wait_end end);
    // Another task suspended (stop->kind TK_WAIT_SUSPENDED) or deleted the task. is_certain: the running tasks of all
    // cores were known.
    void (*task_stops)(void *ctx, uint32_t task, const struct tk_fact_wait *stop, bool is_certain);
    // The task runs on another core although it did not leave its core: some of its time is unknown.
    void (*task_migrates)(void *ctx, uint32_t task);
    // The priority of the task, with inheritance, is `priority` from `at` on.
    void (*task_priority)(void *ctx, uint32_t task, uint64_t at, uint32_t priority);
    // The running task declares its job done, now or (later) at its next call or wait. interrupted: time in interrupts
    // since task_runs.
    void (*job_done)(void *ctx, uint32_t task, uint64_t at, uint64_t interrupted, bool is_later);
    // The running task makes a call; told after job_done, until the task calls or waits.
    void (*task_calls)(void *ctx, uint32_t task, uint64_t at, uint64_t interrupted);
    // A new queue, semaphore or mutex. entity: its name.
    void (*queue_added)(void *ctx, uint32_t queue, uint32_t entity);
    // The running task takes a mutex; TK_NONE: unknown. has_waited: it waited for the mutex in the same call.
    void (*mutex_taken)(void *ctx, uint32_t mutex, uint32_t task, uint64_t at, bool has_waited);
    // The running task gives a mutex back; TK_NONE: the task or the time is unknown.
    void (*mutex_given)(void *ctx, uint32_t mutex, uint32_t task, uint64_t at);
    // The recorder records operations that fail (send_refused, receive_refused).
    void (*failures_are_recorded)(void *ctx);
    // The recorder records posts of events to active objects, also those that fail (send_refused).
    void (*posts_are_recorded)(void *ctx);
    // An item could not be sent to a queue, semaphore or buffer, or an event not be posted or allocated. entity: its
    // name. from: entity of the sender; TK_NONE: unknown. is_given_again: it is a binary semaphore that is given
    // already.
    void (*send_refused)(void *ctx, uint32_t entity, uint32_t from, uint64_t at, bool is_given_again);
    // The running task did not wait, and there was nothing to receive.
    void (*receive_refused)(void *ctx, uint32_t entity, uint32_t task, uint64_t at);
    // So many words of the stack were never used. size: of the stack, in words; 0: unknown.
    void (*stack_free)(void *ctx, uint32_t task, uint64_t at, int64_t words, uint32_t size);
    // Bytes in use in a heap after an operation, or (frees false) as reported.
    void (*heap_level)(void *ctx, uint32_t entity, uint64_t at, uint64_t level, bool frees);
    // An interrupt begins on a core. isr: index. entity: its name. is_outermost: no other one runs on the core.
    void (*isr_enters)(void *ctx, uint32_t isr, uint32_t entity, uint32_t core, uint64_t at, bool is_outermost);
    // An interrupt that began at `since` ends; both ends are proven. Called before isrs_end.
    void (*isr_leaves)(void *ctx, uint32_t isr, uint64_t since, uint64_t at);
    // The last interrupt that runs on a core ends.
    void (*isrs_end)(void *ctx, uint32_t core, uint64_t at);
    // An operation on a queue, semaphore or buffer: `length` items or bytes are in it afterwards. is_proven: operations
    // that were recorded explain the length.
    void (*queue_operation)(void *ctx, uint32_t queue, enum tk_queue_change change, uint32_t length, uint64_t at,
                            bool is_proven);
    // An item is received; of a queue told before the operation.
    void (*item_received)(void *ctx, const struct tk_fact_item *item, uint64_t at);
    // Events are missing before the next fact: what was known about tasks may be wrong.
    void (*lost)(void *ctx);
    // A section of the recording ends, or another one begins: all tasks begin anew. Facts in between are void.
    void (*section_ends)(void *ctx, uint64_t at);
    void (*section_begins)(void *ctx);
    // The recording has ended and all slices are closed: the analysis may draw what is known only now.
    void (*trace_ends)(void *ctx, const struct tk_rtos *tracker);
    // The figures restart at a time.
    void (*begin_stats)(void *ctx, uint64_t at);
};

// Tells a fact if there is an analysis.
#define TK_TELL(facts, fact, ...) ((facts) ? (facts)->fact((facts)->ctx, __VA_ARGS__) : (void)0)
#define TK_TELL_ALONE(facts, fact) ((facts) ? (facts)->fact((facts)->ctx) : (void)0)

#endif
