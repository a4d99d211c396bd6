// SPDX-License-Identifier: MIT
//
// States of a core: low power (tickless idle), and a scheduler that a task suspended.
#include "rtos_internal.h"

struct core_state {
    enum tk_fixed_name name;
    const char *title, *words;
};

static const struct core_state low_power = { TK_FIXED_LOW_POWER, "Low power",
                                             "The core sleeps until the next interrupt" };
static const struct core_state suspended = { TK_FIXED_SCHEDULER_SUSPENDED, "Scheduler",
                                             "While a task has suspended the scheduler, no other task runs" };

static void begin(struct tk_rtos *rtos, uint8_t core, uint32_t *track, const struct core_state *state,
                  const struct tk_details *args) {
    if (!*track) {
        uint8_t of_core = core ? (uint8_t)(core + 1) : 0;
        struct tk_track_spec spec = { tk_timeline_group(rtos->tl, TK_GROUP_TARGET),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      state->title,
                                      -1,
                                      TK_RANK_LOW_POWER,
                                      NULL,
                                      state->words,
                                      of_core };
        *track = tk_timeline_add_track(rtos->tl, &spec);
    }
    if (tk_timeline_depth(rtos->tl, *track)) tk_timeline_end_lost(rtos->tl, *track); // its end was lost
    tk_timeline_begin(rtos->tl, *track, tk_named(tk_names_fixed(tk_rtos_names(rtos), state->name)), args->args,
                      args->count);
}

void tk_rtos_on_low_power(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t *track = &rtos->low_power_tracks[event->core];
    struct tk_details args;
    args.count = 0;
    (void)core;
    if (event->kind == TK_EV_LOW_POWER_END) {
        tk_timeline_end(rtos->tl, *track, NULL, 0);
        return;
    }
    tk_details_number(rtos->host->details, &args, "expected ticks", (uint64_t)event->low_power.expected_ticks);
    begin(rtos, event->core, track, &low_power, &args);
}

void tk_rtos_on_scheduler(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t *track = &rtos->suspended_tracks[event->core];
    struct tk_details args;
    args.count = 0;
    (void)core;
    if (event->kind == TK_EV_SCHEDULER_SUSPENDED) begin(rtos, event->core, track, &suspended, &args);
    else tk_timeline_end(rtos->tl, *track, NULL, 0);
}
