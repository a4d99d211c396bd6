// SPDX-License-Identifier: MIT
//
// Tasks, interrupts and time, and the dispatch of each event to its handler.
#include "mapping.h"

#include "../../base/attributes.h"
#include "../kit/loss.h"

// ---- Words and values --------------------------------------------------------------------------

void psf_put_object(const struct psf_mapping *m, struct tk_text *text, const struct psf_object *object) {
    psf_object_words(&m->map->objects, object, text);
}

struct tk_event *psf_emit_text(const struct psf_mapping *m, enum tk_event_kind kind, const struct tk_text *text) {
    struct tk_event *event = psf_emit(m, kind);
    psf_set_text(m->out, event, text->text, text->len);
    return event;
}

struct tk_event *psf_emit_static_text(const struct psf_mapping *m, enum tk_event_kind kind, const char *words,
                                      const struct psf_object *object, const char *more) {
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    tk_text_add(&text, words);
    psf_put_object(m, &text, object);
    tk_text_add(&text, more);
    return psf_emit_text(m, kind, &text);
}

void psf_emit_failure(const struct psf_mapping *m, const struct tk_text *text, const struct tk_value *value) {
    static const uint8_t kinds[] = { TK_EV_KERNEL_CALL, TK_EV_FAILURE };
    for (size_t i = 0; i < sizeof kinds; i++) {
        struct tk_event *event = psf_emit_text(m, (enum tk_event_kind)kinds[i], text);
        if (value) psf_set_values(m->out, event, value, 1);
    }
}

void psf_set_values(struct psf_out *out, struct tk_event *event, const struct tk_value *values, unsigned count) {
    event->values = tk_arena_copy(&out->batch->memory, values, count * sizeof *values);
    event->value_count = (uint8_t)(event->values ? count : 0);
}

void psf_emit_limits(struct psf_out *out, uint32_t counter, int64_t low, int64_t high) {
    struct tk_value limits[2] = { { .name = "low", .type = TK_VALUE_INT, .number.i = low },
                                  { .name = "high", .type = TK_VALUE_INT, .number.i = high } };
    struct tk_event *event = psf_emit_event(out, TK_EV_VALUE_LIMITS);
    event->value_limits.value = counter;
    psf_set_values(out, event, limits, 2);
}

// ---- Tasks and interrupts ----------------------------------------------------------------------

// Returns the task at an address. The startup contexts of all cores share one address, so each gets a task of its own.
static struct psf_object *task_at(const struct psf_mapping *m, uint64_t address, uint8_t core) {
    struct psf_objects *objects = &m->map->objects;
    uint64_t key = address == PSF_STARTUP ? UINT64_MAX - core : address;
    struct psf_object *task = psf_object_as(objects, m->out, key, PSF_IS_TASK);
    if (address != PSF_STARTUP || task->name) return task;
    char name_room[PSF_TEXT];
    struct tk_text name = tk_text_in(name_room, PSF_TEXT);
    tk_text_add(&name, "(startup)");
    if (core) tk_text_add(&name, " core "), tk_text_u64(&name, core);
    psf_object_name(objects, m->out, task, name.text, name.len);
    return task;
}

// Returns the task of the event.
static struct psf_object *subject_task(const struct psf_mapping *m) {
    struct psf_object *task = m->object;
    if (task && task->class == PSF_IS_TASK && !task->dead) return task;
    return task_at(m, m->subject, m->step->event.core);
}

static bool is_startup(const struct psf_object *task) { return task->address > PSF_LAST_ADDRESS; }

static void leave_isrs(struct psf_context *context, struct psf_out *out, uint32_t depth) {
    while (context->depth > depth) psf_emit_event(out, TK_EV_ISR_EXIT)->isr.isr = context->isrs[--context->depth]->id;
}

static void switch_to(const struct psf_mapping *m, struct psf_context *context, struct psf_object *task) {
    struct psf_object *old = context->task;
    leave_isrs(context, m->out, 0);
    context->task = task;
    if (is_startup(task)) psf_emit(m, TK_EV_TASK_ENDS)->task.task = task->id; // it ends when it leaves its core
    psf_emit(m, TK_EV_TASK_SWITCHED_IN)->task.task = task->id;
    if (!old || old == task) return;
    if (old->dying) psf_task_died(&m->map->objects, old);
    old->dead = old->dead || is_startup(old);
}

// Switches a core to a task. The event about it may belong to another core.
TK_COLD static void start_on(const struct psf_mapping *m, uint8_t core, uint64_t task) {
    psf_out_core(m->out, core);
    psf_out_bytes(m->out, m->step->event.bytes, m->step->event.size, m->step->lasting);
    switch_to(m, &m->map->contexts[core], task_at(m, task, core));
}

