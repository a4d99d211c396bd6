// SPDX-License-Identifier: MIT
//
// Software timers, state machines, intervals, low power.
#include "rtos_more_parts.h"

#include <string.h>

static const enum tk_entity_class class_of_name[TK_EV_COUNT] = {
    [TK_EV_BITS_NAME] = TK_CLASS_BITS, [TK_EV_MACHINE_NAME] = TK_CLASS_MACHINE, [TK_EV_INTERVAL_NAME] = TK_CLASS_INTERVAL,
    [TK_EV_HEAP_NAME] = TK_CLASS_HEAP, [TK_EV_TIMER_NAME] = TK_CLASS_TIMER, [TK_EV_STACK_NAME] = TK_CLASS_STACK,
};

TK_MORE_HANDLER(thing_name) {
    const struct tk_thing *thing = tk_more_thing(more, class_of_name[event->kind], event->id);
    (void)core;
    if (thing && tk_names_set(tk_more_names(more), thing->entity, event->str, event->str_len)) tk_rtos_problem(more->rtos, TK_DIAG_NAME_CHANGED, event);
}

// ---- Software timers ---------------------------------------------------------------------------

static uint32_t timer_track(struct tk_rtos_more *more, struct tk_thing *timer) {
    return tk_more_thing_track(more, timer, TK_GROUP_SOFT_TIMERS, TK_TRACK_SLICES, NULL, "Software timer");
}

static size_t armed_words(int64_t ticks, char out_text[48]) {
    size_t len = tk_append_text(out_text, 0, "armed");
    if (ticks <= 0) return len;
    len = tk_append_number(out_text, tk_append_text(out_text, len, " "), (uint64_t)ticks);
    return tk_append_text(out_text, len, ticks == 1 ? " tick" : " ticks");
}

static struct tk_label_text armed_name(struct tk_rtos_more *more, const struct tk_thing *timer, char room[48]) {
    size_t len = armed_words(timer->level, room);
    return (struct tk_label_text){ tk_names_message(tk_more_names(more), room, len), room, (uint32_t)len };
}

static void arm(struct tk_rtos_more *more, struct tk_thing *timer) {
    char room[48];
    tk_timeline_begin(more->tl, timer_track(more, timer), armed_name(more, timer, room), NULL, 0);
    timer->armed = true;
    timer->since = more->tl->now;
    timer->loss = more->tl->losses[0];
}

static void disarm(struct tk_rtos_more *more, struct tk_thing *timer) {
    if (timer->armed) tk_timeline_end(more->tl, timer->track, NULL, 0);
    timer->armed = false;
}

// It expired twice without having been started in between: it loads itself again. The slice is drawn late, once.
static void reload(struct tk_rtos_more *more, struct tk_thing *timer) {
    char room[48];
    if (timer->reloads || !timer->since || timer->loss != more->tl->losses[0]) return;
    struct tk_label_text name = armed_name(more, timer, room);
    struct tk_track_event begin = { .ticks = timer->since, .track = timer->track, .type = TK_EVENT_BEGIN, .when = TK_LATE, .name = name.id, .string = name.id ? NULL : name.text, .string_len = name.len };
    struct tk_track_event end = { .track = timer->track, .type = TK_EVENT_END };
    tk_timeline_event(more->tl, &begin);
    tk_timeline_event(more->tl, &end);
    timer->reloads = true;
}

static void expire(struct tk_rtos_more *more, struct tk_thing *timer, const struct tk_event *event) {
    struct tk_details args;
    args.count = 0;
    uint32_t track = timer_track(more, timer);
    bool was_armed = timer->armed;
    if (was_armed) disarm(more, timer);
    else reload(more, timer);
    timer->expired++;
    if (event->address) tk_more_address(more, &args, "callback", event->address);
    tk_timeline_instant(more->tl, track, tk_more_word(more, TK_WORD_EXPIRED), args.args, args.count);
    timer->since = more->tl->now;
    timer->loss = more->tl->losses[0];
    if (timer->reloads) arm(more, timer);
}

// Starting, resetting and another period are one to the timeline; the call says which.
static void start(struct tk_rtos_more *more, struct tk_thing *timer, const struct tk_event *event, struct tk_core *core) {
    static const uint8_t verbs[] = { [TK_TIMER_START] = TK_SAY_START, [TK_TIMER_RESET] = TK_SAY_RESET, [TK_TIMER_CHANGE_PERIOD] = TK_SAY_CHANGE_PERIOD };
    if (event->arg >= sizeof verbs) return;
    disarm(more, timer);
    timer->level = event->value;
    arm(more, timer);
    tk_more_say(more, core, (enum tk_verb)verbs[event->arg], TK_RESULT_NONE, timer->entity, 0);
}

