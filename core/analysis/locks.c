// SPDX-License-Identifier: MIT
//
// Mutexes: how long tasks hold them, how long tasks wait for them, and waits for more work while a mutex is held.
//
// Proof: a hold is measured if both of its ends are in one epoch, and the running task was known at both. A task of
// which that is not known is TK_NONE.
#include "internal.h"

enum { MOST_LISTED = 16 }; // mutexes that a task holds at the same time; waits during further holds are unknown

static bool is_proven(const struct tk_analysis *analysis, uint64_t epoch, uint64_t since) {
    return epoch == analysis->epoch && since >= analysis->stats_from;
}

// Returns the task if it is known to run.
static uint32_t running(const struct tk_analysis *analysis, uint32_t task) {
    if (task >= analysis->task_count) return TK_NONE;
    const struct tk_analysed_task *state = &analysis->tasks[task];
    return state->place == TK_PLACE_RUNNING && state->epoch == analysis->epoch ? task : TK_NONE;
}

static struct tk_analysed_queue *queue_of(struct tk_analysis *analysis, uint32_t index) {
    return index < analysis->queue_count && !analysis->is_between ? &analysis->queues[index] : NULL;
}

static struct tk_lock_figures *figures_of(struct tk_analysis *analysis, uint32_t mutex, uint32_t task) {
    uint64_t key = (uint64_t)1 << 63 | (uint64_t)mutex << 32 | task;
    struct tk_lock_figures *row =
        tk_keyed_rows_find(&analysis->locks, analysis->alloc, analysis->diag, key, sizeof *row);
    if (!row) return NULL;
    row->mutex = mutex;
    row->task = task;
    return row;
}

// ---- Holds -------------------------------------------------------------------------------------

static void list_hold(struct tk_analysis *analysis, uint32_t index, uint32_t task) {
    struct tk_analysed_queue *mutex = &analysis->queues[index];
    struct tk_analysed_task *holder = task == TK_NONE ? NULL : &analysis->tasks[task];
    mutex->is_listed = holder && holder->held_count < MOST_LISTED;
    if (!mutex->is_listed) return;
    mutex->next_held = holder->held;
    holder->held = index + 1;
    holder->held_count++;
}

static void unlist_hold(struct tk_analysis *analysis, uint32_t index) {
    struct tk_analysed_queue *mutex = &analysis->queues[index];
    if (!mutex->is_listed) return;
    struct tk_analysed_task *holder = &analysis->tasks[mutex->holder];
    uint32_t *link = &holder->held;
    while (*link && *link != index + 1) link = &analysis->queues[*link - 1].next_held;
    if (*link) *link = mutex->next_held, holder->held_count--;
    mutex->is_listed = false;
}

// Ends the hold of a mutex. is_certain: its end is known.
static void end_hold(struct tk_analysis *analysis, uint32_t index, uint64_t at, bool is_certain) {
    struct tk_analysed_queue *mutex = &analysis->queues[index];
    unlist_hold(analysis, index);
    mutex->is_held = false;
    struct tk_lock_figures *row = figures_of(analysis, index, mutex->holder);
    if (!row) return;
    row->holds++;
    if (is_certain && mutex->holder != TK_NONE && is_proven(analysis, mutex->epoch, mutex->since) && at >= mutex->since)
        tk_durations_add(&row->held, mutex->since, at - mutex->since);
}

static void mutex_taken(void *ctx, uint32_t index, uint32_t task, uint64_t at, bool has_waited) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_queue *mutex = queue_of(analysis, index);
    analysis->has_locks = true;
    if (!mutex) return;
    if (mutex->is_held) end_hold(analysis, index, at, false);
    mutex->is_held = true;
    mutex->holder = running(analysis, task);
    mutex->since = at;
    mutex->epoch = analysis->epoch;
    list_hold(analysis, index, mutex->holder);
    bool is_hidden = mutex->holder != TK_NONE && !mutex->is_listed;
    struct tk_lock_figures *row = has_waited || is_hidden ? figures_of(analysis, index, mutex->holder) : NULL;
    if (!row) return;
    row->contended += has_waited;
    row->hides_waits |= is_hidden;
}

static void mutex_given(void *ctx, uint32_t index, uint32_t task, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_queue *mutex = queue_of(analysis, index);
    if (mutex && mutex->is_held) end_hold(analysis, index, at, running(analysis, task) != TK_NONE);
}

// ---- Waits -------------------------------------------------------------------------------------

uint32_t tk_locks_holder(const struct tk_analysis *analysis, uint32_t index) {
    if (index >= analysis->queue_count) return TK_NONE;
    const struct tk_analysed_queue *mutex = &analysis->queues[index];
    return mutex->is_held && mutex->epoch == analysis->epoch ? mutex->holder : TK_NONE;
}

