// SPDX-License-Identifier: MIT
//
// Events of tasks: switches, readiness, priorities, creation, names, the end.
#include <string.h>

#include "rtos_internal.h"

// Returns true if the only core was idle since the task left it: the task was not ready then.
static bool has_idled_since(const struct tk_rtos *rtos, const struct tk_task *task) {
    const struct tk_core *core = &rtos->cores[task->switched_out_core];
    uint32_t cores = 0;
    if (core->none_ready_at <= task->since) return false;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) cores += rtos->cores[i].seen;
    return cores == 1;
}

// A task that left its core without an announced wait runs or changes again, and no event made it ready.
static void resolve_unannounced(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    if (!has_idled_since(rtos, task)) {
        tk_rtos_was_preempted(rtos, index);
        return;
    }
    task->ready_at = rtos->tl->now;
    task->ready_loss = rtos->tl->losses[0];
    task->ready_core = (uint8_t)task->switched_out_core;
    task->ready_waker = 0;
    task->ready_by = TK_WAKER_INTERRUPT;
    tk_rtos_was_blocked(rtos, index, true);
}

// Ends the wait or other state of the task off its core, because a new state begins.
static TK_INLINE void end_pause(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    if (task->ready_pending) tk_rtos_resolve_as_blocked(rtos, index);
    if (task->phase == TK_PHASE_SWITCHED_OUT) resolve_unannounced(rtos, index);
    tk_rtos_close_wait(rtos, index, 0);
}

TK_COLD void tk_rtos_end_off_cpu(struct tk_rtos *rtos, uint32_t index) { end_pause(rtos, index); }

static void leave_core(struct tk_rtos *rtos, uint32_t index, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    uint64_t from = task->since;
    bool crossed = task->loss != tl->losses[core + 1]; // it is unknown when the task left, and whether others ran
    tk_rtos_count_run_until(rtos, index, core, tl->now);
    if (crossed) tk_timeline_unrecorded(tl, core, from);
    TK_TELL(rtos->facts, task_leaves, index, core, tl->now, tk_rtos_interrupted(rtos, core));
    if (from == tl->now) tk_diag_count(rtos->diag, TK_DIAG_RUN_ZERO, NULL);
    tk_timeline_cancel_state(tl, index); // cancels a run that is not shown yet
    task->core = -1;
    task->ran_from = from;
    task->since = tl->now;
    task->switched_out_core = (uint16_t)core;
    switch ((enum tk_pending_block)task->pending_block) {
    case TK_PENDING_NONE:
        if (task->ends) {
            tk_rtos_end_task(rtos, index, core);
            return;
        }
        task->phase = TK_PHASE_SWITCHED_OUT;
        task->loss = tl->losses[0] - (crossed || rtos->damaged);
        if (!task->idle && !rtos->blocking_traced) return; // decided when its next event shows whether it waited
        task->phase = TK_PHASE_READY;
        TK_TELL(rtos->facts, task_ready, index);
        tk_timeline_state(tl, index, TK_STATE_RUNNABLE, core);
        return;
    case TK_PENDING_SUSPEND:
        tk_rtos_tell_stop(rtos, index, task->pending_id, false, task->pending_id != TK_NONE);
        tk_rtos_suspend(rtos, index, task->pending_id, core);
        break;
    case TK_PENDING_DELETE:
        tk_rtos_tell_stop(rtos, index, task->pending_id, true, task->pending_id != TK_NONE);
        tk_rtos_delete(rtos, index, task->pending_id, core);
        break;
    default: tk_timeline_state(tl, index, tk_rtos_start_wait(rtos, index), core); break;
    }
    if (crossed) tk_rtos_invalidate_wait(rtos, index);
}

// The task of this core migrated; the next task of this core is unknown until its switch event.
static void mark_task_migrated(struct tk_core *core) {
    core->task = TK_NONE;
    core->task_migrated = true;
}

