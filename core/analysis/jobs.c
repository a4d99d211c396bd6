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

static void set_place(struct tk_analysis *analysis, struct tk_analysed_task *task, enum tk_task_place place,
                      uint64_t at, bool is_proven) {
    if (analysis->priorities.waiter_count) tk_priorities_count(analysis, at);
    task->place = (uint8_t)place;
    task->since = task->charged = at;
    task->epoch = is_proven ? analysis->epoch : TK_PROVEN_NEVER;
}

// A wait ends, if the task waits.
static void end_wait(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, bool is_certain) {
    if (task->place == TK_PLACE_WAITING && (task->wait.kind == TK_WAIT_FOR_LOCK || task->held))
        tk_locks_wait_ends(analysis, task, at, is_certain);
}

// ---- Figures -----------------------------------------------------------------------------------

static struct tk_job_statistics *figures_of(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    if (!task->figures) task->figures = tk_alloc_zero(analysis->alloc, sizeof *task->figures);
    return task->figures;
}

static struct tk_activation *find_activation(const struct tk_analysed_task *task, uint64_t reason) {
    struct tk_activation *activation = task->activations;
    while (activation && activation->reason != reason) activation = activation->next;
    return activation;
}

// Returns the jobs that a wait released; those of further waits share the row TK_RELEASED_OTHER. Returns NULL when out
// of memory.
static struct tk_activation *activation_of(struct tk_analysis *analysis, struct tk_analysed_task *task,
                                           uint64_t reason) {
    if (tk_reason_is_delay(reason)) reason = tk_reason(TK_REASON_DELAY, 0);
    struct tk_activation *activation = find_activation(task, reason);
    if (!activation && task->activation_count >= TK_ACTIVATIONS) {
        reason = TK_RELEASED_OTHER;
        activation = find_activation(task, reason);
    }
    if (activation || !(activation = tk_alloc_zero(analysis->alloc, sizeof *activation))) return activation;
    struct tk_activation **end = &task->activations;
    while (*end) end = &(*end)->next;
    activation->reason = reason;
    task->activation_count++;
    return *end = activation;
}

static void count_activation(struct tk_analysis *analysis, struct tk_analysed_task *task, const struct tk_job *job) {
    struct tk_activation *activation = activation_of(analysis, task, task->job.reason);
    if (!activation) return;
    activation->count++;
    if (job->state != TK_JOB_MEASURED) return;
    tk_measure_add(analysis->histograms, &activation->response, job->release, tk_job_response(job));
    tk_deadlines_count(analysis, &activation->late, tk_job_response(job));
    bool is_one_wait = activation->reason != TK_RELEASED_OTHER; // only then two releases have a period
    if (is_one_wait && activation->last_proven == analysis->epoch)
        tk_measure_add(analysis->histograms, &activation->period, activation->last_release,
                       job->release - activation->last_release);
    activation->last_release = job->release;
    activation->last_proven = analysis->epoch;
}

static void count_measured(struct tk_analysis *analysis, struct tk_job_statistics *figures, const struct tk_job *job,
                           const struct tk_analysed_task *task) {
    uint64_t at = job->release;
    tk_measure_add(analysis->histograms, &figures->response, at, tk_job_response(job));
    tk_deadlines_count(analysis, &figures->late, tk_job_response(job));
    tk_measure_add(analysis->histograms, &figures->gross, at, tk_job_gross(job));
    tk_measure_add(analysis->histograms, &figures->net, at, tk_job_net(job));
    tk_durations_add(&figures->pending, at, tk_job_pending(job));
    tk_durations_add(&figures->preempted, at, job->preempted);
    tk_durations_add(&figures->blocked, at, job->blocked);
    figures->interrupted += job->interrupted;
    figures->room += job->room;
    figures->waited += job->waited;
    tk_job_parts_add(analysis, &figures->parts, job);
    if (job->has_period) {
        tk_measure_add(analysis->histograms, &figures->period, task->last_release, job->period);
        tk_durations_add(&figures->distance, task->last_start, job->start - task->last_start);
    }
}

// After a job that was not measured no period is known.
static void forget_last_release(struct tk_analysed_task *task) {
    task->last_epoch = TK_PROVEN_NEVER;
    for (struct tk_activation *at = task->activations; at; at = at->next) at->last_proven = TK_PROVEN_NEVER;
}

