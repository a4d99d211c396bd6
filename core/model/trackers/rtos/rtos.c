// SPDX-License-Identifier: MIT
#include "rtos_internal.h"

#include "../../../base/attributes.h"

#include <string.h>

TK_COLD void tk_rtos_problem(struct tk_rtos *rtos, enum tk_diag_id id, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_note(rtos->diag, id, &place, event->id);
}

// ---- Entities ----------------------------------------------------------------------------------

// Entity of a new task, queue or interrupt; the one that takes the place behind the last stands for all further ones.
static uint32_t add_entity(struct tk_rtos *rtos, enum tk_entity_type type, uint32_t id, bool overflow) {
    return overflow ? tk_names_add_overflow(tk_rtos_names(rtos), type) : tk_names_add(tk_rtos_names(rtos), type, id);
}

static bool is_over_limit(struct tk_rtos *rtos, uint32_t count, uint32_t max) {
    if (count >= max) tk_diag_note(rtos->diag, TK_DIAG_TOO_MANY, NULL, 1);
    return count >= max;
}

TK_COLD uint32_t tk_rtos_add_task(struct tk_rtos *rtos, uint32_t id, bool own_pid) {
    bool overflow = is_over_limit(rtos, rtos->task_count, TK_MAX_TASKS);
    if (rtos->task_count > TK_MAX_TASKS) return TK_MAX_TASKS;
    if (!tk_alloc_grow(rtos->alloc, (void **)&rtos->tasks, &rtos->task_capacity, rtos->task_count + 1,
                       sizeof *rtos->tasks))
        return TK_NONE;
    uint32_t entity = add_entity(rtos, TK_ENTITY_TASK, id, overflow);
    if (entity == TK_NONE || tk_timeline_add_task(rtos->tl, entity, id, own_pid || overflow) == TK_NONE) return TK_NONE;
    if (!overflow && !tk_idmap_set(&rtos->task_by_id, rtos->alloc, id, rtos->task_count)) return TK_NONE;
    rtos->tasks[rtos->task_count] = (struct tk_task){ .entity = entity, .core = -1 };
    tk_stats_need_tasks(rtos->stats, rtos->task_count + 1);
    return rtos->task_count++;
}

uint32_t tk_rtos_find_task(struct tk_rtos *rtos, uint32_t id) {
    uint32_t index = tk_idmap_find(&rtos->task_by_id, id);
    return index != TK_NONE ? index : tk_rtos_add_task(rtos, id, false);
}

TK_COLD uint32_t tk_rtos_add_queue(struct tk_rtos *rtos, uint32_t id) {
    bool overflow = is_over_limit(rtos, rtos->queue_count, TK_MAX_QUEUES);
    if (rtos->queue_count > TK_MAX_QUEUES) return TK_MAX_QUEUES;
    if (!tk_alloc_grow(rtos->alloc, (void **)&rtos->queues, &rtos->queue_capacity, rtos->queue_count + 1,
                       sizeof *rtos->queues))
        return TK_NONE;
    uint32_t entity = add_entity(rtos, TK_ENTITY_QUEUE, id, overflow);
    if (entity == TK_NONE || (!overflow && !tk_idmap_set(&rtos->queue_by_id, rtos->alloc, id, rtos->queue_count)))
        return TK_NONE;
    rtos->queues[rtos->queue_count] = (struct tk_queue){ .entity = entity };
    tk_stats_need_queues(rtos->stats, rtos->queue_count + 1);
    return rtos->queue_count++;
}

uint32_t tk_rtos_find_queue(struct tk_rtos *rtos, uint32_t id) {
    uint32_t index = tk_idmap_find(&rtos->queue_by_id, id);
    return index != TK_NONE ? index : tk_rtos_add_queue(rtos, id);
}

static uint64_t isr_key(uint8_t core, uint32_t id) { return (uint64_t)core << 32 | id; }