// Returns true if the core has an event stream. In a recording with a file per core, files may be missing. Events are
// mapped only after each file has had its first event.
static bool has_stream(const struct psf_session *session, uint8_t core) {
    return !session->timer.apart || session->cores[core].seen;
}

TK_COLD static void on_start(const struct psf_mapping *m) {
    uint8_t core = m->step->event.core;
    if (psf_args(m) == 1) start_on(m, core, m->subject);
    for (uint8_t i = 0; psf_args(m) > 1 && i < psf_args(m) && i < m->session->layout.cores; i++)
        if (has_stream(m->session, i)) start_on(m, i, psf_arg(m, i));
    psf_out_core(m->out, core);
}

TK_COLD static void set_priority(const struct psf_mapping *m, struct psf_object *task, enum tk_event_kind kind,
                                 uint64_t priority, enum tk_priority_origin origin) {
    uint32_t number = psf_u32_of(priority);
    if (!task->priority) task->priority = number + 1;
    task->present = number + 1;
    psf_emit(m, kind)->task_priority =
        (struct tk_event_task_priority){ .task = task->id, .priority = number, .origin = origin };
    psf_object_check_idle(&m->map->objects, m->out, task);
}

// Switches to a task. With a priority it is a switch; without one, interrupts return to the task that they interrupted.
static void on_activate(const struct psf_mapping *m) {
    struct psf_object *task = subject_task(m);
    if (psf_args(m) >= 2 || task != m->context->task) switch_to(m, m->context, task);
    else leave_isrs(m->context, m->out, 0);
    if (psf_args(m) < 2) return;
    if (task->present == psf_u32_of(psf_arg(m, 1)) + 1) m->map->priorities_agree = true;
    else if (psf_accepts_priority(m, task))
        set_priority(m, task, TK_EV_TASK_PRIORITY_SET, psf_arg(m, 1), TK_PRIORITY_REPORTED);
}

// Names an interrupt of which the recorder knows only the number.
static void name_marked_isr(const struct psf_mapping *m, struct psf_object *isr) {
    char name_room[PSF_TEXT];
    struct tk_text name = tk_text_in(name_room, PSF_TEXT);
    if (isr->name) return;
    tk_text_add(&name, "ISR "), tk_text_u64(&name, isr->address - PSF_AUTO_ISRS);
    psf_object_name(&m->map->objects, m->out, isr, name.text, name.len);
}

static void on_isr_begin(const struct psf_mapping *m) {
    struct psf_context *context = m->context;
    struct psf_object *isr = psf_subject(m);
    if (m->step->event.record == PSF_AUTO_ISR_BEGIN) name_marked_isr(m, isr);
    if (m->step->ends_open && context->depth) leave_isrs(context, m->out, context->depth - 1);
    if (context->depth == PSF_NESTED)
        leave_isrs(context, m->out, context->depth - 1); // interrupts do not nest so deeply, so the end of an earlier
                                                         // one was lost
    context->isrs[context->depth++] = isr;
    psf_object_use_on_core(&m->map->objects, m->out, isr, m->step->event.core);
    psf_emit(m, TK_EV_ISR_ENTER)->isr.isr = isr->id;
}

// Returns to an interrupt: those nested in it have ended. If its start was lost, all known ones have ended.
static void on_isr_resume(const struct psf_mapping *m) {
    struct psf_context *context = m->context;
    const struct psf_object *isr = psf_subject(m);
    uint32_t depth = context->depth;
    while (depth && context->isrs[depth - 1] != isr) depth--;
    leave_isrs(context, m->out, depth);
}

TK_COLD static void on_define_isr(const struct psf_mapping *m) {
    uint32_t len;
    struct psf_object *isr = psf_subject(m);
    const char *name = psf_text(&m->session->layout, &m->step->event, 2, &len);
    psf_object_name(&m->map->objects, m->out, isr, name, len);
    isr->priority = psf_u32_of(psf_arg(m, 1)) + 1;
    psf_emit_isr_priority(m->out, isr);
}

TK_COLD static void on_create_task(const struct psf_mapping *m) {
    struct psf_object *task = psf_object_at(&m->map->objects, m->subject);
    if (task->dead) psf_object_renew(task);
    task->created = true;
    task = psf_subject(m);
    struct tk_event *event = psf_emit(m, TK_EV_TASK_CREATED);
    event->task_created.task = task->id;
    event->task_created.priority_plus_1 = psf_u32_of(psf_arg(m, 1)) + 1;
    set_priority(m, task, TK_EV_TASK_PRIORITY_SET, psf_arg(m, 1), TK_PRIORITY_REPORTED);
}

