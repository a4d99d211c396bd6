// SPDX-License-Identifier: MIT
//
// The RTOS tracker: start, losses, restarts, the end, and the start of the figures.
#include <string.h>

#include "rtos_internal.h"

TK_COLD void tk_rtos_problem(struct tk_rtos *rtos, enum tk_diag_id id, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_note(rtos->diag, id, &place, tk_event_id(event));
}

void tk_rtos_measure_since(const struct tk_rtos *rtos, struct tk_durations *durations, uint64_t since, uint32_t loss) {
    if (loss == rtos->tl->losses[0] && !rtos->damaged) tk_durations_add(durations, since, rtos->tl->now - since);
}

// ---- Queries of other trackers and of the report -----------------------------------------------

uint32_t tk_rtos_running(const struct tk_rtos *rtos, uint8_t core) { return rtos->cores[core].task; }
bool tk_rtos_traces_services(const struct tk_rtos *rtos) { return rtos->traces_services; }

bool tk_rtos_is_idle_task(const struct tk_rtos *rtos, uint32_t task) {
    return task < rtos->task_count && rtos->tasks[task].idle;
}

bool tk_rtos_is_ended_context(const struct tk_rtos *rtos, uint32_t task) {
    return task < rtos->task_count && rtos->tasks[task].ends;
}

bool tk_rtos_hides_idle(const struct tk_rtos *rtos, uint32_t core) {
    bool is_hidden = false;
    if (core < TK_RTOS_CORES && rtos->cores[core].has_idled) return false;
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        const struct tk_task *task = &rtos->tasks[i];
        if (task->uncertain || !tk_stats_running_on(rtos->stats, i, core).ticks) continue;
        if (task->idle) return false;
        is_hidden |= !rtos->tl->names.entities[task->entity].name;
    }
    return is_hidden;
}

bool tk_rtos_is_uncertain_queue(const struct tk_rtos *rtos, uint32_t queue) {
    return queue < rtos->queue_count && rtos->queues[queue].uncertain;
}

uint32_t tk_rtos_queue_capacity(const struct tk_rtos *rtos, uint32_t queue) {
    return queue < rtos->queue_count ? rtos->queues[queue].capacity : 0;
}

bool tk_rtos_is_buffer(const struct tk_rtos *rtos, uint32_t queue) {
    return queue < rtos->queue_count && tk_queue_is_buffer(&rtos->queues[queue]);
}

// ---- States that the next event determines -----------------------------------------------------

static bool concerns_task(const struct tk_rtos *rtos, const struct tk_event *event, uint32_t index) {
    static const bool moves_task[TK_EV_COUNT] = {
        [TK_EV_TASK_SWITCHED_IN] = true,
        [TK_EV_TASK_READY] = true,
        [TK_EV_TASK_RESUMED] = true,
        [TK_EV_TASK_RESUMED_FROM_ISR] = true,
        [TK_EV_TASK_SUSPENDED] = true,
        [TK_EV_TASK_DELETED] = true,
        [TK_EV_TASK_PRIORITY_SET] = true,
        [TK_EV_TASK_PRIORITY_INHERITED] = true,
        [TK_EV_TASK_PRIORITY_DISINHERITED] = true,
    };
    if (!moves_task[event->kind]) return false;
    bool is_priority = tk_event_families[event->kind] == TK_FAMILY_task_priority;
    uint32_t task = is_priority ? event->task_priority.task : event->task.task;
    return tk_idmap_find(&rtos->task_by_id, task) == index;
}

// Marks a core as damaged: its missing events are before its next event, whatever other cores do until then.
TK_COLD static void set_damaged(struct tk_rtos *rtos, struct tk_core *core, bool damaged) {
    uint32_t change = (uint32_t)damaged - core->damaged;
    core->damaged = damaged;
    rtos->damaged += change;
    rtos->tl->unresolved += change;
    if (change) TK_TELL_ALONE(rtos->facts, lost);
}

// Returns true if ready events wait for the next event of their core; damaged cores are unresolved as well.
static bool has_pending(const struct tk_rtos *rtos) { return rtos->tl->unresolved != rtos->damaged; }

static void resolve_pending(void *tracker, const struct tk_event *event) {
    struct tk_rtos *rtos = tracker;
    if (rtos->cores[event->core].damaged) set_damaged(rtos, &rtos->cores[event->core], false);
    for (uint32_t i = 0; i < TK_RTOS_CORES && has_pending(rtos); i++) {
        uint32_t index = rtos->cores[i].pending_ready;
        if (index == TK_NONE) continue;
        bool concerns = concerns_task(rtos, event, index);
        if (concerns && event->kind == TK_EV_TASK_PRIORITY_INHERITED) { // it only moved to the list of its new priority
            tk_rtos_discard_pending_ready(rtos, index);
            tk_rtos_was_preempted(rtos, index);
        } else if (concerns || event->core == i) {
            tk_rtos_resolve_as_blocked(rtos, index);
        }
    }
}

