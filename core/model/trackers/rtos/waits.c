// SPDX-License-Identifier: MIT
//
// Tasks off the core: what they wait for, who woke them, and what is only understood later.
#include "rtos_internal.h"

enum { REASON_FIXED = 1, REASON_DELAY, REASON_DELAY_UNTIL, REASON_LABEL, REASON_OWN };

static uint64_t reason_of(unsigned kind, uint32_t number, unsigned slot) {
    return (uint64_t)kind << 40 | (uint64_t)slot << 32 | number;
}

static struct tk_label_text delay_name(struct tk_rtos *rtos, uint32_t ticks, char text[64]) {
    if (ticks == UINT32_MAX) return tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELAY_FOREVER));
    uint32_t *id = ticks < 256 ? &rtos->delay_names[ticks] : NULL;
    if (id && *id) return tk_named(*id);
    size_t len = tk_append_number(text, tk_append_text(text, 0, "delay "), ticks);
    len = tk_append_text(text, len, ticks == 1 ? " tick" : " ticks");
    if (!id) return (struct tk_label_text){ 0, text, (uint32_t)len };
    return tk_named(*id = tk_names_define(tk_rtos_names(rtos), TK_INTERN_NAME, text, len));
}

uint64_t tk_rtos_service_reason(uint32_t number) { return reason_of(REASON_OWN, number, 0); }

bool tk_rtos_is_delay(uint64_t reason) { return reason >> 40 == REASON_DELAY || reason >> 40 == REASON_DELAY_UNTIL; }

uint64_t tk_rtos_wait_kind(uint64_t reason) {
    return tk_rtos_is_delay(reason) ? reason_of(REASON_DELAY, 0, 0) : reason;
}

// An endless wait is announced as (now + 0xFFFFFFFF), the tick before this one. Where nobody tells the kernel's tick,
// it is recognised where no other meaning is left: at the ticks 0 and 1, where the timer task begins to wait.
static bool is_forever(const struct tk_rtos *rtos, uint32_t wake) {
    if (wake == UINT32_MAX) return true;
    return rtos->tick_known ? wake - rtos->tick > INT32_MAX : wake == 0;
}

static unsigned wait_label(const struct tk_queue *queue, enum tk_pending_block pending_block) {
    if (pending_block == TK_PENDING_SEND) return tk_queue_is_semaphore(queue) ? TK_QUEUE_GIVES : TK_QUEUE_SEND_TO;
    if (pending_block == TK_PENDING_PEEK) return TK_QUEUE_PEEKS;
    if (tk_queue_is_lock(queue)) return TK_QUEUE_LOCKS;
    return tk_queue_is_semaphore(queue) ? TK_QUEUE_TAKES : TK_QUEUE_RECEIVE_FROM;
}

static void open_wait(struct tk_rtos *rtos, uint32_t index, struct tk_label_text name, uint64_t reason, uint32_t object,
                      const struct tk_arg *args, unsigned arg_count) {
    struct tk_task *task = &rtos->tasks[index];
    task->wait_open = true;
    task->wait_reason = reason;
    task->waits_for = object;
    task->since = rtos->tl->now;
    tk_timeline_begin(rtos->tl, tk_timeline_thread(rtos->tl, index), name, args, arg_count);
    if (rtos->damaged) tk_timeline_invalidate_open(rtos->tl, rtos->tl->rows[index].thread_track);
}

void tk_rtos_close_wait(struct tk_rtos *rtos, uint32_t index, uint32_t waker) {
    struct tk_task *task = &rtos->tasks[index];
    if (!task->wait_open) return;
    uint32_t track = rtos->tl->rows[index].thread_track;
    bool measured = !tk_timeline_crosses_loss(rtos->tl, track, 0);
    task->wait_open = false;
    if (measured) tk_stats_wait(rtos->stats, index, task->since, rtos->tl->now, task->wait_reason);
    else tk_stats_unmeasured_wait(rtos->stats, index);
    if (rtos->observer)
        rtos->observer->waited(rtos->observer_ctx, index, measured && task->since >= rtos->stats->start);
    tk_timeline_end_text(rtos->tl, track, waker ? tk_names_arg(tk_rtos_names(rtos), TK_ARGN_WOKEN_BY) : 0, waker);
}

// Where nobody tells the present tick that of the end says little: one name for all, so that a viewer can sum them up.
static void wait_until(struct tk_rtos *rtos, uint32_t index, uint32_t clock, char text[64]) {
    uint32_t until = rtos->tasks[index].pending_arg;
    struct tk_arg tick = { .name = tk_names_arg(tk_rtos_names(rtos), TK_ARGN_TICK),
                           .type = TK_ARG_UINT,
                           .value.u = until };
    struct tk_label_text name = tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELAY_UNTIL));
    if (rtos->tick_known)
        name = (struct tk_label_text){
            0, text, (uint32_t)tk_append_number(text, tk_append_text(text, 0, "delay until tick "), until)
        };
    open_wait(rtos, index, name, reason_of(REASON_DELAY_UNTIL, until, 0), clock, &tick, !rtos->tick_known);
}

