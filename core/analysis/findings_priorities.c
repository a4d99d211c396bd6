// SPDX-License-Identifier: MIT
//
// Rules about priorities: a lower one runs although a higher one is ready, or, while a task waits for a lock, instead
// of the holder of the lock (priority inversion). Time is counted before a state or a priority changes, so that each
// piece of it has the priorities of its time, also inherited ones.
#include <string.h>

#include "findings.h"
#include "internal.h"

enum { CHAIN = 8 }; // holders of locks that wait for further locks

static bool has_priority(const struct tk_analysis *analysis, const struct tk_analysed_task *task) {
    return task->priority_epoch == analysis->epoch;
}

// ---- Tasks that wait for a lock ----------------------------------------------------------------

static struct tk_lock_waiter *waiter_of(struct tk_analysis *analysis, uint32_t index) {
    struct tk_priorities *priorities = &analysis->priorities;
    for (uint32_t i = 0; i < priorities->waiter_count; i++)
        if (priorities->waiters[i].task == index) return &priorities->waiters[i];
    return NULL;
}

// Returns the task that keeps a waiter waiting: the holder of its lock, or the task that this one waits for; TK_NONE:
// unknown, or the chain comes back to the waiter.
static uint32_t end_of_chain(const struct tk_analysis *analysis, uint32_t index) {
    uint32_t at = index;
    for (unsigned depth = 0; depth < CHAIN; depth++) {
        at = tk_locks_holder(analysis, analysis->tasks[at].wait.object);
        if (at == TK_NONE || at == index) return TK_NONE;
        const struct tk_analysed_task *task = &analysis->tasks[at];
        if (task->place != TK_PLACE_WAITING || task->wait.kind != TK_WAIT_FOR_LOCK) return at;
    }
    return TK_NONE;
}

// Returns a running task of a priority below `high` that runs instead of one of priority `low`.
static uint32_t find_between(struct tk_analysis *analysis, uint32_t low, uint32_t high) {
    struct tk_priorities *priorities = &analysis->priorities;
    for (uint32_t i = 0; i < priorities->running_count; i++) {
        const struct tk_analysed_task *task = &analysis->tasks[priorities->running[i]];
        if (!has_priority(analysis, task)) priorities->is_unknown = true;
        else if (task->priority >= low && task->priority < high) return priorities->running[i];
    }
    return TK_NONE;
}

// Counts `passed` ticks of a wait as inversion if a task between the waiter and the holder ran. If it is not decided
// yet whether the holder is ready, the time is counted when that is known.
static void count_wait(struct tk_analysis *analysis, struct tk_lock_waiter *waiter, uint64_t passed) {
    const struct tk_analysed_task *task = &analysis->tasks[waiter->task];
    uint32_t holder = end_of_chain(analysis, waiter->task);
    if (holder == TK_NONE) return;
    const struct tk_analysed_task *held = &analysis->tasks[holder];
    bool is_off = held->place == TK_PLACE_READY || held->place == TK_PLACE_LEFT;
    if (!is_off || held->epoch != analysis->epoch || task->epoch != analysis->epoch) return;
    if (!has_priority(analysis, task) || !has_priority(analysis, held)) {
        analysis->priorities.is_unknown = true;
        return;
    }
    uint32_t between = find_between(analysis, held->priority, task->priority);
    if (between == TK_NONE) return;
    waiter->between = between;
    waiter->holder = holder;
    if (held->place == TK_PLACE_READY) waiter->inverted += passed;
    else waiter->undecided += passed;
}

void tk_priorities_count(struct tk_analysis *analysis, uint64_t at) {
    struct tk_priorities *priorities = &analysis->priorities;
    if (at <= priorities->since) return;
    uint64_t passed = at - priorities->since;
    priorities->since = at;
    for (uint32_t i = 0; i < priorities->waiter_count; i++) count_wait(analysis, &priorities->waiters[i], passed);
}

void tk_priorities_decide(struct tk_analysis *analysis, uint32_t index, bool was_ready) {
    struct tk_priorities *priorities = &analysis->priorities;
    for (uint32_t i = 0; i < priorities->waiter_count; i++) {
        struct tk_lock_waiter *waiter = &priorities->waiters[i];
        if (waiter->holder != index) continue;
        if (was_ready) waiter->inverted += waiter->undecided;
        waiter->undecided = 0;
    }
}

void tk_priorities_wait_begins(struct tk_analysis *analysis, uint32_t index, uint64_t at) {
    struct tk_priorities *priorities = &analysis->priorities;
    if (priorities->waiter_count == TK_LOCK_WAITERS) {
        priorities->is_crowded = true;
        return;
    }
    tk_priorities_count(analysis, at);
    priorities->since = at;
    priorities->waiters[priorities->waiter_count++] =
        (struct tk_lock_waiter){ .task = index, .between = TK_NONE, .holder = TK_NONE };
}

void tk_priorities_wait_ends(struct tk_analysis *analysis, uint32_t index, uint64_t at, bool is_certain) {
    struct tk_priorities *priorities = &analysis->priorities;
    struct tk_lock_waiter *waiter = waiter_of(analysis, index);
    if (!waiter) return;
    tk_priorities_count(analysis, at);
    if (is_certain && waiter->inverted) {
        const struct tk_fact_wait *wait = &analysis->tasks[index].wait;
        struct tk_finding_subject subject = {
            .rule = TK_FINDER_INVERSION, .task = index, .entity = TK_NONE, .reason = wait->reason
        };
        bool is_longest;
        struct tk_finding *row = tk_finding_note(
            analysis, &subject, (struct tk_finding_place){ wait->since, waiter->inverted }, &is_longest);
        if (row) row->figure += at - wait->since;
        if (is_longest) {
            row->other = analysis->tasks[waiter->between].entity;
            row->holder = analysis->tasks[waiter->holder].entity;
        }
    }
    *waiter = priorities->waiters[--priorities->waiter_count];
}

