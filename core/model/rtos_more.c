// SPDX-License-Identifier: MIT
//
// The tracker itself: what it knows of whom, and what it hears of.
#include "rtos_more_parts.h"

#include <string.h>

// ---- Who and what ------------------------------------------------------------------------------

// Room for `index`; what is new is zeroed.
static bool has_room(struct tk_rtos_more *more, void **array, uint32_t *count, uint32_t *capacity, uint32_t index, size_t size) {
    if (index < *count) return true;
    if (!tk_alloc_grow(more->host.alloc, array, capacity, index + 1, size)) return false;
    *count = *capacity;
    return true;
}

struct tk_queue_more *tk_more_queue(struct tk_rtos_more *more, uint32_t queue) {
    if (queue >= TK_MAX_QUEUES) return NULL;
    return has_room(more, (void **)&more->queues, &more->queue_count, &more->queue_capacity, queue, sizeof *more->queues) ? &more->queues[queue] : NULL;
}

struct tk_task_more *tk_more_task(struct tk_rtos_more *more, uint32_t task) {
    if (tk_rtos_is_shared(task)) return NULL;
    return has_room(more, (void **)&more->tasks, &more->task_count, &more->task_capacity, task, sizeof *more->tasks) ? &more->tasks[task] : NULL;
}

static const struct { enum tk_entity_type type; enum tk_noun noun; } kinds_of_things[] = {
    [TK_CLASS_BITS] = { TK_ENTITY_OBJECT, TK_NOUN_BITS }, [TK_CLASS_MACHINE] = { TK_ENTITY_OBJECT, TK_NOUN_MACHINE },
    [TK_CLASS_INTERVAL] = { TK_ENTITY_OBJECT, TK_NOUN_INTERVAL }, [TK_CLASS_HEAP] = { TK_ENTITY_OBJECT, TK_NOUN_HEAP }, [TK_CLASS_TIMER] = { TK_ENTITY_OBJECT, TK_NOUN_TIMER },
    [TK_CLASS_STACK] = { TK_ENTITY_OBJECT, TK_NOUN_STACK },
};

