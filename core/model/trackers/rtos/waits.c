// SPDX-License-Identifier: MIT
//
// Tasks off their core: what they wait for, which actor woke them, and states that only a later event determines.
#include "rtos_internal.h"

// ---- Waits that are drawn after their end ------------------------------------------------------

// Returns the name of the worded wait of a task.
static struct tk_label_text name_of_words(struct tk_rtos *rtos, uint32_t index, char room[TK_DISPLAY_LEN]) {
    struct tk_worded_wait *wait = &rtos->worded[index];
    size_t len;
    if (wait->name) return tk_named(wait->name);
    const char *words = tk_strtab_text(&tk_rtos_names(rtos)->strings, wait->words, &len);
    struct tk_text text = tk_text_in(room, TK_DISPLAY_LEN); // interning may move the table
    tk_text_put(&text, words, len);
    wait->name = tk_names_message(tk_rtos_names(rtos), text.text, text.len);
    return (struct tk_label_text){ wait->name, text.text, text.len };
}

static struct tk_label_text name_of_reason(struct tk_rtos *rtos, uint32_t index, uint64_t reason,
                                           char room[TK_DISPLAY_LEN]) {
    struct tk_names *names = tk_rtos_names(rtos);
    uint32_t number = (uint32_t)reason;
    switch (tk_reason_kind(reason)) {
    case TK_REASON_FIXED: return tk_named(tk_names_fixed(names, (enum tk_fixed_name)number));
    case TK_REASON_TEXT: return name_of_words(rtos, index, room);
    default: return tk_named(tk_label_id_at(names, number));
    }
}

struct late_wait {
    uint64_t reason, since, until; // reason: fixed, words or a label
    uint32_t waker;                // text id; 0: unknown
    bool crossed;                  // events were lost meanwhile
    bool is_open;                  // still at `until`: the end of the recording, or a restart
};

static void draw_late_wait(struct tk_rtos *rtos, uint32_t index, const struct late_wait *wait) {
    struct tk_timeline *tl = rtos->tl;
    struct tk_names *names = tk_rtos_names(rtos);
    struct tk_arg args[2];
    unsigned count = 0;
    char room[TK_DISPLAY_LEN];
    if (!wait->is_open && wait->waker)
        args[count++] = (struct tk_arg){ .name = tk_names_arg(names, TK_ARGN_WOKEN_BY),
                                         .type = TK_ARG_TEXT,
                                         .value.text = wait->waker };
    if (wait->is_open)
        args[count++] =
            (struct tk_arg){ .name = tk_names_arg(names, TK_ARGN_OPEN_AT_END), .type = TK_ARG_UINT, .value.u = 1 };
    if (wait->crossed)
        args[count++] =
            (struct tk_arg){ .name = tk_names_arg(names, TK_ARGN_CROSSES_LOSS), .type = TK_ARG_UINT, .value.u = 1 };
    uint32_t track = tk_timeline_thread(tl, index);
    struct tk_label_text name = name_of_reason(rtos, index, wait->reason, room);
    struct tk_track_event event = { .ticks = wait->since,
                                    .track = track,
                                    .name = name.id,
                                    .string = name.id ? NULL : name.text,
                                    .string_len = name.len,
                                    .type = TK_EVENT_BEGIN,
                                    .when = TK_LATE };
    tk_timeline_event(tl, &event);
    event = (struct tk_track_event){ .ticks = wait->until,
                                     .track = track,
                                     .type = TK_EVENT_END,
                                     .when = wait->until == tl->now ? TK_IN_ORDER : TK_LATE,
                                     .is_unmeasured = wait->crossed || wait->is_open,
                                     .args = args,
                                     .arg_count = (uint8_t)count };
    tk_timeline_event(tl, &event);
}

static void count_late_wait(struct tk_rtos *rtos, uint32_t index, const struct late_wait *wait) {
    if (wait->crossed || wait->is_open) tk_stats_unmeasured_wait(rtos->stats, index);
    else tk_stats_wait(rtos->stats, index, wait->since, wait->until, wait->reason);
}

