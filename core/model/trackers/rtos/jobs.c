// SPDX-License-Identifier: MIT
//
// Draws jobs: the work of a task from the moment it starts to run until it waits for the next piece of work. The
// figures of jobs are those of the analysis.
#include "../../../base/duration.h"
#include "rtos_internal.h"

// Returns the jobs of a task; NULL if it has none, or when out of memory.
static struct tk_task_jobs *jobs_of(struct tk_rtos *rtos, uint32_t index) {
    if (tk_rtos_is_shared(index) || rtos->tasks[index].idle || rtos->tasks[index].ends) return NULL;
    struct tk_task *task = &rtos->tasks[index];
    if (!task->jobs) task->jobs = tk_alloc_zero(rtos->alloc, sizeof *task->jobs);
    return task->jobs;
}

static uint32_t jobs_track(struct tk_rtos *rtos, uint32_t task) {
    struct tk_task_jobs *jobs = rtos->tasks[task].jobs;
    if (!jobs->track) {
        struct tk_track_spec spec = { tk_timeline_task_group(rtos->tl, task),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "jobs",
                                      rtos->tl->tasks[task].pid,
                                      TK_RANK_JOBS,
                                      NULL,
                                      "From the moment it begins to run until it waits for more work",
                                      0 };
        jobs->track = tk_timeline_add_track(rtos->tl, &spec);
    }
    return jobs->track;
}

// Adds a duration as an argument, in nanoseconds if the tick length is known.
static void add_length(struct tk_rtos *rtos, struct tk_details *args, const char *in_ns, const char *in_ticks,
                       uint64_t ticks) {
    uint64_t ns;
    bool is_known = tk_ticks_to_ns(ticks, *rtos->host->tick_ns, &ns);
    tk_details_number(rtos->host->details, args, is_known ? in_ns : in_ticks, is_known ? ns : ticks);
}

// ---- Begin -------------------------------------------------------------------------------------

// A job starts at `at`, which may be in the past.
static void begin(struct tk_rtos *rtos, uint32_t task, struct tk_task_jobs *jobs, uint64_t at) {
    struct tk_details args;
    args.count = 0;
    struct tk_track_event event = { .ticks = at,
                                    .type = TK_EVENT_BEGIN,
                                    .when = at == rtos->tl->now ? TK_IN_ORDER : TK_LATE };
    char room[32];
    struct tk_text text = tk_text_in(room, sizeof room);
    bool has_last = jobs->drawn && jobs->last_loss == rtos->tl->losses[0];
    event.track = jobs_track(rtos, task);
    tk_text_put(&text, "job ", 4);
    tk_text_u64(&text, ++jobs->drawn);
    event.string = text.text;
    event.string_len = text.len;
    if (jobs->ready_at && jobs->ready_at <= at)
        add_length(rtos, &args, "waited for the core (ns)", "waited for the core (ticks)", at - (jobs->ready_at - 1));
    if (has_last) add_length(rtos, &args, "since the last began (ns)", "since the last began (ticks)", at - jobs->last);
    event.args = args.args;
    event.arg_count = (uint8_t)args.count;
    tk_timeline_event(rtos->tl, &event);
    jobs->is_open = true;
    jobs->restarts = false;
    jobs->since = jobs->last = at;
    jobs->loss = jobs->last_loss = rtos->tl->losses[0];
    jobs->ready_at = 0;
}

// ---- End ---------------------------------------------------------------------------------------

// why: argument that marks the end, or TK_ARG_NAMES.
static void draw_end(struct tk_rtos *rtos, struct tk_task_jobs *jobs, enum tk_arg_name why) {
    jobs->is_open = false;
    if (why == TK_ARG_NAMES) {
        tk_timeline_end_plain(rtos->tl, jobs->track);
        return;
    }
    struct tk_arg mark = { .name = tk_names_arg(tk_rtos_names(rtos), why), .type = TK_ARG_UINT, .value.u = 1 };
    struct tk_track_event event = { .track = jobs->track, .type = TK_EVENT_END, .args = &mark, .arg_count = 1 };
    tk_timeline_event(rtos->tl, &event);
}

