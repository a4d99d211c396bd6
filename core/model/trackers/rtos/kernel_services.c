// SPDX-License-Identifier: MIT
//
// The tracker itself: what it knows of whom, and what it hears of.
#include "kernel_services_internal.h"

#include <string.h>

// ---- Who and what ------------------------------------------------------------------------------

// Room for `index`; what is new is zeroed.
static bool has_room(struct tk_kernel_services *services, void **array, uint32_t *count, uint32_t *capacity,
                     uint32_t index, size_t size) {
    if (index < *count) return true;
    if (!tk_alloc_grow(services->host.alloc, array, capacity, index + 1, size)) return false;
    *count = *capacity;
    return true;
}

struct tk_queue_services *tk_services_queue(struct tk_kernel_services *services, uint32_t queue) {
    if (queue >= TK_MAX_QUEUES) return NULL;
    return has_room(services, (void **)&services->queues, &services->queue_count, &services->queue_capacity, queue,
                    sizeof *services->queues)
               ? &services->queues[queue]
               : NULL;
}

struct tk_task_services *tk_services_task(struct tk_kernel_services *services, uint32_t task) {
    if (tk_rtos_is_shared(task)) return NULL;
    return has_room(services, (void **)&services->tasks, &services->task_count, &services->task_capacity, task,
                    sizeof *services->tasks)
               ? &services->tasks[task]
               : NULL;
}

static const struct {
    enum tk_entity_type type;
    enum tk_noun noun;
} kinds_of_things[] = {
    [TK_CLASS_EVENT_GROUP] = { TK_ENTITY_KERNEL_OBJECT, TK_NOUN_EVENT_GROUP },
    [TK_CLASS_MACHINE] = { TK_ENTITY_KERNEL_OBJECT, TK_NOUN_MACHINE },
    [TK_CLASS_INTERVAL] = { TK_ENTITY_KERNEL_OBJECT, TK_NOUN_INTERVAL },
    [TK_CLASS_HEAP] = { TK_ENTITY_KERNEL_OBJECT, TK_NOUN_HEAP },
    [TK_CLASS_TIMER] = { TK_ENTITY_KERNEL_OBJECT, TK_NOUN_TIMER },
    [TK_CLASS_STACK] = { TK_ENTITY_KERNEL_OBJECT, TK_NOUN_STACK },
};

