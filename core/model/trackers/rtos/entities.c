// SPDX-License-Identifier: MIT
//
// Tasks, queues, interrupts and kernel objects by their numbers, with names and addresses.
#include "rtos_internal.h"

// The entry after the last allowed one represents all further entities.
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
    TK_TELL(rtos->facts, task_added, rtos->task_count, entity);
    if (overflow) TK_TELL(rtos->facts, task_has_no_jobs, rtos->task_count);
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

// ---- Kernel objects ----------------------------------------------------------------------------

static uint64_t object_key(enum tk_entity_class class, uint32_t id) { return (uint64_t)(class + 1) << 32 | id; }

TK_COLD static struct tk_kernel_object *add_object(struct tk_rtos *rtos, enum tk_entity_class class, uint32_t id) {
    static const uint8_t nouns[] = {
        [TK_CLASS_EVENT_GROUP] = TK_NOUN_EVENT_GROUP,
        [TK_CLASS_MACHINE] = TK_NOUN_MACHINE,
        [TK_CLASS_INTERVAL] = TK_NOUN_INTERVAL,
        [TK_CLASS_HEAP] = TK_NOUN_HEAP,
        [TK_CLASS_TIMER] = TK_NOUN_TIMER,
        [TK_CLASS_STACK] = TK_NOUN_STACK,
    };
    if (rtos->object_count >= TK_MAX_KERNEL_OBJECTS) {
        tk_diag_note(rtos->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(rtos->alloc, (void **)&rtos->objects, &rtos->object_capacity, rtos->object_count + 1,
                       sizeof *rtos->objects))
        return NULL;
    uint32_t entity = tk_names_add(tk_rtos_names(rtos), TK_ENTITY_KERNEL_OBJECT, id);
    if (entity == TK_NONE ||
        !tk_idmap_set(&rtos->object_by_key, rtos->alloc, object_key(class, id), rtos->object_count))
        return NULL;
    tk_rtos_names(rtos)->entities[entity].noun = nouns[class];
    struct tk_kernel_object *object = &rtos->objects[rtos->object_count++];
    *object = (struct tk_kernel_object){ .entity = entity, .class = (uint8_t)class };
    return object;
}

struct tk_kernel_object *tk_rtos_find_object(struct tk_rtos *rtos, enum tk_entity_class class, uint32_t id) {
    uint32_t index = tk_idmap_find(&rtos->object_by_key, object_key(class, id));
    return index != TK_NONE ? &rtos->objects[index] : add_object(rtos, class, id);
}

// Key of an object in dead_object_by_name; the object has a name.
static uint64_t dead_object_key(const struct tk_rtos *rtos, const struct tk_kernel_object *object) {
    return object_key((enum tk_entity_class)object->class, rtos->tl->names.entities[object->entity].name);
}

TK_COLD uint32_t tk_rtos_object_track(struct tk_rtos *rtos, struct tk_kernel_object *object, enum tk_group group,
                                      enum tk_track_kind kind, const char *unit, const char *description) {
    if (object->track) return object->track;
    uint32_t dead = tk_rtos_names(rtos)->entities[object->entity].name
                        ? tk_idmap_find(&rtos->dead_object_by_name, dead_object_key(rtos, object))
                        : TK_NONE;
    if (dead != TK_NONE && rtos->objects[dead].track) {
        object->track = rtos->objects[dead].track;
        rtos->objects[dead].track = 0;
        return object->track;
    }
    struct tk_track_spec spec = {
        tk_timeline_group(rtos->tl, group), kind, object->entity, NULL, -1, 0, unit, description, 0
    };
    return object->track = tk_timeline_add_track(rtos->tl, &spec);
}

void tk_rtos_delete_object(struct tk_rtos *rtos, struct tk_kernel_object *object) {
    object->deleted = true;
    if (tk_rtos_names(rtos)->entities[object->entity].name)
        tk_idmap_set(&rtos->dead_object_by_name, rtos->alloc, dead_object_key(rtos, object),
                     tk_rtos_object_index(rtos, object));
}

// ---- Names and addresses -----------------------------------------------------------------------

TK_COLD void tk_rtos_on_object_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    enum tk_entity_class class = (enum tk_entity_class)tk_event_subjects[event->kind];
    (void)core;
    const struct tk_kernel_object *object = tk_rtos_find_object(rtos, class, tk_event_id(event)); // INTERVAL_NAME too
    if (object && tk_names_set(tk_rtos_names(rtos), object->entity, event->str, event->str_len))
        tk_rtos_problem(rtos, TK_DIAG_NAME_CHANGED, event);
}

static uint32_t entity_of(struct tk_rtos *rtos, const struct tk_event *event) {
    uint32_t index;
    switch ((enum tk_entity_class)event->entity_address.entity_class) {
    case TK_CLASS_TASK:
        index = tk_rtos_find_task(rtos, event->entity_address.entity);
        return tk_rtos_is_shared(index) ? TK_NONE : rtos->tasks[index].entity;
    case TK_CLASS_QUEUE:
        index = tk_rtos_find_queue(rtos, event->entity_address.entity);
        return index < TK_MAX_QUEUES ? rtos->queues[index].entity : TK_NONE;
    case TK_CLASS_ISR:
        index = tk_rtos_find_isr(rtos, event->core, event->entity_address.entity);
        return index < TK_MAX_ISRS ? rtos->isrs[index].entity : TK_NONE;
    case TK_CLASS_EVENT_GROUP:
    case TK_CLASS_MACHINE:
    case TK_CLASS_INTERVAL:
    case TK_CLASS_HEAP:
    case TK_CLASS_TIMER:
    case TK_CLASS_STACK: {
        const struct tk_kernel_object *object = tk_rtos_find_object(
            rtos, (enum tk_entity_class)event->entity_address.entity_class, event->entity_address.entity);
        return object ? object->entity : TK_NONE;
    }
    default: return TK_NONE;
    }
}

TK_COLD void tk_rtos_on_entity_address(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t entity = entity_of(rtos, event);
    if (entity != TK_NONE) tk_names_set_address(tk_rtos_names(rtos), entity, event->entity_address.address);
}
