// SPDX-License-Identifier: MIT
#include "rtos.h"

#include "../base/rare.h"

#include <string.h>

static struct tk_names *names_of(struct tk_rtos *rtos) { return &rtos->tl->names; }

static struct tk_diag_place place_of(const struct tk_event *event) {
    return (struct tk_diag_place){
        .input = event->input, .has_offset = true, .has_ticks = true, .offset = event->offset, .frame = event->frame,
        .ticks = event->ticks, .bytes = event->raw, .len = event->raw_len
    };
}

TK_RARE static void problem(struct tk_rtos *rtos, enum tk_diag_id id, const struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    tk_diag_note(rtos->diag, id, &place, event->id);
}

static struct tk_label_text named(uint32_t id) { return (struct tk_label_text){ .id = id }; }

// ---- Entities ----------------------------------------------------------------------------------

// Entity of a new task, queue or interrupt; the one that takes the place behind the last stands for all further ones.
static uint32_t add_entity(struct tk_rtos *rtos, enum tk_entity_type type, uint32_t id, bool further) {
    return further ? tk_names_add_further(names_of(rtos), type) : tk_names_add(names_of(rtos), type, id);
}

static bool is_beyond(struct tk_rtos *rtos, uint32_t count, uint32_t max) {
    if (count >= max) tk_diag_note(rtos->diag, TK_DIAG_TOO_MANY, NULL, 1);
    return count >= max;
}

TK_RARE static uint32_t add_task(struct tk_rtos *rtos, uint32_t id, bool own_pid) {
    bool further = is_beyond(rtos, rtos->task_count, TK_MAX_TASKS);
    if (rtos->task_count > TK_MAX_TASKS) return TK_MAX_TASKS;
    if (!tk_alloc_grow(rtos->alloc, (void **)&rtos->tasks, &rtos->task_capacity, rtos->task_count + 1, sizeof *rtos->tasks)) return TK_NONE;
    uint32_t entity = add_entity(rtos, TK_ENTITY_TASK, id, further);
    if (entity == TK_NONE || tk_timeline_add_row(rtos->tl, entity, id, own_pid || further) == TK_NONE) return TK_NONE;
    if (!further && !tk_idmap_set(&rtos->task_by_id, rtos->alloc, id, rtos->task_count)) return TK_NONE;
    rtos->tasks[rtos->task_count] = (struct tk_task){ .entity = entity, .core = -1 };
    tk_stats_need_tasks(rtos->stats, rtos->task_count + 1);
    return rtos->task_count++;
}

uint32_t tk_rtos_find_task(struct tk_rtos *rtos, uint32_t id) {
    uint32_t index = tk_idmap_find(&rtos->task_by_id, id);
    return index != TK_NONE ? index : add_task(rtos, id, false);
}

TK_RARE static uint32_t add_queue(struct tk_rtos *rtos, uint32_t id) {
    bool further = is_beyond(rtos, rtos->queue_count, TK_MAX_QUEUES);
    if (rtos->queue_count > TK_MAX_QUEUES) return TK_MAX_QUEUES;
    if (!tk_alloc_grow(rtos->alloc, (void **)&rtos->queues, &rtos->queue_capacity, rtos->queue_count + 1, sizeof *rtos->queues)) return TK_NONE;
    uint32_t entity = add_entity(rtos, TK_ENTITY_QUEUE, id, further);
    if (entity == TK_NONE || (!further && !tk_idmap_set(&rtos->queue_by_id, rtos->alloc, id, rtos->queue_count))) return TK_NONE;
    rtos->queues[rtos->queue_count] = (struct tk_queue){ .entity = entity };
    tk_stats_need_queues(rtos->stats, rtos->queue_count + 1);
    return rtos->queue_count++;
}

// No task of its own: none, or the one that stands for all further ones. Their events say nothing about each other.
static bool is_shared_task(uint32_t index) { return index >= TK_MAX_TASKS; }

uint32_t tk_rtos_find_queue(struct tk_rtos *rtos, uint32_t id) {
    uint32_t index = tk_idmap_find(&rtos->queue_by_id, id);
    return index != TK_NONE ? index : add_queue(rtos, id);
}

TK_RARE static uint32_t add_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id, uint64_t key) {
    bool further = is_beyond(rtos, rtos->isr_count, TK_MAX_ISRS);
    if (rtos->isr_count > TK_MAX_ISRS) return TK_MAX_ISRS;
    if (!tk_alloc_grow(rtos->alloc, (void **)&rtos->isrs, &rtos->isr_capacity, rtos->isr_count + 1, sizeof *rtos->isrs)) return TK_NONE;
    uint32_t entity = add_entity(rtos, TK_ENTITY_ISR, id, further);
    if (entity == TK_NONE || (!further && !tk_idmap_set(&rtos->isr_by_id, rtos->alloc, key, rtos->isr_count))) return TK_NONE;
    rtos->isrs[rtos->isr_count] = (struct tk_isr){ entity, core, false };
    tk_stats_need_isrs(rtos->stats, rtos->isr_count + 1);
    return rtos->isr_count++;
}

static uint32_t find_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id) {
    uint64_t key = (uint64_t)core << 32 | id;
    uint32_t index = tk_idmap_find(&rtos->isr_by_id, key);
    return index != TK_NONE ? index : add_isr(rtos, core, id, key);
}

// ---- Waits -------------------------------------------------------------------------------------

enum { REASON_FIXED = 1, REASON_DELAY, REASON_DELAY_UNTIL, REASON_LABEL };

static uint64_t reason_of(unsigned kind, uint32_t number, unsigned slot) { return (uint64_t)kind << 40 | (uint64_t)slot << 32 | number; }

static struct tk_label_text delay_name(struct tk_rtos *rtos, uint32_t ticks, char text[64]) {
    if (ticks == UINT32_MAX) return named(tk_names_fixed(names_of(rtos), TK_FIXED_DELAY_FOREVER));
    uint32_t *id = ticks < 256 ? &rtos->delay_names[ticks] : NULL;
    if (id && *id) return named(*id);
    size_t len = tk_append_number(text, tk_append_text(text, 0, "delay "), ticks);
    len = tk_append_text(text, len, ticks == 1 ? " tick" : " ticks");
    if (!id) return (struct tk_label_text){ 0, text, (uint32_t)len };
    return named(*id = tk_names_define(names_of(rtos), TK_INTERN_NAME, text, len));
}

