// SPDX-License-Identifier: MIT
//
// Kernel objects: queues, semaphores, mutexes, buffers, event groups, notifications, software timers.
#include "mapping.h"

static uint32_t timeout_of(const struct psf_mapping *m, unsigned index) { return psf_u32_of(psf_arg(m, index)); }

// ---- Creation and deletion ---------------------------------------------------------------------

static enum tk_queue_kind kind_of(const struct psf_mapping *m) {
    switch ((enum psf_operation)m->operation) {
    case PSF_OP_BINARY: return TK_QUEUE_BINARY_SEMAPHORE;
    case PSF_OP_COUNTING: return TK_QUEUE_COUNTING_SEMAPHORE;
    case PSF_OP_RECURSIVE: return TK_QUEUE_RECURSIVE_MUTEX;
    default: return psf_queue_kind((enum psf_class)m->class);
    }
}

static void set_kind(const struct psf_mapping *m, struct psf_object *object, enum tk_queue_kind kind) {
    if (object->kind == kind) return;
    object->kind = (uint8_t)kind;
    psf_emit(m, TK_EV_QUEUE_KIND)->queue_kind = (struct tk_event_queue_kind){ object->id, kind };
}

static void create_queue(const struct psf_mapping *m, struct psf_object *object) {
    uint32_t capacity = psf_u32_of(psf_arg(m, 1));
    set_kind(m, object, kind_of(m));
    psf_emit(m, TK_EV_QUEUE_CREATED)->queue.queue = object->id;
    if (m->operation != PSF_OP_BINARY && m->class != PSF_IS_MUTEX && capacity)
        psf_emit(m, TK_EV_QUEUE_CAPACITY)->queue_capacity = (struct tk_event_queue_capacity){ object->id, capacity };
    object->fresh = m->class == PSF_IS_MUTEX;
}

void psf_on_create(const struct psf_mapping *m) {
    struct psf_object *object = psf_subject(m);
    object->states[0] = psf_arg(m, 1);
    if (m->class == PSF_IS_TIMER)
        psf_emit(m, TK_EV_TIMER_CREATED)->timer_created =
            (struct tk_event_timer_created){ object->id, (int64_t)(psf_arg(m, 1) & INT64_MAX) };
    else if (m->class == PSF_IS_GROUP) psf_emit(m, TK_EV_EVENT_GROUP_CREATED)->event_group.group = object->id;
    else create_queue(m, object);
}

void psf_on_create_refused(const struct psf_mapping *m) {
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    tk_text_add(&text, m->class == PSF_IS_GROUP ? "create an " : "create a ");
    tk_text_add(&text, psf_class_words((enum psf_class)m->class));
    tk_text_add(&text, ": failed");
    psf_emit_failure(m, &text, NULL);
}

void psf_on_delete(const struct psf_mapping *m) {
    struct psf_object *object = psf_subject(m);
    if (m->class == PSF_IS_TIMER) psf_emit(m, TK_EV_TIMER_DELETED)->timer.timer = object->id;
    else if (m->class == PSF_IS_GROUP) psf_emit(m, TK_EV_EVENT_GROUP_DELETED)->event_group.group = object->id;
    else psf_emit(m, TK_EV_QUEUE_DELETED)->queue.queue = object->id;
    object->dead = true;
}

// ---- Queues, semaphores, mutexes, buffers ------------------------------------------------------

static bool is_buffer(const struct psf_mapping *m) { return m->class == PSF_IS_STREAM || m->class == PSF_IS_MESSAGE; }

// Returns the length, the last parameter, if the event has one after the object and the timeout.
static uint32_t length_of(const struct psf_mapping *m) {
    if (m->class == PSF_IS_MUTEX) return m->operation == PSF_OP_SEND && !(m->outcome & PSF_FAILED);
    return psf_args(m) >= 2 ? psf_u32_of(psf_arg(m, psf_args(m) - 1)) : 0;
}

// Remembers the buffer of an operation. Its wait ends with a notification, but the task waits for the buffer.
static void remember_buffer(const struct psf_mapping *m, struct psf_object *buffer) {
    struct psf_object *task = m->context->task;
    if (!task) return;
    bool blocks = m->outcome & PSF_BLOCK;
    if (blocks) task->operation = m->operation;
    if (blocks || task->related == buffer) task->related = blocks ? buffer : NULL;
}