TK_COLD static struct tk_thing *add_thing(struct tk_rtos_more *more, enum tk_entity_class is, uint32_t id, uint64_t key) {
    if (more->thing_count >= TK_MAX_THINGS) {
        tk_diag_note(more->host.diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(more->host.alloc, (void **)&more->things, &more->thing_capacity, more->thing_count + 1, sizeof *more->things)) return NULL;
    uint32_t entity = tk_names_add(tk_more_names(more), kinds_of_things[is].type, id);
    if (entity == TK_NONE || !tk_idmap_set(&more->thing_by_key, more->host.alloc, key, more->thing_count)) return NULL;
    tk_more_names(more)->entities[entity].noun = (uint8_t)kinds_of_things[is].noun;
    struct tk_thing *thing = &more->things[more->thing_count++];
    *thing = (struct tk_thing){ .entity = entity, .is = (uint8_t)is, .actor = TK_NONE };
    return thing;
}

struct tk_thing *tk_more_thing(struct tk_rtos_more *more, enum tk_entity_class is, uint32_t id) {
    uint64_t key = (uint64_t)(is + 1) << 32 | id;
    uint32_t index = tk_idmap_find(&more->thing_by_key, key);
    return index != TK_NONE ? &more->things[index] : add_thing(more, is, id, key);
}

static uint64_t name_key(const struct tk_rtos_more *more, const struct tk_thing *thing) {
    return (uint64_t)(thing->is + 1) << 32 | more->tl->names.entities[thing->entity].name;
}

TK_COLD uint32_t tk_more_thing_track(struct tk_rtos_more *more, struct tk_thing *thing, enum tk_group group, enum tk_track_kind kind, const char *unit, const char *description) {
    if (thing->track) return thing->track;
    uint32_t dead = tk_more_names(more)->entities[thing->entity].name ? tk_idmap_find(&more->dead_thing_by_name, name_key(more, thing)) : TK_NONE;
    if (dead != TK_NONE && more->things[dead].track) {
        thing->track = more->things[dead].track;
        more->things[dead].track = 0;
        return thing->track;
    }
    struct tk_track_spec spec = { tk_timeline_group(more->tl, group), kind, thing->entity, NULL, -1, 0, unit, description, 0 };
    return thing->track = tk_timeline_add_track(more->tl, &spec);
}

void tk_more_delete_thing(struct tk_rtos_more *more, struct tk_thing *thing) {
    thing->deleted = true;
    if (tk_more_names(more)->entities[thing->entity].name)
        tk_idmap_set(&more->dead_thing_by_name, more->host.alloc, name_key(more, thing), (uint32_t)(thing - more->things));
}

void *tk_more_row(struct tk_rtos_more *more, struct tk_rows *rows, uint64_t key, size_t row_size, bool *out_fresh) {
    uint32_t index = tk_idmap_find(&rows->by_key, key);
    *out_fresh = index == TK_NONE;
    if (index != TK_NONE) return (char *)rows->rows + index * row_size;
    if (rows->count >= TK_MAX_PAIRS) {
        tk_diag_note(more->host.diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(more->host.alloc, &rows->rows, &rows->capacity, rows->count + 1, row_size)) return NULL;
    if (!tk_idmap_set(&rows->by_key, more->host.alloc, key, rows->count)) return NULL;
    void *row = (char *)rows->rows + rows->count++ * row_size;
    return memset(row, 0, row_size);
}

uint32_t tk_more_actor(const struct tk_core *core) {
    if (core->depth) return TK_ACTOR_ISR | core->stack[core->depth - 1].isr;
    return core->task;
}

uint32_t tk_more_actor_text(struct tk_rtos_more *more, uint32_t actor) {
    struct tk_names *names = tk_more_names(more);
    if (actor & TK_ACTOR_ISR) return tk_names_label(names, more->rtos->isrs[actor & ~TK_ACTOR_ISR].entity, TK_ISR_TEXT);
    return tk_names_label(names, more->rtos->tasks[actor].entity, TK_TASK_TEXT);
}

// ---- Arguments ---------------------------------------------------------------------------------

void tk_more_who(struct tk_rtos_more *more, struct tk_details *details, const char *name, uint32_t actor) {
    if (actor == TK_NONE || details->count == TK_MAX_ARGS) return;
    uint32_t text = tk_more_actor_text(more, actor);
    tk_details_number(more->host.details, details, name, 0);
    details->args[details->count - 1].type = TK_ARG_TEXT;
    details->args[details->count - 1].value.text = text;
}

// Written out: there are too many to be interned.
void tk_more_address(struct tk_rtos_more *more, struct tk_details *details, const char *name, uint64_t address) {
    if (details->count == TK_MAX_ARGS) return;
    tk_details_number(more->host.details, details, name, 0);
    struct tk_arg *arg = &details->args[details->count - 1];
    arg->type = TK_ARG_STRING;
    arg->string = more->address;
    arg->string_len = tk_append_hex(more->address, 0, address);
}

struct tk_label_text tk_more_word(struct tk_rtos_more *more, enum tk_more_word word) {
    static const char *const texts[TK_WORDS] = { [TK_WORD_EXPIRED] = "expired", [TK_WORD_STOPPED] = "stopped", [TK_WORD_LOW_POWER] = "low power" };
    if (!more->words[word]) more->words[word] = tk_names_define(tk_more_names(more), TK_INTERN_NAME, texts[word], strlen(texts[word]));
    return tk_named(more->words[word]);
}

// ---- What it hears of --------------------------------------------------------------------------

// The running task does something else than it announced: it does not wait for it.
static void call_off(struct tk_rtos_more *more, const struct tk_core *core) {
    if (core->depth || core->task == TK_NONE || !more->rtos->waits_traced) return;
    struct tk_task *task = &more->rtos->tasks[core->task];
    if (task->leave != TK_LEAVE_DELETE) task->leave = TK_LEAVE_OPEN;
}

// It did: what it waited for before is of no concern any more.
static void forget_wait(struct tk_rtos_more *more, const struct tk_core *core) {
    if (!core->depth && core->task != TK_NONE) more->rtos->tasks[core->task].waits_for = 0;
}

// A task is told by another one to stop, or by itself.
static void on_stop(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core, enum tk_verb verb) {
    uint32_t index = tk_rtos_find_task(more->rtos, event->id);
    if (tk_rtos_is_shared(index)) return;
    if (index != core->task || core->depth) {
        call_off(more, core);
        tk_more_say(more, core, verb, TK_RESULT_NONE, more->rtos->tasks[index].entity, 0);
    }
    if (more->rtos->tasks[index].core < 0) tk_more_jobs_stop(more, index);
}

// priority: + 1; 0: not told.
TK_COLD static void say_task(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core, enum tk_verb verb, uint32_t priority) {
    uint32_t index = tk_rtos_find_task(more->rtos, event->id);
    struct tk_details args;
    args.count = 0;
    char room[TK_PHRASE_LEN];
    if (tk_rtos_is_shared(index)) return;
    if (priority) tk_details_number(more->host.details, &args, "priority", priority - 1);
    struct tk_label_text name = tk_phrase(&more->phrases, verb, TK_RESULT_NONE, more->rtos->tasks[index].entity, 0, room);
    tk_more_call(more, core, &(struct tk_call){ .name = name, .args = &args });
}

static void on_task_created(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(more->rtos, event->id);
    if (tk_rtos_is_shared(index) || core->task == TK_NONE) return;
    struct tk_details args;
    args.count = 0;
    char room[TK_PHRASE_LEN];
    uint32_t creator = core->depth || tk_rtos_is_shared(core->task) ? TK_NONE : more->rtos->tasks[core->task].entity;
    uint64_t address = tk_names_address(tk_more_names(more), more->rtos->tasks[index].entity);
    call_off(more, core);
    say_task(more, event, core, TK_SAY_CREATE, event->arg);
    if (event->arg) tk_details_number(more->host.details, &args, "priority", event->arg - 1);
    if (address) tk_more_address(more, &args, "address", address);
    struct tk_label_text name = tk_phrase(&more->phrases, TK_SAY_CREATED, TK_RESULT_NONE, creator, 0, room);
    tk_timeline_instant(more->tl, tk_timeline_thread(more->tl, index), name, args.args, args.count);
}

static void on_switched_in(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    uint32_t next = tk_rtos_find_task(more->rtos, event->id), old = core->task;
    if (old == next && next != TK_NONE && more->rtos->tasks[next].core == event->core) return; // it runs on
    tk_more_jobs_switch(more, old != TK_NONE && more->rtos->tasks[old].core == event->core ? old : TK_NONE, next);
}

// What an interrupt does of which nobody told that it runs is not the running task's doing: for so long nobody runs. Returns who does.
static uint32_t leave_to_interrupt(const struct tk_event *event, struct tk_core *core) {
    static const bool from_isr[TK_EV_COUNT] = {
        [TK_EV_QUEUE_SEND_FROM_ISR] = true, [TK_EV_QUEUE_SEND_FIRST_FROM_ISR] = true, [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = true, [TK_EV_QUEUE_RECEIVE_FROM_ISR] = true,
        [TK_EV_QUEUE_PEEKED_FROM_ISR] = true, [TK_EV_QUEUE_REFUSED_FROM_ISR] = true, [TK_EV_TASK_RESUMED_FROM_ISR] = true, [TK_EV_NOTIFIED_FROM_ISR] = true,
        [TK_EV_BITS_REQUESTED] = true,
    };
    uint32_t task = core->task;
    if (from_isr[event->kind] && !core->depth) core->task = TK_NONE;
    return task;
}

static void hear(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TASK_SWITCHED_IN: on_switched_in(more, event, core); break;
    case TK_EV_TASK_READY: tk_more_jobs_ready(more, tk_rtos_find_task(more->rtos, event->id)); break;
    case TK_EV_TASK_CREATED: on_task_created(more, event, core); break;
    case TK_EV_TASK_RESUMED: case TK_EV_TASK_RESUMED_FROM_ISR:
        call_off(more, core);
        say_task(more, event, core, TK_SAY_RESUME, 0);
        break;
    case TK_EV_TASK_SUSPENDED: on_stop(more, event, core, TK_SAY_SUSPEND); break;
    case TK_EV_TASK_DELETED: on_stop(more, event, core, TK_SAY_DELETE); break;
    case TK_EV_TASK_PRIORITY_SET: // a name in front of it belongs to a task that is being made: no call
        if (event->value == TK_PRIORITY_BY_CALL) say_task(more, event, core, TK_SAY_SET_PRIORITY, event->arg + 1);
        break;
    case TK_EV_QUEUE_CREATED: case TK_EV_QUEUE_SEND: case TK_EV_QUEUE_SEND_FROM_ISR: case TK_EV_QUEUE_SEND_FIRST: case TK_EV_QUEUE_SEND_FIRST_FROM_ISR:
    case TK_EV_QUEUE_OVERWRITE: case TK_EV_QUEUE_OVERWRITE_FROM_ISR: case TK_EV_QUEUE_RECEIVE: case TK_EV_QUEUE_RECEIVE_FROM_ISR:
    case TK_EV_QUEUE_PEEKED: case TK_EV_QUEUE_PEEKED_FROM_ISR: case TK_EV_QUEUE_RESET:
        call_off(more, core);
        tk_more_operation(more, event, core);
        forget_wait(more, core);
        break;
    default: break;
    }
}

// Before the tracker of tasks, queues and interrupts handles an event.
static void heard(void *watcher, const struct tk_event *event, struct tk_core *core) {
    uint32_t task = leave_to_interrupt(event, core);
    hear(watcher, event, core);
    core->task = task;
}

void tk_more_measure(const struct tk_rtos_more *more, struct tk_durations *durations, uint64_t since, uint32_t loss) {
    if (loss == more->tl->losses[0] && !more->rtos->damaged) tk_durations_add(durations, since, more->tl->now - since);
}

static void count_wait(struct tk_rtos_more *more, uint32_t index, bool measured) {
    const struct tk_task *task = &more->rtos->tasks[index];
    bool fresh;
    struct tk_wait_row *row = tk_more_row(more, &more->waits, tk_rtos_wait_kind(task->wait_reason) | (uint64_t)1 << 63, sizeof *row, &fresh);
    if (!row) return;
    row->reason = task->wait_reason;
    row->count++;
    if (measured && tk_durations_add(&row->lasted, task->since, more->tl->now - task->since)) row->longest_task = index;
}

struct tk_lock_row *tk_more_lock_row(struct tk_rtos_more *more, uint32_t queue, uint32_t task) {
    bool fresh;
    struct tk_lock_row *row = tk_more_row(more, &more->locks, (uint64_t)1 << 63 | (uint64_t)queue << 32 | task, sizeof *row, &fresh);
    if (!row) return NULL;
    row->queue = queue;
    row->task = task;
    return row;
}

// Somebody waited for a mutex.
static void count_lock_wait(struct tk_rtos_more *more, uint32_t index, bool measured) {
    const struct tk_task *task = &more->rtos->tasks[index];
    uint32_t queue = tk_object_index(task->waits_for);
    if (task->waits_for >> 28 != TK_OBJECT_QUEUE || !tk_queue_is_lock(&more->rtos->queues[queue])) return;
    struct tk_lock_row *row = tk_more_lock_row(more, queue, index);
    if (!row) return;
    row->waits++;
    if (measured) tk_durations_add(&row->waited, task->since, more->tl->now - task->since);
}

static void on_waited(void *watcher, uint32_t task, bool measured) {
    count_wait(watcher, task, measured);
    count_lock_wait(watcher, task, measured);
}

// A marker with numbers of its own says who set it as well.
static void on_marker(void *watcher, const struct tk_event *event, uint32_t track, struct tk_label_text name) {
    struct tk_rtos_more *more = watcher;
    struct tk_details args;
    args.count = 0;
    tk_more_who(more, &args, "by", tk_more_actor(&more->rtos->cores[event->core]));
    tk_details_values(more->host.details, &args, event);
    tk_timeline_instant(more->tl, track, name, args.args, args.count);
}

static size_t reason_text(const void *watcher, uint32_t number, char out_text[2 * TK_DISPLAY_LEN]) {
    return tk_phrase_text(&((const struct tk_rtos_more *)watcher)->phrases, number, out_text);
}

// ---- Small ones --------------------------------------------------------------------------------

static void on_tick(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    more->rtos->tick = (uint32_t)event->value;
    more->rtos->tick_known = true;
    if (!core->depth) core->last_object = 0; // what becomes ready now is the clock's doing
}

static void on_waits_are_traced(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    more->rtos->waits_traced = !event->arg;
}

TK_COLD static void on_task_ended(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(more->rtos, event->id);
    (void)core;
    if (tk_rtos_is_shared(index)) return;
    struct tk_task *task = &more->rtos->tasks[index];
    if (task->core < 0) tk_more_jobs_stop(more, index);
    task->ends = true;
    if (task->phase == TK_PHASE_RUNNING || task->phase == TK_PHASE_UNKNOWN) return;
    tk_rtos_end_pause(more->rtos, index);
    tk_rtos_end_task(more->rtos, index, task->left_core);
}

static void on_isr_priority(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    uint32_t isr = tk_rtos_find_isr(more->rtos, event->core, event->id);
    (void)core;
    if (isr < TK_MAX_ISRS) more->rtos->isrs[isr].priority = event->arg < UINT32_MAX ? event->arg + 1 : 0;
}

static void on_queue_capacity(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_queue(more->rtos, event->id);
    (void)core;
    if (index < TK_MAX_QUEUES) more->rtos->queues[index].capacity = event->arg;
}

static uint32_t entity_of(struct tk_rtos_more *more, const struct tk_event *event) {
    uint32_t index;
    switch ((enum tk_entity_class)event->arg) {
    case TK_CLASS_TASK:
        index = tk_rtos_find_task(more->rtos, event->id);
        return tk_rtos_is_shared(index) ? TK_NONE : more->rtos->tasks[index].entity;
    case TK_CLASS_QUEUE:
        index = tk_rtos_find_queue(more->rtos, event->id);
        return index < TK_MAX_QUEUES ? more->rtos->queues[index].entity : TK_NONE;
    case TK_CLASS_ISR:
        index = tk_rtos_find_isr(more->rtos, event->core, event->id);
        return index < TK_MAX_ISRS ? more->rtos->isrs[index].entity : TK_NONE;
    case TK_CLASS_BITS: case TK_CLASS_MACHINE: case TK_CLASS_INTERVAL: case TK_CLASS_HEAP: case TK_CLASS_TIMER: case TK_CLASS_STACK: {
        const struct tk_thing *thing = tk_more_thing(more, (enum tk_entity_class)event->arg, event->id);
        return thing ? thing->entity : TK_NONE;
    }
    default: return TK_NONE;
    }
}

static void on_address(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    uint32_t entity = entity_of(more, event);
    (void)core;
    if (entity != TK_NONE) tk_names_set_address(tk_more_names(more), entity, event->address);
}

// ---- The tracker -------------------------------------------------------------------------------

static const tk_more_handler handlers[TK_EV_COUNT] = {
    [TK_EV_KERNEL_TICK] = on_tick, [TK_EV_WAITS_ARE_TRACED] = on_waits_are_traced, [TK_EV_TASK_ENDED] = on_task_ended, [TK_EV_ISR_PRIORITY] = on_isr_priority,
    [TK_EV_ENTITY_ADDRESS] = on_address, [TK_EV_QUEUE_CAPACITY] = on_queue_capacity, [TK_EV_QUEUE_DELETED] = tk_more_on_queue_deleted,
    [TK_EV_QUEUE_REFUSED] = tk_more_on_refused, [TK_EV_QUEUE_REFUSED_FROM_ISR] = tk_more_on_refused, [TK_EV_CALL] = tk_more_on_call, [TK_EV_FAILURE] = tk_more_on_failure, [TK_EV_LOGGED] = tk_more_on_logged,
    [TK_EV_JOB_DONE] = tk_more_on_job_done, [TK_EV_STACK_FREE] = tk_more_on_stack_free,
    [TK_EV_BLOCK_ON_BITS] = tk_more_on_block_on_bits, [TK_EV_BITS_NAME] = tk_more_on_thing_name, [TK_EV_BITS_CREATED] = tk_more_on_bits, [TK_EV_BITS_DELETED] = tk_more_on_bits,
    [TK_EV_BITS_SET] = tk_more_on_bits, [TK_EV_BITS_CLEARED] = tk_more_on_bits, [TK_EV_BITS_REQUESTED] = tk_more_on_bits, [TK_EV_BITS_WAITED] = tk_more_on_bits_waited,
    [TK_EV_BLOCK_ON_NOTIFICATION] = tk_more_on_block_on_notification, [TK_EV_NOTIFIED] = tk_more_on_notified, [TK_EV_NOTIFIED_FROM_ISR] = tk_more_on_notified, [TK_EV_NOTIFICATION_TAKEN] = tk_more_on_notification_taken,
    [TK_EV_NOTIFICATION_MISSED] = tk_more_on_notification_taken,
    [TK_EV_MACHINE_NAME] = tk_more_on_thing_name, [TK_EV_MACHINE_STATE] = tk_more_on_machine_state,
    [TK_EV_INTERVAL_NAME] = tk_more_on_interval_name, [TK_EV_INTERVAL_BEGIN] = tk_more_on_interval_begin, [TK_EV_INTERVAL_END] = tk_more_on_interval_end,
    [TK_EV_HEAP_NAME] = tk_more_on_thing_name, [TK_EV_HEAP_LEVEL] = tk_more_on_heap, [TK_EV_ALLOCATED] = tk_more_on_heap, [TK_EV_FREED] = tk_more_on_heap, [TK_EV_ALLOCATION_FAILED] = tk_more_on_allocation_failed,
    [TK_EV_STACK_NAME] = tk_more_on_thing_name, [TK_EV_STACK_LEVEL] = tk_more_on_stack_level,
    [TK_EV_TIMER_NAME] = tk_more_on_thing_name, [TK_EV_TIMER_CREATED] = tk_more_on_timer, [TK_EV_TIMER_DELETED] = tk_more_on_timer, [TK_EV_TIMER_STARTED] = tk_more_on_timer,
    [TK_EV_TIMER_EXPIRED] = tk_more_on_timer, [TK_EV_TIMER_STOPPED] = tk_more_on_timer,
    [TK_EV_LOW_POWER_BEGIN] = tk_more_on_low_power, [TK_EV_LOW_POWER_END] = tk_more_on_low_power,
};

// What a running task does, so that it does not wait for what it announced.
static bool calls_off(uint8_t kind) {
    static const bool stays[TK_EV_COUNT] = {
        [TK_EV_KERNEL_TICK] = true, [TK_EV_WAITS_ARE_TRACED] = true, [TK_EV_TASK_ENDED] = true, [TK_EV_ISR_PRIORITY] = true, [TK_EV_ENTITY_ADDRESS] = true,
        [TK_EV_QUEUE_CAPACITY] = true, [TK_EV_BLOCK_ON_BITS] = true, [TK_EV_BITS_NAME] = true, [TK_EV_BLOCK_ON_NOTIFICATION] = true, [TK_EV_MACHINE_NAME] = true,
        [TK_EV_INTERVAL_NAME] = true, [TK_EV_HEAP_NAME] = true, [TK_EV_TIMER_NAME] = true, [TK_EV_STACK_NAME] = true, [TK_EV_JOB_DONE] = true, [TK_EV_LOGGED] = true,
    };
    return !stays[kind];
}

static void handle(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core) {
    bool acts = event->timed && calls_off(event->kind);
    if (tk_more_is_part_of_buffer(more, event, core)) return;
    if (acts) call_off(more, core);
    handlers[event->kind](more, event, core);
    if (acts) forget_wait(more, core);
}

static void on_event(void *tracker, const struct tk_event *event) {
    struct tk_rtos_more *more = tracker;
    struct tk_core *core = &more->rtos->cores[event->core];
    if (!core->seen) core->seen = tk_stats_need_cores(more->host.stats, event->core + 1u);
    core->serial += event->timed;
    if (!handlers[event->kind]) return;
    uint32_t task = leave_to_interrupt(event, core);
    handle(more, event, core);
    if (core->task != task) core->last_object = tk_object_key(TK_OBJECT_UNKNOWN, 0);
    core->task = task;
}

static void forget_rows(struct tk_rtos_more *more, struct tk_rows *rows) {
    tk_idmap_deinit(&rows->by_key, more->host.alloc);
    rows->count = 0;
}

// What is in use may have been freed, and more allocated: nobody knows.
static void forget_memory(struct tk_rtos_more *more) {
    for (uint32_t i = 0; i < more->thing_count; i++) more->things[i].sure = false;
    tk_blocks_deinit(&more->blocks, more->host.alloc);
    more->blocks = (struct tk_blocks){ .refused = more->blocks.refused };
    forget_rows(more, &more->owners);
    more->blocks_missed = true;
}

TK_COLD static void on_loss(void *tracker, int32_t core) {
    (void)core;
    tk_more_forget_arrows(tracker);
    forget_memory(tracker);
}

TK_COLD static void on_restart(void *tracker, bool told) {
    struct tk_rtos_more *more = tracker;
    tk_more_forget_arrows(more);
    forget_memory(more);
    more->blocks_missed = told; // else nothing of before is left
    more->section_loss = more->tl->losses[0];
    tk_more_jobs_close(more);
    tk_more_things_close(more);
    for (uint32_t i = 0; i < more->queue_count; i++) more->queues[i].seen_taken = false;
    more->section_since = more->tl->now;
}

TK_COLD static void finish(void *tracker) {
    struct tk_rtos_more *more = tracker;
    tk_more_jobs_close(more);
    tk_more_things_close(more);
    tk_more_describe(more);
    tk_phrases_finish(&more->phrases);
}

static const struct tk_rtos_watch watch = { heard, on_waited, on_marker, reason_text };

// What the application tells of itself stands in front.
static const struct tk_group_order order = { 9, {
    TK_GROUP_INTERRUPTS, TK_GROUP_MACHINES, TK_GROUP_INTERVALS, TK_GROUP_MARKERS, TK_GROUP_QUEUES, TK_GROUP_SOFT_TIMERS, TK_GROUP_VALUES, TK_GROUP_MARKER_VALUES, TK_GROUP_MEMORY,
    TK_GROUP_POOLS, TK_GROUP_RECORDS, TK_GROUP_TIMERS, TK_GROUP_SENDERS, TK_GROUP_SCHEDULER, TK_GROUP_NOTES, TK_GROUP_EVENTS,
} };

TK_COLD static void init(void *tracker, const struct tk_tracker_host *host) {
    struct tk_rtos_more *more = tracker;
    more->host = *host;
    more->tl = host->timeline;
    more->rtos = host->rtos;
    more->tl->order = &order;
    tk_phrases_init(&more->phrases, tk_more_names(more));
    more->rtos->watch = &watch;
    more->rtos->watcher = more;
    for (uint32_t i = 0; i < TK_STATS_CORES; i++) more->begun_late |= host->stats->cores[i].events > 0;
}

TK_COLD static void rows_moved(struct tk_rows *rows, size_t row_size, struct tk_move *move) {
    tk_idmap_moved(&rows->by_key, move);
    rows->rows = tk_follow(move, rows->rows, rows->capacity * row_size);
}

TK_COLD static void arrays_moved(struct tk_rtos_more *more, struct tk_move *move) {
    more->queues = tk_follow_array(move, more->queues, more->queue_count, more->queue_capacity, sizeof *more->queues);
    more->tasks = tk_follow_array(move, more->tasks, more->task_count, more->task_capacity, sizeof *more->tasks);
    more->things = tk_follow_array(move, more->things, more->thing_count, more->thing_capacity, sizeof *more->things);
    for (uint32_t i = 0; i < more->queue_count && !move->refused; i++) more->queues[i].sent.ring = tk_follow(move, more->queues[i].sent.ring, more->queues[i].sent.capacity * sizeof(struct tk_arrow));
    for (uint32_t i = 0; i < more->task_count && !move->refused; i++) more->tasks[i].figures = tk_follow(move, more->tasks[i].figures, more->tasks[i].figures ? sizeof *more->tasks[i].figures : 0);
    for (uint32_t i = 0; i < more->thing_count && !move->refused; i++) more->things[i].open = tk_follow(move, more->things[i].open, more->things[i].open ? TK_MAX_LANES * sizeof *more->things[i].open : 0);
}

TK_COLD static void moved(void *tracker, const struct tk_tracker_host *host, struct tk_move *move) {
    struct tk_rtos_more *more = tracker;
    more->host = *host;
    more->tl = host->timeline;
    more->rtos = host->rtos;
    more->rtos->watch = &watch;
    more->rtos->watcher = more;
    arrays_moved(more, move);
    tk_idmap_moved(&more->thing_by_key, move);
    tk_idmap_moved(&more->dead_thing_by_name, move);
    rows_moved(&more->waits, sizeof(struct tk_wait_row), move);
    rows_moved(&more->states, sizeof(struct tk_state_row), move);
    rows_moved(&more->talks, sizeof(struct tk_talk_row), move);
    rows_moved(&more->owners, sizeof(struct tk_owner_row), move);
    rows_moved(&more->locks, sizeof(struct tk_lock_row), move);
    tk_blocks_moved(&more->blocks, move);
    tk_phrases_moved(&more->phrases, move);
}

// ---- A part of the time ------------------------------------------------------------------------

// What is open began before the figures: it counts as if something had been lost since.
static uint32_t long_ago(const struct tk_rtos_more *more) { return more->tl->losses[0] - 1; }

static void begin_thing_figures(struct tk_rtos_more *more, struct tk_thing *thing, uint64_t ticks) {
    thing->loss = long_ago(more);
    thing->level_most = thing->level;
    thing->level_known = thing->sure;
    thing->level_most_at = ticks;
    thing->count = 0;
    thing->intervals = (struct tk_durations){ 0 };
    thing->set_count = thing->cleared_count = thing->waited_count = thing->timed_out = thing->expired = 0;
    for (uint32_t lane = 0; thing->open && lane < TK_MAX_LANES; lane++) thing->open[lane].loss = long_ago(more);
}

static void begin_task_figures(struct tk_rtos_more *more, struct tk_task_more *own) {
    own->job_loss = own->last_loss = long_ago(more);
    own->jobs = 0;
    own->responses = own->periods = (struct tk_durations){ 0 };
    if (own->figures) *own->figures = (struct tk_job_figures){ .response = { .count = 0 } };
    own->stack_known = false;
}

// What was allocated before and is not freed stays owned.
TK_COLD static void begin_figures(void *tracker, uint64_t ticks) {
    struct tk_rtos_more *more = tracker;
    struct tk_rows *const rows[] = { &more->waits, &more->states, &more->talks, &more->locks };
    more->begun_late = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) forget_rows(more, rows[i]);
    for (uint32_t i = 0; i < more->queue_count; i++) {
        more->queues[i].refused = more->queues[i].timed_out = 0;
        more->queues[i].held_loss = long_ago(more);
    }
    for (uint32_t i = 0; i < more->task_count; i++) begin_task_figures(more, &more->tasks[i]);
    for (uint32_t i = 0; i < more->thing_count; i++) begin_thing_figures(more, &more->things[i], ticks);
}

TK_COLD static void series(const void *tracker, const struct tk_table_sink *sink) {
    (void)tracker;
    (void)sink;
}

const struct tk_tracker tk_tracker_rtos_more = {
    .owner = TK_OWNER_RTOS_MORE, .size = sizeof(struct tk_rtos_more), .details = &tk_detail_service, .init = init, .event = on_event, .loss = on_loss,
    .restart = on_restart, .finish = finish, .begin_figures = begin_figures, .tables = tk_more_tables, .series = series, .moved = TK_MOVED(moved)
};