TK_MORE_HANDLER(timer) {
    struct tk_thing *timer = tk_more_thing(more, TK_CLASS_TIMER, event->id);
    if (!timer) return;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TIMER_CREATED:
        timer->level = event->value;
        if (event->timed) tk_more_say(more, core, TK_SAY_CREATE, TK_RESULT_NONE, timer->entity, 0);
        break;
    case TK_EV_TIMER_STARTED: start(more, timer, event, core); break;
    case TK_EV_TIMER_EXPIRED: expire(more, timer, event); break;
    case TK_EV_TIMER_STOPPED:
        disarm(more, timer);
        timer->since = 0;
        tk_timeline_instant(more->tl, timer_track(more, timer), tk_more_word(more, TK_WORD_STOPPED), NULL, 0);
        tk_more_say(more, core, TK_SAY_STOP, TK_RESULT_NONE, timer->entity, 0);
        break;
    default:
        disarm(more, timer);
        tk_more_say(more, core, TK_SAY_DELETE, TK_RESULT_NONE, timer->entity, 0);
        tk_more_delete_thing(more, timer);
        break;
    }
}

// ---- State machines ----------------------------------------------------------------------------

static void count_state(struct tk_rtos_more *more, const struct tk_thing *machine, uint32_t to) {
    uint32_t from = machine->state ? machine->state - 1 : TK_NONE;
    uint64_t key = ((uint64_t)(machine - more->things) << 42 ^ (uint64_t)from << 21 ^ to) * 0x9E3779B97F4A7C15u | (uint64_t)1 << 63;
    bool fresh;
    struct tk_state_row *row = tk_more_row(more, &more->states, key, sizeof *row, &fresh);
    if (!row) return;
    if (fresh) *row = (struct tk_state_row){ .machine = (uint32_t)(machine - more->things), .from = from, .to = to };
    row->count++;
    if (from != TK_NONE) tk_more_measure(more, &row->before, machine->since, machine->loss);
}

TK_MORE_HANDLER(machine_state) {
    struct tk_thing *machine = tk_more_thing(more, TK_CLASS_MACHINE, event->id);
    uint32_t state = tk_names_symbol(tk_more_names(more), event->arg);
    (void)core;
    if (!machine || state == TK_NONE || machine->state == state + 1) return;
    uint32_t track = tk_more_thing_track(more, machine, TK_GROUP_MACHINES, TK_TRACK_SLICES, NULL, "State machine");
    if (event->timed) count_state(more, machine, state);
    tk_timeline_end(more->tl, track, NULL, 0);
    tk_timeline_begin(more->tl, track, tk_named(tk_names_label(tk_more_names(more), state, TK_SYMBOL_NAME)), NULL, 0);
    machine->state = state + 1;
    machine->since = more->tl->now;
    machine->loss = more->tl->losses[0];
}

// ---- Intervals ---------------------------------------------------------------------------------

TK_MORE_HANDLER(interval_name) {
    struct tk_thing *channel = tk_more_thing(more, TK_CLASS_INTERVAL, event->id);
    if (!channel) return;
    channel->set = event->arg;
    if (event->str_len) tk_more_on_thing_name(more, event, core);
}

// Overlapping ones stand on tracks of their own, "channel (2)".
static uint32_t lane_track(struct tk_rtos_more *more, struct tk_thing *channel, uint32_t lane) {
    static const char *const titles[TK_MAX_LANES] = {
        NULL, " (2)", " (3)", " (4)", " (5)", " (6)", " (7)", " (8)", " (9)", " (10)", " (11)", " (12)", " (13)", " (14)", " (15)", " (16)",
    };
    if (!lane) return channel->lanes[0] = tk_more_thing_track(more, channel, TK_GROUP_INTERVALS, TK_TRACK_SLICES, NULL, "Interval");
    if (!channel->lanes[lane]) {
        struct tk_track_spec spec = { tk_timeline_group(more->tl, TK_GROUP_INTERVALS), TK_TRACK_SLICES, channel->entity, titles[lane], -1, (int32_t)lane, NULL, "Interval", 0 };
        channel->lanes[lane] = tk_timeline_add_track(more->tl, &spec);
    }
    return channel->lanes[lane];
}