// ---- Preliminary waits: the recording may tell the reason after their end -----------------------

static void begin_preliminary(struct tk_rtos *rtos, uint32_t index) {
    struct tk_worded_wait *wait = &rtos->worded[index];
    wait->since = rtos->tl->now;
    wait->loss = rtos->tl->losses[0];
    wait->is_uncertain = rtos->damaged;
    wait->is_before_figures = false;
    rtos->tasks[index].is_undecided = true;
}

static void end_preliminary(struct tk_rtos *rtos, uint32_t index, uint32_t waker) {
    struct tk_worded_wait *wait = &rtos->worded[index];
    wait->until = rtos->tl->now;
    wait->waker = waker;
    wait->is_uncertain |= wait->loss != rtos->tl->losses[0];
}

// Draws the preliminary wait of a task, which is open or has ended, with its reason.
static void decide(struct tk_rtos *rtos, uint32_t index, uint64_t reason) {
    struct tk_task *task = &rtos->tasks[index];
    if (task->wait_open) end_preliminary(rtos, index, 0);
    const struct tk_worded_wait *preliminary = &rtos->worded[index];
    struct late_wait wait = { .reason = reason,
                              .since = preliminary->since,
                              .until = preliminary->until,
                              .waker = preliminary->waker,
                              .crossed = preliminary->is_uncertain,
                              .is_open = task->wait_open };
    draw_late_wait(rtos, index, &wait);
    if (!preliminary->is_before_figures) count_late_wait(rtos, index, &wait);
    task->is_undecided = task->wait_open = false;
    TK_TELL(rtos->facts, wait_decided, index, reason);
}

void tk_rtos_draw_undecided(struct tk_rtos *rtos, uint32_t index) {
    if (rtos->tasks[index].is_undecided) decide(rtos, index, tk_reason(TK_REASON_TEXT, rtos->worded[index].words));
}

void tk_rtos_invalidate_wait(struct tk_rtos *rtos, uint32_t index) {
    if (rtos->tasks[index].is_undecided) rtos->worded[index].is_uncertain = true;
    else tk_timeline_invalidate_open(rtos->tl, rtos->tl->tasks[index].thread_track);
}

// ---- The wait of a task that leaves its core ---------------------------------------------------

static struct tk_label_text delay_name(struct tk_rtos *rtos, uint32_t ticks, char room[64]) {
    if (ticks == UINT32_MAX) return tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELAY_FOREVER));
    uint32_t *id = ticks < 256 ? &rtos->delay_names[ticks] : NULL;
    if (id && *id) return tk_named(*id);
    struct tk_text text = tk_text_in(room, 64);
    tk_text_add(&text, "delay ");
    tk_text_count(&text, ticks, "ticks");
    if (!id) return (struct tk_label_text){ 0, text.text, text.len };
    return tk_named(*id = tk_names_define(tk_rtos_names(rtos), TK_INTERN_NAME, text.text, text.len));
}

// Returns true for an endless wait, which is announced as (now + 0xFFFFFFFF), the tick before this one. If the kernel's
// tick is unknown, only the ticks 0 and 1 are recognised, at which the timer task begins to wait.
static bool is_forever(const struct tk_rtos *rtos, uint32_t wake) {
    if (wake == UINT32_MAX) return true;
    return rtos->tick_known ? wake - rtos->tick > INT32_MAX : wake == 0;
}

static TK_INLINE enum tk_label wait_label(const struct tk_queue *queue, enum tk_pending_block pending_block) {
    if (pending_block == TK_PENDING_SEND)
        return tk_queue_is_semaphore(queue) ? TK_LABEL_WAIT_TO_GIVE : TK_LABEL_WAIT_TO_SEND;
    if (pending_block == TK_PENDING_PEEK) return TK_LABEL_WAIT_TO_PEEK;
    if (tk_queue_is_lock(queue)) return TK_LABEL_WAIT_TO_LOCK;
    return tk_queue_is_semaphore(queue) ? TK_LABEL_WAIT_TO_TAKE : TK_LABEL_WAIT_TO_RECEIVE;
}