static enum tk_task_state wait_for_time(struct tk_rtos *rtos, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    bool waits_for_commands = task->timer; // too
    uint32_t clock = waits_for_commands ? 0 : tk_wait_target_key(TK_WAIT_TARGET_TIME, 0);
    char text[64];
    bool until = task->pending_block == TK_PENDING_DELAY_UNTIL;
    if (until && !is_forever(rtos, task->pending_arg)) {
        wait_until(rtos, index, clock, text);
        return TK_STATE_WAITING;
    }
    uint32_t ticks = until ? UINT32_MAX : task->pending_arg;
    open_wait(rtos, index, delay_name(rtos, ticks, text), reason_of(REASON_DELAY, ticks, 0),
              ticks == UINT32_MAX ? 0 : clock, NULL, 0);
    return TK_STATE_WAITING;
}

static bool is_endless(const struct tk_rtos *rtos, const struct tk_task *task) {
    return task->timeout == TK_TIMEOUT_UNTIL ? is_forever(rtos, task->pending_arg)
                                             : task->timeout == TK_TIMEOUT_TICKS && task->pending_arg == UINT32_MAX;
}

// How long the wait may last, and who holds what it waits for. Returns how many.
static unsigned wait_args(struct tk_rtos *rtos, struct tk_task *task, const struct tk_queue *lock,
                          struct tk_arg args[2]) {
    struct tk_names *names = tk_rtos_names(rtos);
    unsigned count = 0;
    task->no_timeout = is_endless(rtos, task);
    if (task->timeout != TK_TIMEOUT_UNKNOWN) {
        bool until = task->timeout == TK_TIMEOUT_UNTIL && !task->no_timeout;
        args[count] = (struct tk_arg){ .type = TK_ARG_UINT, .value.u = task->pending_arg };
        if (task->no_timeout)
            args[count] =
                (struct tk_arg){ .type = TK_ARG_TEXT, .value.text = tk_names_fixed_text(names, TK_TEXT_FOREVER) };
        args[count++].name = tk_names_arg(names, until ? TK_ARGN_UNTIL_TICK : TK_ARGN_TIMEOUT);
    }
    if (lock && lock->held && lock->holder != TK_NONE) {
        args[count] =
            (struct tk_arg){ .type = TK_ARG_TEXT,
                             .value.text = tk_names_label(names, rtos->tasks[lock->holder].entity, TK_TASK_TEXT) };
        args[count++].name = tk_names_arg(names, TK_ARGN_HELD_BY);
    }
    return count;
}

static enum tk_task_state wait_for_queue(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    const struct tk_queue *queue = &rtos->queues[task->pending_id];
    struct tk_arg args[2];
    unsigned label = wait_label(queue, (enum tk_pending_block)task->pending_block);
    unsigned count = wait_args(rtos, task, label == TK_QUEUE_LOCKS ? queue : NULL, args);
    uint32_t name = tk_names_label(tk_rtos_names(rtos), queue->entity, label);
    open_wait(rtos, index, tk_named(name), reason_of(REASON_LABEL, queue->entity, label),
              tk_wait_target_key(TK_WAIT_TARGET_QUEUE, task->pending_id), args, count);
    return label == TK_QUEUE_LOCKS ? TK_STATE_WAITING_LOCK : TK_STATE_WAITING;
}

static enum tk_task_state wait_as_named(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_arg args[2];
    unsigned count = wait_args(rtos, task, NULL, args);
    open_wait(rtos, index, tk_named(task->pending_name), tk_rtos_service_reason(task->pending_id), task->pending_target,
              args, count);
    return TK_STATE_WAITING;
}

enum tk_task_state tk_rtos_start_wait(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    task->phase = TK_PHASE_WAITING;
    task->no_timeout = false;
    if (task->pending_block == TK_PENDING_DELAY || task->pending_block == TK_PENDING_DELAY_UNTIL)
        return wait_for_time(rtos, index);
    return task->pending_block == TK_PENDING_NAMED ? wait_as_named(rtos, index) : wait_for_queue(rtos, index);
}

TK_COLD size_t tk_rtos_reason_text(const struct tk_rtos *rtos, uint64_t reason, char out_text[2 * TK_DISPLAY_LEN]) {
    uint32_t number = (uint32_t)reason;
    switch (reason >> 40) {
    case REASON_DELAY:
        if (number == UINT32_MAX) return tk_append_text(out_text, 0, "delay forever");
        return tk_append_text(out_text, tk_append_number(out_text, tk_append_text(out_text, 0, "delay "), number),
                              number == 1 ? " tick" : " ticks");
    case REASON_DELAY_UNTIL:
        return tk_append_number(out_text, tk_append_text(out_text, 0, "delay until tick "), number);
    case REASON_LABEL: return tk_names_label_text(&rtos->tl->names, number, reason >> 32 & 0xFF, out_text);
    case REASON_FIXED:
        return tk_append_text(out_text, 0, number == TK_FIXED_SUSPENDED ? "suspended" : "waiting (not traced)");
    case REASON_OWN: return rtos->observer ? rtos->observer->reason_text(rtos->observer_ctx, number, out_text) : 0;
    default: return 0;
    }
}