static bool is_inside(enum tk_job_state state) { return state != TK_JOB_CUT_START && state != TK_JOB_CUT_END; }

// ---- The open job ------------------------------------------------------------------------------

static bool take(uint64_t *left, uint64_t part) {
    if (part > *left) return false;
    *left -= part;
    return true;
}

// Damaged times may let the parts of a job exceed its length.
static bool fits(const struct tk_open_job *job, uint64_t end) {
    uint64_t left = end - job->start;
    if (job->start < job->release || end < job->start) return false;
    return take(&left, job->interrupted) && take(&left, job->preempted) && take(&left, job->blocked) &&
           take(&left, job->room) && take(&left, job->waited);
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
                          .room = open->room,
                          .waited = open->waited };
    task->had_job = true;
    if (is_inside((enum tk_job_state)job.state)) count_activation(analysis, task, &job);
    struct tk_job_statistics *figures = job.state == TK_JOB_MEASURED ? figures_of(analysis, task) : NULL;
    if (figures) {
        job.has_period = task->last_epoch == analysis->epoch;
        job.period = job.has_period ? job.release - task->last_release : 0;
        count_measured(analysis, figures, &job, task);
        tk_response_draw(analysis, &figures->response_track, &job);
        task->last_release = job.release;
        task->last_start = job.start;
        task->last_epoch = analysis->epoch;
    } else {
        forget_last_release(task);
    }
    task->counts[job.state]++;
    static const struct tk_causes none;
    if (analysis->listener.on_job)
        analysis->listener.on_job(analysis->listener.ctx, &job, task->late ? &task->late->causes : &none);
    if (job.state == TK_JOB_MEASURED) tk_late_keep(task, &job);
    else tk_late_end(analysis, task);
}

// Opens a job that was released at `at`.
static void release_job(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, uint64_t reason,
                        bool is_certain) {
    if (task->has_no_jobs || task->job.is_open) return;
    tk_late_begin(analysis, task);
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

TK_COLD static void task_is_idle(void *ctx, uint32_t index) {
    struct tk_analysis *analysis = ctx;
    if (index < analysis->task_count) analysis->tasks[index].is_idle = true;
}

static void begin_life(struct tk_analysis *analysis, struct tk_analysed_task *task, bool is_certain) {
    set_place(analysis, task, TK_PLACE_CREATED, 0, is_certain);
    tk_causes_reject(task);
    task->core_epoch = TK_PROVEN_NEVER;
    task->has_woken = false;
    task->job.is_open = false;
    task->declares = task->ends_at_next = task->had_job = false;
    if (task->wake) task->wake->epoch = TK_PROVEN_NEVER;
    tk_locks_forget_holder(analysis, task);
    forget_last_release(task);
}

TK_COLD static void task_created(void *ctx, uint32_t index) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    analysis->has_creations = true;
    if (task && task->place != TK_PLACE_RUNNING && !task->job.is_open) begin_life(analysis, task, true);
}

TK_COLD static void task_continues(void *ctx, uint32_t row, uint32_t index) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, row), *fresh = state_of(ctx, index);
    if (!task || !fresh) return;
    begin_life(analysis, task, fresh->place == TK_PLACE_CREATED && tk_is_proven(analysis, fresh));
    *fresh = (struct tk_analysed_task){ .entity = fresh->entity };
}

static void add_wait(struct tk_analysed_task *task, uint64_t at) {
    static const uint8_t kinds[] = { [TK_WAIT_FOR_LOCK] = TK_CAUSE_BLOCKED, [TK_WAIT_FOR_ROOM] = TK_CAUSE_ROOM };
    bool is_other = task->wait.kind != TK_WAIT_FOR_LOCK && task->wait.kind != TK_WAIT_FOR_ROOM;
    enum tk_cause_kind kind = is_other ? TK_CAUSE_WAITED : (enum tk_cause_kind)kinds[task->wait.kind];
    struct tk_open_job *job = &task->job;
    uint64_t length = at - task->since;
    *(is_other ? &job->waited : kind == TK_CAUSE_ROOM ? &job->room : &job->blocked) += length;
    tk_causes_add(tk_causes_of(task), kind, task->wait.holder, task->wait.reason, length);
}

