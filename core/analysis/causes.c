// SPDX-License-Identifier: MIT
//
// What delays a job: which tasks had the core while the task was ready, and what the task waited for inside the job.
//
// The runs of each core are in a ring. A task that stops being ready reads from the ring which tasks ran meanwhile.
// Before half of the ring is overwritten, the analysis charges it to all tasks that are ready. A task that left its
// core and may wait is charged on trial, until the tracker tells what it did.
#include "internal.h"

void tk_causes_clear(struct tk_causes *causes) {
    if (!causes) return;
    causes->count = 0;
    for (unsigned kind = 0; kind < TK_CAUSE_KINDS; kind++) causes->others[kind] = 0;
}

// The smaller one of the cause and the smallest one of the list becomes a part of the others.
static void replace_smallest(struct tk_causes *causes, struct tk_cause cause) {
    struct tk_cause *smallest = &causes->list[0], less = cause;
    for (uint32_t i = 1; i < TK_CAUSES; i++)
        if (causes->list[i].ticks < smallest->ticks) smallest = &causes->list[i];
    if (smallest->ticks < cause.ticks) less = *smallest, *smallest = cause;
    causes->others[less.kind] += less.ticks;
}

void tk_causes_add(struct tk_causes *causes, enum tk_cause_kind kind, uint32_t who, uint64_t reason, uint64_t ticks) {
    if (!ticks || !causes) return;
    if (who != TK_NONE && who >= TK_ANALYSED_TASKS) { // the analysis does not know its name
        causes->others[kind] += ticks;
        return;
    }
    for (uint32_t i = 0; i < causes->count; i++) {
        struct tk_cause *cause = &causes->list[i];
        if (cause->who != who || cause->kind != kind || cause->reason != reason) continue;
        cause->ticks += ticks;
        return;
    }
    bool is_least = causes->others[kind] != 0; // it may have been in the list before
    struct tk_cause cause = { ticks, reason, who, (uint8_t)kind, is_least };
    if (causes->count < TK_CAUSES) causes->list[causes->count++] = cause;
    else replace_smallest(causes, cause);
}

static void add_all(struct tk_causes *to, const struct tk_causes *from) {
    for (uint32_t i = 0; i < from->count; i++) {
        const struct tk_cause *cause = &from->list[i];
        tk_causes_add(to, (enum tk_cause_kind)cause->kind, cause->who, cause->reason, cause->ticks);
    }
    for (unsigned kind = 0; to && kind < TK_CAUSE_KINDS; kind++) to->others[kind] += from->others[kind];
    for (uint32_t i = 0; to && i < to->count; i++) to->list[i].is_least |= from->others[to->list[i].kind] != 0;
}

// ---- Runs of a core ----------------------------------------------------------------------------

// Charges the time from `from` to `to` to the tasks that ran on a core. runs: NULL: none is known.
static void charge(const struct tk_analysis *analysis, const struct tk_core_runs *runs, struct tk_causes *to_causes,
                   enum tk_cause_kind kind, uint64_t from, uint64_t to) {
    uint64_t end = to;
    uint32_t known = !runs ? 0 : runs->count < TK_CORE_RUNS ? runs->count : TK_CORE_RUNS;
    if (known && runs->left && runs->left - 1 < end) {
        uint64_t begin = runs->left - 1 > from ? runs->left - 1 : from;
        tk_causes_add(to_causes, kind, TK_NONE, 0, end - begin);
        end = begin;
    }
    for (uint32_t i = 1; i <= known && end > from; i++) {
        const struct tk_core_run *run = &runs->ring[(runs->count - i) % TK_CORE_RUNS];
        uint64_t begin = run->from > from ? run->from : from;
        if (begin >= end) continue;
        uint32_t task = run->epoch == (uint32_t)analysis->epoch ? run->task : TK_NONE;
        tk_causes_add(to_causes, kind, task, 0, end - begin);
        end = begin;
    }
    if (end > from) tk_causes_add(to_causes, kind, TK_NONE, 0, end - from);
}