// ---- Tasks that are ready ----------------------------------------------------------------------

static uint32_t index_of(const struct tk_analysis *analysis, const struct tk_analysed_task *task) {
    return (uint32_t)(task - analysis->tasks);
}

static uint32_t clamped(uint32_t priority) { return priority < TK_PRIORITIES ? priority : TK_PRIORITIES - 1; }

static void add_ready(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    struct tk_priorities *priorities = &analysis->priorities;
    if (!has_priority(analysis, task)) return;
    uint32_t priority = clamped(task->priority);
    task->is_counted_ready = true;
    task->counted_priority = (uint8_t)priority;
    priorities->ready_counts[priority]++;
    priorities->ready_last[priority] = index_of(analysis, task);
    priorities->ready_mask |= (uint64_t)1 << priority;
}

static void remove_ready(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    struct tk_priorities *priorities = &analysis->priorities;
    task->is_counted_ready = false;
    if (!--priorities->ready_counts[task->counted_priority])
        priorities->ready_mask &= ~((uint64_t)1 << task->counted_priority);
}

static void add_running(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    struct tk_priorities *priorities = &analysis->priorities;
    if (priorities->running_count == TK_RUNNING_TASKS) return;
    if (priorities->running_count) priorities->has_several_cores = true;
    priorities->running[priorities->running_count++] = index_of(analysis, task);
}

static void remove_running(struct tk_analysis *analysis, const struct tk_analysed_task *task) {
    struct tk_priorities *priorities = &analysis->priorities;
    for (uint32_t i = 0; i < priorities->running_count; i++)
        if (priorities->running[i] == index_of(analysis, task))
            priorities->running[i] = priorities->running[--priorities->running_count];
}

// Notes since when a task is ready whose priority is above that of the running one.
static void compare(struct tk_analysis *analysis, uint64_t at) {
    struct tk_priorities *priorities = &analysis->priorities;
    bool is_outranked = false;
    uint32_t highest = 0;
    if (priorities->ready_mask && priorities->running_count == 1) {
        const struct tk_analysed_task *running = &analysis->tasks[priorities->running[0]];
        highest = 63 - (uint32_t)__builtin_clzll(priorities->ready_mask);
        is_outranked = has_priority(analysis, running) && running->priority < highest;
    }
    if (is_outranked && !priorities->is_outranked) {
        priorities->outranked_since = at;
        priorities->outranked_task = priorities->ready_last[highest];
    }
    priorities->is_outranked = is_outranked;
}

void tk_priorities_move(struct tk_analysis *analysis, struct tk_analysed_task *task, enum tk_task_place place,
                        uint64_t at) {
    if (analysis->priorities.waiter_count) tk_priorities_count(analysis, at);
    if (task->is_counted_ready) remove_ready(analysis, task);
    if (task->place == TK_PLACE_RUNNING) remove_running(analysis, task);
    if (place == TK_PLACE_READY) add_ready(analysis, task);
    if (place == TK_PLACE_RUNNING) add_running(analysis, task);
    if (analysis->priorities.ready_mask || analysis->priorities.is_outranked) compare(analysis, at);
}

// The interrupts of the whole run are taken off: how many of them ran while the other task was ready is unknown.
void tk_priorities_leaves(struct tk_analysis *analysis, uint32_t index, uint64_t at, uint64_t interrupted) {
    struct tk_priorities *priorities = &analysis->priorities;
    uint64_t limit = tk_analysis_ticks_of_ms(analysis, TK_OUTRANKED_MS), length = at - priorities->outranked_since;
    bool is_known = !priorities->has_several_cores && analysis->tasks[index].epoch == analysis->epoch;
    if (!is_known || !limit || length <= interrupted || length - interrupted <= limit) return;
    struct tk_finding_subject subject = { .rule = TK_FINDER_LOWER_RAN,
                                          .task = priorities->outranked_task,
                                          .entity = TK_NONE };
    bool is_longest;
    struct tk_finding *row = tk_finding_note(
        analysis, &subject, (struct tk_finding_place){ priorities->outranked_since, length }, &is_longest);
    if (row && is_longest) row->other = analysis->tasks[index].entity;
}

// ---- Priorities --------------------------------------------------------------------------------

void tk_priorities_set(struct tk_analysis *analysis, uint32_t index, uint32_t priority, uint64_t at) {
    struct tk_priorities *priorities = &analysis->priorities;
    struct tk_analysed_task *task = &analysis->tasks[index];
    bool is_known = has_priority(analysis, task);
    priorities->is_used = true;
    if (is_known && task->priority == priority) return;
    if (priorities->waiter_count) tk_priorities_count(analysis, at);
    if (task->is_counted_ready) remove_ready(analysis, task);
    task->priority = priority;
    task->priority_epoch = analysis->epoch;
    if (task->place == TK_PLACE_READY && task->epoch == analysis->epoch) add_ready(analysis, task);
    compare(analysis, at);
}

// After a loss and between sections nothing is known about states.
TK_COLD void tk_priorities_forget(struct tk_analysis *analysis) {
    struct tk_priorities *priorities = &analysis->priorities;
    for (uint32_t i = 0; i < analysis->task_count; i++) analysis->tasks[i].is_counted_ready = false;
    priorities->waiter_count = priorities->running_count = 0;
    priorities->ready_mask = 0;
    memset(priorities->ready_counts, 0, sizeof priorities->ready_counts);
    priorities->is_outranked = false;
}
