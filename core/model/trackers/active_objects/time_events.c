// SPDX-License-Identifier: MIT
//
// Active objects: time events and clock ticks.
#include "active_objects_internal.h"
#include <string.h>

void tk_ao_disarm(struct tk_active_objects *o, struct tk_ao_object *timer) {
    if (timer->armed) tk_timeline_end(o->tl, timer->timer_track, NULL, 0);
    timer->armed = false;
}

static void arm(struct tk_active_objects *o, struct tk_ao_object *timer, const struct tk_event *event,
                const struct tk_details *details) {
    char room[96];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, "armed ");
    tk_text_count(&text, (uint64_t)event->time_event_armed.remaining, "ticks");
    if (event->time_event_armed.interval)
        tk_text_add(&text, ", then every "), tk_text_u64(&text, event->time_event_armed.interval);
    struct tk_label_text name = { tk_names_message(tk_ao_names(o), text.text, text.len), text.text, text.len };
    tk_timeline_begin(o->tl, timer->timer_track, name, details->args, details->count);
    timer->armed = true;
}

void tk_ao_timer(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *timer = tk_ao_find(o, tk_event_id(event));
    struct tk_details details;
    details.count = 0;
    if (!timer) return;
    uint32_t track = tk_ao_track(o, &timer->timer_track, TK_GROUP_TIMERS, TK_TRACK_SLICES, timer->entity, NULL, NULL);
    if (event->kind != TK_EV_TIMER_FIRED) tk_ao_disarm(o, timer);
    if (event->kind == TK_EV_TIMER_DISARMED) return;
    tk_details_values(o->details, &details, event);
    if (event->kind == TK_EV_TIMER_ARMED) arm(o, timer, event, &details);
    else
        tk_timeline_instant(o->tl, track, tk_ao_label(o, event->time_event.signal, TK_LABEL_NAME), details.args,
                            details.count);
}

void tk_ao_tick(struct tk_active_objects *o, const struct tk_event *event) {
    static const char *const titles[] = { "Tick rate 0",  "Tick rate 1",  "Tick rate 2",  "Tick rate 3",
                                          "Tick rate 4",  "Tick rate 5",  "Tick rate 6",  "Tick rate 7",
                                          "Tick rate 8",  "Tick rate 9",  "Tick rate 10", "Tick rate 11",
                                          "Tick rate 12", "Tick rate 13", "Tick rate 14", "Tick rate 15" };
    unsigned rate = event->clock_tick.rate & 15;
    struct tk_ao_scheduler *scheduler = tk_ao_scheduler_of(o, event->core);
    if (!scheduler) return;
    uint32_t track = tk_ao_track(o, &scheduler->tick_tracks[rate], TK_GROUP_SCHEDULER, TK_TRACK_COUNTER,
                                 scheduler->name, titles[rate], "ticks");
    tk_timeline_counter(o->tl, track, event->clock_tick.counter, NULL, 0);
}