static void begin_wait(struct tk_rtos *rtos, uint32_t index, uint64_t reason, uint32_t object) {
    struct tk_task *task = &rtos->tasks[index];
    if (task->is_undecided) tk_rtos_draw_undecided(rtos, index);
    task->wait_open = true;
    task->wait_reason = reason;
    task->waits_for = object;
    task->since = rtos->tl->now;
}

static void open_wait(struct tk_rtos *rtos, uint32_t index, struct tk_label_text name, uint64_t reason, uint32_t object,
                      const struct tk_arg *args, unsigned arg_count) {
    begin_wait(rtos, index, reason, object);
    tk_timeline_begin(rtos->tl, tk_timeline_thread(rtos->tl, index), name, args, arg_count);
    if (rtos->damaged) tk_timeline_invalidate_open(rtos->tl, rtos->tl->tasks[index].thread_track);
}

// Starts a wait until a tick. If the current tick is unknown, all these waits have the same name, so that a viewer can
// sum them up.
static void wait_until(struct tk_rtos *rtos, uint32_t index, uint32_t clock, char room[64]) {
    uint32_t until = rtos->tasks[index].pending_arg;
    struct tk_arg tick = { .name = tk_names_arg(tk_rtos_names(rtos), TK_ARGN_TICK),
                           .type = TK_ARG_UINT,
                           .value.u = until };
    struct tk_label_text name = tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELAY_UNTIL));
    if (rtos->tick_known) {
        struct tk_text text = tk_text_in(room, 64);
        tk_text_add(&text, "delay until tick ");
        tk_text_u64(&text, until);
        name = (struct tk_label_text){ 0, text.text, text.len };
    }
    open_wait(rtos, index, name, tk_reason(TK_REASON_DELAY_UNTIL, until), clock, &tick, !rtos->tick_known);
}

static enum tk_task_state wait_for_time(struct tk_rtos *rtos, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    bool waits_for_commands = task->timer; // in addition to its delay
    uint32_t clock = waits_for_commands ? 0 : tk_wait_target_key(TK_WAIT_TARGET_TIME, 0);
    char text[64];
    bool until = task->pending_block == TK_PENDING_DELAY_UNTIL;
    if (until && !is_forever(rtos, task->pending_arg)) {
        wait_until(rtos, index, clock, text);
        return TK_STATE_WAITING;
    }
    uint32_t ticks = until ? UINT32_MAX : task->pending_arg;
    open_wait(rtos, index, delay_name(rtos, ticks, text), tk_reason(TK_REASON_DELAY, ticks),
              ticks == UINT32_MAX ? 0 : clock, NULL, 0);
    return TK_STATE_WAITING;
}

static bool is_endless(const struct tk_rtos *rtos, const struct tk_task *task) {
    return task->timeout == TK_TIMEOUT_UNTIL ? is_forever(rtos, task->pending_arg)
                                             : task->timeout == TK_TIMEOUT_TICKS && task->pending_arg == UINT32_MAX;
}

// Adds the timeout of the wait and the holder of the mutex. Returns the number of arguments.
static unsigned wait_args(struct tk_rtos *rtos, struct tk_task *task, uint32_t holder, struct tk_arg args[2]) {
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
    if (holder != TK_NONE) {
        args[count] = (struct tk_arg){ .type = TK_ARG_TEXT,
                                       .value.text = tk_names_label(names, rtos->tasks[holder].entity, TK_LABEL_TEXT) };
        args[count++].name = tk_names_arg(names, TK_ARGN_HELD_BY);
    }
    return count;
}

