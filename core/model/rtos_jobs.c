// SPDX-License-Identifier: MIT
//
// Jobs: what a task does from the moment it begins to run until it waits for the next piece of work. And its stack.
#include "rtos_more_parts.h"

static struct tk_task_more *worker(struct tk_rtos_more *more, uint32_t task) {
    if (tk_rtos_is_shared(task) || more->rtos->tasks[task].idle || more->rtos->tasks[task].ends) return NULL;
    return tk_more_task(more, task);
}

static uint32_t jobs_track(struct tk_rtos_more *more, uint32_t task, struct tk_task_more *own) {
    if (!own->jobs_track) {
        struct tk_track_spec spec = { tk_timeline_more(more->tl, task), TK_TRACK_SLICES, TK_NONE, "jobs", more->tl->rows[task].pid, TK_RANK_JOBS, NULL, "From the moment it begins to run until it waits for more work", 0 };
        own->jobs_track = tk_timeline_add_track(more->tl, &spec);
    }
    return own->jobs_track;
}

// A length of time as an argument: nanoseconds where it is known how long a tick is.
static void add_length(struct tk_rtos_more *more, struct tk_details *args, const char *in_ns, const char *in_ticks, uint64_t ticks) {
    uint64_t ns = *more->host.tick_ns;
    bool fits = ns && ticks <= UINT64_MAX / ns;
    tk_details_number(more->host.details, args, fits ? in_ns : in_ticks, fits ? ticks * ns : ticks);
}

// ---- Begin -------------------------------------------------------------------------------------

static struct tk_job_figures *figures_of(struct tk_rtos_more *more, struct tk_task_more *own) {
    if (own->figures || more->figures_count == TK_MAX_JOB_FIGURES) return own->figures;
    own->figures = tk_alloc_zero(more->host.alloc, sizeof *own->figures);
    more->figures_count += own->figures != NULL;
    return own->figures;
}

static void count_period(struct tk_rtos_more *more, struct tk_task_more *own, uint64_t period, uint64_t at) {
    struct tk_job_figures *figures = figures_of(more, own);
    tk_durations_add(&own->periods, at, period);
    if (figures) tk_histogram_add(&figures->period, period);
}

// A job begins at `at`, which may be in the past.
static void begin(struct tk_rtos_more *more, uint32_t task, struct tk_task_more *own, uint64_t at) {
    struct tk_details args;
    args.count = 0;
    struct tk_track_event event = { .ticks = at, .type = TK_EVENT_BEGIN, .when = at == more->tl->now ? TK_IN_ORDER : TK_LATE };
    char text[32];
    bool has_last = own->job_count && own->last_loss == more->tl->losses[0];
    event.track = jobs_track(more, task, own);
    event.string = text;
    event.string_len = (uint32_t)tk_append_number(text, tk_append_text(text, 0, "job "), ++own->job_count);
    if (own->ready_at && own->ready_at <= at) add_length(more, &args, "waited for the core (ns)", "waited for the core (ticks)", at - (own->ready_at - 1));
    if (has_last) add_length(more, &args, "since the last began (ns)", "since the last began (ticks)", at - own->job_last);
    if (has_last) count_period(more, own, at - own->job_last, own->job_last);
    event.args = args.args;
    event.arg_count = (uint8_t)args.count;
    tk_timeline_event(more->tl, &event);
    own->job_open = true;
    own->job_restarts = false;
    own->job_since = own->job_last = at;
    own->job_loss = own->last_loss = more->tl->losses[0];
    own->ready_at = 0;
}

// ---- End ---------------------------------------------------------------------------------------

static void count_job(struct tk_rtos_more *more, struct tk_task_more *own) {
    struct tk_job_figures *figures = figures_of(more, own);
    uint64_t measured = own->responses.measured;
    own->jobs++;
    tk_more_measure(more, &own->responses, own->job_since, own->job_loss);
    if (figures && own->responses.measured > measured) tk_histogram_add(&figures->response, more->tl->now - own->job_since);
}

// why: what the end is marked with, or TK_ARG_NAMES.
static void draw_end(struct tk_rtos_more *more, struct tk_task_more *own, enum tk_arg_name why) {
    struct tk_arg mark = { .type = TK_ARG_UINT, .value.u = 1 };
    struct tk_track_event event = { .track = own->jobs_track, .type = TK_EVENT_END, .args = &mark };
    if (why < TK_ARG_NAMES) {
        mark.name = tk_names_arg(tk_more_names(more), why);
        event.arg_count = 1;
    }
    tk_timeline_event(more->tl, &event);
    own->job_open = false;
}

