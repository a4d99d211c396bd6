// SPDX-License-Identifier: MIT
//
// Low power (tickless idle).
#include "rtos_internal.h"

void tk_rtos_on_low_power(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t *track = &rtos->low_power_tracks[event->core];
    struct tk_details args;
    args.count = 0;
    (void)core;
    if (event->kind == TK_EV_LOW_POWER_END) {
        tk_timeline_end(rtos->tl, *track, NULL, 0);
        return;
    }
    if (!*track) {
        uint8_t of_core = event->core ? (uint8_t)(event->core + 1) : 0;
        struct tk_track_spec spec = { tk_timeline_group(rtos->tl, TK_GROUP_TARGET),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "Low power",
                                      -1,
                                      TK_RANK_LOW_POWER,
                                      NULL,
                                      "The core sleeps until the next interrupt",
                                      of_core };
        *track = tk_timeline_add_track(rtos->tl, &spec);
    }
    if (tk_timeline_depth(rtos->tl, *track)) tk_timeline_end_lost(rtos->tl, *track); // its end was lost
    tk_details_number(rtos->host->details, &args, "expected ticks", (uint64_t)event->low_power.expected_ticks);
    tk_timeline_begin(rtos->tl, *track, tk_named(tk_names_fixed(tk_rtos_names(rtos), TK_FIXED_LOW_POWER)), args.args,
                      args.count);
}
