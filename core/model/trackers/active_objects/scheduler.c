// SPDX-License-Identifier: MIT
//
// Active objects: the scheduler of each core, threads known only by their priority, and their waits.
#include "active_objects_internal.h"

#include "../../../base/attributes.h"

#include <string.h>

TK_COLD struct tk_ao_scheduler *tk_ao_add_scheduler(struct tk_active_objects *o, uint8_t core) {
    struct tk_ao_scheduler *scheduler = tk_alloc_zero(o->alloc, sizeof *scheduler);
    if (!scheduler || !tk_stats_need_cores(o->stats, core + 1u))
        return tk_alloc_free(o->alloc, scheduler, sizeof *scheduler), NULL;
    char room[32];
    struct tk_text text = tk_text_in(room, sizeof room);
    scheduler->running = scheduler->name = TK_NONE;
    if (core) {
        tk_text_add(&text, "Core "), tk_text_u64(&text, core), tk_text_add(&text, ": ");
        scheduler->name = tk_names_add(tk_ao_names(o), TK_ENTITY_SYMBOL, core);
        if (scheduler->name != TK_NONE) tk_names_set(tk_ao_names(o), scheduler->name, text.text, text.len);
    }
    return o->schedulers[core % TK_MAX_SCHEDULERS] = scheduler;
}

static uint32_t scheduler_track(struct tk_active_objects *o, const struct tk_ao_scheduler *scheduler, uint32_t *track,
                                const char *title) {
    return tk_ao_track(o, track, TK_GROUP_SCHEDULER, TK_TRACK_SLICES, scheduler->name, title, NULL);
}

// ---- Running objects -----------------------------------------------------------------------------

static enum tk_task_state state_off_cpu(const struct tk_ao_object *object) {
    return object->in_step || object->inbox.count || object->is_thread ? TK_STATE_RUNNABLE : TK_STATE_WAITING;
}

// measured: the object is known to have run until now.
static void leave_cpu_state(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler, uint8_t core,
                            bool measured) {
    if (scheduler->is_idle && measured) {
        tk_stats_idle(o->stats, core, scheduler->chosen, o->tl->now);
        TK_TELL(o->facts, core_works, core, o->tl->now);
    }
    scheduler->is_idle = false;
    if (scheduler->running == TK_NONE) return;
    const struct tk_ao_object *object = &o->objects[scheduler->running];
    if (measured) tk_stats_run(o->stats, object->timeline_task, core, scheduler->since, o->tl->now);
    else tk_stats_unmeasured_run(o->stats, object->timeline_task, core);
    if (!object->blocked) tk_timeline_state(o->tl, object->timeline_task, state_off_cpu(object), core);
    scheduler->running = TK_NONE;
}

// Cancels a run that was assigned to the wrong object since its priority was scheduled.
static void cancel_run(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler, uint8_t core) {
    const struct tk_ao_object *object = scheduler->running == TK_NONE ? NULL : &o->objects[scheduler->running];
    if (object && !object->blocked)
        tk_timeline_late_state(o->tl, object->timeline_task, state_off_cpu(object), core, scheduler->chosen);
    leave_cpu_state(o, scheduler, core, false);
}

// Draws an object that was made ready earlier.
void tk_ao_scheduler_draw_ready(struct tk_active_objects *o, uint8_t core, struct tk_ao_object *object) {
    if (object->ready_deferred)
        tk_timeline_late_wake(o->tl, object->timeline_task, core, (enum tk_waker)object->ready_by, object->ready_at);
    object->ready_deferred = false;
}

static void run_on_cpu(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler, uint8_t core, uint32_t object) {
    struct tk_ao_object *chosen = &o->objects[object];
    scheduler->running = object;
    scheduler->run_known = true;
    scheduler->since = scheduler->chosen;
    if (chosen->ready_deferred && chosen->ready_at < scheduler->chosen) tk_ao_scheduler_draw_ready(o, core, chosen);
    chosen->ready_deferred = false;
    tk_timeline_late_state(o->tl, o->objects[object].timeline_task, TK_STATE_RUNNING, core, scheduler->chosen);
}

// Returns the interned text "priority 5".
static struct tk_label_text numbered(struct tk_active_objects *o, uint32_t names[256], const char *word,
                                     uint32_t number) {
    uint32_t *name = &names[number & 0xFF];
    if (*name) return tk_named(*name);
    char room[32];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, word);
    tk_text_u64(&text, number & 0xFF);
    return tk_named(*name = tk_details_name(o->details, text.text, text.len));
}