void tk_rtos_on_switched_in(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task.task), old = core->task;
    if (old == index && index != TK_NONE && rtos->tasks[index].core == event->core) {
        rtos->tasks[index].pending_block = TK_PENDING_NONE; // a wait announced in between took no time
        return;
    }
    if (rtos->traces_services)
        tk_rtos_job_switch(rtos, old != TK_NONE && rtos->tasks[old].core == event->core ? old : TK_NONE, index);
    if (core->depth) tk_rtos_close_isrs_after_loss(rtos, event, core, 0); // no task starts within an interrupt
    if (old != TK_NONE && rtos->tasks[old].core == event->core) leave_core(rtos, old, event->core);
    else if (core->is_idle) tk_rtos_end_idle(rtos, event->core, rtos->tl->now);
    core->task = index;
    core->last_target = 0;
    if (index == TK_NONE) return;
    struct tk_task *task = &rtos->tasks[index];
    if (task->phase == TK_PHASE_DELETED) {
        tk_rtos_problem(rtos, TK_DIAG_TASK_AFTER_DELETE, event);
        core->task = TK_NONE;
        return;
    }
    if (task->core >= 0) { // it runs on another core, which has not reported yet that it left
        tk_stats_unmeasured_run(rtos->stats, index, (uint32_t)task->core);
        tk_timeline_unrecorded(rtos->tl, (uint32_t)task->core, task->since);
        TK_TELL(rtos->facts, task_migrates, index);
        if (!tk_rtos_is_shared(index)) mark_task_migrated(&rtos->cores[task->core]);
        tk_rtos_problem(rtos, TK_DIAG_TASK_ON_TWO_CORES, event);
    } else {
        if (task->wait_open && rtos->blocking_traced)
            tk_rtos_invalidate_wait(rtos, index); // the event that made it ready was lost
        end_pause(rtos, index);
    }
    task->phase = TK_PHASE_RUNNING;
    task->pending_block = TK_PENDING_NONE;
    task->core = event->core;
    task->since = rtos->tl->now;
    task->loss = rtos->tl->losses[event->core + 1];
    tk_stats_run_begins(rtos->stats, event->core);
    TK_TELL(rtos->facts, task_runs, index, event->core, rtos->tl->now);
    tk_timeline_state(rtos->tl, index, TK_STATE_RUNNING, event->core);
}

void tk_rtos_end_idle(struct tk_rtos *rtos, uint32_t number, uint64_t until) {
    struct tk_core *core = &rtos->cores[number];
    core->is_idle = false;
    TK_TELL(rtos->facts, core_works, number, until);
    if (core->idle_loss == rtos->tl->losses[number + 1]) {
        tk_stats_idle(rtos->stats, number, core->idle_since, until);
        return;
    }
    tk_stats_unmeasured_idle(rtos->stats, number); // it is unknown whether tasks ran
    tk_timeline_unrecorded(rtos->tl, number, core->idle_since);
}

void tk_rtos_on_core_idle(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_timeline *tl = rtos->tl;
    uint32_t old = core->task, loss = tl->losses[event->core + 1];
    bool has_old = old != TK_NONE && rtos->tasks[old].core == event->core, is_drawn = false;
    if (!event->core_idle.may_be_ready) core->none_ready_at = tl->now + 1;
    if (core->is_idle && core->idle_loss == loss) return;
    if (rtos->traces_services) tk_rtos_job_switch(rtos, has_old ? old : TK_NONE, TK_NONE);
    if (core->depth) tk_rtos_close_isrs_after_loss(rtos, event, core, 0); // a core is not idle within an interrupt
    if (core->is_idle) tk_rtos_end_idle(rtos, event->core, tl->now);
    if (has_old) {
        // The next state of the task ends its run, unless that state is determined later.
        bool is_shown = tl->tasks[old].shown == TK_STATE_RUNNING + 1, crossed = rtos->tasks[old].loss != loss;
        leave_core(rtos, old, event->core);
        is_drawn = !crossed && !(is_shown && rtos->tasks[old].phase == TK_PHASE_SWITCHED_OUT);
    }
    core->task = TK_NONE;
    core->last_target = 0;
    core->is_idle = core->has_idled = true;
    core->idle_since = tl->now;
    core->idle_loss = loss;
    tk_stats_run_begins(rtos->stats, event->core);
    TK_TELL(rtos->facts, core_idles, event->core, tl->now);
    if (!is_drawn) tk_timeline_core_idle(tl, event->core);
}

