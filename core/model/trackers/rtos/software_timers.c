// SPDX-License-Identifier: MIT
//
// Software timers.
#include "kernel_services_internal.h"
#include <string.h>

static uint32_t timer_track(struct tk_kernel_services *services, struct tk_kernel_object *timer) {
    return tk_services_object_track(services, timer, TK_GROUP_SOFT_TIMERS, TK_TRACK_SLICES, NULL, "Software timer");
}

static size_t armed_words(int64_t ticks, char out_text[48]) {
    size_t len = tk_append_text(out_text, 0, "armed");
    if (ticks <= 0) return len;
    len = tk_append_number(out_text, tk_append_text(out_text, len, " "), (uint64_t)ticks);
    return tk_append_text(out_text, len, ticks == 1 ? " tick" : " ticks");
}

static struct tk_label_text armed_name(struct tk_kernel_services *services, const struct tk_kernel_object *timer,
                                       char room[48]) {
    size_t len = armed_words(timer->level, room);
    return (struct tk_label_text){ tk_names_message(tk_services_names(services), room, len), room, (uint32_t)len };
}

static void arm(struct tk_kernel_services *services, struct tk_kernel_object *timer) {
    char room[48];
    tk_timeline_begin(services->tl, timer_track(services, timer), armed_name(services, timer, room), NULL, 0);
    timer->armed = true;
    timer->since = services->tl->now;
    timer->loss = services->tl->losses[0];
}

static void disarm(struct tk_kernel_services *services, struct tk_kernel_object *timer) {
    if (timer->armed) tk_timeline_end(services->tl, timer->track, NULL, 0);
    timer->armed = false;
}

// It expired twice without having been started in between: it loads itself again. The slice is drawn late, once.
static void reload(struct tk_kernel_services *services, struct tk_kernel_object *timer) {
    char room[48];
    if (timer->reloads || !timer->since || timer->loss != services->tl->losses[0]) return;
    struct tk_label_text name = armed_name(services, timer, room);
    struct tk_track_event begin = { .ticks = timer->since,
                                    .track = timer->track,
                                    .type = TK_EVENT_BEGIN,
                                    .when = TK_LATE,
                                    .name = name.id,
                                    .string = name.id ? NULL : name.text,
                                    .string_len = name.len };
    struct tk_track_event end = { .track = timer->track, .type = TK_EVENT_END };
    tk_timeline_event(services->tl, &begin);
    tk_timeline_event(services->tl, &end);
    timer->reloads = true;
}

static void expire(struct tk_kernel_services *services, struct tk_kernel_object *timer, const struct tk_event *event) {
    struct tk_details args;
    args.count = 0;
    uint32_t track = timer_track(services, timer);
    bool was_armed = timer->armed;
    if (was_armed) disarm(services, timer);
    else reload(services, timer);
    timer->expired++;
    if (event->address) tk_services_add_address_arg(services, &args, "callback", event->address);
    tk_timeline_instant(services->tl, track, tk_services_fixed_name(services, TK_FIXED_NAME_EXPIRED), args.args,
                        args.count);
    timer->since = services->tl->now;
    timer->loss = services->tl->losses[0];
    if (timer->reloads) arm(services, timer);
}

// Starting, resetting and another period are one to the timeline; the call says which.
static void start(struct tk_kernel_services *services, struct tk_kernel_object *timer, const struct tk_event *event,
                  struct tk_core *core) {
    static const uint8_t verbs[] = { [TK_TIMER_START] = TK_VERB_START,
                                     [TK_TIMER_RESET] = TK_VERB_RESET,
                                     [TK_TIMER_CHANGE_PERIOD] = TK_VERB_CHANGE_PERIOD };
    if (event->arg >= sizeof verbs) return;
    disarm(services, timer);
    timer->level = event->value;
    arm(services, timer);
    tk_services_emit_verb(services, core, (enum tk_verb)verbs[event->arg], TK_RESULT_NONE, timer->entity, 0);
}

TK_SERVICES_HANDLER(timer) {
    struct tk_kernel_object *timer = tk_services_object(services, TK_CLASS_TIMER, event->id);
    if (!timer) return;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TIMER_CREATED:
        timer->level = event->value;
        if (event->timed) tk_services_emit_verb(services, core, TK_VERB_CREATE, TK_RESULT_NONE, timer->entity, 0);
        break;
    case TK_EV_TIMER_STARTED: start(services, timer, event, core); break;
    case TK_EV_TIMER_EXPIRED: expire(services, timer, event); break;
    case TK_EV_TIMER_STOPPED:
        disarm(services, timer);
        timer->since = 0;
        tk_timeline_instant(services->tl, timer_track(services, timer),
                            tk_services_fixed_name(services, TK_FIXED_NAME_STOPPED), NULL, 0);
        tk_services_emit_verb(services, core, TK_VERB_STOP, TK_RESULT_NONE, timer->entity, 0);
        break;
    default:
        disarm(services, timer);
        tk_services_emit_verb(services, core, TK_VERB_DELETE, TK_RESULT_NONE, timer->entity, 0);
        tk_services_delete_object(services, timer);
        break;
    }
}
