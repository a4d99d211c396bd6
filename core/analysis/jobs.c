// SPDX-License-Identifier: MIT
//
// Jobs of tasks. A job is released when its task is made ready, and ends when the task begins to wait for more work. A
// wait for a mutex or for room in a queue is a part of the job.
//
// Proof: a loss begins another epoch. The place of a task is proven if it was seen in this epoch; a wait, if the task
// left its core as the known running one. A job is measured if the wait before its release was proven, and the epoch of
// its release is still that of its end.
#include <string.h>

#include "internal.h"

static struct tk_analysed_task *state_of(struct tk_analysis *analysis, uint32_t index) {
    bool has_state = index < analysis->task_count && !analysis->is_between;
    return has_state ? &analysis->tasks[index] : NULL;
}

static void set_place(const struct tk_analysis *analysis, struct tk_analysed_task *task, enum tk_task_place place,
                      uint64_t at, bool is_proven) {
    task->place = (uint8_t)place;
    task->since = at;
    task->epoch = is_proven ? analysis->epoch : TK_PROVEN_NEVER;
}

static bool is_proven(const struct tk_analysis *analysis, const struct tk_analysed_task *task) {
    return task->epoch == analysis->epoch;
}

// ---- Figures -----------------------------------------------------------------------------------

// The histogram begins with the second value; a single one is its minimum.
static void measure(struct tk_analysis *analysis, struct tk_measure *of, uint64_t at, uint64_t length) {
    uint64_t first = of->durations.min;
    tk_durations_add(&of->durations, at, length);
    if (of->durations.measured == 1) return;
    if (of->durations.measured == 2) tk_histogram_add(&analysis->histograms, &of->histogram, first);
    tk_histogram_add(&analysis->histograms, &of->histogram, length);
}

static struct tk_job_figures *figures_of(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    if (!task->figures) task->figures = tk_alloc_zero(analysis->alloc, sizeof *task->figures);
    return task->figures;
}

static struct tk_activation *find_activation(const struct tk_job_figures *figures, uint64_t reason) {
    for (uint32_t i = 0; i < figures->activation_count; i++)
        if (figures->activations[i]->reason == reason) return figures->activations[i];
    return NULL;
}

// Returns the jobs that a wait released; those of further waits share the row TK_RELEASED_OTHER. Returns NULL when out
// of memory.
static struct tk_activation *activation_of(struct tk_analysis *analysis, struct tk_job_figures *figures,
                                           uint64_t reason) {
    if (tk_reason_is_delay(reason)) reason = tk_reason(TK_REASON_DELAY, 0);
    struct tk_activation *activation = find_activation(figures, reason);
    if (!activation && figures->activation_count >= TK_ACTIVATIONS) {
        reason = TK_RELEASED_OTHER;
        activation = find_activation(figures, reason);
    }
    if (activation || !(activation = tk_alloc_zero(analysis->alloc, sizeof *activation))) return activation;
    activation->reason = reason;
    return figures->activations[figures->activation_count++] = activation;
}

static void count_activation(struct tk_analysis *analysis, struct tk_job_figures *figures, const struct tk_job *job,
                             uint64_t reason) {
    struct tk_activation *activation = activation_of(analysis, figures, reason);
    if (!activation) return;
    activation->count++;
    if (job->state != TK_JOB_MEASURED) return;
    measure(analysis, &activation->response, job->release, tk_job_response(job));
    bool is_one_wait = activation->reason != TK_RELEASED_OTHER; // only then two releases have a period
    if (is_one_wait && activation->last_proven == analysis->epoch)
        measure(analysis, &activation->period, activation->last_release, job->release - activation->last_release);
    activation->last_release = job->release;
    activation->last_proven = analysis->epoch;
}