// An endless wait is announced as (now + 0xFFFFFFFF), the tick before this one. Nobody tells the kernel's tick, so
// it is recognised where no other meaning is left: at the ticks 0 and 1, where the timer task begins to wait.
static bool is_forever(uint32_t wake) { return wake == UINT32_MAX || wake == 0; }

static unsigned wait_label(const struct tk_queue *queue, enum tk_leave leave) {
    if (leave == TK_LEAVE_SEND) return TK_QUEUE_SEND_TO;
    if (leave == TK_LEAVE_PEEK) return TK_QUEUE_PEEKS;
    if (queue->kind == TK_QUEUE_MUTEX || queue->kind == TK_QUEUE_RECURSIVE_MUTEX) return TK_QUEUE_LOCKS;
    if (queue->kind == TK_QUEUE_COUNTING_SEMAPHORE || queue->kind == TK_QUEUE_BINARY_SEMAPHORE) return TK_QUEUE_TAKES;
    return TK_QUEUE_RECEIVE_FROM;
}

static void open_wait(struct tk_rtos *rtos, uint32_t index, struct tk_label_text name, uint64_t reason, const struct tk_arg *args, unsigned arg_count) {
    struct tk_task *task = &rtos->tasks[index];
    task->wait_open = true;
    task->wait_reason = reason;
    task->since = rtos->tl->now;
    tk_timeline_begin(rtos->tl, tk_timeline_thread(rtos->tl, index), name, args, arg_count);
}

// waker: text id of who made the task ready, or 0.
static void close_wait(struct tk_rtos *rtos, uint32_t index, uint32_t waker) {
    struct tk_task *task = &rtos->tasks[index];
    if (!task->wait_open) return;
    uint32_t track = rtos->tl->rows[index].thread_track;
    task->wait_open = false;
    if (tk_timeline_crossed(rtos->tl, track, 0)) tk_stats_unmeasured_wait(rtos->stats, index);
    else tk_stats_wait(rtos->stats, index, task->since, rtos->tl->now, task->wait_reason);
    tk_timeline_end_text(rtos->tl, track, waker ? tk_names_arg(names_of(rtos), TK_ARGN_WOKEN_BY) : 0, waker);
}

// The task leaves its core for what it announced; opens the slice and returns the state.
static enum tk_task_state start_wait(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_names *names = names_of(rtos);
    struct tk_arg arg = { .type = TK_ARG_UINT, .value.u = task->leave_arg };
    char text[64];
    task->phase = TK_PHASE_WAITING;
    if (task->leave == TK_LEAVE_DELAY) {
        open_wait(rtos, index, delay_name(rtos, task->leave_arg, text), reason_of(REASON_DELAY, task->leave_arg, 0), NULL, 0);
        return TK_STATE_WAITING;
    }
    if (task->leave == TK_LEAVE_DELAY_UNTIL && is_forever(task->leave_arg)) {
        open_wait(rtos, index, delay_name(rtos, UINT32_MAX, text), reason_of(REASON_DELAY, UINT32_MAX, 0), NULL, 0);
        return TK_STATE_WAITING;
    }
    if (task->leave == TK_LEAVE_DELAY_UNTIL) { // one name for all, so that a viewer can sum them up
        arg.name = tk_names_arg(names, TK_ARGN_TICK);
        open_wait(rtos, index, named(tk_names_fixed(names, TK_FIXED_DELAY_UNTIL)), reason_of(REASON_DELAY_UNTIL, task->leave_arg, 0), &arg, 1);
        return TK_STATE_WAITING;
    }
    const struct tk_queue *queue = &rtos->queues[task->leave_id];
    unsigned label = wait_label(queue, (enum tk_leave)task->leave);
    if (task->leave_arg == UINT32_MAX) {
        arg.type = TK_ARG_TEXT;
        arg.value.text = tk_names_fixed_text(names, TK_TEXT_FOREVER);
    }
    arg.name = tk_names_arg(names, TK_ARGN_TIMEOUT);
    open_wait(rtos, index, named(tk_names_label(names, queue->entity, label)), reason_of(REASON_LABEL, queue->entity, label), &arg, 1);
    return label == TK_QUEUE_LOCKS ? TK_STATE_WAITING_LOCK : TK_STATE_WAITING;
}

size_t tk_rtos_reason_text(const struct tk_rtos *rtos, uint64_t reason, char out_text[2 * TK_DISPLAY_LEN]) {
    uint32_t number = (uint32_t)reason;
    switch (reason >> 40) {
    case REASON_DELAY:
        if (number == UINT32_MAX) return tk_append_text(out_text, 0, "delay forever");
        return tk_append_text(out_text, tk_append_number(out_text, tk_append_text(out_text, 0, "delay "), number), number == 1 ? " tick" : " ticks");
    case REASON_DELAY_UNTIL: return tk_append_number(out_text, tk_append_text(out_text, 0, "delay until tick "), number);
    case REASON_LABEL: return tk_names_label_text(&rtos->tl->names, number, reason >> 32 & 0xFF, out_text);
    case REASON_FIXED: return tk_append_text(out_text, 0, number == TK_FIXED_SUSPENDED ? "suspended" : "waiting (not traced)");
    default: return 0;
    }
}

// ---- Task phases -------------------------------------------------------------------------------

static void suspend_now(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(names_of(rtos), rtos->tasks[by].entity, TK_TASK_SUSPENDED_BY) : tk_names_fixed(names_of(rtos), TK_FIXED_SUSPENDED);
    task->phase = TK_PHASE_SUSPENDED;
    open_wait(rtos, index, named(name), known ? reason_of(REASON_LABEL, rtos->tasks[by].entity, TK_TASK_SUSPENDED_BY) : reason_of(REASON_FIXED, TK_FIXED_SUSPENDED, 0), NULL, 0);
    tk_timeline_state(rtos->tl, index, TK_STATE_SUSPENDED, core);
}

TK_RARE static void delete_now(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(names_of(rtos), rtos->tasks[by].entity, TK_TASK_DELETED_BY) : tk_names_fixed(names_of(rtos), TK_FIXED_DELETED);
    task->phase = TK_PHASE_DELETED;
    tk_timeline_instant(rtos->tl, tk_timeline_thread(rtos->tl, index), named(name), NULL, 0);
    tk_timeline_state(rtos->tl, index, TK_STATE_DEAD, core);
    uint32_t string = names_of(rtos)->entities[task->entity].name;
    if (string) tk_idmap_set(&rtos->dead_by_name, rtos->alloc, string, index);
}

// It left without a word, and it is clear now that it could have gone on.
static void left_ready(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    task->phase = TK_PHASE_READY;
    tk_timeline_late_state(rtos->tl, index, TK_STATE_RUNNABLE, task->left_core, task->since);
}