// Returns true for a wait that can end.
static bool is_in_wait(const struct tk_analysed_task *task) {
    bool waits = task->place == TK_PLACE_WAITING && task->wait.kind != TK_WAIT_DELETED;
    return waits || task->place == TK_PLACE_STOPPED;
}

// The task runs without an event that made it ready: that event is missing.
static void runs_unreleased(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at) {
    if (is_in_wait(task)) tk_waits_end(analysis, task, at, TK_WAIT_END_UNKNOWN, false);
    task->job.is_proven = false;
}

static void task_runs(void *ctx, uint32_t index, uint32_t core, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (analysis->priorities.waiter_count) tk_priorities_count(analysis, at); // before another task runs
    if (!analysis->is_between) tk_causes_core_runs(analysis, core, index, at);
    if (!task) return;
    if (task->is_idle) { // has no jobs and no waits
        set_place(analysis, task, TK_PLACE_RUNNING, at, true);
        tk_windows_idle_begins(analysis, core, at);
        return;
    }
    if (analysis->priorities.waiter_count) tk_priorities_wait_ends(analysis, index, at, false);
    struct tk_open_job *job = &task->job;
    end_wait(analysis, task, at, false); // the event that made it ready is missing
    bool was_ready = task->place == TK_PLACE_READY || task->place == TK_PLACE_LEFT;
    if (!was_ready) runs_unreleased(analysis, task, at);
    if (task->has_woken) tk_waits_runs(analysis, task, at, tk_is_proven(analysis, task));
    if (!job->is_open) open_unreleased(analysis, task, at);
    else if (was_ready) {
        if (analysis->priorities.is_used && at - task->since > analysis->priorities.limit)
            tk_priorities_runs(analysis, index, core, at);
        if (at - task->since > task->ready_max && tk_is_proven(analysis, task))
            task->ready_max = at - task->since, task->ready_max_at = task->since;
        tk_causes_ready_ends(analysis, task, at);
        if (job->has_start) job->preempted += at - task->since;
    }
    start_job(task, at);
    set_place(analysis, task, TK_PLACE_RUNNING, at, true);
    task->counted = 0;
    task->core = (uint8_t)core;
    task->core_epoch = analysis->epoch;
}

// Moves the time in interrupts of this run so far into the open job.
static void count_interrupts(struct tk_analysed_task *task, uint64_t interrupted) {
    if (interrupted >= task->counted) task->job.interrupted += interrupted - task->counted;
    else task->job.is_proven = false;
    task->counted = interrupted;
}

static void task_leaves(void *ctx, uint32_t index, uint32_t core, uint64_t at, uint64_t interrupted) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (analysis->priorities.waiter_count) tk_priorities_count(analysis, at); // before it is off its core
    if (!analysis->is_between) tk_causes_core_left(analysis, core, at, interrupted);
    if (!task || task->place != TK_PLACE_RUNNING) return;
    if (task->is_idle) tk_windows_idle_ends(analysis, core, at);
    else count_interrupts(task, interrupted);
    set_place(analysis, task, TK_PLACE_LEFT, at, tk_is_proven(analysis, task));
}

static void core_idles(void *ctx, uint32_t core, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    if (!analysis->is_between) tk_windows_idle_begins(analysis, core, at);
}

static void core_works(void *ctx, uint32_t core, uint64_t at) { tk_windows_idle_ends(ctx, core, at); }

static void task_ready(void *ctx, uint32_t index) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task || task->place != TK_PLACE_LEFT) return;
    if (analysis->priorities.waiter_count) tk_priorities_decide(analysis, index, true);
    task->place = TK_PLACE_READY;
    tk_causes_confirm(task);
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
    bool is_certain = task->place == TK_PLACE_LEFT && tk_is_proven(analysis, task);
    tk_causes_reject(task);
    if (task->job.is_tentative) task->job.is_open = task->job.is_tentative = false;
    if (is_certain) tk_findings_wait_begins(analysis, index, wait);
    else task->job.is_proven = false;
    if (ends_job(task, wait)) end_job(analysis, index, wait->since, TK_JOB_MEASURED);
    if (analysis->priorities.waiter_count) tk_priorities_decide(analysis, index, false);
    set_place(analysis, task, TK_PLACE_WAITING, wait->since, is_certain);
    task->wait = *wait;
    task->wait_is_cut = false;
    analysis->has_object_waits |= wait->object != TK_NONE;
    if (wait->kind == TK_WAIT_FOR_LOCK) tk_locks_wait_begins(analysis, task);
    else if (wait->kind == TK_WAIT_FOR_ROOM) tk_queues_sender_waits(analysis, wait->object);
    if (wait->kind == TK_WAIT_FOR_LOCK && is_certain && analysis->priorities.is_used)
        tk_priorities_wait_begins(analysis, index, wait->since);
}