static void make_ready(struct tk_rtos *rtos, uint32_t index, const struct tk_core *core, const struct tk_event *event) {
    struct tk_rtos_waker waker = tk_rtos_waker(rtos, core, event, index);
    tk_rtos_close_wait(rtos, index, waker.text);
    rtos->tasks[index].phase = TK_PHASE_READY;
    TK_TELL(rtos->facts, task_released, index, rtos->tl->now, waker.end);
    tk_timeline_wake(rtos->tl, index, tk_rtos_core_number(rtos, core), waker.by);
}

// Records that a task which left without an announced wait was made ready.
static void note_ready(struct tk_rtos *rtos, uint32_t index, const struct tk_core *core, const struct tk_event *event) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_rtos_waker waker = tk_rtos_waker(rtos, core, event, index);
    task->ready_at = rtos->tl->now;
    task->ready_loss = rtos->tl->losses[0];
    task->ready_core = (uint8_t)tk_rtos_core_number(rtos, core);
    task->ready_waker = waker.text;
    task->ready_by = (uint8_t)waker.by;
}

void tk_rtos_on_ready(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task.task);
    if (tk_rtos_is_shared(index)) return;
    if (rtos->traces_services) tk_rtos_job_ready(rtos, index);
    struct tk_task *task = &rtos->tasks[index];
    switch ((enum tk_task_phase)task->phase) {
    case TK_PHASE_RUNNING:
        if (task->pending_block != TK_PENDING_DELETE)
            task->pending_block = TK_PENDING_NONE; // its announced wait is cancelled
        break;
    case TK_PHASE_SWITCHED_OUT: // moved to another ready list because of its priority, or woken?
        if (core->prio_task == index && core->prio_serial + 1 == core->serial) {
            tk_rtos_was_preempted(rtos, index);
            break;
        }
        if (task->ready_pending || core->pending_ready != TK_NONE) break;
        note_ready(rtos, index, core, event);
        task->ready_pending = true;
        core->pending_ready = index;
        rtos->tl->unresolved++;
        break;
    case TK_PHASE_DELETED: tk_rtos_problem(rtos, TK_DIAG_TASK_AFTER_DELETE, event); break;
    case TK_PHASE_READY: break;
    default: make_ready(rtos, index, core, event); break;
    }
}

// Draws a call of one task that affects another one. priority: argument of the call; NULL: none.
TK_COLD static void draw_task_call(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor,
                                   enum tk_label label, uint32_t index, const uint32_t *priority) {
    struct tk_details args;
    args.count = 0;
    if (tk_rtos_is_shared(index)) return;
    if (priority) tk_details_number(rtos->host->details, &args, "priority", *priority);
    tk_rtos_draw_call(
        rtos, core, actor,
        &(struct tk_call){ .name = tk_named(tk_names_label(tk_rtos_names(rtos), rtos->tasks[index].entity, label)),
                           .args = &args });
}

TK_COLD void tk_rtos_on_resumed(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task.task);
    if (rtos->traces_services) {
        struct tk_actor actor = tk_rtos_actor(core, event);
        tk_rtos_cancel_wait(rtos, actor);
        draw_task_call(rtos, core, actor, TK_LABEL_CALL_RESUME, index, NULL);
    }
    if (tk_rtos_is_shared(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    tk_rtos_set_last_target(core, event, tk_wait_target_key(TK_WAIT_TARGET_TASK, index));
    switch ((enum tk_task_phase)task->phase) {
    case TK_PHASE_RUNNING:
        if (task->pending_block == TK_PENDING_SUSPEND) task->pending_block = TK_PENDING_NONE;
        break;
    case TK_PHASE_SWITCHED_OUT:
        tk_rtos_discard_pending_ready(rtos, index);
        note_ready(rtos, index, core, event);
        tk_rtos_was_blocked(rtos, index, true);
        break;
    case TK_PHASE_DELETED: tk_rtos_problem(rtos, TK_DIAG_TASK_AFTER_DELETE, event); break;
    case TK_PHASE_READY: break;
    default: make_ready(rtos, index, core, event); break;
    }
}

// Returns false if it is unknown which task runs on a core: before its first switch, and after a loss until the next
// switch.
TK_COLD static bool is_running_task_known(const struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        const struct tk_core *core = &rtos->cores[i];
        uint32_t loss = core->task == TK_NONE ? core->idle_loss : rtos->tasks[core->task].loss;
        if (core->seen && ((core->task == TK_NONE && !core->is_idle) || loss != rtos->tl->losses[i + 1])) return false;
    }
    return true;
}