static void draw_priority(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler) {
    uint32_t track = scheduler_track(o, scheduler, &scheduler->priority_track, "Running priority");
    tk_timeline_end(o->tl, track, NULL, 0);
    if (scheduler->priority)
        tk_timeline_begin(o->tl, track, numbered(o, scheduler->priority_names, "priority ", scheduler->priority), NULL,
                          0);
}

// The core is idle, or its object is unknown until it takes an event.
static void draw_other(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler, uint8_t core) {
    if (!scheduler->is_idle) tk_timeline_unrecorded(o->tl, core, o->tl->now);
    else if (!scheduler->run_known) tk_timeline_core_idle(o->tl, core);
    scheduler->run_known = scheduler->is_idle;
}

void tk_ao_scheduler_priority(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, event->core);
    if (!scheduler) return;
    leave_cpu_state(o, scheduler, event->core, true);
    scheduler->priority = event->scheduled.priority & 0xFF;
    scheduler->is_idle = scheduler->priority == 0;
    if (scheduler->priority) scheduler->scheduled = true; // an idle scheduler does not show which object runs
    scheduler->chosen = o->tl->now;
    tk_stats_run_begins(o->stats, event->core);
    if (scheduler->is_idle) TK_TELL(o->facts, core_idles, event->core, o->tl->now);
    draw_priority(o, scheduler);
    uint32_t known = scheduler->at_priority[scheduler->priority];
    scheduler->awaits_first_event = scheduler->priority != 0;
    if (scheduler->priority && known) run_on_cpu(o, scheduler, event->core, known - 1);
    else draw_other(o, scheduler, event->core);
}

// The object that takes the first event after a priority was scheduled has this priority.
void tk_ao_scheduler_took_event(struct tk_active_objects *o, uint8_t core, struct tk_ao_object *object) {
    struct tk_ao_scheduler *scheduler = o->schedulers[core % TK_MAX_SCHEDULERS];
    uint32_t index = tk_ao_index(o, object);
    if (!scheduler || !scheduler->awaits_first_event) return;
    scheduler->awaits_first_event = false;
    if (scheduler->running == index) return;
    cancel_run(o, scheduler, core);
    scheduler->at_priority[scheduler->priority] = index + 1;
    object->priority = scheduler->priority;
    run_on_cpu(o, scheduler, core, index);
}

// The priority of an object, and so the time when it runs, may become known only after the priority was scheduled.
void tk_ao_scheduler_make_ready(struct tk_active_objects *o, uint8_t core, struct tk_ao_object *object,
                                enum tk_waker waker) {
    const struct tk_ao_scheduler *scheduler = o->schedulers[core % TK_MAX_SCHEDULERS];
    if (!scheduler || !scheduler->scheduled || tk_ao_index(o, object) == scheduler->running || object->ready_deferred)
        return;
    if (object->priority) {
        tk_timeline_wake(o->tl, object->timeline_task, core, waker);
        return;
    }
    object->ready_deferred = true;
    object->ready_by = (uint8_t)waker;
    object->ready_at = o->tl->now;
}

// Counts running time. Without a scheduler the time of the innermost step counts for its object, if it is known.
static void count_work(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler, uint8_t core, bool measured) {
    if (scheduler->open_count && !scheduler->scheduled) {
        uint32_t task = o->objects[scheduler->open[scheduler->open_count - 1]].timeline_task;
        if (measured && !scheduler->has_deeper) tk_stats_run(o->stats, task, core, scheduler->step_since, o->tl->now);
        else tk_stats_unmeasured_run(o->stats, task, core);
    }
    scheduler->step_since = o->tl->now;
    if (!scheduler->scheduled) tk_stats_run_begins(o->stats, core);
}

void tk_ao_scheduler_step_begins(struct tk_active_objects *o, uint8_t core, uint32_t object) {
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, core);
    if (!scheduler || scheduler->has_deeper) return;
    count_work(o, scheduler, core, true);
    scheduler->has_deeper = scheduler->open_count == TK_MAX_OPEN_STEPS;
    if (!scheduler->has_deeper) scheduler->open[scheduler->open_count++] = object;
}

void tk_ao_scheduler_step_ends(struct tk_active_objects *o, uint8_t core, uint32_t object) {
    struct tk_ao_scheduler *scheduler = o->schedulers[core % TK_MAX_SCHEDULERS];
    uint32_t at = scheduler ? scheduler->open_count : 0;
    while (at && scheduler->open[at - 1] != object) at--;
    if (!at) return;
    count_work(o, scheduler, core, true);
    scheduler->has_deeper = false;
    memmove(&scheduler->open[at - 1], &scheduler->open[at], (scheduler->open_count - at) * sizeof *scheduler->open);
    scheduler->open_count--;
}