static void block(const struct psf_mapping *m, const struct psf_object *object, unsigned operation,
                  enum tk_timeout timeout, uint32_t ticks) {
    enum tk_event_kind kind = operation == PSF_OP_RECEIVE ? TK_EV_BLOCK_ON_RECEIVE
                              : operation == PSF_OP_PEEK  ? TK_EV_BLOCK_ON_PEEK
                                                          : TK_EV_BLOCK_ON_SEND;
    psf_emit(m, kind)->queue_wait = (struct tk_event_queue_wait){ object->id, ticks, timeout };
}

static void on_block(const struct psf_mapping *m, const struct psf_object *object) {
    bool sends = m->operation == PSF_OP_SEND || m->operation == PSF_OP_SEND_FIRST;
    if (is_buffer(m)) return;
    if (m->class != PSF_IS_MUTEX)
        psf_emit(m, TK_EV_QUEUE_LENGTH)->queue_operation =
            (struct tk_event_queue_operation){ object->id, length_of(m) };
    block(m, object, m->operation, sends ? TK_TIMEOUT_UNKNOWN : TK_TIMEOUT_TICKS, sends ? 0 : timeout_of(m, 1));
}

static void on_refused(const struct psf_mapping *m, const struct psf_object *object) {
    static const uint8_t operations[] = { [PSF_OP_SEND] = TK_OPERATION_SEND,
                                          [PSF_OP_SEND_FIRST] = TK_OPERATION_SEND_FIRST,
                                          [PSF_OP_RECEIVE] = TK_OPERATION_RECEIVE,
                                          [PSF_OP_PEEK] = TK_OPERATION_PEEK,
                                          [PSF_OP_RESET] = TK_OPERATION_RESET };
    enum tk_event_kind kind = m->outcome & PSF_FROM_ISR ? TK_EV_QUEUE_FAILED_FROM_ISR : TK_EV_QUEUE_FAILED;
    bool has_length = psf_args(m) >= 2 && m->class != PSF_IS_MUTEX;
    psf_emit(m, kind)->queue_failed =
        (struct tk_event_queue_failed){ object->id, has_length ? length_of(m) : UINT32_MAX, operations[m->operation] };
}

static void on_done(const struct psf_mapping *m, const struct psf_object *object) {
    static const struct {
        uint8_t task, isr;
    } kinds[] = { [PSF_OP_SEND] = { TK_EV_QUEUE_SEND, TK_EV_QUEUE_SEND_FROM_ISR },
                  [PSF_OP_SEND_FIRST] = { TK_EV_QUEUE_SEND_TO_FRONT, TK_EV_QUEUE_SEND_TO_FRONT_FROM_ISR },
                  [PSF_OP_RECEIVE] = { TK_EV_QUEUE_RECEIVE, TK_EV_QUEUE_RECEIVE_FROM_ISR },
                  [PSF_OP_PEEK] = { TK_EV_QUEUE_PEEKED, TK_EV_QUEUE_PEEKED_FROM_ISR },
                  [PSF_OP_RESET] = { TK_EV_QUEUE_RESET, TK_EV_QUEUE_RESET } };
    uint8_t kind = m->outcome & PSF_FROM_ISR ? kinds[m->operation].isr : kinds[m->operation].task;
    psf_emit(m, (enum tk_event_kind)kind)->queue_operation =
        (struct tk_event_queue_operation){ object->id, length_of(m) };
}

// Detects the timer task: the task that receives from the queue with this name.
static void check_timer_queue(const struct psf_mapping *m, struct psf_object *queue) {
    size_t len;
    const char *name = psf_object_text(&m->map->objects, queue->name, &len);
    struct psf_object *task = m->context->task;
    if (m->map->timer_task == task || !task || m->context->depth || m->operation != PSF_OP_RECEIVE || len != 4 ||
        memcmp(name, "TmrQ", 4))
        return;
    m->map->timer_queue = queue;
    m->map->timer_task = task;
    psf_emit(m, TK_EV_TASK_IS_TIMER)->task.task = task->id;
}

void psf_on_queue(const struct psf_mapping *m) {
    struct psf_object *object = psf_subject(m);
    bool is_first_give = object->fresh && m->operation == PSF_OP_SEND;
    if (m->outcome & PSF_IS_RECURSIVE) set_kind(m, object, TK_QUEUE_RECURSIVE_MUTEX);
    if (is_buffer(m)) remember_buffer(m, object);
    if (m->class == PSF_IS_QUEUE) check_timer_queue(m, object);
    object->fresh = false;
    if (is_first_give) return; // the first give is part of the creation
    if (m->outcome & PSF_BLOCK) on_block(m, object);
    else if (m->outcome & PSF_FAILED) on_refused(m, object);
    else on_done(m, object);
}

