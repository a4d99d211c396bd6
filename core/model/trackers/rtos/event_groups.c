// SPDX-License-Identifier: MIT
//
// Event groups: bits that are set, cleared and waited for.
#include "rtos_internal.h"

// Draws an instant on the track of the group, and a call of the actor. flow: from the setter to the waiting tasks; 0:
// none.
static void draw_bits(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor,
                      struct tk_kernel_object *group, struct tk_label_parts label, uint64_t flow) {
    struct tk_details args;
    args.count = 0;
    char room[TK_LABEL_LEN];
    label.entity = TK_NONE;
    struct tk_label_text name = tk_label_of(tk_rtos_names(rtos), &label, room);
    tk_rtos_add_actor_arg(rtos, &args, "by", actor);
    uint32_t track = tk_rtos_object_track(rtos, group, TK_GROUP_QUEUES, TK_TRACK_SLICES, NULL, "Event group");
    tk_timeline_instant(rtos->tl, track, name, args.args, args.count);
    label.entity = group->entity;
    name = tk_label_of(tk_rtos_names(rtos), &label, room);
    if (actor.kind != TK_ACTOR_UNKNOWN)
        tk_rtos_draw_call(rtos, core, actor, &(struct tk_call){ .name = name, .flow = flow });
}

void tk_rtos_on_event_group(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_EVENT_GROUP, tk_event_id(event));
    struct tk_actor actor = tk_rtos_actor(core, event);
    if (!object) return;
    struct tk_event_group *group = &object->group;
    uint32_t target = tk_wait_target_key(TK_WAIT_TARGET_EVENT_GROUP, tk_rtos_object_index(rtos, object));
    if (event->kind == TK_EV_EVENT_GROUP_CREATED) {
        tk_rtos_draw_plain_call(rtos, core, actor, TK_LABEL_CALL_CREATE, object->entity);
        return;
    }
    if (event->kind == TK_EV_EVENT_GROUP_DELETED) {
        tk_rtos_draw_plain_call(rtos, core, actor, TK_LABEL_CALL_DELETE, object->entity);
        tk_rtos_delete_object(rtos, object);
        return;
    }
    struct tk_label_parts label = { .number = (uint32_t)event->event_group_change.bits };
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_EVENT_GROUP_DEFERRED: // by an interrupt; the timer task will do it
        if (!core->depth) tk_rtos_set_last_target(core, event, target);
        label.label =
            event->event_group_change.clears ? TK_LABEL_CALL_ASK_TO_CLEAR_BITS : TK_LABEL_CALL_ASK_TO_SET_BITS;
        draw_bits(rtos, core, actor, object, label, 0);
        return;
    case TK_EV_EVENT_GROUP_CLEARED:
        group->cleared_count++;
        tk_rtos_set_last_target(core, event, target);
        label.label = TK_LABEL_CALL_CLEAR_BITS;
        draw_bits(rtos, core, actor, object, label, 0);
        return;
    default:
        group->set_count++;
        group->flow = ++rtos->next_flow;
        rtos->has_open_flows = true;
        group->setter = tk_rtos_certain_actor(rtos, core, actor);
        group->set_at = rtos->tl->now;
        tk_rtos_set_last_target(core, event, target);
        label.label = TK_LABEL_CALL_SET_BITS;
        draw_bits(rtos, core, actor, object, label, group->flow);
    }
}

void tk_rtos_on_event_group_waited(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_EVENT_GROUP, event->event_group_wait.group);
    struct tk_actor actor = tk_rtos_actor(core, event);
    bool timed_out = event->event_group_wait.how & TK_EVENT_GROUP_TIMED_OUT;
    if (!object) return;
    struct tk_event_group *group = &object->group;
    struct tk_label_parts label = {
        .label = event->event_group_wait.how & TK_EVENT_GROUP_SYNC ? TK_LABEL_CALL_SYNC_ON_BITS
                                                                   : TK_LABEL_CALL_WAIT_FOR_BITS,
        .result = timed_out ? TK_RESULT_TIMED_OUT : TK_RESULT_DONE,
        .number = (uint32_t)event->event_group_wait.bits,
    };
    group->waited_count++;
    group->timed_out += timed_out;
    if (!timed_out && group->flow)
        tk_rtos_tell_received(rtos, group->setter, TK_NONE, object->entity, tk_rtos_certain_actor(rtos, core, actor),
                              &group->set_at);
    tk_rtos_set_last_target(core, event,
                            tk_wait_target_key(TK_WAIT_TARGET_EVENT_GROUP, tk_rtos_object_index(rtos, object)));
    draw_bits(rtos, core, actor, object, label, timed_out ? 0 : group->flow);
    if (!(event->event_group_wait.how & TK_EVENT_GROUP_CLEARED_ON_EXIT)) return;
    group->cleared_count++;
    label.label = TK_LABEL_CALL_CLEAR_BITS;
    label.result = TK_RESULT_NONE;
    draw_bits(rtos, core, actor, object, label, 0);
}