static bool runs(const struct psf_map *map, const struct psf_object *task) {
    for (unsigned i = 0; i < PSF_MAX_CORES; i++)
        if (map->contexts[i].task == task) return true;
    return false;
}

// Deletes a task. A task that deletes itself lives until it leaves its core.
TK_COLD static void on_delete_task(const struct psf_mapping *m) {
    struct psf_object *task = subject_task(m);
    psf_emit(m, TK_EV_TASK_DELETED)->task.task = task->id;
    if (runs(m->map, task)) task->dying = true;
    else psf_task_died(&m->map->objects, task);
}

TK_COLD static void on_priority(const struct psf_mapping *m) {
    static const uint8_t kinds[] = { TK_EV_TASK_PRIORITY_SET, TK_EV_TASK_PRIORITY_INHERITED,
                                     TK_EV_TASK_PRIORITY_DISINHERITED };
    struct psf_object *task = subject_task(m);
    set_priority(m, task, (enum tk_event_kind)kinds[m->operation - PSF_OP_PRIORITY_SET], psf_arg(m, 1),
                 TK_PRIORITY_BY_CALL);
    if (m->operation != PSF_OP_PRIORITY_SET) task->inherits = m->operation == PSF_OP_PRIORITY_INHERIT;
    else if (task->inherits) task->present = 0; // a higher priority that it inherits stays in force
}

static void on_ready(const struct psf_mapping *m) {
    uint32_t task = subject_task(m)->id; // may emit its name first
    psf_emit(m, TK_EV_TASK_READY)->task.task = task;
}
static void on_suspend(const struct psf_mapping *m) {
    uint32_t task = subject_task(m)->id;
    psf_emit(m, TK_EV_TASK_SUSPENDED)->task.task = task;
}

// Resumes a task. The event that makes it ready follows.
static void on_resume(const struct psf_mapping *m) {
    psf_emit_static_text(m, TK_EV_KERNEL_CALL, "resume ", subject_task(m), "");
}

static void on_stack(const struct psf_mapping *m) {
    uint32_t task = subject_task(m)->id;
    psf_emit(m, TK_EV_STACK_FREE)->task_stack =
        (struct tk_event_task_stack){ task, (int64_t)(psf_arg(m, 1) & INT64_MAX) };
}

TK_COLD static void on_job(const struct psf_mapping *m) {
    if (!m->context->task) return;
    psf_emit(m, TK_EV_JOB_DONE)->job =
        (struct tk_event_job){ .task = m->context->task->id, .ends_later = m->operation == PSF_OP_NEXT };
}

// ---- Time --------------------------------------------------------------------------------------

static void on_tick(const struct psf_mapping *m) {
    if (!psf_tick_agrees(m)) {
        psf_report_contradiction(m);
        return;
    }
    m->map->tick = (uint32_t)m->subject;
    m->map->ticks_known = true;
    psf_emit(m, TK_EV_KERNEL_TICK)->kernel_tick.tick = m->map->tick;
}

static void on_delay(const struct psf_mapping *m) { psf_emit(m, TK_EV_DELAY)->delay.ticks = psf_u32_of(m->subject); }

// Emits the tick length for timers that carry the tick in their time stamps, so that waits can be given in ticks.
static void emit_tick_length(const struct psf_mapping *m) {
    const struct psf_timer *timer = &m->session->timer;
    uint64_t last = m->step->counts;
    if (!timer->has_ticks || last < timer->lead) return; // before the first tick
    uint32_t tick = (uint32_t)((last - timer->lead) / timer->turn);
    if (tick == m->map->tick) return;
    m->map->tick = tick;
    psf_emit(m, TK_EV_KERNEL_TICK)->kernel_tick.tick = tick;
}

// Blocks the task until a time. The timer task waits for commands with this call.
static void on_delay_until(const struct psf_mapping *m) {
    const struct psf_map *map = m->map;
    emit_tick_length(m);
    if (map->timer_queue && map->timer_task && m->context->task == map->timer_task)
        psf_emit(m, TK_EV_BLOCK_ON_RECEIVE)->queue_wait =
            (struct tk_event_queue_wait){ map->timer_queue->id, (uint32_t)m->subject, TK_TIMEOUT_UNTIL };
    else psf_emit(m, TK_EV_DELAY_UNTIL)->delay.ticks = (uint32_t)m->subject;
}

TK_COLD static void on_low_power(const struct psf_mapping *m) {
    if (m->operation == PSF_OP_BEGIN)
        psf_emit(m, TK_EV_LOW_POWER_BEGIN)->low_power.expected_ticks = (int64_t)(m->subject & INT64_MAX);
    else psf_emit(m, TK_EV_LOW_POWER_END);
}