static void wait_decided(void *ctx, uint32_t index, uint64_t reason) {
    struct tk_analysed_task *task = state_of(ctx, index);
    if (task) tk_waits_decide(ctx, task, reason);
}

static void task_released(void *ctx, uint32_t index, uint64_t at, enum tk_wait_end end) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task || task->place == TK_PLACE_READY || task->place == TK_PLACE_RUNNING || task->place == TK_PLACE_LEFT)
        return;
    bool is_certain = tk_is_proven(analysis, task);
    end_wait(analysis, task, at, true);
    if (analysis->priorities.waiter_count) tk_priorities_wait_ends(analysis, index, at, is_certain);
    if (task->place == TK_PLACE_WAITING || task->place == TK_PLACE_STOPPED) {
        tk_waits_end(analysis, task, at, end, is_certain);
        tk_waits_wakes(task);
    }
    if (task->job.is_open) {
        task->job.is_proven &= is_certain;
        if (task->place == TK_PLACE_WAITING) add_wait(task, at);
        if (is_certain && task->place == TK_PLACE_WAITING && task->wait.kind == TK_WAIT_FOR_ROOM)
            tk_findings_room(analysis, index, &task->wait, task->since, at);
    } else {
        uint64_t reason = task->place == TK_PLACE_WAITING   ? task->wait.reason
                          : task->place == TK_PLACE_CREATED ? TK_RELEASED_CREATED
                          : task->place == TK_PLACE_STOPPED ? TK_RELEASED_RESUMED
                                                            : TK_RELEASED_OTHER;
        release_job(analysis, task, at, reason, is_certain);
    }
    set_place(analysis, task, TK_PLACE_READY, at, is_certain);
}

TK_COLD static void task_stops(void *ctx, uint32_t index, const struct tk_fact_wait *stop, bool is_certain) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    bool is_deleted = stop->kind == TK_WAIT_DELETED;
    if (!task) return;
    end_wait(analysis, task, stop->since, is_certain);
    if (analysis->priorities.waiter_count) tk_priorities_wait_ends(analysis, index, stop->since, false);
    if (task->place == TK_PLACE_WAITING)
        tk_waits_end(analysis, task, stop->since, TK_WAIT_END_UNKNOWN, tk_is_proven(analysis, task));
    tk_causes_reject(task);
    end_job(analysis, index, stop->since, is_deleted ? TK_JOB_DELETED : TK_JOB_SUSPENDED);
    task->job.is_tentative = task->has_woken = task->wait_is_cut = false;
    set_place(analysis, task, is_deleted ? TK_PLACE_UNKNOWN : TK_PLACE_STOPPED, stop->since, is_certain);
    task->wait = *stop;
}

TK_COLD static void task_migrates(void *ctx, uint32_t index) {
    struct tk_analysis *analysis = ctx;
    struct tk_analysed_task *task = state_of(ctx, index);
    if (!task) return;
    if (task->place == TK_PLACE_RUNNING) tk_causes_core_left(ctx, task->core, task->since, 0);
    task->job.is_proven = false;
    set_place(analysis, task, TK_PLACE_LEFT, task->since, tk_is_proven(analysis, task));
}

static void task_priority(void *ctx, uint32_t index, uint64_t at, uint32_t priority) {
    struct tk_analysis *analysis = ctx;
    if (state_of(ctx, index)) tk_priorities_set(analysis, index, priority, at);
}

// ---- Declared jobs -----------------------------------------------------------------------------