static void count_measured(struct tk_analysis *analysis, struct tk_job_figures *figures, const struct tk_job *job,
                           const struct tk_analysed_task *task) {
    uint64_t at = job->release;
    measure(analysis, &figures->response, at, tk_job_response(job));
    measure(analysis, &figures->gross, at, tk_job_gross(job));
    measure(analysis, &figures->net, at, tk_job_net(job));
    tk_durations_add(&figures->pending, at, tk_job_pending(job));
    tk_durations_add(&figures->preempted, at, job->preempted);
    tk_durations_add(&figures->blocked, at, job->blocked);
    figures->interrupted += job->interrupted;
    figures->room += job->room;
    if (job->has_period) {
        measure(analysis, &figures->period, task->last_release, job->period);
        tk_durations_add(&figures->distance, task->last_start, job->start - task->last_start);
    }
    count_activation(analysis, figures, job, task->job.reason);
}

// After a job that was not measured no period is known.
static void forget_last_release(struct tk_analysed_task *task) {
    task->last_epoch = TK_PROVEN_NEVER;
    for (uint32_t i = 0; task->figures && i < task->figures->activation_count; i++)
        task->figures->activations[i]->last_proven = TK_PROVEN_NEVER;
}

static bool is_inside(enum tk_job_state state) { return state != TK_JOB_CUT_START && state != TK_JOB_CUT_END; }

// ---- The open job ------------------------------------------------------------------------------

// Damaged times may let the parts of a job exceed its length.
static bool fits(const struct tk_open_job *job, uint64_t end) {
    uint64_t left = end - job->start;
    const uint64_t parts[] = { job->interrupted, job->preempted, job->blocked, job->room };
    if (job->start < job->release || end < job->start) return false;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i] > left) return false;
        left -= parts[i];
    }
    return true;
}

static enum tk_job_state state_at_end(const struct tk_analysis *analysis, const struct tk_analysed_task *task,
                                      uint64_t at, enum tk_job_state wanted) {
    const struct tk_open_job *job = &task->job;
    bool is_complete = job->is_proven && job->epoch == analysis->epoch && job->has_start && fits(job, at);
    if (job->is_proven && job->epoch != analysis->epoch) return TK_JOB_LOST;
    if (wanted != TK_JOB_MEASURED || is_complete) return wanted;
    return !task->had_job && !analysis->is_lossy ? TK_JOB_CUT_START : TK_JOB_LOST;
}

// Ends the open job; wanted: its state if it is complete.
static void end_job(struct tk_analysis *analysis, uint32_t index, uint64_t at, enum tk_job_state wanted) {
    struct tk_analysed_task *task = &analysis->tasks[index];
    struct tk_open_job *open = &task->job;
    task->ends_at_next = false;
    if (!open->is_open) return;
    open->is_open = false;
    struct tk_job job = { .task = index,
                          .entity = task->entity,
                          .state = (uint8_t)state_at_end(analysis, task, at, wanted),
                          .has_release = open->has_release,
                          .has_start = open->has_start,
                          .release = open->release,
                          .start = open->start,
                          .end = at,
                          .interrupted = open->interrupted,
                          .preempted = open->preempted,
                          .blocked = open->blocked,
                          .room = open->room };
    task->had_job = true;
    bool counts = is_inside((enum tk_job_state)job.state);
    struct tk_job_figures *figures = counts ? figures_of(analysis, task) : NULL;
    if (job.state == TK_JOB_MEASURED && figures) {
        job.has_period = task->last_epoch == analysis->epoch;
        job.period = job.has_period ? job.release - task->last_release : 0;
        count_measured(analysis, figures, &job, task);
        task->last_release = job.release;
        task->last_start = job.start;
        task->last_epoch = analysis->epoch;
    } else {
        if (figures) count_activation(analysis, figures, &job, open->reason);
        forget_last_release(task);
    }
    task->counts[job.state]++;
    if (analysis->listener.on_job) analysis->listener.on_job(analysis->listener.ctx, &job);
}

