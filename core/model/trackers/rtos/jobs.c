// SPDX-License-Identifier: MIT
//
// Jobs: what a task does from the moment it begins to run until it waits for the next piece of work. And its stack.
#include "kernel_services_internal.h"

static struct tk_task_services *worker(struct tk_kernel_services *services, uint32_t task) {
    if (tk_rtos_is_shared(task) || services->rtos->tasks[task].idle || services->rtos->tasks[task].ends) return NULL;
    return tk_services_task(services, task);
}

static uint32_t jobs_track(struct tk_kernel_services *services, uint32_t task, struct tk_task_services *own) {
    if (!own->jobs_track) {
        struct tk_track_spec spec = { tk_timeline_task_group(services->tl, task),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "jobs",
                                      services->tl->rows[task].pid,
                                      TK_RANK_JOBS,
                                      NULL,
                                      "From the moment it begins to run until it waits for more work",
                                      0 };
        own->jobs_track = tk_timeline_add_track(services->tl, &spec);
    }
    return own->jobs_track;
}

// A length of time as an argument: nanoseconds where it is known how long a tick is.
static void add_length(struct tk_kernel_services *services, struct tk_details *args, const char *in_ns,
                       const char *in_ticks, uint64_t ticks) {
    uint64_t ns = *services->host.tick_ns;
    bool fits = ns && ticks <= UINT64_MAX / ns;
    tk_details_number(services->host.details, args, fits ? in_ns : in_ticks, fits ? ticks * ns : ticks);
}

// ---- Begin -------------------------------------------------------------------------------------

static struct tk_job_stats *figures_of(struct tk_kernel_services *services, struct tk_task_services *own) {
    if (own->figures || services->figures_count == TK_MAX_JOB_STATS) return own->figures;
    own->figures = tk_alloc_zero(services->host.alloc, sizeof *own->figures);
    services->figures_count += own->figures != NULL;
    return own->figures;
}

static void count_period(struct tk_kernel_services *services, struct tk_task_services *own, uint64_t period,
                         uint64_t at) {
    struct tk_job_stats *figures = figures_of(services, own);
    tk_durations_add(&own->periods, at, period);
    if (figures) tk_histogram_add(&figures->period, period);
}

// A job begins at `at`, which may be in the past.
static void begin(struct tk_kernel_services *services, uint32_t task, struct tk_task_services *own, uint64_t at) {
    struct tk_details args;
    args.count = 0;
    struct tk_track_event event = { .ticks = at,
                                    .type = TK_EVENT_BEGIN,
                                    .when = at == services->tl->now ? TK_IN_ORDER : TK_LATE };
    char text[32];
    bool has_last = own->job_count && own->last_loss == services->tl->losses[0];
    event.track = jobs_track(services, task, own);
    event.string = text;
    event.string_len = (uint32_t)tk_append_number(text, tk_append_text(text, 0, "job "), ++own->job_count);
    if (own->ready_at && own->ready_at <= at)
        add_length(services, &args, "waited for the core (ns)", "waited for the core (ticks)",
                   at - (own->ready_at - 1));
    if (has_last)
        add_length(services, &args, "since the last began (ns)", "since the last began (ticks)", at - own->job_last);
    if (has_last) count_period(services, own, at - own->job_last, own->job_last);
    event.args = args.args;
    event.arg_count = (uint8_t)args.count;
    tk_timeline_event(services->tl, &event);
    own->job_open = true;
    own->job_restarts = false;
    own->job_since = own->job_last = at;
    own->job_loss = own->last_loss = services->tl->losses[0];
    own->ready_at = 0;
}

// ---- End ---------------------------------------------------------------------------------------

static void count_job(struct tk_kernel_services *services, struct tk_task_services *own) {
    struct tk_job_stats *figures = figures_of(services, own);
    uint64_t measured = own->responses.measured;
    own->jobs++;
    tk_services_measure_since(services, &own->responses, own->job_since, own->job_loss);
    if (figures && own->responses.measured > measured)
        tk_histogram_add(&figures->response, services->tl->now - own->job_since);
}

// why: what the end is marked with, or TK_ARG_NAMES.
static void draw_end(struct tk_kernel_services *services, struct tk_task_services *own, enum tk_arg_name why) {
    struct tk_arg mark = { .type = TK_ARG_UINT, .value.u = 1 };
    struct tk_track_event event = { .track = own->jobs_track, .type = TK_EVENT_END, .args = &mark };
    if (why < TK_ARG_NAMES) {
        mark.name = tk_names_arg(tk_services_names(services), why);
        event.arg_count = 1;
    }
    tk_timeline_event(services->tl, &event);
    own->job_open = false;
}

