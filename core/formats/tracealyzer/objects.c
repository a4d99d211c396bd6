// SPDX-License-Identifier: MIT
#include "objects.h"

#include "../../base/attributes.h"
#include "../kit/ids.h"

// ---- What the model calls each class -----------------------------------------------------------

static const struct {
    const char *words;
    uint8_t space;  // enum psf_space
    uint8_t naming; // enum tk_event_kind of its name
    int8_t entity;  // enum tk_entity_class; -1: none
    uint8_t kind;   // enum tk_queue_kind
} classes[PSF_CLASSES] = {
    [PSF_IS_ANY] = { "object", PSF_NO_SPACE, 0, -1, 0 },
    [PSF_IS_TASK] = { "task", PSF_TASKS, TK_EV_TASK_NAME, TK_CLASS_TASK, 0 },
    [PSF_IS_QUEUE] = { "queue", PSF_QUEUES, TK_EV_QUEUE_NAME, TK_CLASS_QUEUE, TK_QUEUE_BASE },
    [PSF_IS_SEMAPHORE] = { "semaphore", PSF_QUEUES, TK_EV_QUEUE_NAME, TK_CLASS_QUEUE, TK_QUEUE_SEMAPHORE },
    [PSF_IS_MUTEX] = { "mutex", PSF_QUEUES, TK_EV_QUEUE_NAME, TK_CLASS_QUEUE, TK_QUEUE_MUTEX },
    [PSF_IS_STREAM] = { "stream buffer", PSF_QUEUES, TK_EV_QUEUE_NAME, TK_CLASS_QUEUE, TK_QUEUE_STREAM_BUFFER },
    [PSF_IS_MESSAGE] = { "message buffer", PSF_QUEUES, TK_EV_QUEUE_NAME, TK_CLASS_QUEUE, TK_QUEUE_MESSAGE_BUFFER },
    [PSF_IS_GROUP] = { "event group", PSF_GROUPS, TK_EV_EVENT_GROUP_NAME, TK_CLASS_EVENT_GROUP, 0 },
    [PSF_IS_TIMER] = { "timer", PSF_TIMERS, TK_EV_TIMER_NAME, TK_CLASS_TIMER, 0 },
    [PSF_IS_ISR] = { "ISR", PSF_ISRS, TK_EV_ISR_NAME, TK_CLASS_ISR, 0 },
    [PSF_IS_CHANNEL] = { "channel", PSF_MARKERS, TK_EV_MARKER_NAME, TK_CLASS_MARKER, 0 },
    [PSF_IS_MACHINE] = { "state machine", PSF_MACHINES, TK_EV_MACHINE_NAME, TK_CLASS_MACHINE, 0 },
    [PSF_IS_STATE] = { "state", PSF_SYMBOLS, TK_EV_SYMBOL_NAME, -1, 0 },
    [PSF_IS_INTERVAL] = { "interval", PSF_INTERVALS, TK_EV_INTERVAL_NAME, TK_CLASS_INTERVAL, 0 },
    [PSF_IS_SET] = { "set of intervals", PSF_SYMBOLS, TK_EV_SYMBOL_NAME, -1, 0 },
    [PSF_IS_COUNTER] = { "counter", PSF_VALUES, TK_EV_VALUE_NAME, TK_CLASS_VALUE, 0 },
    [PSF_IS_RUNNABLE] = { "runnable", PSF_NO_SPACE, 0, -1, 0 },
    [PSF_IS_HEAP] = { "heap", PSF_NO_SPACE, 0, -1, 0 },
    [PSF_IS_EXTENSION] = { "extension", PSF_MARKERS, TK_EV_MARKER_NAME, TK_CLASS_MARKER, 0 },
    [PSF_IS_DEPENDENCY] = { "file", PSF_NO_SPACE, 0, -1, 0 },
};

const char *psf_class_words(enum psf_class class) { return classes[class].words; }
enum tk_queue_kind psf_queue_kind(enum psf_class class) { return (enum tk_queue_kind)classes[class].kind; }

uint32_t psf_next_id(struct psf_objects *objects, enum psf_space space) { return ++objects->next_id[space]; }

// ---- Telling the model -------------------------------------------------------------------------

void psf_set_text(struct psf_out *out, struct tk_event *event, const char *text, size_t len) {
    size_t bad = 0;
    uint8_t *clean = tk_arena_reserve(&out->batch->memory, len * TK_UTF8_GROWTH + 1);
    event->str = (const char *)clean;
    event->str_len = clean ? (uint32_t)tk_utf8_clean((const uint8_t *)text, len, clean, &bad) : 0;
    tk_arena_commit(&out->batch->memory, event->str_len);
    struct tk_source_pos place = tk_event_trace_pos(event);
    if (bad) tk_diag_count(out->host->diag, TK_DIAG_STRING_BAD_UTF8, &place);
}