static enum tk_task_state wait_for_queue(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    const struct tk_queue *queue = &rtos->queues[task->pending_id];
    struct tk_arg args[2];
    enum tk_label label = wait_label(queue, (enum tk_pending_block)task->pending_block);
    unsigned count = wait_args(rtos, task, label == TK_LABEL_WAIT_TO_LOCK ? task->pending_holder : TK_NONE, args);
    uint32_t name = tk_names_label(tk_rtos_names(rtos), queue->entity, label);
    open_wait(rtos, index, tk_named(name),
              tk_reason(TK_REASON_LABEL, tk_names_label_index(tk_rtos_names(rtos), queue->entity, label)),
              tk_wait_target_key(TK_WAIT_TARGET_QUEUE, task->pending_id), args, count);
    return label == TK_LABEL_WAIT_TO_LOCK ? TK_STATE_WAITING_LOCK : TK_STATE_WAITING;
}

static enum tk_task_state wait_for_service(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    struct tk_arg args[2];
    unsigned count = wait_args(rtos, task, TK_NONE, args);
    open_wait(rtos, index, tk_named(task->pending_name), tk_reason(TK_REASON_LABEL, task->pending_id),
              task->pending_target, args, count);
    return TK_STATE_WAITING;
}

static enum tk_task_state wait_with_reason(struct tk_rtos *rtos, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    uint64_t reason = tk_reason(TK_REASON_TEXT, task->pending_id);
    char room[TK_DISPLAY_LEN];
    if (!task->is_preliminary) {
        open_wait(rtos, index, name_of_words(rtos, index, room), reason, 0, NULL, 0);
        return TK_STATE_WAITING;
    }
    begin_wait(rtos, index, reason, 0);
    begin_preliminary(rtos, index);
    return TK_STATE_WAITING;
}

static enum tk_task_state start_wait(struct tk_rtos *rtos, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    if (task->pending_block == TK_PENDING_DELAY || task->pending_block == TK_PENDING_DELAY_UNTIL)
        return wait_for_time(rtos, index);
    if (task->pending_block == TK_PENDING_REASON) return wait_with_reason(rtos, index);
    return task->pending_block == TK_PENDING_SERVICE ? wait_for_service(rtos, index) : wait_for_queue(rtos, index);
}

static enum tk_wait_kind wait_kind(const struct tk_rtos *rtos, const struct tk_task *task) {
    switch ((enum tk_pending_block)task->pending_block) {
    case TK_PENDING_DELAY:
    case TK_PENDING_DELAY_UNTIL: return TK_WAIT_FOR_TIME;
    case TK_PENDING_SEND: return TK_WAIT_FOR_ROOM;
    case TK_PENDING_RECEIVE:
        return tk_queue_is_lock(&rtos->queues[task->pending_id]) ? TK_WAIT_FOR_LOCK : TK_WAIT_FOR_OBJECT;
    default: return TK_WAIT_FOR_OBJECT;
    }
}

enum tk_task_state tk_rtos_start_wait(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    task->phase = TK_PHASE_WAITING;
    task->no_timeout = false;
    enum tk_task_state state = start_wait(rtos, index);
    struct tk_fact_wait wait = { .reason = task->wait_reason,
                                 .since = rtos->tl->now,
                                 .object = TK_NONE,
                                 .holder = TK_NONE,
                                 .kind = (uint8_t)wait_kind(rtos, task),
                                 .is_preliminary = task->is_undecided };
    if (tk_wait_target_of(task->waits_for) == TK_WAIT_TARGET_QUEUE) wait.object = task->pending_id;
    if (wait.kind == TK_WAIT_FOR_LOCK) wait.holder = task->pending_holder;
    TK_TELL(rtos->facts, task_waits, index, &wait);
    return state;
}

