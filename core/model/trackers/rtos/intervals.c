// SPDX-License-Identifier: MIT
//
// Intervals: named stretches of the application that may overlap.
#include "kernel_services_internal.h"
#include <string.h>

TK_SERVICES_HANDLER(interval_name) {
    struct tk_kernel_object *channel = tk_services_object(services, TK_CLASS_INTERVAL, event->id);
    if (!channel) return;
    channel->set = event->arg;
    if (event->str_len) tk_services_on_object_name(services, event, core);
}

// Overlapping ones stand on tracks of their own, "channel (2)".
static uint32_t lane_track(struct tk_kernel_services *services, struct tk_kernel_object *channel, uint32_t lane) {
    static const char *const titles[TK_MAX_INTERVAL_LANES] = {
        NULL,   " (2)",  " (3)",  " (4)",  " (5)",  " (6)",  " (7)",  " (8)",
        " (9)", " (10)", " (11)", " (12)", " (13)", " (14)", " (15)", " (16)",
    };
    if (!lane)
        return channel->lanes[0] =
                   tk_services_object_track(services, channel, TK_GROUP_INTERVALS, TK_TRACK_SLICES, NULL, "Interval");
    if (!channel->lanes[lane]) {
        struct tk_track_spec spec = { tk_timeline_group(services->tl, TK_GROUP_INTERVALS),
                                      TK_TRACK_SLICES,
                                      channel->entity,
                                      titles[lane],
                                      -1,
                                      (int32_t)lane,
                                      NULL,
                                      "Interval",
                                      0 };
        channel->lanes[lane] = tk_timeline_add_track(services->tl, &spec);
    }
    return channel->lanes[lane];
}

static bool make_room(struct tk_kernel_services *services, struct tk_kernel_object *channel) {
    if (!channel->open)
        channel->open = tk_alloc_zero(services->host.alloc, TK_MAX_INTERVAL_LANES * sizeof *channel->open);
    return channel->open;
}

// Those from before a loss whose end was lost: they end where the next one begins.
static void drop_stale(struct tk_kernel_services *services, struct tk_kernel_object *channel) {
    for (uint32_t lane = 0; lane < TK_MAX_INTERVAL_LANES; lane++) {
        struct tk_open_interval *open = &channel->open[lane];
        if (!open->open || open->loss == services->tl->losses[0]) continue;
        open->open = false;
        channel->count++;
        tk_timeline_end_lost_at(services->tl, channel->lanes[lane],
                                services->tl->lost_since > open->since ? services->tl->lost_since : open->since);
    }
}

TK_SERVICES_HANDLER(interval_begin) {
    struct tk_kernel_object *channel = tk_services_object(services, TK_CLASS_INTERVAL, event->id);
    struct tk_details args;
    args.count = 0;
    uint32_t lane = 0;
    if (!channel || !make_room(services, channel)) return;
    drop_stale(services, channel);
    while (lane < TK_MAX_INTERVAL_LANES && channel->open[lane].open) lane++;
    if (lane == TK_MAX_INTERVAL_LANES) {
        tk_diag_count(services->host.diag, TK_DIAG_TOO_DEEP, NULL);
        return;
    }
    tk_details_number(services->host.details, &args, "value", event->arg);
    tk_services_add_actor_arg(services, &args, "by", tk_services_actor(core));
    channel->open[lane] =
        (struct tk_open_interval){ (uint64_t)event->value, services->tl->now, services->tl->losses[0], true };
    uint32_t track = lane_track(services, channel, lane);
    tk_timeline_begin(services->tl, track,
                      tk_named(tk_names_label(tk_services_names(services), channel->entity, TK_KERNEL_OBJECT_NAME)),
                      args.args, args.count);
}

TK_SERVICES_HANDLER(interval_end) {
    struct tk_kernel_object *channel = tk_services_object(services, TK_CLASS_INTERVAL, event->id);
    (void)core;
    for (uint32_t lane = 0; channel && channel->open && lane < TK_MAX_INTERVAL_LANES; lane++) {
        struct tk_open_interval *open = &channel->open[lane];
        if (!open->open || open->instance != (uint64_t)event->value) continue;
        open->open = false;
        channel->count++;
        tk_services_measure_since(services, &channel->intervals, open->since, open->loss);
        tk_timeline_end(services->tl, channel->lanes[lane], NULL, 0);
        return;
    }
}
