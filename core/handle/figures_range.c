// SPDX-License-Identifier: MIT
//
// A report of a part of the time: the model hears of what happened before, so that it knows names and states, and its figures
// begin anew with the first event inside; what comes behind is not told to it, except names.
#include "handle.h"

static uint64_t ns_of(const struct tk *handle, uint64_t ticks) {
    uint64_t tick_ns = tk_known_tick_ns(handle);
    return ticks > UINT64_MAX / tick_ns ? UINT64_MAX : ticks * tick_ns;
}

static bool takes_timed(struct tk *handle, uint64_t ticks) {
    struct tk_figures_range *range = &handle->figures;
    uint64_t ns = ns_of(handle, ticks);
    if (!range->seen) range->first = ticks;
    range->seen = true;
    if (ns > range->to_ns && !range->over) {
        range->over = true;
        tk_model_end_figures(&handle->model);
    }
    if (!range->over && !range->begun && ns >= range->from_ns) {
        range->begun = true;
        if (range->from_ns) tk_model_begin_figures(&handle->model, ticks);
    }
    return !range->over;
}

static bool is_in_range(struct tk *handle, const struct tk_event *event, const struct tk_event *shown) {
    if (shown->timed && !shown->time_invalid) return takes_timed(handle, shown->ticks);
    if (!handle->figures.over) return true;
    if (!shown->timed && shown->kind != TK_EV_PROBLEM) tk_model_dispatch(&handle->model, event); // known, but not counted
    return false;
}

bool tk_figures_take(struct tk *handle, const struct tk_event *event) {
    struct tk_event shown = *event;
    struct tk_trace_clock clock = handle->model.clock; // the model moves the real one
    tk_trace_clock_apply(&clock, NULL, &shown);
    if (handle->event_seen) handle->event_seen(handle->event_ctx, &shown);
    tk_part_watch(handle, &shown);
    return !handle->figures.is_set || is_in_range(handle, event, &shown);
}

// Nothing was inside: there are no figures.
void tk_figures_end(struct tk *handle) {
    const struct tk_figures_range *range = &handle->figures;
    uint64_t last = handle->model.clock.now;
    if (range->is_set && range->seen && !range->begun) tk_model_begin_figures(&handle->model, last > range->first ? last : range->first);
}
