// SPDX-License-Identifier: MIT
//
// Event groups and notifications.
#include "kernel_services_internal.h"

// ---- Event groups ------------------------------------------------------------------------------

static uint32_t group_track(struct tk_kernel_services *services, struct tk_kernel_object *group) {
    return tk_services_object_track(services, group, TK_GROUP_QUEUES, TK_TRACK_SLICES, NULL, "Event group");
}

static uint32_t index_of(const struct tk_kernel_services *services, const struct tk_kernel_object *object) {
    return (uint32_t)(object - services->objects);
}

// An instant on the group, and one of who did it; an arrow goes through both ends of a wait.
static void draw_bits(struct tk_kernel_services *services, struct tk_core *core, struct tk_kernel_object *group,
                      enum tk_verb verb, enum tk_result result, uint32_t bits, uint64_t flow) {
    struct tk_details args;
    args.count = 0;
    char room[TK_NAME_TEMPLATE_LEN];
    uint32_t actor = tk_services_actor(core);
    struct tk_label_text name = tk_name_template(&services->name_templates, verb, result, TK_NONE, bits, room);
    tk_services_add_actor_arg(services, &args, "by", actor);
    tk_timeline_instant(services->tl, group_track(services, group), name, args.args, args.count);
    name = tk_name_template(&services->name_templates, verb, result, group->entity, bits, room);
    if (actor != TK_NONE) tk_services_emit_call(services, core, &(struct tk_call){ .name = name, .flow = flow });
}

TK_SERVICES_HANDLER(bits) {
    struct tk_kernel_object *group = tk_services_object(services, TK_CLASS_EVENT_GROUP, event->id);
    uint32_t bits = (uint32_t)event->value;
    if (!group) return;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_EVENT_GROUP_CREATED:
        tk_services_emit_verb(services, core, TK_VERB_CREATE, TK_RESULT_NONE, group->entity, 0);
        return;
    case TK_EV_EVENT_GROUP_DELETED:
        tk_services_emit_verb(services, core, TK_VERB_DELETE, TK_RESULT_NONE, group->entity, 0);
        tk_services_delete_object(services, group);
        return;
    case TK_EV_EVENT_GROUP_DEFERRED:
        draw_bits(services, core, group, event->arg ? TK_VERB_ASK_CLEAR_BITS : TK_VERB_ASK_SET_BITS, TK_RESULT_NONE,
                  bits, 0);
        return;
    case TK_EV_EVENT_GROUP_CLEARED: group->cleared_count++; break;
    default:
        group->set_count++;
        group->flow = ++services->rtos->next_flow;
        group->actor = tk_services_actor(core);
        break;
    }
    tk_rtos_set_last_target(core, tk_wait_target_key(TK_WAIT_TARGET_EVENT_GROUP, index_of(services, group)));
    bool sets = event->kind == TK_EV_EVENT_GROUP_SET;
    draw_bits(services, core, group, sets ? TK_VERB_SET_BITS : TK_VERB_CLEAR_BITS, TK_RESULT_NONE, bits,
              sets ? group->flow : 0);
}

TK_SERVICES_HANDLER(event_group_waited) {
    struct tk_kernel_object *group = tk_services_object(services, TK_CLASS_EVENT_GROUP, event->id);
    if (!group) return;
    bool timed_out = event->arg & TK_EVENT_GROUP_TIMED_OUT;
    group->waited_count++;
    group->timed_out += timed_out;
    if (!timed_out && group->flow)
        tk_services_count_communication(services, group->actor, group->entity, tk_services_actor(core));
    tk_rtos_set_last_target(core, tk_wait_target_key(TK_WAIT_TARGET_EVENT_GROUP, index_of(services, group)));
    draw_bits(services, core, group, event->arg & TK_EVENT_GROUP_SYNC ? TK_VERB_SYNC_ON_BITS : TK_VERB_WAIT_FOR_BITS,
              timed_out ? TK_RESULT_TIMED_OUT : TK_RESULT_DONE, (uint32_t)event->value, timed_out ? 0 : group->flow);
}