static void end(struct tk_rtos *rtos, struct tk_task_jobs *jobs) {
    jobs->restarts = jobs->ends_at_next = false;
    if (!jobs->is_open) return;
    draw_end(rtos, jobs, jobs->loss == rtos->tl->losses[0] ? TK_ARG_NAMES : TK_ARGN_CROSSES_LOSS);
}

// A job ends with a wait for the next piece of work, not with a wait for a mutex or for room in a queue.
static bool ends_job(const struct tk_rtos *rtos, const struct tk_task *task) {
    const struct tk_task_jobs *jobs = task->jobs;
    switch ((enum tk_pending_block)task->pending_block) {
    case TK_PENDING_NONE: return false;
    case TK_PENDING_DELETE: return true;
    case TK_PENDING_SEND: return jobs->ends_at_next;
    case TK_PENDING_RECEIVE:
        return jobs->declared ? jobs->ends_at_next : !tk_queue_is_lock(&rtos->queues[task->pending_id]);
    default: return !jobs->declared || jobs->ends_at_next;
    }
}

// ---- Events of the task ------------------------------------------------------------------------

void tk_rtos_job_ready(struct tk_rtos *rtos, uint32_t task) {
    struct tk_task_jobs *jobs = jobs_of(rtos, task);
    if (jobs && !jobs->is_open && rtos->tasks[task].phase != TK_PHASE_RUNNING &&
        rtos->tasks[task].phase != TK_PHASE_READY)
        jobs->ready_at = rtos->tl->now + 1;
}

void tk_rtos_job_switch(struct tk_rtos *rtos, uint32_t old, uint32_t next) {
    struct tk_task_jobs *jobs = jobs_of(rtos, old);
    if (jobs && rtos->tasks[old].pending_block != TK_PENDING_NONE) {
        jobs->restarts = false; // the task did nothing in between
        if (ends_job(rtos, &rtos->tasks[old])) end(rtos, jobs);
    }
    jobs = jobs_of(rtos, next);
    if (jobs && !jobs->is_open && !jobs->restarts && rtos->tasks[next].phase != TK_PHASE_DELETED)
        begin(rtos, next, jobs, rtos->tl->now);
}

void tk_rtos_job_stop(struct tk_rtos *rtos, uint32_t task) {
    struct tk_task_jobs *jobs = jobs_of(rtos, task);
    if (jobs && !jobs->declared) end(rtos, jobs);
}

void tk_rtos_job_call(struct tk_rtos *rtos, uint32_t task) {
    struct tk_task_jobs *jobs = jobs_of(rtos, task);
    if (!jobs || (!jobs->ends_at_next && !jobs->restarts)) return;
    uint64_t from = jobs->restarts ? jobs->restart : rtos->tl->now;
    if (rtos->tasks[task].core >= 0)
        TK_TELL(rtos->facts, task_calls, task, rtos->tl->now,
                tk_rtos_interrupted(rtos, (uint32_t)rtos->tasks[task].core));
    end(rtos, jobs);
    begin(rtos, task, jobs, from);
}

void tk_rtos_on_job_done(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t task = tk_rtos_find_task(rtos, event->job.task);
    struct tk_task_jobs *jobs = jobs_of(rtos, task);
    (void)core;
    if (!jobs) return;
    int32_t on = rtos->tasks[task].core;
    TK_TELL(rtos->facts, job_done, task, rtos->tl->now, on < 0 ? 0 : tk_rtos_interrupted(rtos, (uint32_t)on),
            event->job.ends_later);
    jobs->declared = true;
    if (event->job.ends_later) {
        jobs->ends_at_next = true;
        return;
    }
    end(rtos, jobs);
    jobs->restarts = true;
    jobs->restart = rtos->tl->now;
}

TK_COLD void tk_rtos_close_jobs(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        struct tk_task_jobs *jobs = rtos->tasks[i].jobs;
        if (!jobs) continue;
        if (jobs->is_open) draw_end(rtos, jobs, TK_ARGN_OPEN_AT_END);
        jobs->restarts = jobs->ends_at_next = false;
        jobs->last_loss = rtos->tl->losses[0] + 1; // no period is measured from before
        jobs->ready_at = 0;
    }
}