static void emit_name(const struct psf_objects *objects, struct psf_out *out, const struct psf_object *object,
                      uint8_t core) {
    size_t len;
    const char *text = psf_object_text(objects, object->name, &len);
    struct tk_event *event = psf_emit_untimed(out, (enum tk_event_kind)classes[object->class].naming);
    event->core = core;
    tk_event_set_number(event, TK_SLOT_ID, object->id);
    if (object->class == PSF_IS_INTERVAL && object->related) event->interval_name.set = object->related->id;
    psf_set_text(out, event, text, len);
}

void psf_object_emit_name(const struct psf_objects *objects, struct psf_out *out, const struct psf_object *object) {
    if (!object->id || !object->name || !classes[object->class].naming) return;
    emit_name(objects, out, object, out->at.core);
    for (uint8_t core = 0; object->cores >> core; core++)
        if (object->cores >> core & 1 && core != out->at.core) emit_name(objects, out, object, core);
}

static void emit_address(struct psf_out *out, const struct psf_object *object) {
    if (classes[object->class].entity < 0 || object->address > PSF_LAST_ADDRESS) return;
    struct tk_event *event = psf_emit_untimed(out, TK_EV_ENTITY_ADDRESS);
    event->entity_address = (struct tk_event_entity_address){ .entity = object->id,
                                                              .entity_class = (uint32_t)classes[object->class].entity,
                                                              .address = object->address };
}

void psf_emit_isr_priority(struct psf_out *out, const struct psf_object *isr) {
    if (!isr->priority) return;
    psf_emit_event(out, TK_EV_ISR_PRIORITY)->isr_priority =
        (struct tk_event_isr_priority){ isr->id, isr->priority - 1 };
}

TK_COLD static void introduce_on_core(const struct psf_objects *objects, struct psf_out *out, struct psf_object *isr,
                                      uint8_t core) {
    bool is_first = !isr->cores && core == isr->first_core;
    isr->cores |= (uint16_t)(1u << core);
    if (is_first) return; // psf_object_use_on_core is called for the first core as well
    emit_address(out, isr);
    if (isr->name) emit_name(objects, out, isr, core);
    psf_emit_isr_priority(out, isr);
}

void psf_object_use_on_core(const struct psf_objects *objects, struct psf_out *out, struct psf_object *isr,
                            uint8_t core) {
    if (!(isr->cores >> core & 1)) introduce_on_core(objects, out, isr, core);
}

// Emits data of the table of entries other than the name: priorities, and the second parameter of the event that
// created the object.
static void emit_entry_table_data(struct psf_objects *objects, struct psf_out *out, struct psf_object *object) {
    bool is_queue = classes[object->class].space == PSF_QUEUES;
    if (object->class == PSF_IS_TASK && object->states[0] <= UINT32_MAX) {
        object->priority = object->present = (uint32_t)object->states[0] + 1;
        psf_emit_event(out, TK_EV_TASK_PRIORITY_SET)->task_priority =
            (struct tk_event_task_priority){ .task = object->id, .priority = (uint32_t)object->states[0] };
        psf_object_check_idle(objects, out, object);
    }
    if (object->class == PSF_IS_ISR) {
        object->priority = (uint32_t)object->states[0] + 1;
        psf_emit_isr_priority(out, object);
    }
    if (object->class == PSF_IS_TIMER)
        psf_emit_event(out, TK_EV_TIMER_CREATED)->timer_created =
            (struct tk_event_timer_created){ object->id, (int64_t)(object->states[0] & INT64_MAX) };
    if (is_queue && object->states[0] && object->states[0] <= UINT32_MAX)
        psf_emit_event(out, TK_EV_QUEUE_CAPACITY)->queue_capacity =
            (struct tk_event_queue_capacity){ object->id, (uint32_t)object->states[0] };
}

// Returns the id of a new task. Short-lived tasks are often created again: the new one gets the id of a dead one with
// the same name.
static uint32_t number_of(struct psf_objects *objects, const struct psf_object *object) {
    uint32_t dead = object->created && object->name ? tk_idmap_find(&objects->free_tasks, object->name) : TK_NONE;
    if (dead == TK_NONE || !dead) return psf_next_id(objects, (enum psf_space)classes[object->class].space);
    tk_idmap_set(&objects->free_tasks, objects->alloc, object->name, 0);
    return dead;
}

void psf_task_died(struct psf_objects *objects, struct psf_object *task) {
    task->dead = true;
    if (task->name) tk_idmap_set(&objects->free_tasks, objects->alloc, task->name, task->id);
}

