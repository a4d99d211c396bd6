// SPDX-License-Identifier: MIT
//
// Low power (tickless idle).
#include "kernel_services_internal.h"
#include <string.h>

TK_SERVICES_HANDLER(low_power) {
    uint32_t *track = &services->low_power_tracks[event->core];
    struct tk_details args;
    args.count = 0;
    (void)core;
    if (event->kind == TK_EV_LOW_POWER_END) {
        tk_timeline_end(services->tl, *track, NULL, 0);
        return;
    }
    if (!*track) {
        uint8_t of_core = event->core ? (uint8_t)(event->core + 1) : 0;
        struct tk_track_spec spec = { tk_timeline_group(services->tl, TK_GROUP_TARGET),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "Low power",
                                      -1,
                                      TK_RANK_LOW_POWER,
                                      NULL,
                                      "The core sleeps until the next interrupt",
                                      of_core };
        *track = tk_timeline_add_track(services->tl, &spec);
    }
    if (tk_timeline_depth(services->tl, *track)) tk_timeline_end_lost(services->tl, *track); // it woke unseen
    tk_details_number(services->host.details, &args, "expected ticks", (uint64_t)event->value);
    tk_timeline_begin(services->tl, *track, tk_services_fixed_name(services, TK_FIXED_NAME_LOW_POWER), args.args,
                      args.count);
}