static void end(struct tk_kernel_services *services, struct tk_task_services *own) {
    own->job_restarts = own->job_ends = false;
    if (!own->job_open) return;
    count_job(services, own);
    draw_end(services, own, own->job_loss == services->tl->losses[0] ? TK_ARG_NAMES : TK_ARGN_CROSSES_LOSS);
}

// Waits that end a job: for the next piece of work, not for a lock or for room.
static bool ends_job(const struct tk_kernel_services *services, const struct tk_task *task,
                     const struct tk_task_services *own) {
    switch ((enum tk_pending_block)task->pending_block) {
    case TK_PENDING_NONE: return false;
    case TK_PENDING_DELETE: return true;
    case TK_PENDING_SEND: return own->job_ends;
    case TK_PENDING_RECEIVE:
        return own->own_jobs ? own->job_ends : !tk_queue_is_lock(&services->rtos->queues[task->pending_id]);
    default: return !own->own_jobs || own->job_ends;
    }
}

// ---- What happens ------------------------------------------------------------------------------

void tk_services_jobs_ready(struct tk_kernel_services *services, uint32_t task) {
    struct tk_task_services *own = worker(services, task);
    if (own && !own->job_open && services->rtos->tasks[task].phase != TK_PHASE_RUNNING &&
        services->rtos->tasks[task].phase != TK_PHASE_READY)
        own->ready_at = services->tl->now + 1;
}

void tk_services_jobs_switch(struct tk_kernel_services *services, uint32_t old, uint32_t next) {
    struct tk_task_services *own = old == TK_NONE ? NULL : worker(services, old);
    if (own && services->rtos->tasks[old].pending_block != TK_PENDING_NONE) {
        own->job_restarts = false; // it did nothing in between
        if (ends_job(services, &services->rtos->tasks[old], own)) end(services, own);
    }
    own = next == TK_NONE ? NULL : worker(services, next);
    if (own && !own->job_open && !own->job_restarts && services->rtos->tasks[next].phase != TK_PHASE_DELETED)
        begin(services, next, own, services->tl->now);
}

void tk_services_jobs_stop(struct tk_kernel_services *services, uint32_t task) {
    struct tk_task_services *own = worker(services, task);
    if (own && !own->own_jobs) end(services, own);
}

void tk_services_jobs_call(struct tk_kernel_services *services, uint32_t task) {
    struct tk_task_services *own = worker(services, task);
    if (!own || (!own->job_ends && !own->job_restarts)) return;
    uint64_t from = own->job_restarts ? own->job_restart : services->tl->now;
    end(services, own);
    begin(services, task, own, from);
}

TK_SERVICES_HANDLER(job_done) {
    struct tk_task_services *own = worker(services, tk_rtos_find_task(services->rtos, event->id));
    (void)core;
    if (!own) return;
    own->own_jobs = true;
    if (event->arg) {
        own->job_ends = true;
        return;
    }
    end(services, own);
    own->job_restarts = true;
    own->job_restart = services->tl->now;
}

TK_COLD void tk_services_jobs_close(struct tk_kernel_services *services) {
    for (uint32_t i = 0; i < services->task_count; i++) {
        struct tk_task_services *own = &services->tasks[i];
        if (own->job_open) {
            own->jobs++;
            draw_end(services, own, TK_ARGN_OPEN_AT_END);
        }
        own->job_restarts = own->job_ends = false;
        own->last_loss = services->tl->losses[0] + 1; // no period across it
        own->ready_at = 0;
    }
}

// ---- Stack -------------------------------------------------------------------------------------

TK_SERVICES_HANDLER(stack_free) {
    uint32_t task = tk_rtos_find_task(services->rtos, event->id);
    struct tk_task_services *own = tk_services_task(services, task);
    (void)core;
    if (!own) return;
    if (!own->stack_track) {
        struct tk_track_spec spec = { tk_timeline_task_group(services->tl, task),
                                      TK_TRACK_COUNTER,
                                      TK_NONE,
                                      "stack free",
                                      services->tl->rows[task].pid,
                                      TK_RANK_STACK,
                                      "words",
                                      "Words of its stack that were never used",
                                      0 };
        own->stack_track = tk_timeline_add_track(services->tl, &spec);
    }
    tk_timeline_counter(services->tl, own->stack_track, event->value, NULL, 0);
    if (own->stack_known && event->value >= own->stack_least) return;
    own->stack_known = true;
    own->stack_least = event->value;
    own->stack_least_at = services->tl->now;
}