static void end(struct tk_rtos_more *more, struct tk_task_more *own) {
    own->job_restarts = own->job_ends = false;
    if (!own->job_open) return;
    count_job(more, own);
    draw_end(more, own, own->job_loss == more->tl->losses[0] ? TK_ARG_NAMES : TK_ARGN_CROSSES_LOSS);
}

// Waits that end a job: for the next piece of work, not for a lock or for room.
static bool ends_job(const struct tk_rtos_more *more, const struct tk_task *task, const struct tk_task_more *own) {
    switch ((enum tk_leave)task->leave) {
    case TK_LEAVE_OPEN: return false;
    case TK_LEAVE_DELETE: return true;
    case TK_LEAVE_SEND: return own->job_ends;
    case TK_LEAVE_RECEIVE: return own->own_jobs ? own->job_ends : !tk_queue_is_lock(&more->rtos->queues[task->leave_id]);
    default: return !own->own_jobs || own->job_ends;
    }
}

// ---- What happens ------------------------------------------------------------------------------

void tk_more_jobs_ready(struct tk_rtos_more *more, uint32_t task) {
    struct tk_task_more *own = worker(more, task);
    if (own && !own->job_open && more->rtos->tasks[task].phase != TK_PHASE_RUNNING && more->rtos->tasks[task].phase != TK_PHASE_READY) own->ready_at = more->tl->now + 1;
}

void tk_more_jobs_switch(struct tk_rtos_more *more, uint32_t old, uint32_t next) {
    struct tk_task_more *own = old == TK_NONE ? NULL : worker(more, old);
    if (own && more->rtos->tasks[old].leave != TK_LEAVE_OPEN) {
        own->job_restarts = false; // it did nothing in between
        if (ends_job(more, &more->rtos->tasks[old], own)) end(more, own);
    }
    own = next == TK_NONE ? NULL : worker(more, next);
    if (own && !own->job_open && !own->job_restarts && more->rtos->tasks[next].phase != TK_PHASE_DELETED) begin(more, next, own, more->tl->now);
}

void tk_more_jobs_stop(struct tk_rtos_more *more, uint32_t task) {
    struct tk_task_more *own = worker(more, task);
    if (own && !own->own_jobs) end(more, own);
}

void tk_more_jobs_call(struct tk_rtos_more *more, uint32_t task) {
    struct tk_task_more *own = worker(more, task);
    if (!own || (!own->job_ends && !own->job_restarts)) return;
    uint64_t from = own->job_restarts ? own->job_restart : more->tl->now;
    end(more, own);
    begin(more, task, own, from);
}

TK_MORE_HANDLER(job_done) {
    struct tk_task_more *own = worker(more, tk_rtos_find_task(more->rtos, event->id));
    (void)core;
    if (!own) return;
    own->own_jobs = true;
    if (event->arg) {
        own->job_ends = true;
        return;
    }
    end(more, own);
    own->job_restarts = true;
    own->job_restart = more->tl->now;
}

TK_COLD void tk_more_jobs_close(struct tk_rtos_more *more) {
    for (uint32_t i = 0; i < more->task_count; i++) {
        struct tk_task_more *own = &more->tasks[i];
        if (own->job_open) {
            own->jobs++;
            draw_end(more, own, TK_ARGN_OPEN_AT_END);
        }
        own->job_restarts = own->job_ends = false;
        own->last_loss = more->tl->losses[0] + 1; // no period across it
        own->ready_at = 0;
    }
}

// ---- Stack -------------------------------------------------------------------------------------

TK_MORE_HANDLER(stack_free) {
    uint32_t task = tk_rtos_find_task(more->rtos, event->id);
    struct tk_task_more *own = tk_more_task(more, task);
    (void)core;
    if (!own) return;
    if (!own->stack_track) {
        struct tk_track_spec spec = { tk_timeline_more(more->tl, task), TK_TRACK_COUNTER, TK_NONE, "stack free", more->tl->rows[task].pid, TK_RANK_STACK, "words", "Words of its stack that were never used", 0 };
        own->stack_track = tk_timeline_add_track(more->tl, &spec);
    }
    tk_timeline_counter(more->tl, own->stack_track, event->value, NULL, 0);
    if (own->stack_known && event->value >= own->stack_least) return;
    own->stack_known = true;
    own->stack_least = event->value;
    own->stack_least_at = more->tl->now;
}
