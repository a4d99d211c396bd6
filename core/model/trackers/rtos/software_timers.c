// SPDX-License-Identifier: MIT
//
// Software timers of the kernel.
#include "rtos_internal.h"

static uint32_t timer_track(struct tk_rtos *rtos, struct tk_kernel_object *object) {
    return tk_rtos_object_track(rtos, object, TK_GROUP_SOFT_TIMERS, TK_TRACK_SLICES, NULL, "Software timer");
}

// Returns the name "armed 10 ticks".
static struct tk_label_text armed_name(struct tk_rtos *rtos, const struct tk_soft_timer *timer, char room[48]) {
    struct tk_text text = tk_text_in(room, 48);
    tk_text_add(&text, "armed");
    if (timer->period > 0) tk_text_add(&text, " "), tk_text_count(&text, (uint64_t)timer->period, "ticks");
    return (struct tk_label_text){ tk_names_message(tk_rtos_names(rtos), text.text, text.len), text.text, text.len };
}

static void arm(struct tk_rtos *rtos, struct tk_kernel_object *object) {
    char room[48];
    struct tk_label_text name = armed_name(rtos, &object->timer, room);
    tk_timeline_begin(rtos->tl, timer_track(rtos, object), name, NULL, 0);
    object->timer.is_armed = true;
    object->timer.since = rtos->tl->now;
    object->timer.loss = rtos->tl->losses[0];
}

static void disarm(struct tk_rtos *rtos, struct tk_kernel_object *object) {
    if (object->timer.is_armed) tk_timeline_end(rtos->tl, object->track, NULL, 0);
    object->timer.is_armed = false;
}

// Handles a timer that expired twice without a start in between: it reloads automatically. Draws the slice before,
// once.
static void detect_reload(struct tk_rtos *rtos, struct tk_kernel_object *object) {
    struct tk_soft_timer *timer = &object->timer;
    char room[48];
    if (timer->auto_reloads || !timer->since || timer->loss != rtos->tl->losses[0]) return;
    struct tk_label_text name = armed_name(rtos, timer, room);
    struct tk_track_event begin = { .ticks = timer->since,
                                    .track = object->track,
                                    .type = TK_EVENT_BEGIN,
                                    .when = TK_LATE,
                                    .name = name.id,
                                    .string = name.id ? NULL : name.text,
                                    .string_len = name.len };
    struct tk_track_event end = { .track = object->track, .type = TK_EVENT_END };
    tk_timeline_event(rtos->tl, &begin);
    tk_timeline_event(rtos->tl, &end);
    timer->auto_reloads = true;
}

static void expire(struct tk_rtos *rtos, struct tk_kernel_object *object, const struct tk_event *event) {
    struct tk_soft_timer *timer = &object->timer;
    struct tk_details args;
    args.count = 0;
    uint32_t track = timer_track(rtos, object);
    if (timer->is_armed) disarm(rtos, object);
    else detect_reload(rtos, object);
    timer->expired++;
    if (event->timer_expired.callback) tk_rtos_add_address_arg(rtos, &args, "callback", event->timer_expired.callback);
    tk_timeline_instant(rtos->tl, track, tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_EXPIRED)), args.args,
                        args.count);
    timer->since = rtos->tl->now;
    timer->loss = rtos->tl->losses[0];
    if (timer->auto_reloads) arm(rtos, object);
}

// Starts a timer. A start, a reset and a change of the period look the same on the track; the call shows the
// difference.
static void start(struct tk_rtos *rtos, struct tk_kernel_object *object, const struct tk_event *event,
                  const struct tk_core *core) {
    static const uint8_t calls[] = { [TK_TIMER_START] = TK_LABEL_CALL_START,
                                     [TK_TIMER_RESET] = TK_LABEL_CALL_RESET,
                                     [TK_TIMER_CHANGE_PERIOD] = TK_LABEL_CALL_CHANGE_PERIOD };
    if (event->timer_started.call >= sizeof calls) return;
    disarm(rtos, object);
    object->timer.period = event->timer_started.period;
    arm(rtos, object);
    tk_rtos_draw_plain_call(rtos, core, tk_rtos_actor(core, event), (enum tk_label)calls[event->timer_started.call],
                            object->entity);
}

void tk_rtos_on_timer(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_TIMER, tk_event_id(event));
    struct tk_actor actor = tk_rtos_actor(core, event);
    if (!object) return;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TIMER_CREATED:
        object->timer.period = event->timer_created.period;
        if (event->timed) tk_rtos_draw_plain_call(rtos, core, actor, TK_LABEL_CALL_CREATE, object->entity);
        break;
    case TK_EV_TIMER_STARTED: start(rtos, object, event, core); break;
    case TK_EV_TIMER_EXPIRED: expire(rtos, object, event); break;
    case TK_EV_TIMER_STOPPED: {
        disarm(rtos, object);
        struct tk_label_text name = tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_STOPPED));
        object->timer.since = 0;
        tk_timeline_instant(rtos->tl, timer_track(rtos, object), name, NULL, 0);
        tk_rtos_draw_plain_call(rtos, core, actor, TK_LABEL_CALL_STOP, object->entity);
        break;
    }
    default:
        disarm(rtos, object);
        tk_rtos_draw_plain_call(rtos, core, actor, TK_LABEL_CALL_DELETE, object->entity);
        tk_rtos_delete_object(rtos, object);
        break;
    }
}
