// SPDX-License-Identifier: MIT
//
// Restricts the figures of a report to a time range. Before the range the model takes all events, so that it knows
// names and states; the figures restart with the first event in the range. After the range the model takes only names.
// If times fall from one sequence to the next, the model takes only events in the range, names and definitions.
#include "handle.h"

static uint64_t ns_of(const struct tk *handle, uint64_t ticks) {
    uint64_t tick_ns = tk_current_tick_ns(handle);
    return ticks > UINT64_MAX / tick_ns ? UINT64_MAX : ticks * tick_ns;
}

static void end_figures(struct tk *handle) {
    if (!handle->figures.over) tk_model_end_stats(&handle->model);
    handle->figures.over = true;
}

static void begin_stats(struct tk *handle, uint64_t ticks) {
    if (!handle->figures.begun && handle->figures.from_ns) tk_model_begin_stats(&handle->model, ticks);
    handle->figures.begun = true;
}

static void extend(struct tk_stats_range *range, uint64_t ticks) {
    if (!range->seen || ticks < range->first) range->first = ticks;
    if (ticks > range->last) range->last = ticks;
    range->seen = true;
}

static bool takes_timed(struct tk *handle, const struct tk_event *shown) {
    struct tk_stats_range *range = &handle->figures;
    uint64_t ns = ns_of(handle, shown->ticks);
    extend(range, shown->ticks);
    if (ns > range->to_ns) end_figures(handle);
    if (!range->over && ns >= range->from_ns) begin_stats(handle, shown->ticks);
    if (range->over && shown->core < TK_STATS_CORES) range->go_on |= (uint32_t)1 << shown->core;
    return !range->over;
}

// Takes an event whose time may fall. clock: state after this event, which the model's clock gets even if the event is
// omitted.
static bool takes_unordered(struct tk *handle, const struct tk_event *event, const struct tk_event *shown,
                            const struct tk_trace_clock *clock) {
    struct tk_stats_range *range = &handle->figures;
    bool is_whole = !range->from_ns && !range->over;
    if (!shown->timed) {
        if (is_whole || tk_event_owner(shown) == TK_OWNER_RECORDING) return true;
        tk_model_dispatch(&handle->model, event); // taken, but not counted
        return false;
    }
    uint64_t ns = ns_of(handle, shown->ticks);
    if (ns > range->to_ns) end_figures(handle);
    extend(range, shown->ticks);
    bool is_inside = ns >= range->from_ns && ns <= range->to_ns;
    if (is_inside) begin_stats(handle, shown->ticks);
    else handle->model.clock = *clock;
    return is_inside;
}

// Returns true for a name of whatever task runs. After the range this is unknown.
static bool is_of_running_task(const struct tk_event *event) {
    return tk_event_families[event->kind] == TK_FAMILY_task_item_name && !event->task_item_name.task;
}

static bool is_in_range(struct tk *handle, const struct tk_event *event, const struct tk_event *shown,
                        const struct tk_trace_clock *clock) {
    if (handle->format->unordered) return takes_unordered(handle, event, shown, clock);
    if (tk_event_has_time(shown)) return takes_timed(handle, shown);
    if (!handle->figures.over) return true;
    bool is_name = !shown->timed && shown->kind != TK_EV_PROBLEM;
    if (is_name && !is_of_running_task(shown)) tk_model_dispatch(&handle->model, event); // taken, but not counted
    return false;
}

bool tk_stats_range_filter(struct tk *handle, const struct tk_event *event) {
    struct tk_event shown = *event;
    struct tk_trace_clock clock = handle->model.clock; // a copy, because the model advances its clock itself
    if (handle->has_range || handle->figures.is_set) tk_limits_update(handle);
    if (tk_model_may_run_backwards(&handle->model, event)) shown.ticks += clock.offset;
    else tk_trace_clock_apply(&clock, NULL, &shown);
    if (handle->event_seen) handle->event_seen(handle->event_ctx, &shown);
    tk_range_tail_count(handle, &shown);
    return !handle->figures.is_set || is_in_range(handle, event, &shown, &clock);
}

bool tk_event_is_in_range(const struct tk *handle, const struct tk_event *event, uint64_t tick_ns) {
    if (!handle->has_range) return true;
    if (!tick_ns) tick_ns = 1;
    uint64_t ns = event->ticks > UINT64_MAX / tick_ns ? UINT64_MAX : event->ticks * tick_ns;
    return ns >= handle->range.from_ns && ns <= handle->range.to_ns;
}

uint64_t tk_time_stretch(const struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        if (input->role == TK_ROLE_RECORDING && input->kind)
            return input->kind->stretch ? input->kind->stretch(input->decoder) : 1;
    }
    return 1;
}

bool tk_time_is_known(const struct tk *handle) {
    return handle->option_tick_ns || (handle->model.tick_ns && handle->model.tick_origin != TK_TICK_IS_COUNT);
}

void tk_stats_range_end(struct tk *handle) {
    const struct tk_stats_range *range = &handle->figures;
    struct tk_model *model = &handle->model;
    if (!range->is_set || !range->seen) return;
    model->is_time_range = true;
    model->recorded_from = range->first;
    model->recorded_to = range->last;
    if (!range->begun) tk_model_begin_stats(model, model->clock.now); // no event was in the range: there are no figures
    if (tk_has_several(handle)) model->cores_end_alone = UINT32_MAX;
    if (range->over) model->stats.ended = model->cores_end_alone & ~range->go_on;
}