TK_COLD static void resolve_all(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < TK_RTOS_CORES && has_pending(rtos); i++)
        if (rtos->cores[i].pending_ready != TK_NONE) tk_rtos_resolve_as_blocked(rtos, rtos->cores[i].pending_ready);
}

// ---- Losses ------------------------------------------------------------------------------------

// The last operation of this core is unknown, and interrupts may have run during the loss.
static void invalidate_core(struct tk_rtos *rtos, struct tk_core *core) {
    core->last_target = tk_wait_target_key(TK_WAIT_TARGET_UNKNOWN, 0);
    core->loss_outside = !core->depth;
    for (uint32_t at = 0; at < core->depth; at++) core->stack[at].last_target = core->last_target;
    if (core->pending_ready != TK_NONE)
        rtos->tasks[core->pending_ready].ready_loss = rtos->tl->losses[0]; // the event that determines its meaning may
                                                                           // be missing
}

static void on_loss(void *tracker, int32_t core) {
    struct tk_rtos *rtos = tracker;
    TK_TELL_ALONE(rtos->facts, lost);
    for (int32_t i = 0; i < TK_RTOS_CORES; i++)
        if (core < 0 || core == i) invalidate_core(rtos, &rtos->cores[i]);
    if (core >= 0) set_damaged(rtos, &rtos->cores[core], true);
    if (!rtos->traces_services) return;
    tk_rtos_clear_flows(rtos);
    tk_rtos_end_lengths(rtos, true);
    tk_rtos_clear_heaps(rtos);
}

// The interrupts of the core ended at `since`, the last time before the loss.
TK_COLD static void on_lost(void *tracker, const struct tk_event *event, uint64_t since) {
    struct tk_rtos *rtos = tracker;
    struct tk_core *core = &rtos->cores[event->core];
    TK_TELL_ALONE(rtos->facts, lost); // the event that determines the meaning of the pending one may be missing
    if (core->pending_ready != TK_NONE) tk_rtos_resolve_as_blocked(rtos, core->pending_ready);
    tk_rtos_close_isrs_at(rtos, event, core, 0, since);
}

// ---- Restarts and the end ----------------------------------------------------------------------

// The task of the core stops running for the figures. Its run is drawn as far as they count it.
TK_COLD static void stop_run(struct tk_rtos *rtos, uint32_t number, uint64_t until, bool restarts) {
    const struct tk_task *task = &rtos->tasks[rtos->cores[number].task];
    bool crossed = task->loss != rtos->tl->losses[number + 1];
    tk_rtos_count_run_until(rtos, rtos->cores[number].task, number, until);
    if (crossed || restarts || until < rtos->tl->now)
        tk_timeline_unrecorded(rtos->tl, number, crossed || until < task->since ? task->since : until);
}

// The idle time of the core stops in the same way.
static void stop_idle(struct tk_rtos *rtos, uint32_t number, uint64_t until, bool restarts) {
    uint64_t since = rtos->cores[number].idle_since;
    tk_rtos_end_idle(rtos, number, until);
    if (restarts || until < rtos->tl->now) tk_timeline_unrecorded(rtos->tl, number, until < since ? since : until);
}

TK_COLD static void stop_cores(struct tk_rtos *rtos, bool restarts) {
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        struct tk_core *core = &rtos->cores[i];
        uint64_t until = tk_stats_until(rtos->stats, i, rtos->tl->now);
        if (core->loss_outside) tk_rtos_loss_outside_isrs(rtos, i);
        while (core->depth) {
            core->depth--;
            tk_stats_unmeasured_isr(rtos->stats, i, core->stack[core->depth].enter, until, core->depth == 0);
            if (!rtos->tl->goes_on)
                tk_diag_note(rtos->diag, TK_DIAG_ISR_OPEN_AT_END, NULL,
                             tk_rtos_names(rtos)->entities[rtos->isrs[core->stack[core->depth].isr].entity].id);
        }
        if (core->task != TK_NONE && rtos->tasks[core->task].core == (int32_t)i) stop_run(rtos, i, until, restarts);
        if (core->is_idle) stop_idle(rtos, i, until, restarts);
        core->task = core->prio_task = TK_NONE;
        core->left = rtos->tl->now;
        core->task_migrated = false;
        set_damaged(rtos, core, false);
    }
}