// The recording tells the reason of a preliminary wait that has ended.
void tk_rtos_on_waited_for(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = core->depth ? TK_NONE : core->task;
    if (tk_rtos_is_shared(index) || !rtos->tasks[index].is_undecided || rtos->tasks[index].wait_open) return;
    struct tk_names *names = tk_rtos_names(rtos);
    uint32_t label;
    if (event->waited_for.what == TK_WAITED_FOR_NOTIFICATION) {
        struct tk_label_parts parts = { .label = TK_LABEL_CALL_WAIT_FOR_NOTIFICATION, .entity = TK_NONE };
        label = tk_label_index(names, &parts);
    } else {
        bool sends = event->waited_for.what == TK_WAITED_TO_SEND;
        uint32_t queue = tk_rtos_find_queue(rtos, event->waited_for.queue);
        if (queue == TK_NONE) return;
        label = tk_names_label_index(names, rtos->queues[queue].entity,
                                     wait_label(&rtos->queues[queue], sends ? TK_PENDING_SEND : TK_PENDING_RECEIVE));
    }
    if (label != TK_NONE) decide(rtos, index, tk_reason(TK_REASON_LABEL, label));
}

// ---- The end of a wait -------------------------------------------------------------------------

void tk_rtos_close_wait(struct tk_rtos *rtos, uint32_t index, uint32_t waker) {
    struct tk_task *task = &rtos->tasks[index];
    if (!task->wait_open) return;
    if (task->is_undecided) {
        end_preliminary(rtos, index, waker);
        task->wait_open = false;
        return;
    }
    uint32_t track = rtos->tl->tasks[index].thread_track;
    bool measured = !tk_timeline_crosses_loss(rtos->tl, track, 0);
    task->wait_open = false;
    if (measured) tk_stats_wait(rtos->stats, index, task->since, rtos->tl->now, task->wait_reason);
    else tk_stats_unmeasured_wait(rtos->stats, index);
    tk_timeline_end_text(rtos->tl, track, waker ? tk_names_arg(tk_rtos_names(rtos), TK_ARGN_WOKEN_BY) : 0, waker);
}

void tk_rtos_end_wait_unmeasured(struct tk_rtos *rtos, uint32_t index) {
    if (!rtos->tasks[index].wait_open) return;
    tk_stats_unmeasured_wait(rtos->stats, index);
    rtos->tasks[index].wait_open = false;
}

// ---- Wakers ------------------------------------------------------------------------------------

static struct tk_rtos_waker actor_as_waker(struct tk_rtos *rtos, const struct tk_core *core,
                                           const struct tk_event *event, uint32_t woken) {
    struct tk_actor actor = tk_rtos_actor(core, event);
    switch (actor.kind) {
    case TK_ACTOR_INTERRUPT:
        return (struct tk_rtos_waker){ tk_rtos_actor_text(rtos, actor), TK_WAKER_INTERRUPT, TK_WAIT_END_UNKNOWN };
    case TK_ACTOR_TASK:
        if (actor.index == woken) break;
        // An idle task wakes no other task: an interrupt that was not traced did
        if (rtos->tasks[actor.index].idle) return (struct tk_rtos_waker){ 0, TK_WAKER_INTERRUPT, TK_WAIT_END_UNKNOWN };
        return (struct tk_rtos_waker){ tk_rtos_actor_text(rtos, actor), TK_WAKER_TASK, TK_WAIT_END_UNKNOWN };
    default: break;
    }
    bool by_interrupt = tk_rtos_is_from_isr(event) || core->is_idle;
    return (struct tk_rtos_waker){ 0, by_interrupt ? TK_WAKER_INTERRUPT : TK_WAKER_UNKNOWN, TK_WAIT_END_UNKNOWN };
}

// Returns the clock as waker: the interrupt of the tick ends a delay, and a wait that times out.
static struct tk_rtos_waker clock_as_waker(struct tk_rtos *rtos, enum tk_fixed_text text) {
    return (struct tk_rtos_waker){ tk_names_fixed_text(tk_rtos_names(rtos), text), TK_WAKER_INTERRUPT,
                                   TK_WAIT_END_UNKNOWN };
}