// Opens a job that was released at `at`.
static void release_job(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, uint64_t reason,
                        bool is_certain) {
    if (task->has_no_jobs || task->job.is_open) return;
    task->job = (struct tk_open_job){ .release = at,
                                      .epoch = analysis->epoch,
                                      .reason = reason,
                                      .is_open = true,
                                      .has_release = true,
                                      .is_proven = is_certain };
}

// Opens a job that is known only since the task runs.
static void open_unreleased(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at) {
    release_job(analysis, task, at, TK_RELEASED_OTHER, false);
    task->job.has_release = false;
}

static void start_job(struct tk_analysed_task *task, uint64_t at) {
    if (!task->job.is_open || task->job.has_start) return;
    task->job.start = at;
    task->job.has_start = true;
}

// ---- Facts about tasks -------------------------------------------------------------------------

TK_COLD static void task_added(void *ctx, uint32_t index, uint32_t entity) {
    struct tk_analysis *analysis = ctx;
    if (index >= TK_ANALYSED_TASKS) {
        tk_diag_note(analysis->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return;
    }
    if (!tk_alloc_grow(analysis->alloc, (void **)&analysis->tasks, &analysis->task_capacity, index + 1,
                       sizeof *analysis->tasks))
        return;
    analysis->tasks[index] = (struct tk_analysed_task){ .entity = entity };
    if (index >= analysis->task_count) analysis->task_count = index + 1;
}

TK_COLD static void task_has_no_jobs(void *ctx, uint32_t index) {
    struct tk_analysis *analysis = ctx;
    if (index >= analysis->task_count) return;
    analysis->tasks[index].has_no_jobs = true;
    analysis->tasks[index].job.is_open = false;
}

static void begin_life(const struct tk_analysis *analysis, struct tk_analysed_task *task, bool is_certain) {
    set_place(analysis, task, TK_PLACE_CREATED, 0, is_certain);
    task->job.is_open = false;
    task->declares = task->ends_at_next = task->had_job = false;
    forget_last_release(task);
}

TK_COLD static void task_created(void *ctx, uint32_t index) {
    struct tk_analysed_task *task = state_of(ctx, index);
    if (task && task->place != TK_PLACE_RUNNING && !task->job.is_open) begin_life(ctx, task, true);
}

TK_COLD static void task_continues(void *ctx, uint32_t row, uint32_t index) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, row), *fresh = state_of(ctx, index);
    if (!task || !fresh) return;
    begin_life(analysis, task, fresh->place == TK_PLACE_CREATED && is_proven(analysis, fresh));
    *fresh = (struct tk_analysed_task){ .entity = fresh->entity };
}

static void add_wait(struct tk_analysed_task *task, uint64_t at) {
    uint64_t *part = task->wait.kind == TK_WAIT_FOR_ROOM ? &task->job.room : &task->job.blocked;
    *part += at - task->since;
}

static void task_runs(void *ctx, uint32_t index, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task) return;
    struct tk_open_job *job = &task->job;
    bool was_ready = task->place == TK_PLACE_READY || task->place == TK_PLACE_LEFT;
    if (!job->is_open) open_unreleased(analysis, task, at);
    else if (!was_ready) job->is_proven = false; // the event that made it ready is missing
    else if (job->has_start) job->preempted += at - task->since;
    start_job(task, at);
    set_place(analysis, task, TK_PLACE_RUNNING, at, true);
    task->counted = 0;
}

// Moves the time in interrupts of this run so far into the open job.
static void count_interrupts(struct tk_analysed_task *task, uint64_t interrupted) {
    if (interrupted >= task->counted) task->job.interrupted += interrupted - task->counted;
    else task->job.is_proven = false;
    task->counted = interrupted;
}

static void task_leaves(void *ctx, uint32_t index, uint64_t at, uint64_t interrupted) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task || task->place != TK_PLACE_RUNNING) return;
    count_interrupts(task, interrupted);
    set_place(analysis, task, TK_PLACE_LEFT, at, is_proven(analysis, task));
}