bool tk_ao_scheduler_runs(const struct tk_active_objects *o, uint8_t core, uint32_t object) {
    const struct tk_ao_scheduler *scheduler = o->schedulers[core % TK_MAX_SCHEDULERS];
    if (!scheduler) return false;
    if (scheduler->scheduled) return scheduler->running == object;
    return scheduler->open_count && scheduler->open[scheduler->open_count - 1] == object && !scheduler->has_deeper;
}

uint64_t tk_ao_scheduler_ran(const struct tk_active_objects *o, uint8_t core, uint32_t object, bool *out_is_scheduled) {
    const struct tk_ao_scheduler *scheduler = o->schedulers[core % TK_MAX_SCHEDULERS];
    uint64_t ran = tk_stats_running(o->stats, o->objects[object].timeline_task);
    *out_is_scheduled = scheduler && scheduler->scheduled;
    return scheduler && scheduler->running == object ? ran + o->tl->now - scheduler->since : ran;
}

static void close_track(struct tk_active_objects *o, uint32_t track) {
    while (track && o->tl->tracks[track - 1].depth) tk_timeline_end_lost(o->tl, track);
}

// What the core ran since the scheduler chose it is not measured.
TK_COLD static void draw_unrecorded(struct tk_active_objects *o, struct tk_ao_scheduler *scheduler, uint8_t core) {
    if (scheduler->run_known) tk_timeline_unrecorded(o->tl, core, scheduler->chosen);
    scheduler->run_known = false;
}

void tk_ao_scheduler_loss(struct tk_active_objects *o, bool restart) {
    for (uint8_t core = 0; core < TK_MAX_SCHEDULERS; core++) {
        struct tk_ao_scheduler *scheduler = o->schedulers[core];
        if (!scheduler) continue;
        draw_unrecorded(o, scheduler, core);
        leave_cpu_state(o, scheduler, core, false);
        count_work(o, scheduler, core, false);
        scheduler->open_count = 0;
        scheduler->has_deeper = false;
        scheduler->awaits_first_event = false;
        close_track(o, scheduler->priority_track);
        close_track(o, scheduler->ceiling_track);
        close_track(o, scheduler->critical_track);
        if (restart) memset(scheduler->at_priority, 0, sizeof scheduler->at_priority);
    }
}

void tk_ao_scheduler_finish(struct tk_active_objects *o) {
    for (uint8_t core = 0; core < TK_MAX_SCHEDULERS; core++) {
        struct tk_ao_scheduler *scheduler = o->schedulers[core];
        if (!scheduler) continue;
        uint64_t until = tk_stats_until(o->stats, core, o->tl->now);
        if (scheduler->is_idle) tk_stats_idle(o->stats, core, scheduler->chosen, until);
        if (scheduler->running != TK_NONE)
            tk_stats_run(o->stats, o->objects[scheduler->running].timeline_task, core, scheduler->since, until);
        count_work(o, scheduler, core, until == o->tl->now);
        if (until < o->tl->now && (scheduler->is_idle || scheduler->running != TK_NONE))
            tk_timeline_unrecorded(o->tl, core, until > scheduler->chosen ? until : scheduler->chosen);
    }
}

// ---- Semaphores and locks ------------------------------------------------------------------------

void tk_ao_scheduler_ceiling(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, event->core);
    if (!scheduler) return;
    uint32_t track = scheduler_track(o, scheduler, &scheduler->ceiling_track, "Locked up to");
    if (event->kind == TK_EV_CEILING_RAISED)
        tk_timeline_begin(o->tl, track, numbered(o, scheduler->ceiling_names, "ceiling ", event->ceiling.ceiling), NULL,
                          0);
    else tk_timeline_end(o->tl, track, NULL, 0);
}

void tk_ao_scheduler_critical(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, event->core);
    if (!scheduler) return;
    uint32_t track = scheduler_track(o, scheduler, &scheduler->critical_track, "Critical sections");
    if (!scheduler->critical_name) scheduler->critical_name = tk_details_name(o->details, "critical section", 16);
    if (event->kind == TK_EV_CRITICAL_ENTERED)
        tk_timeline_begin(o->tl, track, tk_named(scheduler->critical_name), NULL, 0);
    else tk_timeline_end(o->tl, track, NULL, 0);
}