// Tells whether a wait met its object. Without ticks and interrupts in the recording, the last operation may be older
// than the tick that ended the wait.
static struct tk_rtos_waker ends_as(const struct tk_rtos *rtos, const struct tk_core *core, struct tk_rtos_waker waker,
                                    enum tk_wait_end end) {
    if (core->depth || rtos->tick_known) waker.end = end;
    return waker;
}

struct tk_rtos_waker tk_rtos_waker(struct tk_rtos *rtos, const struct tk_core *core, const struct tk_event *event,
                                   uint32_t woken) {
    const struct tk_task *task = &rtos->tasks[woken];
    uint32_t last = core->depth ? core->stack[core->depth - 1].last_target : core->last_target;
    if (!task->wait_open || !task->waits_for || task->phase == TK_PHASE_SUSPENDED)
        return actor_as_waker(rtos, core, event, woken);
    if (task->waits_for == tk_wait_target_key(TK_WAIT_TARGET_TIME, 0)) {
        if (core->depth && !rtos->tick_known)
            return actor_as_waker(rtos, core, event, woken); // the interrupt of the tick
        return clock_as_waker(rtos, TK_TEXT_TICK);
    }
    if (last == task->waits_for || last == tk_wait_target_key(TK_WAIT_TARGET_TASK, woken))
        return ends_as(rtos, core, actor_as_waker(rtos, core, event, woken), TK_WAIT_END_MET);
    bool is_queue_traced = tk_wait_target_of(task->waits_for) != TK_WAIT_TARGET_QUEUE ||
                           rtos->queues[tk_wait_target_index(task->waits_for)].used;
    if (rtos->no_operations || (!rtos->blocking_traced && !is_queue_traced))
        return actor_as_waker(rtos, core, event, woken);
    if (task->no_timeout) return (struct tk_rtos_waker){ 0, TK_WAKER_UNKNOWN, TK_WAIT_END_MET };
    if (last == tk_wait_target_key(TK_WAIT_TARGET_UNKNOWN, 0))
        return (struct tk_rtos_waker){ 0, TK_WAKER_UNKNOWN, TK_WAIT_END_UNKNOWN };
    return ends_as(rtos, core, clock_as_waker(rtos, TK_TEXT_TIME_OUT), TK_WAIT_END_TIMED_OUT);
}

// ---- Task phases -------------------------------------------------------------------------------

// Returns the reason of a suspension by a task, or by the task itself.
TK_COLD static uint64_t suspension_reason(struct tk_rtos *rtos, uint32_t index, uint32_t by) {
    if (by == TK_NONE || by == index) return tk_reason(TK_REASON_FIXED, TK_FIXED_SUSPENDED);
    return tk_reason(TK_REASON_LABEL,
                     tk_names_label_index(tk_rtos_names(rtos), rtos->tasks[by].entity, TK_LABEL_SUSPENDED_BY));
}

TK_COLD void tk_rtos_tell_stop(struct tk_rtos *rtos, uint32_t index, uint32_t by, bool is_deleted, bool is_certain) {
    if (!rtos->facts) return;
    struct tk_fact_wait stop = { .reason = is_deleted ? tk_reason(TK_REASON_FIXED, TK_FIXED_DELETED)
                                                      : suspension_reason(rtos, index, by),
                                 .since = rtos->tl->now,
                                 .object = TK_NONE,
                                 .holder = TK_NONE,
                                 .kind = is_deleted ? TK_WAIT_DELETED : TK_WAIT_SUSPENDED };
    if (by == index) TK_TELL(rtos->facts, task_waits, index, &stop);
    else TK_TELL(rtos->facts, task_stops, index, &stop, is_certain);
}