static void on_pend(const struct psf_mapping *m) {
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    struct tk_value function = { .name = "function", .type = TK_VALUE_HEX, .number.u = m->subject };
    tk_text_add(&text, "ask the timer task to call a function");
    if (m->outcome & PSF_FAILED) {
        tk_text_add(&text, ": refused");
        psf_emit_failure(m, &text, &function);
        return;
    }
    psf_set_values(m->out, psf_emit_text(m, TK_EV_KERNEL_CALL, &text), &function, 1);
}

// ---- Names and lifetimes -----------------------------------------------------------------------

// Ends the life of an object that was deleted without an event in the recording.
TK_COLD static void end_life(const struct psf_mapping *m, const struct psf_object *object) {
    if (!object->id || object->dead) return;
    if (object->class == PSF_IS_TASK) psf_emit(m, TK_EV_TASK_ENDS)->task.task = object->id;
    if (object->class >= PSF_IS_QUEUE && object->class <= PSF_IS_MESSAGE)
        psf_emit(m, TK_EV_QUEUE_DELETED)->queue.queue = object->id;
    if (object->class == PSF_IS_TIMER) psf_emit(m, TK_EV_TIMER_DELETED)->timer.timer = object->id;
    if (object->class == PSF_IS_GROUP) psf_emit(m, TK_EV_EVENT_GROUP_DELETED)->event_group.group = object->id;
}

TK_COLD static void on_name(const struct psf_mapping *m) {
    struct psf_context *context = m->context;
    uint32_t len;
    const char *name = psf_text(&m->session->layout, &m->step->event, 1, &len);
    context->named = m->subject;
    context->name_len = len < PSF_NAME ? len : PSF_NAME;
    memcpy(context->name, name, context->name_len);
}

static bool creates(const struct psf_mapping *m);

// Returns true if the object was first seen at the current time. Time stamps of several cores may be equal, so events
// of another core in the tick of the creation belong to the created object.
static bool is_first_seen_now(const struct psf_mapping *m, const struct psf_object *object) {
    return object->class == m->class && object->id && !object->created && !object->listed && !object->dead &&
           object->first_ns == m->step->ns;
}

// Decides which object a name belongs to. A name directly before an event that creates an object at the same address
// belongs to the new object, any other to the existing one. The oldest recorders write the address only in the event
// before.
TK_COLD static void resolve_name_target(struct psf_mapping *m) {
    struct psf_context *context = m->context;
    struct psf_objects *objects = &m->map->objects;
    bool is_new = m->step && creates(m) && (!m->subject || m->subject == context->named);
    struct psf_object *object = psf_object_at(objects, context->named);
    if (is_new) m->subject = context->named;
    if (is_new && is_first_seen_now(m, object)) is_new = false;
    else if (is_new ? object->class || object->dead : object->dead) {
        end_life(m, object);
        psf_object_renew(object);
    }
    psf_object_name(objects, m->out, object, context->name, context->name_len);
    context->name_len = 0;
}

// ---- The way of an event -----------------------------------------------------------------------

// clang-format off
#define PSF_ACTS(ACT) \
    ACT(START, on_start) ACT(NAME, on_name) ACT(PRIORITY, on_priority) ACT(DEFINE_ISR, on_define_isr) \
    ACT(CREATE_TASK, on_create_task) ACT(DELETE_TASK, on_delete_task) ACT(READY, on_ready) ACT(TICK, on_tick) \
    ACT(ISR_BEGIN, on_isr_begin) ACT(ISR_RESUME, on_isr_resume) ACT(ACTIVATE, on_activate) \
    ACT(LOW_POWER, on_low_power) ACT(JOB, on_job) ACT(DELAY_UNTIL, on_delay_until) ACT(DELAY, on_delay) \
    ACT(SUSPEND, on_suspend) ACT(RESUME, on_resume) ACT(PEND, on_pend) ACT(STACK, on_stack) \
    ACT(CREATE, psf_on_create) ACT(CREATE_REFUSED, psf_on_create_refused) ACT(DELETE, psf_on_delete) \
    ACT(QUEUE, psf_on_queue) ACT(BITS, psf_on_event_group) ACT(TIMER, psf_on_timer) \
    ACT(TIMER_EXPIRED, psf_on_timer_expired) ACT(NOTIFY, psf_on_notify) ACT(NOTIFY_WAIT, psf_on_notify_wait) \
    ACT(HEAP, psf_on_heap) ACT(HEAP_CREATE, psf_on_heap_create) ACT(USER_EVENT, psf_on_user_event) \
    ACT(EXTENSION_CREATE, psf_on_extension_create) ACT(MACHINE_CREATE, psf_on_machine_create) \
    ACT(STATE_CREATE, psf_on_state_create) ACT(STATE, psf_on_state) ACT(INTERVAL_CREATE, psf_on_interval_create) \
    ACT(INTERVAL, psf_on_interval) ACT(SET_CREATE, psf_on_set_create) ACT(COUNTER_CREATE, psf_on_counter_create) \
    ACT(COUNTER, psf_on_counter) ACT(COUNTER_LIMIT, psf_on_counter_limit) \
    ACT(RUNNABLE_NAME, psf_on_runnable_name) ACT(RUNNABLE, psf_on_runnable) ACT(DEPENDENCY, psf_on_dependency) \
    ACT(UNKNOWN, on_unknown) ACT(EXTENSION, psf_on_extension) ACT(KERNEL_CALL, psf_on_kernel_call)