static void stop_task(struct tk_rtos *rtos, uint32_t index, bool announced) {
    struct tk_task *task = &rtos->tasks[index];
    uint32_t core = task->core >= 0 ? (uint32_t)task->core : task->switched_out_core;
    if (task->phase == TK_PHASE_SWITCHED_OUT) tk_rtos_was_preempted(rtos, index);
    tk_rtos_end_wait_unmeasured(rtos, index);
    task->core = -1;
    task->pending_block = TK_PENDING_NONE;
    task->stale = !announced;
    if (announced && task->phase == TK_PHASE_DELETED) return;
    if (task->phase != TK_PHASE_UNKNOWN)
        tk_timeline_state(rtos->tl, index, announced ? TK_STATE_SUSPENDED : TK_STATE_DEAD, core);
    task->phase = TK_PHASE_UNKNOWN;
}

// Closes all objects at the end of a section or recording; their open slices stay unmeasured.
TK_COLD static void close_objects(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < rtos->object_count; i++) {
        struct tk_kernel_object *object = &rtos->objects[i];
        switch ((enum tk_entity_class)object->class) {
        case TK_CLASS_TIMER:
            object->timer.is_armed = false;
            object->timer.since = 0;
            break;
        case TK_CLASS_MACHINE: object->machine.state = 0; break;
        case TK_CLASS_INTERVAL:
            for (uint32_t lane = 0; object->channel.open && lane < TK_MAX_INTERVAL_LANES; lane++) {
                object->channel.count += object->channel.open[lane].is_open;
                object->channel.open[lane].is_open = false;
            }
            break;
        default: break;
        }
    }
}

TK_COLD static void restart_services(struct tk_rtos *rtos, bool announced) {
    tk_rtos_clear_flows(rtos);
    tk_rtos_end_lengths(rtos, false);
    tk_rtos_clear_heaps(rtos);
    rtos->frees_missed = announced; // otherwise no earlier block is left
    rtos->section_loss = rtos->tl->losses[0];
    tk_rtos_close_jobs(rtos);
    close_objects(rtos);
    for (uint32_t i = 0; i < rtos->queue_count; i++) rtos->queues[i].seen_taken = false;
    rtos->section_since = rtos->tl->now;
}

TK_COLD static void draw_all_undecided(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < rtos->task_count; i++) tk_rtos_draw_undecided(rtos, i);
}

TK_COLD static void on_restart(void *tracker, bool announced) {
    struct tk_rtos *rtos = tracker;
    TK_TELL(rtos->facts, section_ends, rtos->tl->now);
    resolve_all(rtos);
    draw_all_undecided(rtos);
    stop_cores(rtos, true);
    tk_timeline_close_all(rtos->tl, true);
    tk_stats_gap(rtos->stats);
    for (uint32_t i = 0; i < rtos->task_count; i++) stop_task(rtos, i, announced);
    for (uint32_t i = 0; i < rtos->queue_count; i++) {
        rtos->queues[i].held = rtos->queues[i].length.follows = false;
        rtos->queues[i].stale = !announced;
    }
    for (uint32_t i = 0; i < rtos->isr_count; i++) rtos->isrs[i].stale = !announced;
    if (rtos->traces_services) restart_services(rtos, announced);
    TK_TELL_ALONE(rtos->facts, section_begins);
}

// Returns the time at which the core became idle last, or an idle task began to run; no other task was ready then.
// Returns false with several cores, or if none ran.
static bool idle_since(const struct tk_rtos *rtos, uint64_t *out_since) {
    uint32_t cores = 0;
    bool idled = false;
    *out_since = 0;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++)
        cores += rtos->cores[i].task != TK_NONE || rtos->cores[i].task_migrated || rtos->cores[i].is_idle;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        const struct tk_core *core = &rtos->cores[i];
        if (core->none_ready_at <= *out_since) continue;
        idled = true;
        *out_since = core->none_ready_at - 1;
    }
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        const struct tk_task *task = &rtos->tasks[i];
        uint64_t from = task->core >= 0 ? task->since : task->ran_from;
        if (!task->idle || (task->core < 0 && !from) || from < *out_since) continue;
        idled = true;
        *out_since = from;
    }
    return idled && cores == 1;
}

// Resolves tasks that left without an announced wait and never ran again.
static void resolve_switched_out(struct tk_rtos *rtos) {
    uint64_t idle_from;
    bool idled = idle_since(rtos, &idle_from);
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        if (rtos->tasks[i].phase != TK_PHASE_SWITCHED_OUT) continue;
        if (idled && idle_from >= rtos->tasks[i].since) tk_rtos_was_blocked(rtos, i, false);
        else tk_rtos_was_preempted(rtos, i);
    }
}

TK_COLD static void finish(void *tracker) {
    struct tk_rtos *rtos = tracker;
    TK_TELL(rtos->facts, section_ends, rtos->tl->now); // what only the end resolves is not proven
    resolve_all(rtos);
    resolve_switched_out(rtos);
    draw_all_undecided(rtos);
    for (uint32_t i = 0; i < rtos->task_count; i++) tk_rtos_end_wait_unmeasured(rtos, i);
    stop_cores(rtos, false);
    if (!rtos->tl->goes_on) tk_rtos_find_uncertain(rtos);
    if (!rtos->traces_services) return;
    tk_rtos_close_jobs(rtos);
    tk_rtos_end_lengths(rtos, false);
    close_objects(rtos);
    tk_rtos_describe_tracks(rtos);
    tk_labels_finish_calls(tk_rtos_names(rtos));
}