TK_COLD static struct tk_kernel_object *add_object(struct tk_kernel_services *services, enum tk_entity_class is,
                                                   uint32_t id, uint64_t key) {
    if (services->object_count >= TK_MAX_KERNEL_OBJECTS) {
        tk_diag_note(services->host.diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(services->host.alloc, (void **)&services->objects, &services->object_capacity,
                       services->object_count + 1, sizeof *services->objects))
        return NULL;
    uint32_t entity = tk_names_add(tk_services_names(services), kinds_of_things[is].type, id);
    if (entity == TK_NONE || !tk_idmap_set(&services->object_by_key, services->host.alloc, key, services->object_count))
        return NULL;
    tk_services_names(services)->entities[entity].noun = (uint8_t)kinds_of_things[is].noun;
    struct tk_kernel_object *object = &services->objects[services->object_count++];
    *object = (struct tk_kernel_object){ .entity = entity, .is = (uint8_t)is, .actor = TK_NONE };
    return object;
}

struct tk_kernel_object *tk_services_object(struct tk_kernel_services *services, enum tk_entity_class is, uint32_t id) {
    uint64_t key = (uint64_t)(is + 1) << 32 | id;
    uint32_t index = tk_idmap_find(&services->object_by_key, key);
    return index != TK_NONE ? &services->objects[index] : add_object(services, is, id, key);
}

static uint64_t name_key(const struct tk_kernel_services *services, const struct tk_kernel_object *object) {
    return (uint64_t)(object->is + 1) << 32 | services->tl->names.entities[object->entity].name;
}

TK_COLD uint32_t tk_services_object_track(struct tk_kernel_services *services, struct tk_kernel_object *object,
                                          enum tk_group group, enum tk_track_kind kind, const char *unit,
                                          const char *description) {
    if (object->track) return object->track;
    uint32_t dead = tk_services_names(services)->entities[object->entity].name
                        ? tk_idmap_find(&services->dead_object_by_name, name_key(services, object))
                        : TK_NONE;
    if (dead != TK_NONE && services->objects[dead].track) {
        object->track = services->objects[dead].track;
        services->objects[dead].track = 0;
        return object->track;
    }
    struct tk_track_spec spec = {
        tk_timeline_group(services->tl, group), kind, object->entity, NULL, -1, 0, unit, description, 0
    };
    return object->track = tk_timeline_add_track(services->tl, &spec);
}

void tk_services_delete_object(struct tk_kernel_services *services, struct tk_kernel_object *object) {
    object->deleted = true;
    if (tk_services_names(services)->entities[object->entity].name)
        tk_idmap_set(&services->dead_object_by_name, services->host.alloc, name_key(services, object),
                     (uint32_t)(object - services->objects));
}

void *tk_services_find_row(struct tk_kernel_services *services, struct tk_keyed_rows *rows, uint64_t key,
                           size_t row_size, bool *out_fresh) {
    uint32_t index = tk_idmap_find(&rows->by_key, key);
    *out_fresh = index == TK_NONE;
    if (index != TK_NONE) return (char *)rows->rows + index * row_size;
    if (rows->count >= TK_MAX_PAIRS) {
        tk_diag_note(services->host.diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(services->host.alloc, &rows->rows, &rows->capacity, rows->count + 1, row_size)) return NULL;
    if (!tk_idmap_set(&rows->by_key, services->host.alloc, key, rows->count)) return NULL;
    void *row = (char *)rows->rows + rows->count++ * row_size;
    return memset(row, 0, row_size);
}

uint32_t tk_services_actor(const struct tk_core *core) {
    if (core->depth) return TK_ACTOR_IS_ISR | core->stack[core->depth - 1].isr;
    return core->task;
}

uint32_t tk_services_actor_text(struct tk_kernel_services *services, uint32_t actor) {
    struct tk_names *names = tk_services_names(services);
    if (actor & TK_ACTOR_IS_ISR)
        return tk_names_label(names, services->rtos->isrs[actor & ~TK_ACTOR_IS_ISR].entity, TK_ISR_TEXT);
    return tk_names_label(names, services->rtos->tasks[actor].entity, TK_TASK_TEXT);
}

// ---- Arguments ---------------------------------------------------------------------------------

void tk_services_add_actor_arg(struct tk_kernel_services *services, struct tk_details *details, const char *name,
                               uint32_t actor) {
    if (actor == TK_NONE || details->count == TK_MAX_ARGS) return;
    uint32_t text = tk_services_actor_text(services, actor);
    tk_details_number(services->host.details, details, name, 0);
    details->args[details->count - 1].type = TK_ARG_TEXT;
    details->args[details->count - 1].value.text = text;
}

// Written out: there are too many to be interned.
void tk_services_add_address_arg(struct tk_kernel_services *services, struct tk_details *details, const char *name,
                                 uint64_t address) {
    if (details->count == TK_MAX_ARGS) return;
    tk_details_number(services->host.details, details, name, 0);
    struct tk_arg *arg = &details->args[details->count - 1];
    arg->type = TK_ARG_STRING;
    arg->string = services->address;
    arg->string_len = tk_append_hex(services->address, 0, address);
}

struct tk_label_text tk_services_fixed_name(struct tk_kernel_services *services, enum tk_services_fixed_name word) {
    static const char *const texts[TK_CELL_TEXT_LEN] = { [TK_FIXED_NAME_EXPIRED] = "expired",
                                                         [TK_FIXED_NAME_STOPPED] = "stopped",
                                                         [TK_FIXED_NAME_LOW_POWER] = "low power" };
    if (!services->words[word])
        services->words[word] =
            tk_names_define(tk_services_names(services), TK_INTERN_NAME, texts[word], strlen(texts[word]));
    return tk_named(services->words[word]);
}

// ---- What it hears of --------------------------------------------------------------------------

// The running task does something else than it announced: it does not wait for it.
static void abort_wait(struct tk_kernel_services *services, const struct tk_core *core) {
    if (core->depth || core->task == TK_NONE || !services->rtos->blocking_traced) return;
    struct tk_task *task = &services->rtos->tasks[core->task];
    if (task->pending_block != TK_PENDING_DELETE) task->pending_block = TK_PENDING_NONE;
}

// It did: what it waited for before is of no concern any more.
static void clear_pending_block(struct tk_kernel_services *services, const struct tk_core *core) {
    if (!core->depth && core->task != TK_NONE) services->rtos->tasks[core->task].waits_for = 0;
}

// A task is told by another one to stop, or by itself.
static void on_stop(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core,
                    enum tk_verb verb) {
    uint32_t index = tk_rtos_find_task(services->rtos, event->id);
    if (tk_rtos_is_shared(index)) return;
    if (index != core->task || core->depth) {
        abort_wait(services, core);
        tk_services_emit_verb(services, core, verb, TK_RESULT_NONE, services->rtos->tasks[index].entity, 0);
    }
    if (services->rtos->tasks[index].core < 0) tk_services_jobs_stop(services, index);
}

// priority: + 1; 0: not told.
TK_COLD static void emit_task_verb(struct tk_kernel_services *services, const struct tk_event *event,
                                   struct tk_core *core, enum tk_verb verb, uint32_t priority) {
    uint32_t index = tk_rtos_find_task(services->rtos, event->id);
    struct tk_details args;
    args.count = 0;
    char room[TK_NAME_TEMPLATE_LEN];
    if (tk_rtos_is_shared(index)) return;
    if (priority) tk_details_number(services->host.details, &args, "priority", priority - 1);
    struct tk_label_text name =
        tk_name_template(&services->name_templates, verb, TK_RESULT_NONE, services->rtos->tasks[index].entity, 0, room);
    tk_services_emit_call(services, core, &(struct tk_call){ .name = name, .args = &args });
}

static void on_task_created(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(services->rtos, event->id);
    if (tk_rtos_is_shared(index) || core->task == TK_NONE) return;
    struct tk_details args;
    args.count = 0;
    char room[TK_NAME_TEMPLATE_LEN];
    uint32_t creator =
        core->depth || tk_rtos_is_shared(core->task) ? TK_NONE : services->rtos->tasks[core->task].entity;
    uint64_t address = tk_names_address(tk_services_names(services), services->rtos->tasks[index].entity);
    abort_wait(services, core);
    emit_task_verb(services, event, core, TK_VERB_CREATE, event->arg);
    if (event->arg) tk_details_number(services->host.details, &args, "priority", event->arg - 1);
    if (address) tk_services_add_address_arg(services, &args, "address", address);
    struct tk_label_text name =
        tk_name_template(&services->name_templates, TK_VERB_CREATED, TK_RESULT_NONE, creator, 0, room);
    tk_timeline_instant(services->tl, tk_timeline_thread(services->tl, index), name, args.args, args.count);
}

static void on_switched_in(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    uint32_t next = tk_rtos_find_task(services->rtos, event->id), old = core->task;
    if (old == next && next != TK_NONE && services->rtos->tasks[next].core == event->core) return; // it runs on
    tk_services_jobs_switch(services, old != TK_NONE && services->rtos->tasks[old].core == event->core ? old : TK_NONE,
                            next);
}

// What an interrupt does of which nobody told that it runs is not the running task's doing: for so long nobody runs.
// Returns who does.
static uint32_t hide_task_from_interrupt(const struct tk_event *event, struct tk_core *core) {
    static const bool from_isr[TK_EV_COUNT] = {
        [TK_EV_QUEUE_SEND_FROM_ISR] = true,      [TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR] = true,
        [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = true, [TK_EV_QUEUE_RECEIVE_FROM_ISR] = true,
        [TK_EV_QUEUE_PEEKED_FROM_ISR] = true,    [TK_EV_QUEUE_FAILED_FROM_ISR] = true,
        [TK_EV_TASK_RESUMED_FROM_ISR] = true,    [TK_EV_NOTIFIED_FROM_ISR] = true,
        [TK_EV_EVENT_GROUP_DEFERRED] = true,
    };
    uint32_t task = core->task;
    if (from_isr[event->kind] && !core->depth) core->task = TK_NONE;
    return task;
}

static void observe_event(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TASK_SWITCHED_IN: on_switched_in(services, event, core); break;
    case TK_EV_TASK_READY: tk_services_jobs_ready(services, tk_rtos_find_task(services->rtos, event->id)); break;
    case TK_EV_TASK_CREATED: on_task_created(services, event, core); break;
    case TK_EV_TASK_RESUMED:
    case TK_EV_TASK_RESUMED_FROM_ISR:
        abort_wait(services, core);
        emit_task_verb(services, event, core, TK_VERB_RESUME, 0);
        break;
    case TK_EV_TASK_SUSPENDED: on_stop(services, event, core, TK_VERB_SUSPEND); break;
    case TK_EV_TASK_DELETED: on_stop(services, event, core, TK_VERB_DELETE); break;
    case TK_EV_TASK_PRIORITY_SET: // a name in front of it belongs to a task that is being made: no call
        if (event->value == TK_PRIORITY_BY_CALL)
            emit_task_verb(services, event, core, TK_VERB_SET_PRIORITY, event->arg + 1);
        break;
    case TK_EV_QUEUE_CREATED:
    case TK_EV_QUEUE_SEND:
    case TK_EV_QUEUE_SEND_FROM_ISR:
    case TK_EV_QUEUE_SEND_TO_FRONT:
    case TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR:
    case TK_EV_QUEUE_OVERWRITE:
    case TK_EV_QUEUE_OVERWRITE_FROM_ISR:
    case TK_EV_QUEUE_RECEIVE:
    case TK_EV_QUEUE_RECEIVE_FROM_ISR:
    case TK_EV_QUEUE_PEEKED:
    case TK_EV_QUEUE_PEEKED_FROM_ISR:
    case TK_EV_QUEUE_RESET:
        abort_wait(services, core);
        tk_services_queue_operation(services, event, core);
        clear_pending_block(services, core);
        break;
    default: break;
    }
}

// Before the tracker of tasks, queues and interrupts handles an event.
static void on_rtos_event(void *observer_ctx, const struct tk_event *event, struct tk_core *core) {
    uint32_t task = hide_task_from_interrupt(event, core);
    observe_event(observer_ctx, event, core);
    core->task = task;
}

void tk_services_measure_since(const struct tk_kernel_services *services, struct tk_durations *durations,
                               uint64_t since, uint32_t loss) {
    if (loss == services->tl->losses[0] && !services->rtos->damaged)
        tk_durations_add(durations, since, services->tl->now - since);
}

static void count_wait(struct tk_kernel_services *services, uint32_t index, bool measured) {
    const struct tk_task *task = &services->rtos->tasks[index];
    bool fresh;
    struct tk_wait_stats *row = tk_services_find_row(
        services, &services->waits, tk_rtos_wait_kind(task->wait_reason) | (uint64_t)1 << 63, sizeof *row, &fresh);
    if (!row) return;
    row->reason = task->wait_reason;
    row->count++;
    if (measured && tk_durations_add(&row->lasted, task->since, services->tl->now - task->since))
        row->longest_task = index;
}

struct tk_mutex_stats *tk_services_mutex_stats(struct tk_kernel_services *services, uint32_t queue, uint32_t task) {
    bool fresh;
    struct tk_mutex_stats *row = tk_services_find_row(
        services, &services->locks, (uint64_t)1 << 63 | (uint64_t)queue << 32 | task, sizeof *row, &fresh);
    if (!row) return NULL;
    row->queue = queue;
    row->task = task;
    return row;
}

// Somebody waited for a mutex.
static void count_lock_wait(struct tk_kernel_services *services, uint32_t index, bool measured) {
    const struct tk_task *task = &services->rtos->tasks[index];
    uint32_t queue = tk_wait_target_index(task->waits_for);
    if (task->waits_for >> 28 != TK_WAIT_TARGET_QUEUE || !tk_queue_is_lock(&services->rtos->queues[queue])) return;
    struct tk_mutex_stats *row = tk_services_mutex_stats(services, queue, index);
    if (!row) return;
    row->waits++;
    if (measured) tk_durations_add(&row->waited, task->since, services->tl->now - task->since);
}

static void on_waited(void *observer_ctx, uint32_t task, bool measured) {
    count_wait(observer_ctx, task, measured);
    count_lock_wait(observer_ctx, task, measured);
}

// A marker with numbers of its own says who set it as well.
static void on_marker(void *observer_ctx, const struct tk_event *event, uint32_t track, struct tk_label_text name) {
    struct tk_kernel_services *services = observer_ctx;
    struct tk_details args;
    args.count = 0;
    tk_services_add_actor_arg(services, &args, "by", tk_services_actor(&services->rtos->cores[event->core]));
    tk_details_values(services->host.details, &args, event);
    tk_timeline_instant(services->tl, track, name, args.args, args.count);
}

static size_t reason_text(const void *observer_ctx, uint32_t number, char out_text[2 * TK_DISPLAY_LEN]) {
    return tk_name_template_text(&((const struct tk_kernel_services *)observer_ctx)->name_templates, number, out_text);
}

// ---- Small ones --------------------------------------------------------------------------------

static void on_tick(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    services->rtos->tick = (uint32_t)event->value;
    services->rtos->tick_known = true;
    if (!core->depth) core->last_target = 0; // what becomes ready now is the clock's doing
}

static void on_waits_are_traced(struct tk_kernel_services *services, const struct tk_event *event,
                                struct tk_core *core) {
    (void)core;
    services->rtos->blocking_traced = !event->arg;
}

TK_COLD static void on_task_ended(struct tk_kernel_services *services, const struct tk_event *event,
                                  struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(services->rtos, event->id);
    (void)core;
    if (tk_rtos_is_shared(index)) return;
    struct tk_task *task = &services->rtos->tasks[index];
    if (task->core < 0) tk_services_jobs_stop(services, index);
    task->ends = true;
    if (task->phase == TK_PHASE_RUNNING || task->phase == TK_PHASE_UNKNOWN) return;
    tk_rtos_end_off_cpu(services->rtos, index);
    tk_rtos_end_task(services->rtos, index, task->switched_out_core);
}

static void on_isr_priority(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    uint32_t isr = tk_rtos_find_isr(services->rtos, event->core, event->id);
    (void)core;
    if (isr < TK_MAX_ISRS) services->rtos->isrs[isr].priority = event->arg < UINT32_MAX ? event->arg + 1 : 0;
}

static void on_queue_capacity(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_queue(services->rtos, event->id);
    (void)core;
    if (index < TK_MAX_QUEUES) services->rtos->queues[index].capacity = event->arg;
}

static uint32_t entity_of(struct tk_kernel_services *services, const struct tk_event *event) {
    uint32_t index;
    switch ((enum tk_entity_class)event->arg) {
    case TK_CLASS_TASK:
        index = tk_rtos_find_task(services->rtos, event->id);
        return tk_rtos_is_shared(index) ? TK_NONE : services->rtos->tasks[index].entity;
    case TK_CLASS_QUEUE:
        index = tk_rtos_find_queue(services->rtos, event->id);
        return index < TK_MAX_QUEUES ? services->rtos->queues[index].entity : TK_NONE;
    case TK_CLASS_ISR:
        index = tk_rtos_find_isr(services->rtos, event->core, event->id);
        return index < TK_MAX_ISRS ? services->rtos->isrs[index].entity : TK_NONE;
    case TK_CLASS_EVENT_GROUP:
    case TK_CLASS_MACHINE:
    case TK_CLASS_INTERVAL:
    case TK_CLASS_HEAP:
    case TK_CLASS_TIMER:
    case TK_CLASS_STACK: {
        const struct tk_kernel_object *object =
            tk_services_object(services, (enum tk_entity_class)event->arg, event->id);
        return object ? object->entity : TK_NONE;
    }
    default: return TK_NONE;
    }
}

static void on_address(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    uint32_t entity = entity_of(services, event);
    (void)core;
    if (entity != TK_NONE) tk_names_set_address(tk_services_names(services), entity, event->address);
}

// ---- The tracker -------------------------------------------------------------------------------

static const tk_services_handler handlers[TK_EV_COUNT] = {
    [TK_EV_KERNEL_TICK] = on_tick,
    [TK_EV_BLOCKING_IS_TRACED] = on_waits_are_traced,
    [TK_EV_TASK_ENDS] = on_task_ended,
    [TK_EV_ISR_PRIORITY] = on_isr_priority,
    [TK_EV_ENTITY_ADDRESS] = on_address,
    [TK_EV_QUEUE_CAPACITY] = on_queue_capacity,
    [TK_EV_QUEUE_DELETED] = tk_services_on_queue_deleted,
    [TK_EV_QUEUE_FAILED] = tk_services_on_refused,
    [TK_EV_QUEUE_FAILED_FROM_ISR] = tk_services_on_refused,
    [TK_EV_KERNEL_CALL] = tk_services_on_call,
    [TK_EV_FAILURE] = tk_services_on_failure,
    [TK_EV_LOG_MESSAGE] = tk_services_on_logged,
    [TK_EV_JOB_DONE] = tk_services_on_job_done,
    [TK_EV_STACK_FREE] = tk_services_on_stack_free,
    [TK_EV_BLOCK_ON_EVENT_GROUP] = tk_services_on_block_on_event_group,
    [TK_EV_EVENT_GROUP_NAME] = tk_services_on_object_name,
    [TK_EV_EVENT_GROUP_CREATED] = tk_services_on_bits,
    [TK_EV_EVENT_GROUP_DELETED] = tk_services_on_bits,
    [TK_EV_EVENT_GROUP_SET] = tk_services_on_bits,
    [TK_EV_EVENT_GROUP_CLEARED] = tk_services_on_bits,
    [TK_EV_EVENT_GROUP_DEFERRED] = tk_services_on_bits,
    [TK_EV_EVENT_GROUP_WAITED] = tk_services_on_event_group_waited,
    [TK_EV_BLOCK_ON_NOTIFICATION] = tk_services_on_block_on_notification,
    [TK_EV_NOTIFIED] = tk_services_on_notified,
    [TK_EV_NOTIFIED_FROM_ISR] = tk_services_on_notified,
    [TK_EV_NOTIFICATION_TAKEN] = tk_services_on_notification_taken,
    [TK_EV_NOTIFICATION_MISSED] = tk_services_on_notification_taken,
    [TK_EV_MACHINE_NAME] = tk_services_on_object_name,
    [TK_EV_MACHINE_STATE] = tk_services_on_machine_state,
    [TK_EV_INTERVAL_NAME] = tk_services_on_interval_name,
    [TK_EV_INTERVAL_BEGIN] = tk_services_on_interval_begin,
    [TK_EV_INTERVAL_END] = tk_services_on_interval_end,
    [TK_EV_HEAP_NAME] = tk_services_on_object_name,
    [TK_EV_HEAP_LEVEL] = tk_services_on_heap,
    [TK_EV_ALLOCATED] = tk_services_on_heap,
    [TK_EV_FREED] = tk_services_on_heap,
    [TK_EV_ALLOCATION_FAILED] = tk_services_on_allocation_failed,
    [TK_EV_STACK_NAME] = tk_services_on_object_name,
    [TK_EV_STACK_LEVEL] = tk_services_on_stack_level,
    [TK_EV_TIMER_NAME] = tk_services_on_object_name,
    [TK_EV_TIMER_CREATED] = tk_services_on_timer,
    [TK_EV_TIMER_DELETED] = tk_services_on_timer,
    [TK_EV_TIMER_STARTED] = tk_services_on_timer,
    [TK_EV_TIMER_EXPIRED] = tk_services_on_timer,
    [TK_EV_TIMER_STOPPED] = tk_services_on_timer,
    [TK_EV_LOW_POWER_BEGIN] = tk_services_on_low_power,
    [TK_EV_LOW_POWER_END] = tk_services_on_low_power,
};

// What a running task does, so that it does not wait for what it announced.
static bool aborts_wait(uint8_t kind) {
    static const bool stays[TK_EV_COUNT] = {
        [TK_EV_KERNEL_TICK] = true,          [TK_EV_BLOCKING_IS_TRACED] = true, [TK_EV_TASK_ENDS] = true,
        [TK_EV_ISR_PRIORITY] = true,         [TK_EV_ENTITY_ADDRESS] = true,     [TK_EV_QUEUE_CAPACITY] = true,
        [TK_EV_BLOCK_ON_EVENT_GROUP] = true, [TK_EV_EVENT_GROUP_NAME] = true,   [TK_EV_BLOCK_ON_NOTIFICATION] = true,
        [TK_EV_MACHINE_NAME] = true,         [TK_EV_INTERVAL_NAME] = true,      [TK_EV_HEAP_NAME] = true,
        [TK_EV_TIMER_NAME] = true,           [TK_EV_STACK_NAME] = true,         [TK_EV_JOB_DONE] = true,
        [TK_EV_LOG_MESSAGE] = true,
    };
    return !stays[kind];
}

static void handle(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core) {
    bool acts = event->timed && aborts_wait(event->kind);
    if (tk_services_is_part_of_buffer(services, event, core)) return;
    if (acts) abort_wait(services, core);
    handlers[event->kind](services, event, core);
    if (acts) clear_pending_block(services, core);
}

static void on_event(void *tracker, const struct tk_event *event) {
    struct tk_kernel_services *services = tracker;
    struct tk_core *core = &services->rtos->cores[event->core];
    if (!core->seen) core->seen = tk_stats_need_cores(services->host.stats, event->core + 1u);
    core->serial += event->timed;
    if (!handlers[event->kind]) return;
    uint32_t task = hide_task_from_interrupt(event, core);
    handle(services, event, core);
    if (core->task != task) core->last_target = tk_wait_target_key(TK_WAIT_TARGET_UNKNOWN, 0);
    core->task = task;
}

static void clear_rows(struct tk_kernel_services *services, struct tk_keyed_rows *rows) {
    tk_idmap_deinit(&rows->by_key, services->host.alloc);
    rows->count = 0;
}

// What is in use may have been freed, and more allocated: nobody knows.
static void clear_heap_blocks(struct tk_kernel_services *services) {
    for (uint32_t i = 0; i < services->object_count; i++) services->objects[i].sure = false;
    tk_heap_blocks_deinit(&services->blocks, services->host.alloc);
    services->blocks = (struct tk_heap_blocks){ .refused = services->blocks.refused };
    clear_rows(services, &services->owners);
    services->frees_missed = true;
}

TK_COLD static void on_loss(void *tracker, int32_t core) {
    (void)core;
    tk_services_clear_flows(tracker);
    clear_heap_blocks(tracker);
}

TK_COLD static void on_restart(void *tracker, bool told) {
    struct tk_kernel_services *services = tracker;
    tk_services_clear_flows(services);
    clear_heap_blocks(services);
    services->frees_missed = told; // else nothing of before is left
    services->section_loss = services->tl->losses[0];
    tk_services_jobs_close(services);
    tk_services_close_objects(services);
    for (uint32_t i = 0; i < services->queue_count; i++) services->queues[i].seen_taken = false;
    services->section_since = services->tl->now;
}

TK_COLD static void finish(void *tracker) {
    struct tk_kernel_services *services = tracker;
    tk_services_jobs_close(services);
    tk_services_close_objects(services);
    tk_services_describe(services);
    tk_name_templates_finish(&services->name_templates);
}

static const struct tk_rtos_observer observer = { on_rtos_event, on_waited, on_marker, reason_text };

// What the application tells of itself stands in front.
static const struct tk_group_order order = { 9,
                                             {
                                                 TK_GROUP_INTERRUPTS,
                                                 TK_GROUP_MACHINES,
                                                 TK_GROUP_INTERVALS,
                                                 TK_GROUP_MARKERS,
                                                 TK_GROUP_QUEUES,
                                                 TK_GROUP_SOFT_TIMERS,
                                                 TK_GROUP_VALUES,
                                                 TK_GROUP_MARKER_VALUES,
                                                 TK_GROUP_MEMORY,
                                                 TK_GROUP_POOLS,
                                                 TK_GROUP_RECORDS,
                                                 TK_GROUP_TIMERS,
                                                 TK_GROUP_SENDERS,
                                                 TK_GROUP_SCHEDULER,
                                                 TK_GROUP_NOTES,
                                                 TK_GROUP_EVENTS,
                                             } };

TK_COLD static void init(void *tracker, const struct tk_tracker_host *host) {
    struct tk_kernel_services *services = tracker;
    services->host = *host;
    services->tl = host->timeline;
    services->rtos = host->rtos;
    services->tl->order = &order;
    tk_name_templates_init(&services->name_templates, tk_services_names(services));
    services->rtos->observer = &observer;
    services->rtos->observer_ctx = services;
    for (uint32_t i = 0; i < TK_STATS_CORES; i++) services->started_late |= host->stats->cores[i].events > 0;
}

TK_COLD static void rows_moved(struct tk_keyed_rows *rows, size_t row_size, struct tk_relocation *move) {
    tk_idmap_relocate(&rows->by_key, move);
    rows->rows = tk_relocate(move, rows->rows, rows->capacity * row_size);
}

TK_COLD static void arrays_moved(struct tk_kernel_services *services, struct tk_relocation *move) {
    services->queues = tk_relocate_array(move, services->queues, services->queue_count, services->queue_capacity,
                                         sizeof *services->queues);
    services->tasks = tk_relocate_array(move, services->tasks, services->task_count, services->task_capacity,
                                        sizeof *services->tasks);
    services->objects = tk_relocate_array(move, services->objects, services->object_count, services->object_capacity,
                                          sizeof *services->objects);
    for (uint32_t i = 0; i < services->queue_count && !move->refused; i++)
        services->queues[i].sent.ring = tk_relocate(move, services->queues[i].sent.ring,
                                                    services->queues[i].sent.capacity * sizeof(struct tk_pending_flow));
    for (uint32_t i = 0; i < services->task_count && !move->refused; i++)
        services->tasks[i].figures = tk_relocate(move, services->tasks[i].figures,
                                                 services->tasks[i].figures ? sizeof *services->tasks[i].figures : 0);
    for (uint32_t i = 0; i < services->object_count && !move->refused; i++)
        services->objects[i].open =
            tk_relocate(move, services->objects[i].open,
                        services->objects[i].open ? TK_MAX_INTERVAL_LANES * sizeof *services->objects[i].open : 0);
}

TK_COLD static void relocate(void *tracker, const struct tk_tracker_host *host, struct tk_relocation *move) {
    struct tk_kernel_services *services = tracker;
    services->host = *host;
    services->tl = host->timeline;
    services->rtos = host->rtos;
    services->rtos->observer = &observer;
    services->rtos->observer_ctx = services;
    arrays_moved(services, move);
    tk_idmap_relocate(&services->object_by_key, move);
    tk_idmap_relocate(&services->dead_object_by_name, move);
    rows_moved(&services->waits, sizeof(struct tk_wait_stats), move);
    rows_moved(&services->states, sizeof(struct tk_transition_stats), move);
    rows_moved(&services->communication, sizeof(struct tk_communication_edge), move);
    rows_moved(&services->owners, sizeof(struct tk_heap_owner_stats), move);
    rows_moved(&services->locks, sizeof(struct tk_mutex_stats), move);
    tk_heap_blocks_relocate(&services->blocks, move);
    tk_name_templates_relocate(&services->name_templates, move);
}

// ---- A part of the time ------------------------------------------------------------------------

// What is open began before the figures: it counts as if something had been lost since.
static uint32_t before_stats_loss(const struct tk_kernel_services *services) { return services->tl->losses[0] - 1; }

static void begin_object_stats(struct tk_kernel_services *services, struct tk_kernel_object *object, uint64_t ticks) {
    object->loss = before_stats_loss(services);
    object->level_most = object->level;
    object->level_known = object->sure;
    object->level_most_at = ticks;
    object->count = 0;
    object->intervals = (struct tk_durations){ 0 };
    object->set_count = object->cleared_count = object->waited_count = object->timed_out = object->expired = 0;
    for (uint32_t lane = 0; object->open && lane < TK_MAX_INTERVAL_LANES; lane++)
        object->open[lane].loss = before_stats_loss(services);
}

static void begin_task_stats(struct tk_kernel_services *services, struct tk_task_services *own) {
    own->job_loss = own->last_loss = before_stats_loss(services);
    own->jobs = 0;
    own->responses = own->periods = (struct tk_durations){ 0 };
    if (own->figures) *own->figures = (struct tk_job_stats){ .response = { .count = 0 } };
    own->stack_known = false;
}

// What was allocated before and is not freed stays owned.
TK_COLD static void begin_stats(void *tracker, uint64_t ticks) {
    struct tk_kernel_services *services = tracker;
    struct tk_keyed_rows *const rows[] = { &services->waits, &services->states, &services->communication,
                                           &services->locks };
    services->started_late = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) clear_rows(services, rows[i]);
    for (uint32_t i = 0; i < services->queue_count; i++) {
        services->queues[i].refused = services->queues[i].timed_out = 0;
        services->queues[i].held_loss = before_stats_loss(services);
    }
    for (uint32_t i = 0; i < services->task_count; i++) begin_task_stats(services, &services->tasks[i]);
    for (uint32_t i = 0; i < services->object_count; i++) begin_object_stats(services, &services->objects[i], ticks);
}

TK_COLD static void series(const void *tracker, const struct tk_table_sink *sink) {
    (void)tracker;
    (void)sink;
}

const struct tk_tracker tk_tracker_kernel_services = { .owner = TK_OWNER_KERNEL_SERVICES,
                                                       .size = sizeof(struct tk_kernel_services),
                                                       .details = &tk_detail_service,
                                                       .init = init,
                                                       .event = on_event,
                                                       .loss = on_loss,
                                                       .restart = on_restart,
                                                       .finish = finish,
                                                       .begin_stats = begin_stats,
                                                       .tables = tk_services_tables,
                                                       .series = series,
                                                       .relocate = TK_RELOCATE_FN(relocate) };
