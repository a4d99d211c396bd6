// SPDX-License-Identifier: MIT
//
// Rules about priorities: a lower one runs although a higher one is ready, or, while a task waits for a lock, instead
// of the holder of the lock (priority inversion). Time is counted before a state or a priority changes, so that each
// piece of it has the priorities of its time, also inherited ones.
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

// Returns the task that is known to run on a core; TK_NONE: none.
static uint32_t running_on(const struct tk_analysis *analysis, uint32_t core) {
    const struct tk_core_runs *runs = analysis->cores[core];
    if (!runs || runs->left) return TK_NONE;
    const struct tk_core_run *run = &runs->ring[(runs->count - 1) % TK_CORE_RUNS];
    bool is_known = run->epoch == (uint32_t)analysis->epoch && run->task < analysis->task_count;
    return is_known ? run->task : TK_NONE;
}

// Returns a running task of a priority below `high` that runs instead of one of priority `low`.
static uint32_t find_between(struct tk_analysis *analysis, uint32_t low, uint32_t high) {
    for (uint32_t core = 0, seen = 0; seen < analysis->core_count; core++) {
        uint32_t index = running_on(analysis, core);
        seen += analysis->cores[core] != NULL;
        if (index == TK_NONE) continue;
        const struct tk_analysed_task *task = &analysis->tasks[index];
        if (!has_priority(analysis, task)) analysis->priorities.is_unknown = true;
        else if (task->priority >= low && task->priority < high) return index;
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

// Runs of tasks of lower priority that follow each other.
struct outranked {
    uint64_t from, length, interrupted, longest;
    uint32_t task; // which ran longest
};

static void note_outranked(struct tk_analysis *analysis, uint32_t index, const struct outranked *runs) {
    struct tk_finding_subject subject = { .rule = TK_FINDER_LOWER_RAN, .task = index, .entity = TK_NONE };
    if (runs->length <= runs->interrupted || runs->length - runs->interrupted <= analysis->priorities.limit) return;
    bool is_longest;
    struct tk_finding *row =
        tk_finding_note(analysis, &subject, (struct tk_finding_place){ runs->from, runs->length }, &is_longest);
    if (row && is_longest) row->other = analysis->tasks[runs->task].entity;
}

// The priority must be known since `begin`.
static bool is_lower(const struct tk_analysis *analysis, const struct tk_core_run *run, uint64_t begin,
                     uint32_t priority) {
    if (run->epoch != (uint32_t)analysis->epoch || run->task >= analysis->task_count) return false;
    const struct tk_analysed_task *task = &analysis->tasks[run->task];
    return has_priority(analysis, task) && task->priority_since <= begin && task->priority < priority;
}

// Looks through the last runs of the core. The interrupts of whole runs are taken off: how many of them ran while the
// task was ready is unknown.
void tk_priorities_runs(struct tk_analysis *analysis, uint32_t index, uint32_t core, uint64_t at) {
    const struct tk_analysed_task *task = &analysis->tasks[index];
    const struct tk_core_runs *runs = core < TK_ANALYSED_CORES ? analysis->cores[core] : NULL;
    uint64_t from = task->since > task->priority_since ? task->since : task->priority_since, end = at;
    analysis->priorities.limit = tk_analysis_ticks_of_ms(analysis, TK_OUTRANKED_MS);
    bool is_known = has_priority(analysis, task) && tk_is_proven(analysis, task) && analysis->core_count == 1;
    if (!runs || !is_known || !analysis->priorities.limit) return;
    struct outranked lower = { 0 };
    for (uint32_t i = 1; i <= runs->count && i <= TK_CORE_RUNS && end > from; i++) {
        const struct tk_core_run *run = &runs->ring[(runs->count - i) % TK_CORE_RUNS];
        uint64_t begin = run->from > from ? run->from : from;
        if (begin >= end) continue;
        if (!is_lower(analysis, run, begin, task->priority)) {
            note_outranked(analysis, index, &lower);
            lower = (struct outranked){ 0 };
        } else {
            lower.from = begin;
            lower.length += end - begin;
            lower.interrupted += run->interrupted;
            if (end - begin > lower.longest) lower.longest = end - begin, lower.task = run->task;
        }
        end = begin;
    }
    note_outranked(analysis, index, &lower);
}

// ---- Priorities --------------------------------------------------------------------------------

void tk_priorities_set(struct tk_analysis *analysis, uint32_t index, uint32_t priority, uint64_t at) {
    struct tk_priorities *priorities = &analysis->priorities;
    struct tk_analysed_task *task = &analysis->tasks[index];
    priorities->is_used = true;
    if (has_priority(analysis, task) && task->priority == priority) return;
    if (priorities->waiter_count) tk_priorities_count(analysis, at);
    task->priority = priority;
    task->priority_epoch = analysis->epoch;
    task->priority_since = at;
}

// After a loss and between sections nothing is known about states.
TK_COLD void tk_priorities_forget(struct tk_analysis *analysis) { analysis->priorities.waiter_count = 0; }