// Draws the wait of a task that left without a word, when it is over or (not ready) goes on at the end.
static void draw_untraced_wait(struct tk_rtos *rtos, uint32_t index, uint64_t ready_at, uint32_t waker, bool ready) {
    const struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    struct tk_names *names = names_of(rtos);
    bool crossed = task->loss != task->ready_loss;
    struct tk_arg args[2];
    unsigned count = 0;
    if (waker) args[count++] = (struct tk_arg){ .name = tk_names_arg(names, TK_ARGN_WOKEN_BY), .type = TK_ARG_TEXT, .value.text = waker };
    if (crossed || !ready) args[count++] = (struct tk_arg){ .name = tk_names_arg(names, ready ? TK_ARGN_CROSSES_LOSS : TK_ARGN_OPEN_AT_END), .type = TK_ARG_UINT, .value.u = 1 };
    tk_diag_note(rtos->diag, TK_DIAG_WAIT_UNKNOWN, NULL, 1);
    struct tk_track_event event = { .ticks = task->since, .track = tk_timeline_thread(tl, index), .name = tk_names_fixed(names, TK_FIXED_NOT_TRACED), .type = TK_EVENT_BEGIN, .when = TK_LATE };
    tk_timeline_event(tl, &event);
    event = (struct tk_track_event){ .ticks = ready_at, .track = event.track, .type = TK_EVENT_END, .when = ready_at == tl->now ? TK_IN_ORDER : TK_LATE, .args = args, .arg_count = (uint8_t)count };
    tk_timeline_event(tl, &event);
    if (crossed || !ready) tk_stats_unmeasured_wait(rtos->stats, index);
    else tk_stats_wait(rtos->stats, index, task->since, ready_at, reason_of(REASON_FIXED, TK_FIXED_NOT_TRACED, 0));
}

// It left without a word, and somebody had to make it ready again at `ready_at`; not ready: nobody has until the end.
static void left_waiting(struct tk_rtos *rtos, uint32_t index, uint64_t ready_at, uint32_t waker, bool ready) {
    struct tk_task *task = &rtos->tasks[index];
    if (ready_at > task->since || !ready) tk_timeline_late_state(rtos->tl, index, TK_STATE_WAITING, task->left_core, task->since);
    if (ready_at > task->since) draw_untraced_wait(rtos, index, ready_at, waker, ready);
    else if (!ready) tk_stats_unmeasured_wait(rtos->stats, index);
    task->phase = ready ? TK_PHASE_READY : TK_PHASE_WAITING;
    if (ready) tk_timeline_late_state(rtos->tl, index, TK_STATE_RUNNABLE, task->left_core, ready_at);
}

static void drop_pending(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    if (!task->ready_pending) return;
    task->ready_pending = false;
    rtos->cores[task->ready_core].pending_ready = TK_NONE;
    rtos->pending_count--;
}

static void settle_waiting(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    drop_pending(rtos, index);
    if (task->phase == TK_PHASE_LEFT) left_waiting(rtos, index, task->ready_at, task->ready_waker, true);
}

// Ends whatever the task was doing off the core, because something else is known to begin now.
static TK_INLINE void end_pause(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    if (task->ready_pending) settle_waiting(rtos, index);
    if (task->phase == TK_PHASE_LEFT) left_ready(rtos, index);
    close_wait(rtos, index, 0);
}

// A run is over, or the recording is.
static TK_INLINE void count_run(struct tk_rtos *rtos, uint32_t index, uint32_t core) {
    const struct tk_task *task = &rtos->tasks[index];
    if (task->loss == rtos->tl->losses[core + 1]) tk_stats_run(rtos->stats, index, core, task->since, rtos->tl->now);
    else tk_stats_unmeasured_run(rtos->stats, index);
}

static void leave_core(struct tk_rtos *rtos, uint32_t index, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    uint64_t from = task->since;
    count_run(rtos, index, core);
    if (from == tl->now) {
        tk_diag_hit(rtos->diag, TK_DIAG_RUN_ZERO, NULL);
        tk_timeline_cancel_state(tl, index);
    }
    task->core = -1;
    task->ran_from = from;
    task->since = tl->now;
    task->left_core = (uint16_t)core;
    switch ((enum tk_leave)task->leave) {
    case TK_LEAVE_OPEN:
        task->phase = TK_PHASE_LEFT;
        task->loss = tl->losses[0];
        if (!task->idle) return; // decided when its next event tells whether it waited
        task->phase = TK_PHASE_READY;
        tk_timeline_state(tl, index, TK_STATE_RUNNABLE, core);
        return;
    case TK_LEAVE_SUSPEND: suspend_now(rtos, index, task->leave_id, core); return;
    case TK_LEAVE_DELETE: delete_now(rtos, index, task->leave_id, core); return;
    default: tk_timeline_state(tl, index, start_wait(rtos, index), core); return;
    }
}

// Text id for "woken by": the interrupt on this core, else the running task.
static uint32_t waker_on(struct tk_rtos *rtos, const struct tk_core *core, uint32_t woken) {
    if (core->depth) return tk_names_label(names_of(rtos), rtos->isrs[core->stack[core->depth - 1].isr].entity, TK_ISR_TEXT);
    if (core->task == TK_NONE || core->task == woken || rtos->tasks[core->task].idle) return 0;
    return tk_names_label(names_of(rtos), rtos->tasks[core->task].entity, TK_TASK_TEXT);
}

// An interrupt ends.
static void pop_isr(struct tk_rtos *rtos, struct tk_core *core, uint8_t number) {
    const struct tk_isr_call *call = &core->stack[--core->depth];
    bool outermost = core->depth == 0;
    if (tk_timeline_crossed(rtos->tl, core->track, core->depth)) tk_stats_unmeasured_isr(rtos->stats, number, call->enter, rtos->tl->now, outermost);
    else tk_stats_isr_exit(rtos->stats, call->isr, number, call->enter, rtos->tl->now, outermost);
    tk_timeline_end(rtos->tl, core->track, NULL, 0);
}

// Interrupts end without an event that says so, until `depth` are left.
TK_RARE static void lose_isrs(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, uint32_t depth) {
    struct tk_diag_place place = place_of(event);
    while (core->depth > depth) {
        const struct tk_isr_call *call = &core->stack[--core->depth];
        tk_stats_unmeasured_isr(rtos->stats, event->core, call->enter, rtos->tl->now, core->depth == 0);
        tk_timeline_end_lost(rtos->tl, core->track);
        tk_diag_note(rtos->diag, TK_DIAG_ISR_END_LOST, &place, names_of(rtos)->entities[rtos->isrs[call->isr].entity].id);
    }
}