static void task_ready(void *ctx, uint32_t index) {
    struct tk_analysed_task *task = state_of(ctx, index);
    if (task && task->place == TK_PLACE_LEFT) task->place = TK_PLACE_READY;
}

// A job ends with a wait for more work. If the application declares its jobs, it ends where that says.
static bool ends_job(const struct tk_analysed_task *task, const struct tk_fact_wait *wait) {
    if (wait->kind == TK_WAIT_DELETED) return true;
    if (task->declares) return task->ends_at_next;
    return wait->kind != TK_WAIT_FOR_LOCK && wait->kind != TK_WAIT_FOR_ROOM;
}

static void task_waits(void *ctx, uint32_t index, const struct tk_fact_wait *wait) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task) return;
    bool is_certain = task->place == TK_PLACE_LEFT && is_proven(analysis, task);
    if (task->job.is_tentative) task->job.is_open = task->job.is_tentative = false;
    if (!is_certain) task->job.is_proven = false;
    if (ends_job(task, wait)) end_job(analysis, index, wait->since, TK_JOB_MEASURED);
    set_place(analysis, task, TK_PLACE_WAITING, wait->since, is_certain);
    task->wait = *wait;
}

static void task_released(void *ctx, uint32_t index, uint64_t at, bool timed_out) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    (void)timed_out;
    if (!task || task->place == TK_PLACE_READY || task->place == TK_PLACE_RUNNING || task->place == TK_PLACE_LEFT)
        return;
    bool is_certain = is_proven(analysis, task);
    if (task->job.is_open) {
        task->job.is_proven &= is_certain;
        if (task->place == TK_PLACE_WAITING) add_wait(task, at);
    } else {
        uint64_t reason = task->place == TK_PLACE_WAITING   ? task->wait.reason
                          : task->place == TK_PLACE_CREATED ? TK_RELEASED_CREATED
                          : task->place == TK_PLACE_STOPPED ? TK_RELEASED_RESUMED
                                                            : TK_RELEASED_OTHER;
        release_job(analysis, task, at, reason, is_certain);
    }
    set_place(analysis, task, TK_PLACE_READY, at, is_certain);
}

TK_COLD static void task_stops(void *ctx, uint32_t index, uint64_t at, bool is_deleted, bool is_certain) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task) return;
    end_job(analysis, index, at, is_deleted ? TK_JOB_DELETED : TK_JOB_SUSPENDED);
    task->job.is_tentative = false;
    set_place(analysis, task, is_deleted ? TK_PLACE_UNKNOWN : TK_PLACE_STOPPED, at, is_certain);
}

TK_COLD static void task_migrates(void *ctx, uint32_t index) {
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task) return;
    task->job.is_proven = false;
    task->place = TK_PLACE_LEFT;
}

// ---- Declared jobs -----------------------------------------------------------------------------

// The next job of a running task begins where the last one ended.
static void continue_with_job(struct tk_analysis *analysis, uint32_t index, uint64_t at, uint64_t interrupted,
                              bool is_tentative) {
    struct tk_analysed_task *task = &analysis->tasks[index];
    bool is_running = task->place == TK_PLACE_RUNNING, is_certain = is_running && is_proven(analysis, task);
    if (is_running) count_interrupts(task, interrupted);
    else task->job.is_proven = false;
    if (task->job.is_tentative) task->job.is_open = false;
    end_job(analysis, index, at, TK_JOB_MEASURED);
    if (!is_running) return;
    release_job(analysis, task, at, TK_RELEASED_DECLARED, is_certain);
    start_job(task, at);
    task->job.is_tentative = is_tentative;
}

TK_COLD static void job_done(void *ctx, uint32_t index, uint64_t at, uint64_t interrupted, bool is_later) {
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task || task->has_no_jobs) return;
    task->declares = true;
    if (is_later) task->ends_at_next = true;
    else continue_with_job(ctx, index, at, interrupted, true);
}

