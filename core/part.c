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
    struct tk_figures_part *part = &handle->figures;
    uint64_t ns = ns_of(handle, ticks);
    if (!part->seen) part->first = ticks;
    part->seen = true;
    if (ns > part->to_ns && !part->over) {
        part->over = true;
        tk_model_end_figures(&handle->model);
    }
    if (!part->over && !part->begun && ns >= part->from_ns) {
        part->begun = true;
        if (part->from_ns) tk_model_begin_figures(&handle->model, ticks);
    }
    return !part->over;
}

static bool is_in_part(struct tk *handle, const struct tk_event *event, const struct tk_event *shown) {
    if (shown->timed && !shown->no_clock) return takes_timed(handle, shown->ticks);
    if (!handle->figures.over) return true;
    if (!shown->timed && shown->kind != TK_EV_PROBLEM) tk_model_dispatch(&handle->model, event); // known, but not counted
    return false;
}

bool tk_part_takes(struct tk *handle, const struct tk_event *event) {
    struct tk_event shown = *event;
    struct tk_trace_clock clock = handle->model.clock; // the model moves the real one
    tk_trace_clock_apply(&clock, NULL, &shown);
    if (handle->event_seen) handle->event_seen(handle->event_ctx, &shown);
    return !handle->figures.is_set || is_in_part(handle, event, &shown);
}

// Nothing was inside: there are no figures.
void tk_part_end(struct tk *handle) {
    const struct tk_figures_part *part = &handle->figures;
    uint64_t last = handle->model.clock.now;
    if (part->is_set && part->seen && !part->begun) tk_model_begin_figures(&handle->model, last > part->first ? last : part->first);
}