// ---- Events of tasks ---------------------------------------------------------------------------

static void on_switched_in(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->id), old = core->task;
    if (old == index && index != TK_NONE && rtos->tasks[index].core == event->core) {
        rtos->tasks[index].leave = TK_LEAVE_OPEN; // a wait that was announced in between took no time
        return;
    }
    if (core->depth) lose_isrs(rtos, event, core, 0); // no task starts within an interrupt
    if (old != TK_NONE && rtos->tasks[old].core == event->core) leave_core(rtos, old, event->core);
    core->task = index;
    if (index == TK_NONE) return;
    struct tk_task *task = &rtos->tasks[index];
    if (task->phase == TK_PHASE_DELETED) {
        problem(rtos, TK_DIAG_TASK_AFTER_DELETE, event);
        core->task = TK_NONE;
        return;
    }
    if (task->core >= 0) { // on another core, which has not told yet that it left
        tk_stats_unmeasured_run(rtos->stats, index);
        problem(rtos, TK_DIAG_TASK_ON_TWO_CORES, event);
    } else {
        end_pause(rtos, index);
    }
    task->phase = TK_PHASE_RUNNING;
    task->leave = TK_LEAVE_OPEN;
    task->core = event->core;
    task->since = rtos->tl->now;
    task->loss = rtos->tl->losses[event->core + 1];
    tk_stats_run_begins(rtos->stats, event->core);
    tk_timeline_state(rtos->tl, index, TK_STATE_RUNNING, event->core);
}

static void make_ready(struct tk_rtos *rtos, uint32_t index, struct tk_core *core) {
    close_wait(rtos, index, waker_on(rtos, core, index));
    rtos->tasks[index].phase = TK_PHASE_READY;
    tk_timeline_state(rtos->tl, index, TK_STATE_RUNNABLE, rtos->tasks[index].left_core);
}