TK_COLD uint32_t tk_rtos_add_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id) {
    bool overflow = is_over_limit(rtos, rtos->isr_count, TK_MAX_ISRS);
    if (rtos->isr_count > TK_MAX_ISRS) return TK_MAX_ISRS;
    if (!tk_alloc_grow(rtos->alloc, (void **)&rtos->isrs, &rtos->isr_capacity, rtos->isr_count + 1, sizeof *rtos->isrs))
        return TK_NONE;
    uint32_t entity = add_entity(rtos, TK_ENTITY_ISR, id, overflow);
    if (entity == TK_NONE ||
        (!overflow && !tk_idmap_set(&rtos->isr_by_id, rtos->alloc, isr_key(core, id), rtos->isr_count)))
        return TK_NONE;
    rtos->isrs[rtos->isr_count] = (struct tk_isr){ .entity = entity, .core = core };
    tk_stats_need_isrs(rtos->stats, rtos->isr_count + 1);
    return rtos->isr_count++;
}

uint32_t tk_rtos_find_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id) {
    uint32_t index = tk_idmap_find(&rtos->isr_by_id, isr_key(core, id));
    return index != TK_NONE ? index : tk_rtos_add_isr(rtos, core, id);
}

// ---- Dispatch ----------------------------------------------------------------------------------

const tk_rtos_handler tk_rtos_handlers[TK_EV_COUNT] = {
    [TK_EV_ISR_NAME] = tk_rtos_on_isr_name,
    [TK_EV_ISR_ENTER] = tk_rtos_on_isr_enter,
    [TK_EV_ISR_EXIT] = tk_rtos_on_isr_exit,
    [TK_EV_TASK_CREATED] = tk_rtos_on_task_created,
    [TK_EV_TASK_NAME] = tk_rtos_on_task_name,
    [TK_EV_TASK_IS_IDLE] = tk_rtos_on_task_is_idle,
    [TK_EV_TASK_IS_TIMER] = tk_rtos_on_task_is_timer,
    [TK_EV_TASK_SWITCHED_IN] = tk_rtos_on_switched_in,
    [TK_EV_TASK_READY] = tk_rtos_on_ready,
    [TK_EV_TASK_RESUMED] = tk_rtos_on_resumed,
    [TK_EV_TASK_RESUMED_FROM_ISR] = tk_rtos_on_resumed,
    [TK_EV_TASK_SUSPENDED] = tk_rtos_on_suspended,
    [TK_EV_TASK_DELETED] = tk_rtos_on_deleted,
    [TK_EV_TASK_PRIORITY_SET] = tk_rtos_on_priority,
    [TK_EV_TASK_PRIORITY_INHERITED] = tk_rtos_on_priority,
    [TK_EV_TASK_PRIORITY_DISINHERITED] = tk_rtos_on_priority,
    [TK_EV_DELAY] = tk_rtos_on_wait_announced,
    [TK_EV_DELAY_UNTIL] = tk_rtos_on_wait_announced,
    [TK_EV_BLOCK_ON_RECEIVE] = tk_rtos_on_wait_announced,
    [TK_EV_BLOCK_ON_SEND] = tk_rtos_on_wait_announced,
    [TK_EV_BLOCK_ON_PEEK] = tk_rtos_on_wait_announced,
    [TK_EV_QUEUE_CREATED] = tk_rtos_on_queue_created,
    [TK_EV_QUEUE_NAME] = tk_rtos_on_queue_name,
    [TK_EV_QUEUE_KIND] = tk_rtos_on_queue_kind,
    [TK_EV_QUEUE_SEND] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_SEND_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_OVERWRITE] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_RECEIVE] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_RECEIVE_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_RESET] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_LENGTH] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_SEND_TO_FRONT] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_PEEKED] = tk_rtos_on_queue_operation,
    [TK_EV_QUEUE_PEEKED_FROM_ISR] = tk_rtos_on_queue_operation,
};

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
    return moves_task[event->kind] && tk_idmap_find(&rtos->task_by_id, event->id) == index;
}

// What is missing of a core lies before its next event, whatever others do until then.
TK_COLD static void set_damaged(struct tk_rtos *rtos, struct tk_core *core, bool damaged) {
    uint32_t change = (uint32_t)damaged - core->damaged;
    core->damaged = damaged;
    rtos->damaged += change;
    rtos->tl->unresolved += change;
}

// Ready events that wait; a damaged core is undecided as well.
static bool has_pending(const struct tk_rtos *rtos) { return rtos->tl->unresolved != rtos->damaged; }