// Handles a task that suspends or deletes another task, or itself.
TK_COLD static void stop_job(struct tk_rtos *rtos, const struct tk_event *event, const struct tk_core *core,
                             uint32_t index, enum tk_label label) {
    struct tk_actor actor = tk_rtos_actor(core, event);
    if (index != core->task || core->depth) {
        tk_rtos_cancel_wait(rtos, actor);
        tk_rtos_draw_plain_call(rtos, core, actor, label, rtos->tasks[index].entity);
    }
    if (rtos->tasks[index].core < 0) tk_rtos_job_stop(rtos, index);
}

TK_COLD void tk_rtos_on_suspended(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task.task);
    if (tk_rtos_is_shared(index)) return;
    if (rtos->traces_services) stop_job(rtos, event, core, index, TK_LABEL_CALL_SUSPEND);
    struct tk_task *task = &rtos->tasks[index];
    if (task->phase == TK_PHASE_SUSPENDED || task->phase == TK_PHASE_DELETED) return;
    if (task->phase == TK_PHASE_RUNNING) {
        task->pending_block = TK_PENDING_SUSPEND;
        task->pending_id = core->task;
        return;
    }
    end_pause(rtos, index);
    bool is_certain = is_running_task_known(rtos);
    tk_rtos_tell_stop(rtos, index, core->task == index ? TK_NONE : core->task, false, is_certain);
    tk_rtos_suspend(rtos, index, core->task, task->switched_out_core);
    if (!is_certain) tk_rtos_invalidate_wait(rtos, index); // it may have run until it is switched out
}

TK_COLD void tk_rtos_on_deleted(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task.task);
    if (tk_rtos_is_shared(index)) return;
    if (rtos->traces_services) stop_job(rtos, event, core, index, TK_LABEL_CALL_DELETE);
    struct tk_task *task = &rtos->tasks[index];
    if (task->phase == TK_PHASE_DELETED) return;
    if (task->phase == TK_PHASE_RUNNING) {
        task->pending_block = TK_PENDING_DELETE;
        task->pending_id = core->task;
        return;
    }
    end_pause(rtos, index);
    tk_rtos_tell_stop(rtos, index, core->task == index ? TK_NONE : core->task, true, true);
    tk_rtos_delete(rtos, index, core->task, task->switched_out_core);
}

TK_COLD static void add_priority_track(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    struct tk_track_spec spec = { tk_timeline_task_group(tl, index),
                                  TK_TRACK_COUNTER,
                                  TK_NONE,
                                  "priority",
                                  tl->tasks[index].pid,
                                  TK_RANK_PRIORITY,
                                  NULL,
                                  NULL,
                                  0 };
    task->prio_track = tk_timeline_add_track(tl, &spec);
    struct tk_track_event first = { .ticks = task->prio_since,
                                    .track = task->prio_track,
                                    .type = TK_EVENT_COUNTER,
                                    .when = TK_LATE,
                                    .value = (int32_t)task->prio };
    if (task->prio_since < tl->now) tk_timeline_event(tl, &first);
}

TK_COLD void tk_rtos_on_priority(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task_priority.task);
    if (tk_rtos_is_shared(index)) return;
    if (rtos->traces_services && event->kind == TK_EV_TASK_PRIORITY_SET &&
        event->task_priority.origin == TK_PRIORITY_BY_CALL)
        draw_task_call(rtos, core, tk_rtos_actor(core, event), TK_LABEL_CALL_SET_PRIORITY, index,
                       &event->task_priority.priority);
    struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    if (event->task_priority.origin != TK_PRIORITY_DECLARED)
        TK_TELL(rtos->facts, task_priority, index, tl->now, event->task_priority.priority);
    if (event->kind != TK_EV_TASK_PRIORITY_INHERITED) {
        core->prio_task = index;
        core->prio_serial = core->serial;
    }
    if (!task->prio_known || task->prio == event->task_priority.priority) {
        if (!task->prio_known) task->prio_since = tl->now;
        task->prio_known = true;
        task->prio = event->task_priority.priority;
        return;
    }
    if (!task->prio_track) add_priority_track(rtos, index);
    task->prio = event->task_priority.priority;
    tk_timeline_counter(tl, task->prio_track, (int32_t)event->task_priority.priority, NULL, 0);
}