// clang-format on

// Puts an unknown event on the timeline. It was counted when its bytes were decoded.
TK_COLD static void on_unknown(const struct psf_mapping *m) {
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    tk_text_add(&text, "EVENT_"), tk_text_hex(&text, m->step->event.code, 1), tk_text_add(&text, " (");
    for (unsigned i = 0; i < psf_args(m); i++) tk_text_add(&text, i ? ", " : ""), tk_text_hex(&text, psf_arg(m, i), 1);
    tk_text_add(&text, ")");
    struct tk_event *event = psf_emit_text(m, TK_EV_PROBLEM, &text);
    event->problem = (struct tk_event_problem){ .diag = TK_DIAG_CODE_UNKNOWN, .loss_reported = 1 };
    event->timed = false;
    event->ticks = 0;
}

enum act {
#define ACT(name, handler) ACT_##name,
    PSF_ACTS(ACT)
#undef ACT
        ACTS
};

static psf_handler *const handlers[ACTS] = {
#define ACT(name, handler) [ACT_##name] = handler,
    PSF_ACTS(ACT)
#undef ACT
};

enum { DONE = PSF_DONE, FAILED = PSF_FAILED, BLOCK = PSF_BLOCK, FROM_ISR = PSF_FROM_ISR, RECURSIVE = PSF_IS_RECURSIVE };