// ---- Task phases -------------------------------------------------------------------------------

TK_COLD void tk_rtos_suspend(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(tk_rtos_names(rtos), rtos->tasks[by].entity, TK_TASK_SUSPENDED_BY)
                          : tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_SUSPENDED);
    task->phase = TK_PHASE_SUSPENDED;
    open_wait(rtos, index, tk_named(name),
              known ? reason_of(REASON_LABEL, rtos->tasks[by].entity, TK_TASK_SUSPENDED_BY)
                    : reason_of(REASON_FIXED, TK_FIXED_SUSPENDED, 0),
              0, NULL, 0);
    tk_timeline_state(rtos->tl, index, TK_STATE_SUSPENDED, core);
}

// A context that nobody deletes: what ran before the scheduler.
TK_COLD void tk_rtos_end_task(struct tk_rtos *rtos, uint32_t index, uint32_t core) {
    rtos->tasks[index].phase = TK_PHASE_DELETED;
    tk_timeline_state(rtos->tl, index, TK_STATE_DEAD, core);
}

TK_COLD void tk_rtos_delete(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(tk_rtos_names(rtos), rtos->tasks[by].entity, TK_TASK_DELETED_BY)
                          : tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELETED);
    task->phase = TK_PHASE_DELETED;
    tk_timeline_instant(rtos->tl, tk_timeline_thread(rtos->tl, index), tk_named(name), NULL, 0);
    tk_timeline_state(rtos->tl, index, TK_STATE_DEAD, core);
    uint32_t string = tk_rtos_names(rtos)->entities[task->entity].name;
    if (string) tk_idmap_set(&rtos->dead_by_name, rtos->alloc, string, index);
}

void tk_rtos_was_preempted(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    task->phase = TK_PHASE_READY;
    tk_timeline_late_state(rtos->tl, index, TK_STATE_RUNNABLE, task->switched_out_core, task->since);
}

// Draws the wait of a task that left without a word, when it is over or (not ready) goes on at the end.
static void draw_untraced_wait(struct tk_rtos *rtos, uint32_t index, uint64_t until, bool ready) {
    const struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    struct tk_names *names = tk_rtos_names(rtos);
    bool crossed = task->loss != task->ready_loss;
    struct tk_arg args[2];
    unsigned count = 0;
    if (ready && task->ready_waker)
        args[count++] = (struct tk_arg){ .name = tk_names_arg(names, TK_ARGN_WOKEN_BY),
                                         .type = TK_ARG_TEXT,
                                         .value.text = task->ready_waker };
    if (crossed || !ready)
        args[count++] =
            (struct tk_arg){ .name = tk_names_arg(names, ready ? TK_ARGN_CROSSES_LOSS : TK_ARGN_OPEN_AT_END),
                             .type = TK_ARG_UINT,
                             .value.u = 1 };
    tk_diag_note(rtos->diag, TK_DIAG_WAIT_UNKNOWN, NULL, 1);
    struct tk_track_event event = { .ticks = task->since,
                                    .track = tk_timeline_thread(tl, index),
                                    .name = tk_names_fixed(names, TK_FIXED_NOT_TRACED),
                                    .type = TK_EVENT_BEGIN,
                                    .when = TK_LATE };
    tk_timeline_event(tl, &event);
    event = (struct tk_track_event){ .ticks = until,
                                     .track = event.track,
                                     .type = TK_EVENT_END,
                                     .when = until == tl->now ? TK_IN_ORDER : TK_LATE,
                                     .args = args,
                                     .arg_count = (uint8_t)count };
    tk_timeline_event(tl, &event);
    if (crossed || !ready) tk_stats_unmeasured_wait(rtos->stats, index);
    else tk_stats_wait(rtos->stats, index, task->since, until, reason_of(REASON_FIXED, TK_FIXED_NOT_TRACED, 0));
}

void tk_rtos_was_blocked(struct tk_rtos *rtos, uint32_t index, bool ready) {
    struct tk_task *task = &rtos->tasks[index];
    uint64_t until = ready ? task->ready_at : rtos->tl->now;
    if (ready && until == task->since) { // not for any time
        tk_rtos_was_preempted(rtos, index);
        return;
    }
    tk_timeline_late_state(rtos->tl, index, TK_STATE_WAITING, task->switched_out_core, task->since);
    if (until > task->since) draw_untraced_wait(rtos, index, until, ready);
    else tk_stats_unmeasured_wait(rtos->stats, index);
    task->phase = ready ? TK_PHASE_READY : TK_PHASE_WAITING;
    if (ready) tk_timeline_late_wake(rtos->tl, index, task->ready_core, (enum tk_waker)task->ready_by, until);
}

void tk_rtos_discard_pending_ready(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    if (!task->ready_pending) return;
    task->ready_pending = false;
    rtos->cores[task->ready_core].pending_ready = TK_NONE;
    rtos->tl->unresolved--;
}

void tk_rtos_resolve_as_blocked(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    tk_rtos_discard_pending_ready(rtos, index);
    if (task->phase == TK_PHASE_SWITCHED_OUT) tk_rtos_was_blocked(rtos, index, true);
}