TK_COLD static void task_calls(void *ctx, uint32_t index, uint64_t at, uint64_t interrupted) {
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task || task->has_no_jobs) return;
    if (task->ends_at_next) continue_with_job(ctx, index, at, interrupted, false);
    task->job.is_tentative = false;
}

// ---- Losses, sections, time ranges -------------------------------------------------------------

static void lost(void *ctx) {
    struct tk_analysis *analysis = ctx;
    analysis->epoch++;
    analysis->is_lossy = true;
}

// What an open job does at the end is known, so that its length so far is a bound of its response time.
static bool is_known_at_end(const struct tk_analysis *analysis, const struct tk_analysed_task *task) {
    const struct tk_open_job *job = &task->job;
    return job->is_proven && job->epoch == analysis->epoch && !task->declares && task->place != TK_PLACE_LEFT;
}

static void note_open(struct tk_analysed_task *task, uint64_t length) {
    if (task->has_open && length <= task->open_for) return;
    task->open_for = length;
    task->has_open = true;
}

TK_COLD static void section_ends(void *ctx, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        struct tk_analysed_task *task = &analysis->tasks[i];
        if (task->job.is_tentative) task->job.is_open = task->job.is_tentative = false;
        if (task->job.is_open && is_known_at_end(analysis, task)) note_open(task, at - task->job.release);
        end_job(analysis, i, at, TK_JOB_CUT_END);
        begin_life(analysis, task, false);
        task->place = TK_PLACE_UNKNOWN;
    }
    analysis->is_between = true;
}

TK_COLD static void section_begins(void *ctx) {
    struct tk_analysis *analysis = ctx;
    analysis->epoch++;
    analysis->is_lossy = analysis->is_between = false;
}

static void clear_measure(struct tk_analysis *analysis, struct tk_measure *of) {
    of->durations = (struct tk_durations){ 0 };
    tk_histogram_clear(&analysis->histograms, of->histogram);
}

static void clear_figures(struct tk_analysis *analysis, struct tk_job_figures *figures) {
    clear_measure(analysis, &figures->response);
    clear_measure(analysis, &figures->gross);
    clear_measure(analysis, &figures->net);
    clear_measure(analysis, &figures->period);
    for (uint32_t i = 0; i < figures->activation_count; i++) {
        clear_measure(analysis, &figures->activations[i]->response);
        clear_measure(analysis, &figures->activations[i]->period);
        figures->activations[i]->count = figures->activations[i]->last_proven = 0;
    }
    figures->interrupted = figures->room = 0;
    figures->pending = figures->preempted = figures->blocked = figures->distance = (struct tk_durations){ 0 };
}

// Jobs that are open count as cut at their start.
TK_COLD static void begin_stats(void *ctx) {
    struct tk_analysis *analysis = ctx;
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        struct tk_analysed_task *task = &analysis->tasks[i];
        if (task->figures) clear_figures(analysis, task->figures);
        memset(task->counts, 0, sizeof task->counts);
        task->has_open = false;
        task->job.is_proven = task->had_job = false;
        task->last_epoch = TK_PROVEN_NEVER;
    }
    analysis->is_lossy = false;
}

TK_COLD void tk_analysis_init_jobs(struct tk_facts *facts) {
    facts->task_added = task_added;
    facts->task_has_no_jobs = task_has_no_jobs;
    facts->task_created = task_created;
    facts->task_continues = task_continues;
    facts->task_runs = task_runs;
    facts->task_leaves = task_leaves;
    facts->task_ready = task_ready;
    facts->task_waits = task_waits;
    facts->task_released = task_released;
    facts->task_stops = task_stops;
    facts->task_migrates = task_migrates;
    facts->job_done = job_done;
    facts->task_calls = task_calls;
    facts->lost = lost;
    facts->section_ends = section_ends;
    facts->section_begins = section_begins;
    facts->begin_stats = begin_stats;
}