TK_COLD void tk_rtos_suspend(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(tk_rtos_names(rtos), rtos->tasks[by].entity, TK_LABEL_SUSPENDED_BY)
                          : tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_SUSPENDED);
    task->phase = TK_PHASE_SUSPENDED;
    // A task that another one suspends continues its call when it is resumed.
    open_wait(rtos, index, tk_named(name), suspension_reason(rtos, index, by), by == index ? 0 : task->waits_for, NULL,
              0);
    tk_timeline_state(rtos->tl, index, TK_STATE_SUSPENDED, core);
}

// Ends a context without a delete event, such as the code before the scheduler.
TK_COLD void tk_rtos_end_task(struct tk_rtos *rtos, uint32_t index, uint32_t core) {
    rtos->tasks[index].phase = TK_PHASE_DELETED;
    tk_timeline_state(rtos->tl, index, TK_STATE_DEAD, core);
}

TK_COLD void tk_rtos_delete(struct tk_rtos *rtos, uint32_t index, uint32_t by, uint32_t core) {
    struct tk_task *task = &rtos->tasks[index];
    bool known = by != TK_NONE && by != index;
    uint32_t name = known ? tk_names_label(tk_rtos_names(rtos), rtos->tasks[by].entity, TK_LABEL_DELETED_BY)
                          : tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_DELETED);
    task->phase = TK_PHASE_DELETED;
    tk_rtos_draw_undecided(rtos, index);
    tk_timeline_instant(rtos->tl, tk_timeline_thread(rtos->tl, index), tk_named(name), NULL, 0);
    tk_timeline_state(rtos->tl, index, TK_STATE_DEAD, core);
    uint32_t string = tk_rtos_names(rtos)->entities[task->entity].name;
    if (string) tk_idmap_set(&rtos->dead_by_name, rtos->alloc, string, index);
}

void tk_rtos_was_preempted(struct tk_rtos *rtos, uint32_t index) {
    struct tk_task *task = &rtos->tasks[index];
    task->phase = TK_PHASE_READY;
    TK_TELL(rtos->facts, task_ready, index);
    tk_timeline_late_state(rtos->tl, index, TK_STATE_RUNNABLE, task->switched_out_core, task->since);
}

// Draws the wait of a task in TK_PHASE_SWITCHED_OUT after its end, or (not ready) at the end of the recording.
static void draw_untraced_wait(struct tk_rtos *rtos, uint32_t index, uint64_t until, bool ready) {
    const struct tk_task *task = &rtos->tasks[index];
    struct late_wait wait = { .reason = tk_reason(TK_REASON_FIXED, TK_FIXED_NOT_TRACED),
                              .since = task->since,
                              .until = until,
                              .waker = task->ready_waker,
                              .crossed = task->loss != task->ready_loss,
                              .is_open = !ready };
    tk_diag_note(rtos->diag, TK_DIAG_WAIT_UNKNOWN, NULL, 1);
    draw_late_wait(rtos, index, &wait);
    count_late_wait(rtos, index, &wait);
}

// A wait of no length is one as well: the task left its core and was made ready.
static void tell_untraced_wait(struct tk_rtos *rtos, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    struct tk_fact_wait wait = { .reason = tk_reason(TK_REASON_FIXED, TK_FIXED_NOT_TRACED),
                                 .since = task->since,
                                 .object = TK_NONE,
                                 .holder = TK_NONE,
                                 .kind = TK_WAIT_NOT_TRACED };
    TK_TELL(rtos->facts, task_waits, index, &wait);
    TK_TELL(rtos->facts, task_released, index, task->ready_at, TK_WAIT_END_UNKNOWN);
}

void tk_rtos_was_blocked(struct tk_rtos *rtos, uint32_t index, bool ready) {
    struct tk_task *task = &rtos->tasks[index];
    uint64_t until = ready ? task->ready_at : rtos->tl->now;
    task->waits_for = 0; // it has left the call of its last announced wait
    if (ready) tell_untraced_wait(rtos, index);
    if (ready && until == task->since) { // it waited for zero time
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