void tk_rtos_resolve_pending(struct tk_rtos *rtos, const struct tk_event *event) {
    if (rtos->cores[event->core].damaged) set_damaged(rtos, &rtos->cores[event->core], false);
    for (uint32_t i = 0; i < TK_RTOS_CORES && has_pending(rtos); i++) {
        uint32_t index = rtos->cores[i].pending_ready;
        if (index == TK_NONE) continue;
        bool concerns = concerns_task(rtos, event, index);
        if (concerns && event->kind == TK_EV_TASK_PRIORITY_INHERITED) { // it only changed the list of its priority
            tk_rtos_discard_pending_ready(rtos, index);
            tk_rtos_was_preempted(rtos, index);
        } else if (concerns || event->core == i) {
            tk_rtos_resolve_as_blocked(rtos, index);
        }
    }
}

TK_COLD void tk_rtos_first_event(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    core->seen = tk_stats_need_cores(rtos->stats, event->core + 1u);
    tk_rtos_handle(rtos, event, core);
}

// Nobody knows what came last, nor whether an interrupt ran meanwhile.
static void invalidate_core(struct tk_rtos *rtos, struct tk_core *core) {
    core->last_target = tk_wait_target_key(TK_WAIT_TARGET_UNKNOWN, 0);
    core->loss_outside = !core->depth;
    for (uint32_t at = 0; at < core->depth; at++) core->stack[at].last_target = core->last_target;
    if (core->pending_ready != TK_NONE)
        rtos->tasks[core->pending_ready].ready_loss = rtos->tl->losses[0]; // what would explain it may be missing
}

void tk_rtos_loss(struct tk_rtos *rtos, int32_t core) {
    for (int32_t i = 0; i < TK_RTOS_CORES; i++)
        if (core < 0 || core == i) invalidate_core(rtos, &rtos->cores[i]);
    if (core >= 0) set_damaged(rtos, &rtos->cores[core], true);
}

TK_COLD static void resolve_all(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < TK_RTOS_CORES && has_pending(rtos); i++)
        if (rtos->cores[i].pending_ready != TK_NONE) tk_rtos_resolve_as_blocked(rtos, rtos->cores[i].pending_ready);
}

TK_COLD static void stop_cores(struct tk_rtos *rtos) {
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
        if (core->task != TK_NONE && rtos->tasks[core->task].core == (int32_t)i)
            tk_rtos_count_run_until(rtos, core->task, i, until);
        core->task = core->prio_task = TK_NONE;
        core->left = rtos->tl->now;
        core->task_migrated = false;
        set_damaged(rtos, core, false);
    }
}

TK_COLD void tk_rtos_loss_since(struct tk_rtos *rtos, const struct tk_event *event, uint64_t since) {
    struct tk_core *core = &rtos->cores[event->core];
    if (core->pending_ready != TK_NONE) tk_rtos_resolve_as_blocked(rtos, core->pending_ready);
    tk_rtos_close_isrs_at(rtos, event, core, 0, since);
}

static void end_wait_unmeasured(struct tk_rtos *rtos, uint32_t task) {
    if (!rtos->tasks[task].wait_open) return;
    tk_stats_unmeasured_wait(rtos->stats, task);
    if (rtos->observer) rtos->observer->waited(rtos->observer_ctx, task, false);
    rtos->tasks[task].wait_open = false;
}

static void stop_task(struct tk_rtos *rtos, uint32_t index, bool told) {
    struct tk_task *task = &rtos->tasks[index];
    uint32_t core = task->core >= 0 ? (uint32_t)task->core : task->switched_out_core;
    if (task->phase == TK_PHASE_SWITCHED_OUT) tk_rtos_was_preempted(rtos, index);
    end_wait_unmeasured(rtos, index);
    task->core = -1;
    task->pending_block = TK_PENDING_NONE;
    task->stale = !told;
    if (told && task->phase == TK_PHASE_DELETED) return;
    if (task->phase != TK_PHASE_UNKNOWN)
        tk_timeline_state(rtos->tl, index, told ? TK_STATE_SUSPENDED : TK_STATE_DEAD, core);
    task->phase = TK_PHASE_UNKNOWN;
}