TK_COLD void tk_rtos_on_task_declared(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    const struct tk_event_task_declared *declared = &event->task_declared;
    uint32_t index = tk_rtos_find_task(rtos, declared->task);
    struct tk_event priority = *event;
    if (tk_rtos_is_shared(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    priority.kind = TK_EV_TASK_PRIORITY_SET;
    priority.task_priority =
        (struct tk_event_task_priority){ declared->task, declared->priority, TK_PRIORITY_DECLARED };
    if (!task->prio_known || task->stale) tk_rtos_on_priority(rtos, &priority, core);
    if (tk_alloc_grow(rtos->alloc, (void **)&rtos->created_at, &rtos->created_at_capacity, index + 1,
                      sizeof *rtos->created_at))
        rtos->created_at[index] = (uint64_t)declared->created + 1;
}

// Draws the call of the task that creates another one, and an instant on the track of the new one.
TK_COLD static void draw_creation(struct tk_rtos *rtos, const struct tk_event *event, const struct tk_core *core,
                                  uint32_t index) {
    struct tk_actor actor = tk_rtos_actor(core, event);
    struct tk_details args;
    args.count = 0;
    char room[TK_LABEL_LEN];
    if (core->task == TK_NONE) return;
    uint32_t priority = event->task_created.priority_plus_1 - 1;
    uint64_t address = tk_names_address(tk_rtos_names(rtos), rtos->tasks[index].entity);
    bool is_creator_known = actor.kind == TK_ACTOR_TASK && !tk_rtos_is_shared(actor.index);
    tk_rtos_cancel_wait(rtos, actor);
    draw_task_call(rtos, core, actor, TK_LABEL_CALL_CREATE, index,
                   event->task_created.priority_plus_1 ? &priority : NULL);
    if (event->task_created.priority_plus_1) tk_details_number(rtos->host->details, &args, "priority", priority);
    if (address) tk_rtos_add_address_arg(rtos, &args, "address", address);
    struct tk_label_parts created_by = { .label = TK_LABEL_CREATED_BY,
                                         .entity = is_creator_known ? rtos->tasks[actor.index].entity : TK_NONE };
    struct tk_label_text name = tk_label_of(tk_rtos_names(rtos), &created_by, room);
    tk_timeline_instant(rtos->tl, tk_timeline_thread(rtos->tl, index), name, args.args, args.count);
}

TK_COLD void tk_rtos_on_task_created(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task_created.task);
    if (tk_rtos_is_shared(index)) return;
    if (rtos->traces_services) draw_creation(rtos, event, core, index);
    TK_TELL(rtos->facts, task_created, index);
    if (rtos->tasks[index].phase != TK_PHASE_DELETED) return;
    rtos->tasks[index].phase = TK_PHASE_UNKNOWN; // its number belongs to another task now, which continues in its row
    rtos->tasks[index].pending_block = TK_PENDING_NONE;
}

// A new task with the name of a deleted one continues in its row, so that short-lived tasks do not crowd the list.
TK_COLD static bool takes_over_timeline_task(struct tk_rtos *rtos, uint32_t index, const struct tk_event *event) {
    struct tk_names *names = tk_rtos_names(rtos);
    const struct tk_timeline_task *task = &rtos->tl->tasks[index];
    uint32_t string = tk_strtab_intern(&names->strings, names->alloc, event->str, event->str_len);
    uint32_t dead = string ? tk_idmap_find(&rtos->dead_by_name, string) : TK_NONE;
    if (dead == TK_NONE || dead == index || task->shown || task->listed || task->thread_track ||
        rtos->tasks[dead].phase != TK_PHASE_DELETED)
        return false;
    struct tk_task *old = &rtos->tasks[dead], *fresh = &rtos->tasks[index];
    uint32_t old_id = names->entities[old->entity].id;
    if (!tk_idmap_set(&rtos->task_by_id, rtos->alloc, event->name.entity, dead) ||
        !tk_idmap_set(&rtos->task_by_id, rtos->alloc, old_id, index))
        return false;
    names->entities[old->entity].id = event->name.entity;
    names->entities[fresh->entity].id = old_id;
    TK_TELL(rtos->facts, task_continues, dead, index);
    old->phase = TK_PHASE_UNKNOWN;
    old->pending_block = TK_PENDING_NONE;
    fresh->phase = TK_PHASE_DELETED; // the entry that stays under the old number
    if (dead < rtos->created_at_capacity)
        rtos->created_at[dead] = index < rtos->created_at_capacity ? rtos->created_at[index] : 0;
    if (fresh->prio_known) {
        struct tk_event prio = *event;
        prio.kind = TK_EV_TASK_PRIORITY_SET;
        prio.task_priority = (struct tk_event_task_priority){ .task = event->name.entity, .priority = fresh->prio };
        tk_rtos_on_priority(rtos, &prio, &rtos->cores[event->core]);
    }
    return true;
}

TK_COLD static void mark_idle(struct tk_rtos *rtos, uint32_t id) {
    uint32_t index = tk_rtos_find_task(rtos, id);
    if (tk_rtos_is_shared(index)) return;
    rtos->tasks[index].idle = true;
    TK_TELL(rtos->facts, task_has_no_jobs, index);
    TK_TELL(rtos->facts, task_is_idle, index);
    tk_timeline_idle(rtos->tl, index);
    if (rtos->tasks[index].phase == TK_PHASE_SWITCHED_OUT) tk_rtos_was_preempted(rtos, index);
}

TK_COLD void tk_rtos_on_task_is_idle(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    mark_idle(rtos, event->idle_task.task);
}

// Returns true for FreeRTOS's own name of an idle task: "IDLE", with several cores "IDLE0", "IDLE1"... Not every
// recorder marks these tasks.
static bool is_idle_name(const char *name, uint32_t len) {
    enum { IDLE_LEN = 4 };
    uint32_t at = IDLE_LEN;
    if (len < IDLE_LEN || memcmp(name, "IDLE", IDLE_LEN) != 0) return false;
    while (at < len && name[at] >= '0' && name[at] <= '9') at++;
    return at == len;
}

TK_COLD void tk_rtos_on_task_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_task(rtos, event->name.entity);
    if (tk_rtos_is_shared(index) || !event->str_len) return;
    struct tk_names *names = tk_rtos_names(rtos);
    if (rtos->tasks[index].stale && tk_names_differs(names, rtos->tasks[index].entity, event->str, event->str_len)) {
        index = tk_rtos_add_task(rtos, event->name.entity, true); // after a restart the number belongs to another task
        if (tk_rtos_is_shared(index)) return;
    }
    rtos->tasks[index].stale = false;
    if (!names->entities[rtos->tasks[index].entity].name && takes_over_timeline_task(rtos, index, event)) return;
    if (tk_names_set(names, rtos->tasks[index].entity, event->str, event->str_len))
        tk_rtos_problem(rtos, TK_DIAG_NAME_CHANGED, event);
    if (is_idle_name(event->str, event->str_len)) mark_idle(rtos, event->name.entity);
}

TK_COLD void tk_rtos_on_task_is_timer(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_task(rtos, event->task.task);
    if (!tk_rtos_is_shared(index)) rtos->tasks[index].timer = true;
}

// Marks a context before it runs: it ends when it leaves its core.
TK_COLD void tk_rtos_on_task_ends(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_task(rtos, event->task.task);
    if (tk_rtos_is_shared(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    if (task->core < 0) tk_rtos_job_stop(rtos, index);
    task->ends = true;
    TK_TELL(rtos->facts, task_has_no_jobs, index);
    if (task->phase == TK_PHASE_RUNNING || task->phase == TK_PHASE_UNKNOWN) return;
    tk_rtos_end_off_cpu(rtos, index);
    tk_rtos_end_task(rtos, index, task->switched_out_core);
}