static enum tk_cause_kind kind_of_ready(const struct tk_analysed_task *task) {
    return task->job.has_start ? TK_CAUSE_PREEMPTED : TK_CAUSE_PENDING;
}

// Whether it is known on which core the task ran last.
static bool knows_core(const struct tk_analysis *analysis, const struct tk_analysed_task *task) {
    return task->core_epoch == analysis->epoch;
}

// A task of which that is not known belongs to no core, except if only one core runs tasks.
static bool is_of_core(const struct tk_analysis *analysis, const struct tk_analysed_task *task, uint32_t core) {
    return knows_core(analysis, task) ? task->core == core : analysis->core_count == 1;
}

// Charges the runs of a core so far to all tasks that are ready, or may be.
TK_NOINLINE static void charge_ready_tasks(struct tk_analysis *analysis, uint32_t core, uint64_t now) {
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        struct tk_analysed_task *task = &analysis->tasks[i];
        if (task->has_no_jobs || !task->job.is_open || task->charged >= now || !is_of_core(analysis, task, core))
            continue;
        struct tk_causes *causes = tk_causes_of(task);
        if (task->place == TK_PLACE_LEFT) {
            if (!task->on_trial) task->on_trial = tk_alloc_zero(analysis->alloc, sizeof *task->on_trial);
            causes = task->on_trial;
        } else if (task->place != TK_PLACE_READY) continue;
        if (!causes) continue;
        charge(analysis, analysis->cores[core], causes, kind_of_ready(task), task->charged, now);
        task->charged = now;
    }
}

static void add_run(struct tk_analysis *analysis, struct tk_core_runs *runs, uint32_t core, uint32_t task,
                    uint64_t from) {
    runs->ring[runs->count++ % TK_CORE_RUNS] =
        (struct tk_core_run){ .from = from, .epoch = (uint32_t)analysis->epoch, .task = task };
    if (runs->count % (TK_CORE_RUNS / 2) == 0) charge_ready_tasks(analysis, core, from);
}

TK_COLD static struct tk_core_runs *add_core(struct tk_analysis *analysis, uint32_t core) {
    if (core >= TK_ANALYSED_CORES) return NULL;
    struct tk_core_runs *runs = analysis->cores[core] = tk_alloc_zero(analysis->alloc, sizeof *runs);
    analysis->core_count += runs != NULL;
    return runs;
}

struct tk_core_runs *tk_causes_core(struct tk_analysis *analysis, uint32_t core) {
    struct tk_core_runs *runs = core < TK_ANALYSED_CORES ? analysis->cores[core] : NULL;
    return runs ? runs : add_core(analysis, core);
}

void tk_causes_core_runs(struct tk_analysis *analysis, uint32_t core, uint32_t task, uint64_t at) {
    struct tk_core_runs *runs = tk_causes_core(analysis, core);
    if (!runs) return;
    uint64_t left = runs->left;
    runs->left = 0;
    if (left && left - 1 < at) add_run(analysis, runs, core, TK_NONE, left - 1);
    add_run(analysis, runs, core, task, at);
}

// ---- A task that is ready ----------------------------------------------------------------------

void tk_causes_add_trial(struct tk_analysed_task *task) {
    add_all(tk_causes_of(task), task->on_trial);
    tk_causes_clear(task->on_trial);
}

void tk_causes_ready_ends(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at) {
    enum tk_cause_kind kind = kind_of_ready(task);
    tk_causes_confirm(task);
    if (!knows_core(analysis, task) && analysis->core_count > 1) { // it is unknown on which core the task was to run
        tk_causes_clear(tk_causes_of(task));
        tk_causes_add(tk_causes_of(task), kind, TK_NONE, 0, at - task->job.release);
        return;
    }
    uint32_t core = task->core;
    for (uint32_t i = 0; !knows_core(analysis, task) && i < TK_ANALYSED_CORES; i++)
        if (analysis->cores[i]) core = i;
    if (at > task->charged) charge(analysis, analysis->cores[core], tk_causes_of(task), kind, task->charged, at);
}