static const struct {
    uint8_t act, class, operation, outcome;
} meanings[PSF_RECORDS] = {
#define PSF_RECORD(code, name, least, most, fields, act, class, operation, outcome) \
    [PSF_##name] = { ACT_##act, PSF_IS_##class, PSF_OP_##operation, outcome },
#define PSF_CODE(kernel, code, name)
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
    [PSF_UNKNOWN] = { ACT_UNKNOWN, 0, 0, 0 },
    [PSF_EXTENSION] = { ACT_EXTENSION, 0, 0, 0 },
    [PSF_KERNEL_CALL] = { ACT_KERNEL_CALL, 0, 0, 0 },
    [PSF_AUTO_ISR_BEGIN] = { ACT_ISR_BEGIN, PSF_IS_ISR, 0, 0 },
    [PSF_AUTO_ISR_RESUME] = { ACT_ISR_RESUME, PSF_IS_ISR, 0, 0 },
};

static bool creates(const struct psf_mapping *m) {
    switch ((enum act)meanings[m->step->event.record].act) {
    case ACT_CREATE:
    case ACT_CREATE_TASK:
    case ACT_EXTENSION_CREATE:
    case ACT_MACHINE_CREATE:
    case ACT_STATE_CREATE:
    case ACT_INTERVAL_CREATE:
    case ACT_SET_CREATE:
    case ACT_COUNTER_CREATE:
    case ACT_HEAP_CREATE:
    case ACT_DEPENDENCY: return true;
    default: return false;
    }
}

// Ends the life of the earlier object at this address, because the event that deleted it was lost.
static void close_previous_lifetime(const struct psf_mapping *m) {
    struct psf_object *object = psf_object_known(&m->map->objects, m->subject);
    if (!object || !object->class || object->dead || is_first_seen_now(m, object)) return;
    end_life(m, object);
    psf_object_renew(object);
}

static struct psf_mapping mapping_of(struct psf_session *session, struct psf_out *out, uint8_t core) {
    return (struct psf_mapping){
        .session = session, .map = &session->map, .context = &session->map.contexts[core], .out = out
    };
}

// Returns true for events of an object that earlier ones must have introduced.
static bool uses_object(const struct psf_mapping *m) {
    static const bool introduces[ACTS] = { [ACT_START] = true,           [ACT_NAME] = true,
                                           [ACT_DEFINE_ISR] = true,      [ACT_CREATE] = true,
                                           [ACT_CREATE_TASK] = true,     [ACT_CREATE_REFUSED] = true,
                                           [ACT_HEAP_CREATE] = true,     [ACT_EXTENSION_CREATE] = true,
                                           [ACT_MACHINE_CREATE] = true,  [ACT_STATE_CREATE] = true,
                                           [ACT_INTERVAL_CREATE] = true, [ACT_SET_CREATE] = true,
                                           [ACT_COUNTER_CREATE] = true,  [ACT_RUNNABLE_NAME] = true,
                                           [ACT_DEPENDENCY] = true };
    uint8_t record = m->step->event.record;
    return m->class && m->step->event.params && !introduces[meanings[record].act] && record != PSF_AUTO_ISR_BEGIN &&
           record != PSF_AUTO_ISR_RESUME;
}

void psf_map_event(struct psf_session *session, struct psf_out *out, const struct psf_step *step) {
    struct psf_mapping m = mapping_of(session, out, step->event.core);
    m.step = step;
    m.subject = psf_subject_of(&session->layout, &step->event);
    m.class = meanings[step->event.record].class;
    m.operation = meanings[step->event.record].operation;
    m.outcome = meanings[step->event.record].outcome;
    if (m.context->name_len) resolve_name_target(&m);
    else if (creates(&m)) close_previous_lifetime(&m);
    if (uses_object(&m)) {
        m.object = psf_object_known(&m.map->objects, m.subject);
        if (!psf_agrees(&m, m.object)) {
            psf_report_contradiction(&m);
            return;
        }
    }
    handlers[meanings[step->event.record].act](&m);
}

// ---- Sections, gaps, memory images -------------------------------------------------------------

// Discards what waits for an event of a core that will not come.
TK_COLD static void forget(struct psf_session *session, struct psf_out *out, uint8_t core) {
    struct psf_mapping m = mapping_of(session, out, core);
    if (m.context->name_len) resolve_name_target(&m);
    for (uint32_t i = 0; i < session->map.objects.count; i++)
        if (session->map.objects.list[i]->class == PSF_IS_TASK) session->map.objects.list[i]->related = NULL;
}

// Marks the start of a loss, from which on the events of other cores are incomplete.
static void emit_loss_begin(struct psf_out *out, uint64_t since) {
    struct tk_event *event = psf_emit_event(out, TK_EV_LOSS_BEGIN);
    event->ticks = since;
    event->raw_len = 0;
}

TK_COLD void psf_map_gap_begin(const struct psf_session *session, struct psf_out *out, uint64_t since) {
    if (session->layout.cores > 1 && (out->stream_count == session->layout.cores || session->header.streams == 2))
        emit_loss_begin(out, since);
}

TK_COLD void psf_map_gap(struct psf_session *session, struct psf_out *out, uint32_t missing, uint64_t damaged,
                         uint64_t since) {
    enum { SHORTEST_EVENT = 8 };
    forget(session, out, out->at.core);
    session->map.complete = session->map.ticks_known = false;
    session->map.contexts[out->at.core].depth = 0;
    struct tk_event *event = psf_emit_event(out, TK_EV_EVENTS_LOST);
    event->events_lost = (struct tk_event_events_lost){ .count = missing,
                                                        .where = tk_place_loss(missing, damaged, 0, SHORTEST_EVENT),
                                                        .since = since };
}

void psf_emit_heap(struct psf_map *map, struct psf_out *out) {
    if (!map->heap_level_emitted)
        psf_emit_event(out, TK_EV_HEAP_LEVEL)->heap_level =
            (struct tk_event_heap_level){ .heap = PSF_SYSTEM_HEAP, .at_section_begin = 1, .bytes = map->heap_level };
    map->heap_level_emitted = true;
}

bool psf_is_called(const struct psf_map *map, const struct psf_object *object, const char *name) {
    size_t len;
    const char *text = psf_object_text(&map->objects, object->name, &len);
    return object->name && len == strlen(name) && !memcmp(text, name, len);
}

// Emits the states in the table of entries: those at the start of a recording, or at the end of a memory image.
static void emit_start_state(struct psf_session *session, struct psf_out *out, struct psf_object *object) {
    struct psf_objects *objects = &session->map.objects;
    const struct psf_layout *layout = &session->layout;
    if (object->options & PSF_ENTRY_HEAP && psf_is_called(&session->map, object, "System Heap")) {
        session->map.heap_level = (int64_t)(object->states[0] & INT64_MAX) - session->map.heap_change;
        session->map.heap_level_emitted = false;
        if (session->map.heap_level) psf_emit_heap(&session->map, out);
    }
    if (object->options & PSF_ENTRY_MACHINE && !session->is_image && object->states[0]) {
        uint32_t state = psf_object_as(objects, out, object->states[0], PSF_IS_STATE)->id;
        uint32_t machine = psf_object_as(objects, out, object->address, PSF_IS_MACHINE)->id;
        psf_emit_event(out, TK_EV_MACHINE_STATE)->machine_state = (struct tk_event_machine_state){ machine, state };
    }
    if (object->options & PSF_ENTRY_COUNTER) {
        uint32_t id = psf_object_as(objects, out, object->address, PSF_IS_COUNTER)->id;
        psf_emit_limits(out, id, psf_signed(layout, object->states[1]), psf_signed(layout, object->states[2]));
        if (!session->is_image)
            psf_emit_event(out, TK_EV_VALUE)->value_sample =
                (struct tk_event_value_sample){ id, psf_signed(layout, object->states[0]) };
    }
}

static void emit_static_name(struct psf_out *out, enum tk_event_kind kind, uint32_t id, const char *words) {
    struct tk_event *name = psf_emit_untimed(out, kind);
    tk_event_set_number(name, TK_SLOT_ID, id);
    psf_set_text(out, name, words, strlen(words));
}

static void emit_recording_info(struct psf_session *session, struct psf_out *out) {
    if (session->timer.rate.hz) {
        struct tk_event *event = psf_emit_untimed(out, TK_EV_TICK_LENGTH);
        event->tick_length = (struct tk_event_tick_length){ .ns = 1, .origin = TK_TICK_RECORDED };
    }
    psf_emit_untimed(out, TK_EV_BLOCKING_IS_TRACED);
    emit_static_name(out, TK_EV_TASK_MARKER_NAME, PSF_RUNNABLES, "runnables"); // one track per task for all of them
    emit_static_name(out, TK_EV_HEAP_NAME, PSF_SYSTEM_HEAP, "heap used");
}

TK_COLD void psf_map_reset(struct psf_session *session, struct psf_out *out, uint8_t core) {
    struct psf_context *context = &session->map.contexts[core];
    forget(session, out, core);
    context->task = NULL;
    context->depth = 0;
    session->map.complete = session->map.ticks_known = false;
}

TK_COLD void psf_map_section(struct psf_session *session, struct psf_out *out, uint64_t lost) {
    struct psf_map *map = &session->map;
    if (!map->begun) emit_recording_info(session, out);
    else psf_emit_event(out, TK_EV_SECTION_BEGIN)->section_begin.lost = (int64_t)lost;
    for (uint8_t core = 0; core < PSF_MAX_CORES && map->begun; core++) psf_map_reset(session, out, core);
    map->begun = true;
    // The recorders of other kernels may leave objects out, and a core may use an object that another one creates in
    // the same tick.
    bool is_proven = session->layout.cores == 1 &&
                     (session->header.kernel == PSF_FREERTOS || session->header.kernel == PSF_BARE_METAL);
    map->complete = session->headers && is_proven && !session->is_image && !session->lacks_entries;
    for (uint32_t i = 0; i < map->objects.count; i++)
        if (map->objects.list[i]->listed) emit_start_state(session, out, map->objects.list[i]);
}

// Takes a name from the table. In a memory image it is a name at the end; an object that lives until then has it from
// the start.
static void take_entry_name(struct psf_session *session, struct psf_object *object, const struct psf_entry *entry) {
    struct psf_objects *objects = &session->map.objects;
    uint32_t name = tk_strtab_intern(&objects->names, objects->alloc, entry->symbol, entry->symbol_len);
    if (session->is_image) object->entry_name = name;
    if (!session->is_image || entry->options & PSF_ENTRY_EXTENSION)
        object->name = name; // an extension is kept, because its name decides the meaning of its codes
}

// Returns true if the entry after a restart is another object. Objects with the same or a cut name keep their ids.
static bool is_other(const struct psf_objects *objects, const struct psf_object *object,
                     const struct psf_entry *entry) {
    size_t len;
    const char *name = psf_object_text(objects, object->name, &len);
    return object->name && (entry->symbol_len > len || memcmp(name, entry->symbol, entry->symbol_len));
}

TK_COLD void psf_map_entry(struct psf_session *session, const struct psf_entry *entry) {
    struct psf_objects *objects = &session->map.objects;
    if (entry->options & PSF_ENTRY_IDLE_NAME) {
        objects->idle_name = tk_strtab_intern(&objects->names, objects->alloc, entry->symbol, entry->symbol_len);
        return;
    }
    struct psf_object *object = psf_object_at(objects, entry->address);
    if (object->dead || is_other(objects, object, entry)) psf_object_renew(object);
    if (!object->name && entry->symbol_len) take_entry_name(session, object, entry);
    memcpy(object->states, entry->states, sizeof object->states);
    object->options = entry->options;
    object->listed = true;
    if (entry->options & PSF_ENTRY_EXTENSION) psf_add_extension(session, object, entry->states[1], entry->states[2]);
}

// Examines an event of a memory image in advance. An object that is created or deleted in the image may differ from the
// one in the table. Also sums up the allocations, to find the heap level at the start.
TK_COLD void psf_map_prescan(struct psf_session *session, const struct psf_event *event) {
    enum act act = (enum act)meanings[event->record].act;
    if (act == ACT_CREATE || act == ACT_DELETE || act == ACT_CREATE_TASK || act == ACT_DELETE_TASK)
        psf_object_at(&session->map.objects, psf_param(&session->layout, event, 0))->mortal = true;
    if (act != ACT_HEAP || meanings[event->record].outcome) return;
    int64_t size = (int64_t)(psf_param(&session->layout, event, 1) & UINT32_MAX);
    session->map.heap_change += meanings[event->record].operation == PSF_OP_ALLOCATE ? size : -size;
}

TK_COLD void psf_map_prescan_end(struct psf_session *session) {
    for (uint32_t i = 0; i < session->map.objects.count; i++) {
        struct psf_object *object = session->map.objects.list[i];
        if (!object->mortal) object->name = object->entry_name;
    }
}

TK_COLD static void name_survivor(struct psf_objects *objects, struct psf_out *out, struct psf_object *object) {
    size_t len;
    const char *text = psf_object_text(objects, object->entry_name, &len);
    if (object->entry_name && !object->name && !object->dead) psf_object_name(objects, out, object, text, len);
}

// Names a channel without a name by its address.
TK_COLD static void name_channel(struct psf_objects *objects, struct psf_out *out, const struct psf_object *channel) {
    char room[PSF_NAME + 1];
    struct tk_text text = tk_text_in(room, sizeof room);
    struct tk_event *event = psf_emit_untimed(out, TK_EV_MARKER_NAME);
    event->name.entity = channel->id;
    psf_object_words(objects, channel, &text);
    psf_set_text(out, event, text.text, text.len);
}

// Reports the cores of a recording with a file per core whose file is missing or contains no event.
static void emit_missing_cores(const struct psf_session *session, struct psf_out *out) {
    if (session->header.streams != 2 || session->is_image || !session->events) return;
    for (uint8_t core = 0; core < session->layout.cores; core++)
        if (!session->cores[core].seen) psf_emit_untimed(out, TK_EV_CORE_MISSING)->missing_core.core = core;
}

TK_COLD void psf_map_end(struct psf_session *session, struct psf_out *out) {
    struct psf_objects *objects = &session->map.objects;
    for (uint8_t core = 0; core < PSF_MAX_CORES; core++) forget(session, out, core);
    for (uint32_t i = 0; i < objects->count && session->is_image; i++) name_survivor(objects, out, objects->list[i]);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->list[i]->class == PSF_IS_CHANNEL && !objects->list[i]->name)
            name_channel(objects, out, objects->list[i]);
    emit_missing_cores(session, out);
}

