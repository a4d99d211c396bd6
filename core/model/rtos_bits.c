// SPDX-License-Identifier: MIT
//
// Event groups and notifications.
#include "rtos_more_parts.h"

// ---- Event groups ------------------------------------------------------------------------------

static uint32_t group_track(struct tk_rtos_more *more, struct tk_thing *group) {
    return tk_more_thing_track(more, group, TK_GROUP_QUEUES, TK_TRACK_SLICES, NULL, "Event group");
}

static uint32_t index_of(const struct tk_rtos_more *more, const struct tk_thing *thing) { return (uint32_t)(thing - more->things); }

// An instant on the group, and one of who did it; an arrow goes through both ends of a wait.
static void draw_bits(struct tk_rtos_more *more, struct tk_core *core, struct tk_thing *group, enum tk_verb verb, enum tk_result result, uint32_t bits, uint64_t flow) {
    struct tk_details args;
    args.count = 0;
    char room[TK_PHRASE_LEN];
    uint32_t actor = tk_more_actor(core);
    struct tk_label_text name = tk_phrase(&more->phrases, verb, result, TK_NONE, bits, room);
    tk_more_who(more, &args, "by", actor);
    tk_timeline_instant(more->tl, group_track(more, group), name, args.args, args.count);
    name = tk_phrase(&more->phrases, verb, result, group->entity, bits, room);
    if (actor != TK_NONE) tk_more_call(more, core, &(struct tk_call){ .name = name, .flow = flow });
}

TK_MORE_HANDLER(bits) {
    struct tk_thing *group = tk_more_thing(more, TK_CLASS_BITS, event->id);
    uint32_t bits = (uint32_t)event->value;
    if (!group) return;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_BITS_CREATED: tk_more_say(more, core, TK_SAY_CREATE, TK_RESULT_NONE, group->entity, 0); return;
    case TK_EV_BITS_DELETED:
        tk_more_say(more, core, TK_SAY_DELETE, TK_RESULT_NONE, group->entity, 0);
        tk_more_delete_thing(more, group);
        return;
    case TK_EV_BITS_REQUESTED: draw_bits(more, core, group, event->arg ? TK_SAY_ASK_CLEAR_BITS : TK_SAY_ASK_SET_BITS, TK_RESULT_NONE, bits, 0); return;
    case TK_EV_BITS_CLEARED: group->cleared_count++; break;
    default:
        group->set_count++;
        group->flow = ++more->rtos->next_flow;
        group->actor = tk_more_actor(core);
        break;
    }
    tk_rtos_operates_on(core, tk_object_key(TK_OBJECT_BITS, index_of(more, group)));
    bool sets = event->kind == TK_EV_BITS_SET;
    draw_bits(more, core, group, sets ? TK_SAY_SET_BITS : TK_SAY_CLEAR_BITS, TK_RESULT_NONE, bits, sets ? group->flow : 0);
}

TK_MORE_HANDLER(bits_waited) {
    struct tk_thing *group = tk_more_thing(more, TK_CLASS_BITS, event->id);
    if (!group) return;
    bool timed_out = event->arg & TK_BITS_TIMED_OUT;
    group->waited_count++;
    group->timed_out += timed_out;
    if (!timed_out && group->flow) tk_more_talk(more, group->actor, group->entity, tk_more_actor(core));
    tk_rtos_operates_on(core, tk_object_key(TK_OBJECT_BITS, index_of(more, group)));
    draw_bits(more, core, group, event->arg & TK_BITS_SYNC ? TK_SAY_SYNC_ON_BITS : TK_SAY_WAIT_FOR_BITS, timed_out ? TK_RESULT_TIMED_OUT : TK_RESULT_DONE, (uint32_t)event->value, timed_out ? 0 : group->flow);
}