static void on_ready(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (is_shared_task(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    switch ((enum tk_task_phase)task->phase) {
    case TK_PHASE_RUNNING:
        if (task->leave != TK_LEAVE_DELETE) task->leave = TK_LEAVE_OPEN; // what it announced is off
        break;
    case TK_PHASE_LEFT: // moved to another ready list because of its priority, or woken?
        if (core->prio_task == index && core->prio_serial + 1 == core->serial) {
            left_ready(rtos, index);
            break;
        }
        if (task->ready_pending || core->pending_ready != TK_NONE) break;
        task->ready_pending = true;
        task->ready_at = rtos->tl->now;
        task->ready_loss = rtos->tl->losses[0];
        task->ready_core = event->core;
        task->ready_waker = waker_on(rtos, core, index);
        core->pending_ready = index;
        rtos->pending_count++;
        break;
    case TK_PHASE_DELETED: problem(rtos, TK_DIAG_TASK_AFTER_DELETE, event); break;
    case TK_PHASE_READY: break;
    default: make_ready(rtos, index, core); break;
    }
}

static void on_resumed(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (is_shared_task(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    switch ((enum tk_task_phase)task->phase) {
    case TK_PHASE_RUNNING:
        if (task->leave == TK_LEAVE_SUSPEND) task->leave = TK_LEAVE_OPEN;
        break;
    case TK_PHASE_LEFT:
        task->ready_loss = rtos->tl->losses[0];
        left_waiting(rtos, index, rtos->tl->now, waker_on(rtos, core, index), true);
        break;
    case TK_PHASE_DELETED: problem(rtos, TK_DIAG_TASK_AFTER_DELETE, event); break;
    case TK_PHASE_READY: break;
    default: make_ready(rtos, index, core); break;
    }
}

TK_RARE static void on_suspended(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (is_shared_task(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    if (task->phase == TK_PHASE_SUSPENDED || task->phase == TK_PHASE_DELETED) return;
    if (task->phase == TK_PHASE_RUNNING) {
        task->leave = TK_LEAVE_SUSPEND;
        task->leave_id = core->task;
        return;
    }
    end_pause(rtos, index);
    suspend_now(rtos, index, core->task, task->left_core);
}

TK_RARE static void on_deleted(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (is_shared_task(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    if (task->phase == TK_PHASE_DELETED) return;
    if (task->phase == TK_PHASE_RUNNING) {
        task->leave = TK_LEAVE_DELETE;
        task->leave_id = core->task;
        return;
    }
    end_pause(rtos, index);
    delete_now(rtos, index, core->task, task->left_core);
}

// The running task says what it will wait for.
static void on_wait_announced(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    if (core->depth) lose_isrs(rtos, event, core, 0); // no interrupt waits
    if (core->task == TK_NONE) {
        problem(rtos, TK_DIAG_NO_CURRENT_TASK, event);
        return;
    }
    struct tk_task *task = &rtos->tasks[core->task];
    if (task->core != event->core) return; // it runs elsewhere by now
    uint32_t queue = 0;
    enum tk_leave leave = event->kind == TK_EV_DELAY ? TK_LEAVE_DELAY : event->kind == TK_EV_DELAY_UNTIL ? TK_LEAVE_DELAY_UNTIL :
                          event->kind == TK_EV_BLOCK_ON_SEND ? TK_LEAVE_SEND : event->kind == TK_EV_BLOCK_ON_PEEK ? TK_LEAVE_PEEK : TK_LEAVE_RECEIVE;
    if (leave != TK_LEAVE_DELAY && leave != TK_LEAVE_DELAY_UNTIL && (queue = tk_rtos_find_queue(rtos, event->id)) == TK_NONE) return;
    if (task->leave == TK_LEAVE_DELETE) return;
    task->leave = (uint8_t)leave;
    task->leave_id = queue;
    task->leave_arg = event->arg;
}

TK_RARE static void add_priority_track(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    struct tk_track_wish wish = { tk_timeline_thread(tl, index), TK_TRACK_COUNTER, TK_NONE, "priority", tl->rows[index].pid, 0, NULL, NULL, 0 };
    task->prio_track = tk_timeline_add_track(tl, &wish);
    struct tk_track_event first = { .ticks = task->prio_since, .track = task->prio_track, .type = TK_EVENT_COUNTER, .when = TK_LATE, .value = task->prio };
    if (task->prio_since < tl->now) tk_timeline_event(tl, &first);
}

static void on_priority(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (is_shared_task(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    if (event->kind != TK_EV_TASK_PRIORITY_INHERITED) {
        core->prio_task = index;
        core->prio_serial = core->serial;
    }
    if (!task->prio_known || task->prio == event->arg) {
        if (!task->prio_known) task->prio_since = tl->now;
        task->prio_known = true;
        task->prio = event->arg;
        return;
    }
    if (!task->prio_track) add_priority_track(rtos, index);
    task->prio = event->arg;
    tk_timeline_counter(tl, task->prio_track, event->arg, NULL, 0);
}

TK_RARE static void on_task_created(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    tk_rtos_find_task(rtos, event->id);
}

// A new task with the name of a deleted one goes on in its row, so that short-lived tasks do not crowd the list.
TK_RARE static bool takes_over_row(struct tk_rtos *rtos, uint32_t index, const struct tk_event *event) {
    struct tk_names *names = names_of(rtos);
    const struct tk_row *row = &rtos->tl->rows[index];
    uint32_t string = tk_strtab_intern(&names->strings, names->alloc, event->str, event->str_len);
    uint32_t dead = string ? tk_idmap_find(&rtos->dead_by_name, string) : TK_NONE;
    if (dead == TK_NONE || dead == index || row->shown || row->listed || row->thread_track || rtos->tasks[dead].phase != TK_PHASE_DELETED) return false;
    struct tk_task *old = &rtos->tasks[dead], *fresh = &rtos->tasks[index];
    uint32_t old_id = names->entities[old->entity].id;
    if (!tk_idmap_set(&rtos->task_by_id, rtos->alloc, event->id, dead) || !tk_idmap_set(&rtos->task_by_id, rtos->alloc, old_id, index)) return false;
    names->entities[old->entity].id = event->id;
    names->entities[fresh->entity].id = old_id;
    old->phase = TK_PHASE_UNKNOWN;
    old->leave = TK_LEAVE_OPEN;
    fresh->phase = TK_PHASE_DELETED; // what stays behind under the old number
    if (fresh->prio_known) {
        struct tk_event prio = *event;
        prio.kind = TK_EV_TASK_PRIORITY_SET;
        prio.arg = fresh->prio;
        on_priority(rtos, &prio, &rtos->cores[event->core]);
    }
    return true;
}

TK_RARE static void on_task_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (is_shared_task(index) || !event->str_len) return;
    struct tk_names *names = names_of(rtos);
    if (rtos->tasks[index].stale && tk_names_is_other(names, rtos->tasks[index].entity, event->str, event->str_len)) {
        index = add_task(rtos, event->id, true); // after a restart the number belongs to another task
        if (is_shared_task(index)) return;
    }
    rtos->tasks[index].stale = false;
    if (!names->entities[rtos->tasks[index].entity].name && takes_over_row(rtos, index, event)) return;
    if (tk_names_set(names, rtos->tasks[index].entity, event->str, event->str_len)) problem(rtos, TK_DIAG_NAME_CHANGED, event);
}

TK_RARE static void on_task_is_idle(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (is_shared_task(index)) return;
    rtos->tasks[index].idle = true;
    rtos->tl->rows[index].idle = true;
    if (rtos->tasks[index].phase == TK_PHASE_LEFT) left_ready(rtos, index);
}

TK_RARE static void on_task_is_timer(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_task(rtos, event->id);
    if (!is_shared_task(index)) rtos->tasks[index].timer = true;
}

// ---- Queues ------------------------------------------------------------------------------------

static bool is_lock(const struct tk_queue *queue) { return queue->kind == TK_QUEUE_MUTEX || queue->kind == TK_QUEUE_RECURSIVE_MUTEX; }

enum operation { OP_SEND, OP_RECEIVE, OP_OVERWRITE, OP_RESET, OP_LENGTH };

// Text id of "send by producer" or "send from interrupt UART"; 0 where nobody can be named.
static TK_INLINE uint32_t operation_text(struct tk_rtos *rtos, const struct tk_core *core, enum operation op, bool from_isr) {
    struct tk_names *names = names_of(rtos);
    if (op == OP_LENGTH) return 0;
    if (core->depth) return tk_names_label(names, rtos->isrs[core->stack[core->depth - 1].isr].entity, TK_ISR_SENDS + (unsigned)op);
    if (from_isr || core->task == TK_NONE) return tk_names_fixed_text(names, TK_TEXT_BY_NOBODY_SENDS + (unsigned)op);
    return tk_names_label(names, rtos->tasks[core->task].entity, TK_TASK_SENDS + (unsigned)op);
}

_Static_assert(TK_TASK_RECEIVES - TK_TASK_SENDS == OP_RECEIVE && TK_ISR_OVERWRITES - TK_ISR_SENDS == OP_OVERWRITE && TK_TASK_RESETS - TK_TASK_SENDS == OP_RESET,
               "labels of operations stand in the order of the operations");
_Static_assert(TK_TASK_OVERWRITES - TK_TASK_SENDS == OP_OVERWRITE && TK_TEXT_BY_NOBODY_RESETS - TK_TEXT_BY_NOBODY_SENDS == OP_RESET, "same");

static void release_lock(struct tk_rtos *rtos, struct tk_queue *queue) {
    if (queue->held) tk_timeline_end(rtos->tl, queue->lock_track, NULL, 0);
    queue->held = false;
}

// Nobody said that it was given back.
static void lose_lock(struct tk_rtos *rtos, struct tk_queue *queue) {
    if (queue->held) tk_timeline_end_lost(rtos->tl, queue->lock_track);
    queue->held = false;
}

TK_RARE static uint32_t add_lock_track(struct tk_rtos *rtos, struct tk_queue *queue) {
    struct tk_track_wish wish = { tk_timeline_group(rtos->tl, TK_GROUP_QUEUES), TK_TRACK_SLICES, queue->entity, queue->track ? " (lock)" : NULL, -1, 0, NULL, "Who holds the mutex", 0 };
    return queue->lock_track = tk_timeline_add_track(rtos->tl, &wish);
}

static void take_lock(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t holder) {
    struct tk_timeline *tl = rtos->tl;
    struct tk_names *names = names_of(rtos);
    lose_lock(rtos, queue);
    if (!queue->lock_track && !add_lock_track(rtos, queue)) return;
    uint32_t name = holder == TK_NONE ? tk_names_fixed(names, TK_FIXED_HELD) : tk_names_label(names, rtos->tasks[holder].entity, TK_TASK_HELD_BY);
    uint64_t flow = holder == TK_NONE ? 0 : ++rtos->next_flow;
    if (flow) { // an instant on the taker's own track, tied to the slice: one click leads from one to the other
        struct tk_track_event took = { .type = TK_EVENT_INSTANT, .flow = flow };
        took.track = tk_timeline_thread(tl, holder);
        took.name = tk_names_label(names, queue->entity, TK_QUEUE_TOOK);
        tk_timeline_event(tl, &took);
    }
    tk_timeline_begin(tl, queue->lock_track, named(name), NULL, 0);
    queue->held = true;
    queue->flow = flow;
}

static void sample_lock(struct tk_rtos *rtos, struct tk_queue *queue, const struct tk_core *core, const struct tk_event *event, enum operation op, uint32_t len) {
    if (op == OP_LENGTH && queue->fresh) return; // a mutex is created with length 0 and then given
    if (len) release_lock(rtos, queue);
    else if (op == OP_LENGTH) take_lock(rtos, queue, TK_NONE);
    else take_lock(rtos, queue, core->depth || event->kind == TK_EV_QUEUE_RECEIVE_FROM_ISR ? TK_NONE : core->task);
}

static uint32_t clamp_length(struct tk_rtos *rtos, const struct tk_queue *queue, const struct tk_event *event, uint32_t len) {
    if (len <= 1 || (queue->kind != TK_QUEUE_BINARY_SEMAPHORE && !is_lock(queue))) return len;
    problem(rtos, TK_DIAG_QUEUE_CLAMPED, event);
    return 1;
}

static const char *queue_description(const struct tk_queue *queue) {
    static const char *const words[] = {
        [TK_QUEUE_PLAIN] = "Queue: items in it", [TK_QUEUE_COUNTING_SEMAPHORE] = "Counting semaphore", [TK_QUEUE_BINARY_SEMAPHORE] = "Binary semaphore",
        [TK_QUEUE_MUTEX] = "Mutex", [TK_QUEUE_RECURSIVE_MUTEX] = "Recursive mutex", [TK_QUEUE_SET] = "Queue set", [TK_QUEUE_UNKNOWN] = "Queue of unknown kind",
    };
    return queue->kind_known ? words[queue->kind] : NULL;
}

// What a queue holds.
static const char *queue_unit(const struct tk_queue *queue) {
    return queue->kind == TK_QUEUE_COUNTING_SEMAPHORE || queue->kind == TK_QUEUE_BINARY_SEMAPHORE ? "tokens" : "items";
}

TK_RARE static void add_queue_track(struct tk_rtos *rtos, struct tk_queue *queue) {
    struct tk_track_wish wish = { tk_timeline_group(rtos->tl, TK_GROUP_QUEUES), TK_TRACK_COUNTER, queue->entity, NULL, -1, 0, queue_unit(queue), queue_description(queue), 0 };
    queue->track = tk_timeline_add_track(rtos->tl, &wish);
}

// Fills of different queues make no counter: each operation is an instant.
TK_RARE static void draw_further_queue(struct tk_rtos *rtos, const struct tk_event *event, struct tk_queue *queue, uint32_t operation, uint32_t len) {
    struct tk_timeline *tl = rtos->tl;
    char text[32];
    size_t text_len = tk_append_number(text, tk_append_text(text, 0, "queue #"), event->id);
    struct tk_arg args[2] = { { .name = tk_names_arg(names_of(rtos), TK_ARGN_VALUE), .type = TK_ARG_UINT, .value.u = len } };
    if (operation) args[1] = (struct tk_arg){ .name = tk_names_arg(names_of(rtos), TK_ARGN_OPERATION), .type = TK_ARG_TEXT, .value.text = operation };
    if (!queue->track) {
        struct tk_track_wish wish = { tk_timeline_group(tl, TK_GROUP_QUEUES), TK_TRACK_SLICES, queue->entity, NULL, -1, 0, NULL, "Operations on queues beyond the limit", 0 };
        queue->track = tk_timeline_add_track(tl, &wish);
    }
    tk_timeline_instant(tl, queue->track, (struct tk_label_text){ 0, text, (uint32_t)text_len }, args, operation ? 2 : 1);
}

static void sample_queue(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, enum operation op, bool from_isr, uint32_t len) {
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index == TK_NONE) return;
    struct tk_queue *queue = &rtos->queues[index];
    len = clamp_length(rtos, queue, event, len);
    tk_stats_queue(rtos->stats, index, len);
    bool further = index == TK_MAX_QUEUES;
    if (is_lock(queue) && !further) {
        sample_lock(rtos, queue, core, event, op, len);
    } else {
        if (!queue->track && !further) add_queue_track(rtos, queue);
        uint32_t text = operation_text(rtos, core, op, from_isr);
        if (further) draw_further_queue(rtos, event, queue, text, len);
        else tk_timeline_counter_text(rtos->tl, queue->track, len, text ? tk_names_arg(names_of(rtos), TK_ARGN_OPERATION) : 0, text);
    }
    queue->used = true;
    queue->fresh = false;
}

static void on_queue_operation(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    static const struct { uint8_t op; bool from_isr; } table[TK_EV_COUNT] = {
        [TK_EV_QUEUE_SEND] = { OP_SEND, false }, [TK_EV_QUEUE_SEND_FROM_ISR] = { OP_SEND, true },
        [TK_EV_QUEUE_OVERWRITE] = { OP_OVERWRITE, false }, [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = { OP_OVERWRITE, true },
        [TK_EV_QUEUE_RECEIVE] = { OP_RECEIVE, false }, [TK_EV_QUEUE_RECEIVE_FROM_ISR] = { OP_RECEIVE, true },
        [TK_EV_QUEUE_RESET] = { OP_RESET, false }, [TK_EV_QUEUE_LENGTH] = { OP_LENGTH, false },
    };
    sample_queue(rtos, event, core, (enum operation)table[event->kind].op, table[event->kind].from_isr, event->kind == TK_EV_QUEUE_RESET ? 0 : event->arg);
}

TK_RARE static void on_queue_created(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index < TK_MAX_QUEUES) rtos->queues[index].fresh = true;
}

TK_RARE static void on_queue_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index >= TK_MAX_QUEUES) return;
    if (rtos->queues[index].stale && tk_names_is_other(names_of(rtos), rtos->queues[index].entity, event->str, event->str_len)) {
        index = add_queue(rtos, event->id);
        if (index >= TK_MAX_QUEUES) return;
    }
    rtos->queues[index].stale = false;
    if (tk_names_set(names_of(rtos), rtos->queues[index].entity, event->str, event->str_len)) problem(rtos, TK_DIAG_NAME_CHANGED, event);
}

TK_RARE static void on_queue_kind(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t index = tk_rtos_find_queue(rtos, event->id);
    if (index >= TK_MAX_QUEUES) return;
    struct tk_queue *queue = &rtos->queues[index];
    uint8_t kind = event->arg < TK_QUEUE_UNKNOWN ? (uint8_t)event->arg : TK_QUEUE_UNKNOWN;
    if (names_of(rtos)->borrowing && queue->kind_known) return;
    if (kind == TK_QUEUE_UNKNOWN) problem(rtos, TK_DIAG_KIND_UNKNOWN, event);
    if (queue->used && queue->kind != kind && !(kind == TK_QUEUE_PLAIN)) problem(rtos, TK_DIAG_KIND_LATE, event);
    if (queue->kind != kind) lose_lock(rtos, queue);
    queue->kind = kind;
    queue->kind_known = true;
}

// ---- Interrupts --------------------------------------------------------------------------------

const char *tk_core_title(uint32_t core) {
    static const char *const titles[TK_RTOS_CORES] = {
        "Core 0", "Core 1", "Core 2", "Core 3", "Core 4", "Core 5", "Core 6", "Core 7", "Core 8", "Core 9", "Core 10",
        "Core 11", "Core 12", "Core 13", "Core 14", "Core 15", "Core 16", "Core 17", "Core 18", "Core 19", "Core 20",
        "Core 21", "Core 22", "Core 23", "Core 24", "Core 25", "Core 26", "Core 27", "Core 28", "Core 29", "Core 30", "Core 31",
    };
    return titles[core];
}

TK_RARE static uint32_t add_isr_track(struct tk_rtos *rtos, struct tk_core *core, uint8_t number) {
    struct tk_track_wish wish = { tk_timeline_group(rtos->tl, TK_GROUP_INTERRUPTS), TK_TRACK_SLICES, TK_NONE, "Interrupts", -1, number, NULL, NULL, (uint8_t)(number + 1) };
    return core->track = tk_timeline_add_track(rtos->tl, &wish);
}

// Position of the innermost open call of an interrupt, or core->depth.
static uint32_t find_open_isr(const struct tk_core *core, uint32_t isr) {
    for (uint32_t at = core->depth; at--;)
        if (core->stack[at].isr == isr) return at;
    return core->depth;
}

// It begins again: where events were lost since, its end was among them; else it nests.
TK_RARE static void drop_stale_isr(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, uint32_t isr) {
    uint32_t open = find_open_isr(core, isr);
    if (open < core->depth && tk_timeline_crossed(rtos->tl, core->track, open)) lose_isrs(rtos, event, core, open);
}

static void on_isr_enter(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t isr = find_isr(rtos, event->core, event->id);
    if (isr == TK_NONE) return;
    if (core->depth) drop_stale_isr(rtos, event, core, isr);
    if (core->depth >= TK_MAX_DEPTH) {
        problem(rtos, TK_DIAG_TOO_DEEP, event);
        tk_timeline_doubt(rtos->tl, core->track); // its end will be taken for that of another one
        return;
    }
    tk_stats_isr_enter(rtos->stats, isr, rtos->tl->now);
    core->stack[core->depth++] = (struct tk_isr_call){ isr, rtos->tl->now };
    uint32_t name = tk_names_label(names_of(rtos), rtos->isrs[isr].entity, TK_ISR_NAME); // before the track: both may write, and compilers order arguments differently
    tk_timeline_begin(rtos->tl, core->track ? core->track : add_isr_track(rtos, core, event->core), named(name), NULL, 0);
}

// Interrupts nest: those inside ended before. One that never began is another one with a damaged number, or its
// beginning was lost.
TK_RARE static void pop_isrs(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, uint32_t isr) {
    uint32_t open = isr == TK_NONE ? core->depth : find_open_isr(core, isr);
    if (open == core->depth) {
        problem(rtos, TK_DIAG_ISR_END_WITHOUT_BEGIN, event);
        tk_timeline_doubt(rtos->tl, core->track);
        return;
    }
    lose_isrs(rtos, event, core, open + 1);
    pop_isr(rtos, core, event->core);
}

static void on_isr_exit(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t isr = find_isr(rtos, event->core, event->id);
    if (core->depth && core->stack[core->depth - 1].isr == isr) pop_isr(rtos, core, event->core);
    else pop_isrs(rtos, event, core, isr);
}

TK_RARE static void on_isr_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t isr = find_isr(rtos, event->core, event->id);
    if (isr >= TK_MAX_ISRS) return;
    if (rtos->isrs[isr].stale && tk_names_is_other(names_of(rtos), rtos->isrs[isr].entity, event->str, event->str_len)) {
        isr = add_isr(rtos, event->core, event->id, (uint64_t)event->core << 32 | event->id);
        if (isr >= TK_MAX_ISRS) return;
    }
    rtos->isrs[isr].stale = false;
    if (tk_names_set(names_of(rtos), rtos->isrs[isr].entity, event->str, event->str_len)) problem(rtos, TK_DIAG_NAME_CHANGED, event);
}

// ---- Dispatch ----------------------------------------------------------------------------------

const tk_rtos_handler tk_rtos_handlers[TK_EV_COUNT] = {
    [TK_EV_ISR_NAME] = on_isr_name, [TK_EV_ISR_ENTER] = on_isr_enter, [TK_EV_ISR_EXIT] = on_isr_exit,
    [TK_EV_TASK_CREATED] = on_task_created, [TK_EV_TASK_NAME] = on_task_name, [TK_EV_TASK_IS_IDLE] = on_task_is_idle,
    [TK_EV_TASK_IS_TIMER] = on_task_is_timer, [TK_EV_TASK_SWITCHED_IN] = on_switched_in, [TK_EV_TASK_READY] = on_ready,
    [TK_EV_TASK_RESUMED] = on_resumed, [TK_EV_TASK_RESUMED_FROM_ISR] = on_resumed, [TK_EV_TASK_SUSPENDED] = on_suspended,
    [TK_EV_TASK_DELETED] = on_deleted, [TK_EV_TASK_PRIORITY_SET] = on_priority, [TK_EV_TASK_PRIORITY_INHERITED] = on_priority,
    [TK_EV_TASK_PRIORITY_DISINHERITED] = on_priority, [TK_EV_DELAY] = on_wait_announced, [TK_EV_DELAY_UNTIL] = on_wait_announced,
    [TK_EV_BLOCK_ON_RECEIVE] = on_wait_announced, [TK_EV_BLOCK_ON_SEND] = on_wait_announced, [TK_EV_BLOCK_ON_PEEK] = on_wait_announced,
    [TK_EV_QUEUE_CREATED] = on_queue_created, [TK_EV_QUEUE_NAME] = on_queue_name, [TK_EV_QUEUE_KIND] = on_queue_kind,
    [TK_EV_QUEUE_SEND] = on_queue_operation, [TK_EV_QUEUE_SEND_FROM_ISR] = on_queue_operation, [TK_EV_QUEUE_OVERWRITE] = on_queue_operation,
    [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = on_queue_operation, [TK_EV_QUEUE_RECEIVE] = on_queue_operation,
    [TK_EV_QUEUE_RECEIVE_FROM_ISR] = on_queue_operation, [TK_EV_QUEUE_RESET] = on_queue_operation, [TK_EV_QUEUE_LENGTH] = on_queue_operation,
};

static bool concerns_task(const struct tk_rtos *rtos, const struct tk_event *event, uint32_t index) {
    bool about_a_task = (event->kind >= TK_EV_TASK_SWITCHED_IN && event->kind <= TK_EV_TASK_PRIORITY_DISINHERITED);
    return about_a_task && tk_idmap_find(&rtos->task_by_id, event->id) == index;
}

void tk_rtos_settle(struct tk_rtos *rtos, const struct tk_event *event) {
    for (uint32_t i = 0; i < TK_RTOS_CORES && rtos->pending_count; i++) {
        uint32_t index = rtos->cores[i].pending_ready;
        if (index == TK_NONE) continue;
        bool concerns = concerns_task(rtos, event, index);
        if (concerns && event->kind == TK_EV_TASK_PRIORITY_INHERITED) { // it only changed the list of its priority
            drop_pending(rtos, index);
            left_ready(rtos, index);
        } else if (concerns || event->core == i) {
            settle_waiting(rtos, index);
        }
    }
}

TK_RARE void tk_rtos_first_event(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    core->seen = tk_stats_need_cores(rtos->stats, event->core + 1u);
    tk_rtos_handle(rtos, event, core);
}

void tk_rtos_loss(struct tk_rtos *rtos, int32_t core) {
    tk_timeline_loss(rtos->tl, core);
    tk_stats_gap(rtos->stats);
}

TK_RARE static void settle_all(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < TK_RTOS_CORES && rtos->pending_count; i++)
        if (rtos->cores[i].pending_ready != TK_NONE) settle_waiting(rtos, rtos->cores[i].pending_ready);
}

TK_RARE static void stop_cores(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        struct tk_core *core = &rtos->cores[i];
        while (core->depth) {
            core->depth--;
            tk_stats_unmeasured_isr(rtos->stats, i, core->stack[core->depth].enter, rtos->tl->now, core->depth == 0);
            tk_diag_note(rtos->diag, TK_DIAG_ISR_OPEN_AT_END, NULL, names_of(rtos)->entities[rtos->isrs[core->stack[core->depth].isr].entity].id);
        }
        if (core->task != TK_NONE && rtos->tasks[core->task].core == (int32_t)i) count_run(rtos, core->task, i);
        core->task = core->prio_task = TK_NONE;
    }
}

TK_RARE void tk_rtos_restart(struct tk_rtos *rtos) {
    settle_all(rtos);
    stop_cores(rtos);
    tk_timeline_close_all(rtos->tl, true);
    tk_stats_gap(rtos->stats);
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        struct tk_task *task = &rtos->tasks[i];
        if (task->phase == TK_PHASE_LEFT) left_ready(rtos, i);
        if (task->wait_open) tk_stats_unmeasured_wait(rtos->stats, i);
        if (task->phase != TK_PHASE_UNKNOWN) tk_timeline_state(rtos->tl, i, TK_STATE_DEAD, task->core >= 0 ? (uint32_t)task->core : task->left_core);
        task->phase = TK_PHASE_UNKNOWN;
        task->stale = true;
        task->core = -1;
        task->wait_open = false;
        task->leave = TK_LEAVE_OPEN;
    }
    for (uint32_t i = 0; i < rtos->queue_count; i++) {
        rtos->queues[i].held = false;
        rtos->queues[i].stale = true;
    }
    for (uint32_t i = 0; i < rtos->isr_count; i++) rtos->isrs[i].stale = true;
}

// When an idle task began to run last; nobody else was ready then. False: there are several cores, or it never ran.
static bool idle_since(const struct tk_rtos *rtos, uint64_t *out_since) {
    uint32_t cores = 0;
    bool idled = false;
    *out_since = 0;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) cores += rtos->cores[i].task != TK_NONE;
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
static void settle_left(struct tk_rtos *rtos) {
    uint64_t idle_from;
    bool idled = idle_since(rtos, &idle_from);
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        if (rtos->tasks[i].phase != TK_PHASE_LEFT) continue;
        if (idled && idle_from >= rtos->tasks[i].since) left_waiting(rtos, i, rtos->tl->now, 0, false);
        else left_ready(rtos, i);
    }
}

TK_RARE void tk_rtos_finish(struct tk_rtos *rtos) {
    settle_all(rtos);
    settle_left(rtos);
    for (uint32_t i = 0; i < rtos->task_count; i++)
        if (rtos->tasks[i].wait_open) tk_stats_unmeasured_wait(rtos->stats, i);
    stop_cores(rtos);
}

TK_RARE void tk_rtos_init(struct tk_rtos *rtos, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *tl, struct tk_stats *stats) {
    memset(rtos, 0, sizeof *rtos);
    rtos->alloc = alloc;
    rtos->diag = diag;
    rtos->tl = tl;
    rtos->stats = stats;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        rtos->cores[i].task = rtos->cores[i].pending_ready = rtos->cores[i].prio_task = TK_NONE;
        rtos->cores[i].stack = rtos->calls[i];
    }
}

TK_RARE void tk_rtos_deinit(struct tk_rtos *rtos) {
    tk_idmap_deinit(&rtos->task_by_id, rtos->alloc);
    tk_idmap_deinit(&rtos->queue_by_id, rtos->alloc);
    tk_idmap_deinit(&rtos->isr_by_id, rtos->alloc);
    tk_idmap_deinit(&rtos->dead_by_name, rtos->alloc);
    tk_alloc_free(rtos->alloc, rtos->tasks, rtos->task_capacity * sizeof *rtos->tasks);
    tk_alloc_free(rtos->alloc, rtos->queues, rtos->queue_capacity * sizeof *rtos->queues);
    tk_alloc_free(rtos->alloc, rtos->isrs, rtos->isr_capacity * sizeof *rtos->isrs);
}