static bool make_room(struct tk_rtos_more *more, struct tk_thing *channel) {
    if (!channel->open) channel->open = tk_alloc_zero(more->host.alloc, TK_MAX_LANES * sizeof *channel->open);
    return channel->open;
}

// Those from before a loss whose end was lost: they end where the next one begins.
static void drop_stale(struct tk_rtos_more *more, struct tk_thing *channel) {
    for (uint32_t lane = 0; lane < TK_MAX_LANES; lane++) {
        struct tk_open_interval *open = &channel->open[lane];
        if (!open->open || open->loss == more->tl->losses[0]) continue;
        open->open = false;
        channel->count++;
        tk_timeline_end_lost_at(more->tl, channel->lanes[lane], more->tl->lost_since > open->since ? more->tl->lost_since : open->since);
    }
}

TK_MORE_HANDLER(interval_begin) {
    struct tk_thing *channel = tk_more_thing(more, TK_CLASS_INTERVAL, event->id);
    struct tk_details args;
    args.count = 0;
    uint32_t lane = 0;
    if (!channel || !make_room(more, channel)) return;
    drop_stale(more, channel);
    while (lane < TK_MAX_LANES && channel->open[lane].open) lane++;
    if (lane == TK_MAX_LANES) {
        tk_diag_hit(more->host.diag, TK_DIAG_TOO_DEEP, NULL);
        return;
    }
    tk_details_number(more->host.details, &args, "value", event->arg);
    tk_more_who(more, &args, "by", tk_more_actor(core));
    channel->open[lane] = (struct tk_open_interval){ (uint64_t)event->value, more->tl->now, more->tl->losses[0], true };
    uint32_t track = lane_track(more, channel, lane);
    tk_timeline_begin(more->tl, track, tk_named(tk_names_label(tk_more_names(more), channel->entity, TK_OBJECT_NAME)), args.args, args.count);
}

TK_MORE_HANDLER(interval_end) {
    struct tk_thing *channel = tk_more_thing(more, TK_CLASS_INTERVAL, event->id);
    (void)core;
    for (uint32_t lane = 0; channel && channel->open && lane < TK_MAX_LANES; lane++) {
        struct tk_open_interval *open = &channel->open[lane];
        if (!open->open || open->instance != (uint64_t)event->value) continue;
        open->open = false;
        channel->count++;
        tk_more_measure(more, &channel->intervals, open->since, open->loss);
        tk_timeline_end(more->tl, channel->lanes[lane], NULL, 0);
        return;
    }
}

// ---- Low power ---------------------------------------------------------------------------------

TK_MORE_HANDLER(low_power) {
    uint32_t *track = &more->low_power_tracks[event->core];
    struct tk_details args;
    args.count = 0;
    (void)core;
    if (event->kind == TK_EV_LOW_POWER_END) {
        tk_timeline_end(more->tl, *track, NULL, 0);
        return;
    }
    if (!*track) {
        uint8_t of_core = event->core ? (uint8_t)(event->core + 1) : 0;
        struct tk_track_spec spec = { tk_timeline_group(more->tl, TK_GROUP_TARGET), TK_TRACK_SLICES, TK_NONE, "Low power", -1, TK_RANK_LOW_POWER, NULL, "The core sleeps until the next interrupt", of_core };
        *track = tk_timeline_add_track(more->tl, &spec);
    }
    if (tk_timeline_depth(more->tl, *track)) tk_timeline_end_lost(more->tl, *track); // it woke unseen
    tk_details_number(more->host.details, &args, "expected ticks", (uint64_t)event->value);
    tk_timeline_begin(more->tl, *track, tk_more_word(more, TK_WORD_LOW_POWER), args.args, args.count);
}

// ---- The end -----------------------------------------------------------------------------------

void tk_more_things_close(struct tk_rtos_more *more) {
    for (uint32_t i = 0; i < more->thing_count; i++) {
        struct tk_thing *thing = &more->things[i];
        thing->armed = false;
        thing->state = 0;
        thing->since = 0;
        for (uint32_t lane = 0; thing->open && lane < TK_MAX_LANES; lane++) {
            thing->count += thing->open[lane].open;
            thing->open[lane].open = false;
        }
    }
}