// Introduces an object to the model when its class is known: its id, its name and other data.
static void introduce(struct psf_objects *objects, struct psf_out *out, struct psf_object *object,
                      enum psf_class class) {
    object->class = (uint8_t)class;
    if (!classes[class].space) return;
    object->id = number_of(objects, object);
    if (classes[class].space == PSF_QUEUES) {
        object->kind = classes[class].kind;
        struct tk_event *event = psf_emit_event(out, TK_EV_QUEUE_KIND);
        event->queue_kind = (struct tk_event_queue_kind){ object->id, object->kind };
        event->timed = false;
    }
    object->first_ns = out->at.ticks;
    object->first_core = out->at.core;
    emit_address(out, object);
    psf_object_emit_name(objects, out, object);
    if (object->listed) emit_entry_table_data(objects, out, object);
}

// ---- Objects -----------------------------------------------------------------------------------

void psf_objects_init(struct psf_objects *objects, struct tk_alloc *alloc, struct tk_diag *diag) {
    objects->alloc = objects->memory.alloc = alloc;
    objects->diag = diag;
}

struct psf_object *psf_object_known(const struct psf_objects *objects, uint64_t address) {
    uint32_t index = tk_idmap_find(&objects->by_address, address);
    return index == TK_NONE ? NULL : objects->list[index];
}

static struct psf_object *add(struct psf_objects *objects, uint64_t address) {
    if (objects->count == PSF_MAX_OBJECTS) {
        tk_diag_note(objects->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return &objects->overflow;
    }
    struct psf_object *object = (struct psf_object *)(void *)tk_arena_reserve(&objects->memory, sizeof *object);
    if (!object || !tk_ids_add(&objects->by_address, objects->alloc, address, (void **)&objects->list,
                               &objects->capacity, objects->count, sizeof *objects->list))
        return &objects->overflow;
    tk_arena_commit(&objects->memory, sizeof *object);
    *object = (struct psf_object){ .address = address };
    return objects->list[objects->count++] = object;
}

struct psf_object *psf_object_at(struct psf_objects *objects, uint64_t address) {
    struct psf_object *object = psf_object_known(objects, address);
    return object ? object : add(objects, address);
}

void psf_object_renew(struct psf_object *object) {
    *object =
        (struct psf_object){ .address = object->address, .entry_name = object->entry_name, .mortal = object->mortal };
}

struct psf_object *psf_object_as(struct psf_objects *objects, struct psf_out *out, uint64_t address,
                                 enum psf_class class) {
    struct psf_object *object = psf_object_at(objects, address);
    if (object->class == class && !object->dead) return object;
    if (object->dead || object->class) psf_object_renew(object);
    introduce(objects, out, object, class);
    return object;
}

// ---- Names -------------------------------------------------------------------------------------

const char *psf_object_text(const struct psf_objects *objects, uint32_t name, size_t *out_len) {
    return tk_strtab_text(&objects->names, name, out_len);
}

static bool begins_with(const struct psf_objects *objects, uint32_t name, const char *text, size_t len) {
    size_t name_len;
    const char *whole = psf_object_text(objects, name, &name_len);
    return name && len <= name_len && !memcmp(whole, text, len);
}

void psf_object_name(struct psf_objects *objects, struct psf_out *out, struct psf_object *object, const char *text,
                     size_t len) {
    if (!len || begins_with(objects, object->name, text, len)) return;
    object->name = tk_strtab_intern(&objects->names, objects->alloc, text, len);
    psf_object_emit_name(objects, out, object);
    if (object->class == PSF_IS_TASK) psf_object_check_idle(objects, out, object);
}

// Returns true for the name of an idle task, which contains the number of its core if there are several.
static bool is_idle_name(const struct psf_objects *objects, const struct psf_object *task, uint32_t *out_core) {
    size_t len, idle_len = 4;
    const char *name = psf_object_text(objects, task->name, &len), *idle = "IDLE";
    if (objects->idle_name) idle = psf_object_text(objects, objects->idle_name, &idle_len);
    else if (task->priority != 1) return false; // the default name is accepted only with the lowest priority
    if (len < idle_len || memcmp(name, idle, idle_len)) return false;
    bool numbered = len > idle_len && name[len - 1] >= '0' && name[len - 1] <= '9';
    *out_core = numbered ? (uint32_t)(name[len - 1] - '0') : 0;
    return !objects->idle_name || len == idle_len || (numbered && len - idle_len <= 2);
}

void psf_object_check_idle(struct psf_objects *objects, struct psf_out *out, struct psf_object *task) {
    uint32_t core = 0;
    if (!task->id || !task->name || task->idle || !is_idle_name(objects, task, &core)) return;
    task->idle = true;
    struct tk_event *event = psf_emit_untimed(out, TK_EV_TASK_IS_IDLE);
    event->idle_task = (struct tk_event_idle_task){ task->id, core };
}

void psf_object_words(const struct psf_objects *objects, const struct psf_object *object, struct tk_text *text) {
    size_t len;
    const char *name = psf_object_text(objects, object->name, &len);
    if (object->name) {
        tk_text_put(text, name, len);
        return;
    }
    tk_text_add(text, classes[object->class].words);
    tk_text_add(text, " ");
    tk_text_hex(text, object->address, 1);
}
