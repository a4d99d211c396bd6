// SPDX-License-Identifier: MIT
//
// Named intervals of the application; several intervals of one channel may overlap.
#include "rtos_internal.h"

void tk_rtos_on_interval_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_INTERVAL, event->interval_name.interval);
    if (!object) return;
    object->channel.set = event->interval_name.set;
    if (event->str_len) tk_rtos_on_object_name(rtos, event, core);
}

// Overlapping intervals are on further tracks, "channel (2)".
static uint32_t lane_track(struct tk_rtos *rtos, struct tk_kernel_object *object, uint32_t lane) {
    static const char *const titles[TK_MAX_INTERVAL_LANES] = {
        NULL,   " (2)",  " (3)",  " (4)",  " (5)",  " (6)",  " (7)",  " (8)",
        " (9)", " (10)", " (11)", " (12)", " (13)", " (14)", " (15)", " (16)",
    };
    uint32_t *lanes = object->channel.lanes;
    if (!lane)
        return lanes[0] = tk_rtos_object_track(rtos, object, TK_GROUP_INTERVALS, TK_TRACK_SLICES, NULL, "Interval");
    if (!lanes[lane]) {
        struct tk_track_spec spec = { tk_timeline_group(rtos->tl, TK_GROUP_INTERVALS),
                                      TK_TRACK_SLICES,
                                      object->entity,
                                      titles[lane],
                                      -1,
                                      (int32_t)lane,
                                      NULL,
                                      "Interval",
                                      0 };
        lanes[lane] = tk_timeline_add_track(rtos->tl, &spec);
    }
    return lanes[lane];
}

// An interval that was open at a loss, and whose end may have been lost, ends with the loss.
static void close_after_loss(struct tk_rtos *rtos, struct tk_interval_channel *channel) {
    for (uint32_t lane = 0; lane < TK_MAX_INTERVAL_LANES; lane++) {
        struct tk_open_interval *open = &channel->open[lane];
        if (!open->is_open || open->loss == rtos->tl->losses[0]) continue;
        open->is_open = false;
        channel->count++;
        tk_timeline_end_lost_at(rtos->tl, channel->lanes[lane],
                                rtos->tl->lost_since > open->since ? rtos->tl->lost_since : open->since);
    }
}

void tk_rtos_on_interval_begin(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_INTERVAL, event->interval.interval);
    struct tk_details args;
    args.count = 0;
    uint32_t lane = 0;
    if (!object) return;
    struct tk_interval_channel *channel = &object->channel;
    if (!channel->open) channel->open = tk_alloc_zero(rtos->alloc, TK_MAX_INTERVAL_LANES * sizeof *channel->open);
    if (!channel->open) return;
    close_after_loss(rtos, channel);
    while (lane < TK_MAX_INTERVAL_LANES && channel->open[lane].is_open) lane++;
    if (lane == TK_MAX_INTERVAL_LANES) {
        tk_diag_count(rtos->diag, TK_DIAG_TOO_DEEP, NULL);
        return;
    }
    tk_details_number(rtos->host->details, &args, "value", event->interval.number);
    tk_rtos_add_actor_arg(rtos, &args, "by", tk_rtos_actor(core, event));
    channel->open[lane] =
        (struct tk_open_interval){ (uint64_t)event->interval.instance, rtos->tl->now, rtos->tl->losses[0], true };
    uint32_t track = lane_track(rtos, object, lane);
    tk_timeline_begin(rtos->tl, track, tk_named(tk_names_label(tk_rtos_names(rtos), object->entity, TK_LABEL_NAME)),
                      args.args, args.count);
}

void tk_rtos_on_interval_end(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_INTERVAL, event->interval.interval);
    (void)core;
    for (uint32_t lane = 0; object && object->channel.open && lane < TK_MAX_INTERVAL_LANES; lane++) {
        struct tk_open_interval *open = &object->channel.open[lane];
        if (!open->is_open || open->instance != (uint64_t)event->interval.instance) continue;
        open->is_open = false;
        object->channel.count++;
        tk_rtos_measure_since(rtos, &object->channel.durations, open->since, open->loss);
        tk_timeline_end(rtos->tl, object->channel.lanes[lane], NULL, 0);
        return;
    }
}