// The next job of a running task begins where the last one ended.
static void continue_with_job(struct tk_analysis *analysis, uint32_t index, uint64_t at, uint64_t interrupted,
                              bool is_tentative) {
    struct tk_analysed_task *task = &analysis->tasks[index];
    bool is_running = task->place == TK_PLACE_RUNNING, is_certain = is_running && tk_is_proven(analysis, task);
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
    tk_priorities_forget(analysis);
    tk_findings_lost(analysis);
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
    tk_findings_section_ends(analysis, at);
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        struct tk_analysed_task *task = &analysis->tasks[i];
        end_wait(analysis, task, at, false);
        if (is_in_wait(task)) tk_waits_open(analysis, task, at);
        if (task->is_undecided) tk_waits_decide(analysis, task, task->undecided->wait.reason);
        if (task->job.is_tentative) task->job.is_open = task->job.is_tentative = false;
        if (task->job.is_open && is_known_at_end(analysis, task)) note_open(task, at - task->job.release);
        end_job(analysis, i, at, TK_JOB_CUT_END);
        begin_life(analysis, task, false);
        task->place = TK_PLACE_UNKNOWN;
    }
    tk_locks_end_section(analysis);
    tk_queues_end_section(analysis, at);
    tk_priorities_forget(analysis);
    analysis->is_between = true;
}

TK_COLD static void section_begins(void *ctx) {
    struct tk_analysis *analysis = ctx;
    analysis->epoch++;
    analysis->is_lossy = analysis->is_between = false;
}

static void clear_figures(struct tk_analysis *analysis, struct tk_job_statistics *figures) {
    tk_measure_clear(analysis->histograms, &figures->response);
    tk_measure_clear(analysis->histograms, &figures->gross);
    tk_measure_clear(analysis->histograms, &figures->net);
    tk_measure_clear(analysis->histograms, &figures->period);
    figures->interrupted = figures->room = figures->waited = 0;
    figures->worst_count = 0;
    figures->parts = (struct tk_job_parts){ .counts = { 0 } };
    figures->pending = figures->preempted = figures->blocked = figures->distance = (struct tk_durations){ 0 };
}

static void clear_activations(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    for (struct tk_activation *at = task->activations; at; at = at->next) {
        tk_measure_clear(analysis->histograms, &at->response);
        tk_measure_clear(analysis->histograms, &at->period);
        at->count = at->last_proven = 0;
    }
}

// Jobs that are open count as cut at their start.
TK_COLD static void begin_stats(void *ctx, uint64_t at) {
    struct tk_analysis *analysis = ctx;
    analysis->stats_from = at;
    analysis->has_parts = false;
    analysis->part_shift = 0;
    analysis->parts_for = 0;
    tk_locks_begin_stats(analysis);
    tk_queues_begin_stats(analysis, at);
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        struct tk_analysed_task *task = &analysis->tasks[i];
        if (task->figures) clear_figures(analysis, task->figures);
        clear_activations(analysis, task);
        memset(task->counts, 0, sizeof task->counts);
        task->has_open = false;
        task->ready_max = 0;
        tk_waits_clear(analysis, task);
        task->job.is_proven = task->had_job = false;
        task->last_epoch = TK_PROVEN_NEVER;
    }
    analysis->is_lossy = false;
    tk_findings_clear(analysis);
    tk_windows_begin_stats(analysis);
    tk_deadlines_begin_stats(analysis);
}

TK_COLD void tk_analysis_init_jobs(struct tk_facts *facts) {
    facts->task_added = task_added;
    facts->task_has_no_jobs = task_has_no_jobs;
    facts->task_is_idle = task_is_idle;
    facts->task_created = task_created;
    facts->task_continues = task_continues;
    facts->task_runs = task_runs;
    facts->task_leaves = task_leaves;
    facts->core_idles = core_idles;
    facts->core_works = core_works;
    facts->task_ready = task_ready;
    facts->task_waits = task_waits;
    facts->wait_decided = wait_decided;
    facts->task_released = task_released;
    facts->task_stops = task_stops;
    facts->task_migrates = task_migrates;
    facts->task_priority = task_priority;
    facts->job_done = job_done;
    facts->task_calls = task_calls;
    facts->lost = lost;
    facts->section_ends = section_ends;
    facts->section_begins = section_begins;
    facts->begin_stats = begin_stats;
}