static void closed(void *tracker, uint64_t tick_ns) {
    struct tk_rtos *rtos = tracker;
    tk_rtos_draw_load(rtos, tick_ns);
    tk_rtos_import_isr_names(rtos);
    TK_TELL(rtos->facts, trace_ends, rtos);
}

// ---- Start of the figures ----------------------------------------------------------------------

// Returns a value of tk_timeline.losses for items from before the figures: they are not measured, as if events had been
// lost since.
static uint32_t before_stats_loss(const struct tk_rtos *rtos) { return rtos->tl->losses[0] - 1; }

static void begin_object_stats(struct tk_rtos *rtos, struct tk_kernel_object *object, uint64_t ticks) {
    switch ((enum tk_entity_class)object->class) {
    case TK_CLASS_EVENT_GROUP: {
        struct tk_event_group *group = &object->group;
        group->set_count = group->cleared_count = group->waited_count = group->timed_out = 0;
        break;
    }
    case TK_CLASS_TIMER:
        object->timer.loss = before_stats_loss(rtos);
        object->timer.expired = 0;
        break;
    case TK_CLASS_MACHINE: object->machine.loss = before_stats_loss(rtos); break;
    case TK_CLASS_INTERVAL:
        object->channel.count = 0;
        object->channel.durations = (struct tk_durations){ 0 };
        for (uint32_t lane = 0; object->channel.open && lane < TK_MAX_INTERVAL_LANES; lane++)
            object->channel.open[lane].loss = before_stats_loss(rtos);
        break;
    case TK_CLASS_HEAP: {
        struct tk_heap *heap = &object->heap;
        heap->most = heap->level;
        heap->most_known = heap->is_exact;
        heap->most_at = ticks;
        heap->allocated = heap->freed = 0;
        break;
    }
    case TK_CLASS_STACK: object->stack.is_known = false; break;
    default: break;
    }
}

static void begin_task_stats(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    task->stack_known = false;
    if (task->jobs) task->jobs->last_loss = before_stats_loss(rtos);
    if (task->is_undecided && !task->wait_open) rtos->worded[index].is_before_figures = true;
}

// The figures of tasks, queues and interrupts are in tk_stats. Memory that was allocated before keeps its owner.
TK_COLD static void begin_stats(void *tracker, uint64_t ticks) {
    struct tk_rtos *rtos = tracker;
    rtos->is_partial = true;
    TK_TELL(rtos->facts, begin_stats, ticks);
    if (!rtos->traces_services) return;
    tk_keyed_rows_clear(&rtos->transitions, rtos->alloc);
    for (uint32_t i = 0; i < rtos->queue_count; i++) {
        rtos->queues[i].refused = rtos->queues[i].timed_out = 0;
        rtos->queues[i].length.incomplete = false;
    }
    for (uint32_t i = 0; i < rtos->task_count; i++) begin_task_stats(rtos, i);
    for (uint32_t i = 0; i < rtos->object_count; i++) begin_object_stats(rtos, &rtos->objects[i], ticks);
}

// ---- The tracker -------------------------------------------------------------------------------

static void set_host(struct tk_rtos *rtos, const struct tk_tracker_host *host) {
    rtos->host = host;
    rtos->alloc = host->alloc;
    rtos->diag = host->diag;
    rtos->tl = host->timeline;
    rtos->stats = host->stats;
    rtos->facts = host->facts;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) rtos->cores[i].stack = rtos->calls[i];
}

TK_COLD static void init(void *tracker, const struct tk_tracker_host *host) {
    struct tk_rtos *rtos = tracker;
    set_host(rtos, host);
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++)
        rtos->cores[i].task = rtos->cores[i].pending_ready = rtos->cores[i].prio_task = TK_NONE;
}

static void on_event(void *tracker, const struct tk_event *event) { tk_rtos_event(tracker, event); }

const struct tk_tracker tk_tracker_rtos = { .owner = TK_OWNER_RTOS,
                                            .size = sizeof(struct tk_rtos),
                                            .starts_at_once = true,
                                            .draws_details = true,
                                            .init = init,
                                            .event = on_event,
                                            .resolve = resolve_pending,
                                            .loss = on_loss,
                                            .lost = on_lost,
                                            .restart = on_restart,
                                            .finish = finish,
                                            .closed = closed,
                                            .begin_stats = begin_stats,
                                            .tables = tk_rtos_tables,
                                            .table_list = tk_rtos_table_list };