static bool is_for_work(enum tk_wait_kind kind) {
    return kind != TK_WAIT_FOR_LOCK && kind != TK_WAIT_FOR_ROOM && kind != TK_WAIT_DELETED;
}

// The holder may have given the mutex since the wait was announced.
void tk_locks_wait_begins(const struct tk_analysis *analysis, struct tk_analysed_task *task) {
    uint32_t index = task->wait.object;
    if (index >= analysis->queue_count || task->wait.holder == TK_NONE) return;
    const struct tk_analysed_queue *mutex = &analysis->queues[index];
    if (mutex->epoch != analysis->epoch || mutex->holder != task->wait.holder) task->wait.holder = TK_NONE;
}

static void count_wait(struct tk_analysis *analysis, uint32_t index, uint64_t at, bool is_certain) {
    const struct tk_fact_wait *wait = &analysis->tasks[index].wait;
    uint64_t key = ((uint64_t)1 << 63) | ((uint64_t)wait->object << 32) | (index << 16) |
                   (wait->holder == TK_NONE ? UINT16_MAX : wait->holder);
    struct tk_lock_wait_figures *row =
        tk_keyed_rows_find(&analysis->lock_waits, analysis->alloc, analysis->diag, key, sizeof *row);
    if (!row) return;
    row->mutex = wait->object;
    row->waiter = index;
    row->holder = wait->holder;
    row->count++;
    if (is_certain) tk_durations_add(&row->durations, wait->since, at - wait->since);
}

// Counts a wait for work during each hold of a mutex.
static void count_in_holds(struct tk_analysis *analysis, uint32_t index, uint64_t at, bool is_certain) {
    uint64_t since = analysis->tasks[index].wait.since;
    for (uint32_t held = analysis->tasks[index].held; held; held = analysis->queues[held - 1].next_held) {
        const struct tk_analysed_queue *mutex = &analysis->queues[held - 1];
        if (mutex->epoch != analysis->epoch) continue; // whether the task still holds it is unknown
        struct tk_lock_figures *row = figures_of(analysis, held - 1, index);
        if (!row) continue;
        row->waits_while_held++;
        if (!is_certain || !is_proven(analysis, mutex->epoch, since)) continue;
        tk_durations_add(&row->waited_while_held, since, at - since);
        tk_findings_held(analysis, index, held - 1, at);
    }
}

void tk_locks_wait_ends(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, bool is_certain) {
    uint32_t index = (uint32_t)(task - analysis->tasks);
    is_certain = is_certain && is_proven(analysis, task->epoch, task->since) && at >= task->since;
    if (task->wait.kind == TK_WAIT_FOR_LOCK && task->wait.object < analysis->queue_count)
        count_wait(analysis, index, at, is_certain);
    if (task->held && is_for_work((enum tk_wait_kind)task->wait.kind)) count_in_holds(analysis, index, at, is_certain);
}

// ---- Sections and time ranges ------------------------------------------------------------------

TK_COLD void tk_locks_forget_holder(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    for (uint32_t held = task->held; held; held = analysis->queues[held - 1].next_held)
        analysis->queues[held - 1].is_held = analysis->queues[held - 1].is_listed = false;
    task->held = task->held_count = 0;
}

TK_COLD void tk_locks_end_section(struct tk_analysis *analysis) {
    for (uint32_t i = 0; i < analysis->queue_count; i++)
        analysis->queues[i].is_held = analysis->queues[i].is_listed = false;
    for (uint32_t i = 0; i < analysis->task_count; i++) analysis->tasks[i].held = analysis->tasks[i].held_count = 0;
}

TK_COLD void tk_locks_begin_stats(struct tk_analysis *analysis) {
    tk_keyed_rows_clear(&analysis->locks, analysis->alloc);
    tk_keyed_rows_clear(&analysis->lock_waits, analysis->alloc);
}

TK_COLD static void queue_added(void *ctx, uint32_t index, uint32_t entity) {
    struct tk_analysis *analysis = ctx;
    if (index >= TK_ANALYSED_QUEUES) {
        tk_diag_note(analysis->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return;
    }
    if (!tk_alloc_grow(analysis->alloc, (void **)&analysis->queues, &analysis->queue_capacity, index + 1,
                       sizeof *analysis->queues))
        return;
    analysis->queues[index] = (struct tk_analysed_queue){ .entity = entity };
    if (index >= analysis->queue_count) analysis->queue_count = index + 1;
}

TK_COLD void tk_analysis_init_locks(struct tk_facts *facts) {
    facts->queue_added = queue_added;
    facts->mutex_taken = mutex_taken;
    facts->mutex_given = mutex_given;
}
