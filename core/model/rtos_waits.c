// SPDX-License-Identifier: MIT
//
// Tasks off the core: what they wait for, who woke them, and what is only understood later.
#include "rtos_parts.h"

enum { REASON_FIXED = 1, REASON_DELAY, REASON_DELAY_UNTIL, REASON_LABEL };

static uint64_t reason_of(unsigned kind, uint32_t number, unsigned slot) { return (uint64_t)kind << 40 | (uint64_t)slot << 32 | number; }

static struct tk_label_text delay_name(struct tk_rtos *rtos, uint32_t ticks, char text[64]) {
    if (ticks == UINT32_MAX) return tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELAY_FOREVER));
    uint32_t *id = ticks < 256 ? &rtos->delay_names[ticks] : NULL;
    if (id && *id) return tk_named(*id);
    size_t len = tk_append_number(text, tk_append_text(text, 0, "delay "), ticks);
    len = tk_append_text(text, len, ticks == 1 ? " tick" : " ticks");
    if (!id) return (struct tk_label_text){ 0, text, (uint32_t)len };
    return tk_named(*id = tk_names_define(tk_rtos_names(rtos), TK_INTERN_NAME, text, len));
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

void tk_rtos_close_wait(struct tk_rtos *rtos, uint32_t index, uint32_t waker) {
    struct tk_task *task = &rtos->tasks[index];
    if (!task->wait_open) return;
    uint32_t track = rtos->tl->rows[index].thread_track;
    task->wait_open = false;
    if (tk_timeline_crossed(rtos->tl, track, 0)) tk_stats_unmeasured_wait(rtos->stats, index);
    else tk_stats_wait(rtos->stats, index, task->since, rtos->tl->now, task->wait_reason);
    tk_timeline_end_text(rtos->tl, track, waker ? tk_names_arg(tk_rtos_names(rtos), TK_ARGN_WOKEN_BY) : 0, waker);
}

enum tk_task_state tk_rtos_start_wait(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_names *names = tk_rtos_names(rtos);
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
        open_wait(rtos, index, tk_named(tk_names_fixed(names, TK_FIXED_DELAY_UNTIL)), reason_of(REASON_DELAY_UNTIL, task->leave_arg, 0), &arg, 1);
        return TK_STATE_WAITING;
    }
    const struct tk_queue *queue = &rtos->queues[task->leave_id];
    unsigned label = wait_label(queue, (enum tk_leave)task->leave);
    if (task->leave_arg == UINT32_MAX) {
        arg.type = TK_ARG_TEXT;
        arg.value.text = tk_names_fixed_text(names, TK_TEXT_FOREVER);
    }
    arg.name = tk_names_arg(names, TK_ARGN_TIMEOUT);
    open_wait(rtos, index, tk_named(tk_names_label(names, queue->entity, label)), reason_of(REASON_LABEL, queue->entity, label), &arg, 1);
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

void tk_rtos_suspend(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(tk_rtos_names(rtos), rtos->tasks[by].entity, TK_TASK_SUSPENDED_BY) : tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_SUSPENDED);
    task->phase = TK_PHASE_SUSPENDED;
    open_wait(rtos, index, tk_named(name), known ? reason_of(REASON_LABEL, rtos->tasks[by].entity, TK_TASK_SUSPENDED_BY) : reason_of(REASON_FIXED, TK_FIXED_SUSPENDED, 0), NULL, 0);
    tk_timeline_state(rtos->tl, index, TK_STATE_SUSPENDED, core);
}

TK_RARE void tk_rtos_delete(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(tk_rtos_names(rtos), rtos->tasks[by].entity, TK_TASK_DELETED_BY) : tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELETED);
    task->phase = TK_PHASE_DELETED;
    tk_timeline_instant(rtos->tl, tk_timeline_thread(rtos->tl, index), tk_named(name), NULL, 0);
    tk_timeline_state(rtos->tl, index, TK_STATE_DEAD, core);
    uint32_t string = tk_rtos_names(rtos)->entities[task->entity].name;
    if (string) tk_idmap_set(&rtos->dead_by_name, rtos->alloc, string, index);
}

void tk_rtos_left_ready(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    task->phase = TK_PHASE_READY;
    tk_timeline_late_state(rtos->tl, index, TK_STATE_RUNNABLE, task->left_core, task->since);
}

// Draws the wait of a task that left without a word, when it is over or (not ready) goes on at the end.
static void draw_untraced_wait(struct tk_rtos *rtos, uint32_t index, uint64_t ready_at, uint32_t waker, bool ready) {
    const struct tk_task *task = &rtos->tasks[index];
    struct tk_timeline *tl = rtos->tl;
    struct tk_names *names = tk_rtos_names(rtos);
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

void tk_rtos_left_waiting(struct tk_rtos *rtos, uint32_t index, uint64_t ready_at, uint32_t waker, bool ready) {
    struct tk_task *task = &rtos->tasks[index];
    if (ready_at > task->since || !ready) tk_timeline_late_state(rtos->tl, index, TK_STATE_WAITING, task->left_core, task->since);
    if (ready_at > task->since) draw_untraced_wait(rtos, index, ready_at, waker, ready);
    else if (!ready) tk_stats_unmeasured_wait(rtos->stats, index);
    task->phase = ready ? TK_PHASE_READY : TK_PHASE_WAITING;
    if (ready) tk_timeline_late_state(rtos->tl, index, TK_STATE_RUNNABLE, task->left_core, ready_at);
}

void tk_rtos_drop_pending(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    if (!task->ready_pending) return;
    task->ready_pending = false;
    rtos->cores[task->ready_core].pending_ready = TK_NONE;
    rtos->pending_count--;
}

void tk_rtos_settle_waiting(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    tk_rtos_drop_pending(rtos, index);
    if (task->phase == TK_PHASE_LEFT) tk_rtos_left_waiting(rtos, index, task->ready_at, task->ready_waker, true);
}