// ---- Event groups ------------------------------------------------------------------------------

void psf_on_event_group(const struct psf_mapping *m) {
    const struct psf_object *group = psf_subject(m);
    bool syncs = m->operation == PSF_OP_SYNC, changes = m->operation == PSF_OP_SET || m->operation == PSF_OP_CLEAR,
         clears = m->operation == PSF_OP_CLEAR;
    bool deferred = m->outcome & PSF_FROM_ISR, blocks = m->outcome & PSF_BLOCK;
    int64_t bits = (int64_t)psf_arg(m, 1);
    if (changes) {
        enum tk_event_kind kind = deferred ? TK_EV_EVENT_GROUP_DEFERRED
                                  : clears ? TK_EV_EVENT_GROUP_CLEARED
                                           : TK_EV_EVENT_GROUP_SET;
        psf_emit(m, kind)->event_group_change =
            (struct tk_event_event_group_change){ group->id, deferred && clears, bits };
        return;
    }
    uint32_t how = syncs ? TK_EVENT_GROUP_SYNC : 0;
    if (!blocks && m->outcome & PSF_FAILED) how |= TK_EVENT_GROUP_TIMED_OUT;
    psf_emit(m, blocks ? TK_EV_BLOCK_ON_EVENT_GROUP : TK_EV_EVENT_GROUP_WAITED)->event_group_wait =
        (struct tk_event_event_group_wait){ group->id, how, bits };
}

// ---- Notifications -----------------------------------------------------------------------------

void psf_on_notify(const struct psf_mapping *m) {
    uint32_t task = psf_subject(m)->id; // may emit its name first
    psf_emit(m, TK_EV_NOTIFIED)->task.task = task;
}

void psf_on_notify_wait(const struct psf_mapping *m) {
    const struct psf_object *task = psf_subject(m);
    bool blocks = m->outcome & PSF_BLOCK;
    if (task->related && blocks) block(m, task->related, task->operation, TK_TIMEOUT_TICKS, timeout_of(m, 1));
    else if (blocks) psf_emit(m, TK_EV_BLOCK_ON_NOTIFICATION)->notification_wait.timeout = timeout_of(m, 1);
    else if (!task->related)
        psf_emit(m, m->outcome & PSF_FAILED ? TK_EV_NOTIFICATION_MISSED : TK_EV_NOTIFICATION_TAKEN);
}

// ---- Software timers ---------------------------------------------------------------------------

static void timer_refused(const struct psf_mapping *m, const struct psf_object *timer) {
    static const char *const words[] = { "start ", "reset ", "stop ", "change the period of ", "delete " };
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    tk_text_add(&text, words[m->operation - PSF_OP_TIMER_START]);
    psf_put_object(m, &text, timer);
    tk_text_add(&text, ": refused");
    psf_emit_failure(m, &text, NULL);
}

void psf_on_timer(const struct psf_mapping *m) {
    static const uint8_t calls[] = { TK_TIMER_START, TK_TIMER_RESET, 0, TK_TIMER_CHANGE_PERIOD };
    struct psf_object *timer = psf_subject(m);
    if (m->outcome & PSF_FAILED) {
        timer_refused(m, timer);
        return;
    }
    if (m->operation == PSF_OP_TIMER_PERIOD) timer->states[0] = psf_arg(m, 1);
    if (m->operation == PSF_OP_TIMER_STOP) psf_emit(m, TK_EV_TIMER_STOPPED)->timer.timer = timer->id;
    else
        psf_emit(m, TK_EV_TIMER_STARTED)->timer_started =
            (struct tk_event_timer_started){ timer->id, calls[m->operation - PSF_OP_TIMER_START],
                                             (int64_t)(timer->states[0] & INT64_MAX) };
}

void psf_on_timer_expired(const struct psf_mapping *m) {
    const struct psf_object *timer = psf_subject(m);
    struct psf_object *task = m->context->task;
    psf_emit(m, TK_EV_TIMER_EXPIRED)->timer_expired = (struct tk_event_timer_expired){ timer->id, psf_arg(m, 1) };
    if (!task || m->map->timer_task == task) return;
    m->map->timer_task = task;
    psf_emit(m, TK_EV_TASK_IS_TIMER)->task.task = task->id;
}