TK_COLD void tk_rtos_restart(struct tk_rtos *rtos, bool told) {
    resolve_all(rtos);
    stop_cores(rtos);
    tk_timeline_close_all(rtos->tl, true);
    tk_stats_gap(rtos->stats);
    for (uint32_t i = 0; i < rtos->task_count; i++) stop_task(rtos, i, told);
    for (uint32_t i = 0; i < rtos->queue_count; i++) {
        rtos->queues[i].held = false;
        rtos->queues[i].stale = !told;
    }
    for (uint32_t i = 0; i < rtos->isr_count; i++) rtos->isrs[i].stale = !told;
}

// When an idle task began to run last; nobody else was ready then. False: there are several cores, or it never ran.
static bool idle_since(const struct tk_rtos *rtos, uint64_t *out_since) {
    uint32_t cores = 0;
    bool idled = false;
    *out_since = 0;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++)
        cores += rtos->cores[i].task != TK_NONE || rtos->cores[i].task_migrated;
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        const struct tk_task *task = &rtos->tasks[i];
        uint64_t from = task->core >= 0 ? task->since : task->ran_from;
        if (!task->idle || (task->core < 0 && !from) || from < *out_since) continue;
        idled = true;
        *out_since = from;
    }
    return idled && cores == 1;
}

// At the end: tasks that left without a word and never came back.
static void resolve_switched_out(struct tk_rtos *rtos) {
    uint64_t idle_from;
    bool idled = idle_since(rtos, &idle_from);
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        if (rtos->tasks[i].phase != TK_PHASE_SWITCHED_OUT) continue;
        if (idled && idle_from >= rtos->tasks[i].since) tk_rtos_was_blocked(rtos, i, false);
        else tk_rtos_was_preempted(rtos, i);
    }
}

TK_COLD void tk_rtos_finish(struct tk_rtos *rtos) {
    resolve_all(rtos);
    resolve_switched_out(rtos);
    for (uint32_t i = 0; i < rtos->task_count; i++) end_wait_unmeasured(rtos, i);
    stop_cores(rtos);
}

TK_COLD void tk_rtos_init(struct tk_rtos *rtos, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *tl,
                          struct tk_stats *stats) {
    memset(rtos, 0, sizeof *rtos);
    rtos->handlers = tk_rtos_handlers;
    rtos->alloc = alloc;
    rtos->diag = diag;
    rtos->tl = tl;
    rtos->stats = stats;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        rtos->cores[i].task = rtos->cores[i].pending_ready = rtos->cores[i].prio_task = TK_NONE;
        rtos->cores[i].stack = rtos->calls[i];
    }
}

TK_COLD void tk_rtos_relocate(struct tk_rtos *rtos, struct tk_relocation *move) {
    rtos->handlers = tk_rtos_handlers;
    rtos->alloc = tk_relocate(move, rtos->alloc, sizeof *rtos->alloc);
    rtos->diag = tk_relocate(move, rtos->diag, sizeof *rtos->diag);
    rtos->tl = tk_relocate(move, rtos->tl, sizeof *rtos->tl);
    rtos->stats = tk_relocate(move, rtos->stats, sizeof *rtos->stats);
    tk_idmap_relocate(&rtos->task_by_id, move);
    tk_idmap_relocate(&rtos->queue_by_id, move);
    tk_idmap_relocate(&rtos->isr_by_id, move);
    tk_idmap_relocate(&rtos->dead_by_name, move);
    tk_idmap_relocate(&rtos->dead_queue_by_name, move);
    rtos->tasks = tk_relocate(move, rtos->tasks, rtos->task_capacity * sizeof *rtos->tasks);
    rtos->queues = tk_relocate(move, rtos->queues, rtos->queue_capacity * sizeof *rtos->queues);
    rtos->isrs = tk_relocate(move, rtos->isrs, rtos->isr_capacity * sizeof *rtos->isrs);
    for (unsigned i = 0; i < TK_RTOS_CORES; i++) rtos->cores[i].stack = rtos->calls[i];
    rtos->observer = NULL;
    rtos->observer_ctx = NULL;
}