// The running task will wait for what a phrase says.
static void announce(struct tk_rtos_more *more, const struct tk_core *core, enum tk_verb verb, uint32_t entity, uint32_t number, uint32_t object, uint32_t timeout, enum tk_timeout is) {
    char room[TK_PHRASE_LEN];
    if (core->depth || tk_rtos_is_shared(core->task)) return;
    struct tk_task *task = &more->rtos->tasks[core->task];
    if (task->leave == TK_LEAVE_DELETE) return;
    task->leave_name = tk_phrase(&more->phrases, verb, TK_RESULT_NONE, entity, number, room).id;
    task->leave_id = tk_phrase_index(&more->phrases, verb, TK_RESULT_NONE, entity, number);
    task->leave = TK_LEAVE_NAMED;
    task->leave_object = object;
    task->leave_arg = timeout;
    task->timeout = (uint8_t)is;
}

TK_MORE_HANDLER(block_on_bits) {
    const struct tk_thing *group = tk_more_thing(more, TK_CLASS_BITS, event->id);
    if (!group) return;
    uint32_t object = tk_object_key(TK_OBJECT_BITS, index_of(more, group));
    announce(more, core, event->arg ? TK_SAY_SYNC_ON_BITS : TK_SAY_WAIT_FOR_BITS, group->entity, (uint32_t)event->value, object, 0, TK_TIMEOUT_UNKNOWN);
}

// ---- Notifications -----------------------------------------------------------------------------

TK_MORE_HANDLER(block_on_notification) {
    uint32_t object = core->task == TK_NONE ? 0 : tk_object_key(TK_OBJECT_TASK, core->task);
    announce(more, core, TK_SAY_WAIT_FOR_NOTIFICATION, TK_NONE, 0, object, event->arg, (enum tk_timeout)event->value);
}

// Buffers are made of notifications: one for a task that waits for a buffer is the buffer's own.
static bool is_of_buffer(const struct tk_rtos_more *more, const struct tk_task *task) {
    bool waits_for_queue = task->leave == TK_LEAVE_RECEIVE || task->leave == TK_LEAVE_SEND;
    return waits_for_queue && tk_queue_is_buffer(&more->rtos->queues[task->leave_id]);
}

bool tk_more_is_part_of_buffer(const struct tk_rtos_more *more, const struct tk_event *event, const struct tk_core *core) {
    bool notification = event->kind == TK_EV_BLOCK_ON_NOTIFICATION || event->kind == TK_EV_NOTIFICATION_TAKEN || event->kind == TK_EV_NOTIFICATION_MISSED;
    if (!notification || core->depth || tk_rtos_is_shared(core->task)) return false;
    const struct tk_task *task = &more->rtos->tasks[core->task];
    uint32_t queue = tk_object_index(task->waits_for);
    return is_of_buffer(more, task) || (task->waits_for >> 28 == TK_OBJECT_QUEUE && tk_queue_is_buffer(&more->rtos->queues[queue]));
}

TK_MORE_HANDLER(notified) {
    uint32_t index = tk_rtos_find_task(more->rtos, event->id);
    struct tk_task_more *own = tk_more_task(more, index);
    char room[TK_PHRASE_LEN];
    if (!own) return;
    tk_rtos_operates_on(core, tk_object_key(TK_OBJECT_TASK, index));
    if (is_of_buffer(more, &more->rtos->tasks[index])) return;
    own->notified = ++more->rtos->next_flow;
    own->notified_by = tk_more_actor(core);
    if (own->notified_by == TK_NONE) return;
    struct tk_label_text name = tk_phrase(&more->phrases, TK_SAY_NOTIFY, TK_RESULT_NONE, more->rtos->tasks[index].entity, 0, room);
    tk_more_call(more, core, &(struct tk_call){ .name = name, .flow = own->notified });
}

TK_MORE_HANDLER(notification_taken) {
    struct tk_task_more *own = core->task == TK_NONE ? NULL : tk_more_task(more, core->task);
    char room[TK_PHRASE_LEN];
    bool taken = event->kind == TK_EV_NOTIFICATION_TAKEN;
    if (!own) return;
    struct tk_label_text name = tk_phrase(&more->phrases, taken ? TK_SAY_TAKE_NOTIFICATION : TK_SAY_NO_NOTIFICATION, TK_RESULT_NONE, TK_NONE, 0, room);
    if (taken && own->notified) tk_more_talk(more, own->notified_by, more->rtos->tasks[core->task].entity, core->task);
    tk_more_call(more, core, &(struct tk_call){ .name = name, .flow = taken ? own->notified : 0 });
    if (taken) own->notified = 0;
}