// ---- Life of the mapping -----------------------------------------------------------------------

void psf_map_init(struct psf_map *map, const struct tk_decode_host *host) {
    map->heap_level_emitted = true; // the level is unknown
    const char *log = host->option ? host->option(host->option_ctx, "log") : NULL;
    map->logs = log && !strcmp(log, "on");
    map->symbols = host->symbols; // the symbols may be read later
    psf_objects_init(&map->objects, host->alloc, host->diag);
}

bool psf_map_summary_line(const struct psf_session *session, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    static const char *const kernels[] = {
        [PSF_FREERTOS] = "FreeRTOS", [PSF_ZEPHYR] = "Zephyr", [PSF_THREADX] = "ThreadX", [PSF_BARE_METAL] = "bare metal"
    };
    const struct psf_header *header = &session->header;
    if (!session->headers || index > 1) return false;
    struct tk_text text = tk_text_in(out_text, TK_SUMMARY_LEN);
    if (!index) {
        tk_text_add(&text, "Target: "), tk_text_add(&text, kernels[header->kernel]), tk_text_add(&text, ", "),
            tk_text_u64(&text, 8u * header->word);
        tk_text_add(&text, header->big ? " bit, big-endian, " : " bit, little-endian, "),
            tk_text_u64(&text, header->cores);
        tk_text_add(&text, header->cores == 1 ? " core; stream format " : " cores; stream format "),
            tk_text_u64(&text, header->version);
        tk_text_add(&text, session->is_image ? ", image of a ring in memory" : "");
    } else {
        tk_text_add(&text, "Time stamps: timer of type "), tk_text_u64(&text, session->timer.type),
            tk_text_add(&text, ", ");
        tk_text_u64(&text, session->timer.rate.hz), tk_text_add(&text, " counts per second");
    }
    return true;
}
