// SPDX-License-Identifier: MIT
#include "time_range.h"

#include "../../base/attributes.h"

#include <string.h>

// ---- Limits ------------------------------------------------------------------------------------------------------

static uint64_t ticks_of(uint64_t ns, uint64_t tick_ns) { return ns / tick_ns + (ns % tick_ns != 0); }

// Converts the limits to ticks. The tick length may become known during the conversion; earlier decisions stay: a range
// that has begun keeps its start and does not end before the last event sent, and a range that has ended does not
// continue.
static void update_limits(struct tk_time_range *range) {
    uint64_t tick_ns = range->tick_ns(range->tick_ctx);
    if (tick_ns == range->used_tick_ns) return;
    range->tick_changed |= range->inside;
    if (range->has_ended) return;
    range->used_tick_ns = tick_ns;
    if (!range->inside) range->from = ticks_of(range->from_ns, tick_ns);
    range->to = range->to_ns / tick_ns;
    if (range->from < range->last && !range->inside) range->from = range->last;
    if (range->to < range->last) range->to = range->last;
}

bool tk_time_range_set(struct tk_time_range *range, uint64_t from_ns, uint64_t to_ns) {
    if (range->inside || ticks_of(from_ns, range->tick_ns(range->tick_ctx)) < range->seen_until) return false;
    range->from_ns = from_ns;
    range->to_ns = to_ns;
    range->used_tick_ns = 0;
    return true;
}

void tk_time_range_rescale(struct tk_time_range *range, uint64_t from_ns, uint64_t to_ns) {
    if (tk_time_range_set(range, from_ns, to_ns)) return;
    range->to_ns = to_ns;
    if (!range->used_tick_ns || range->has_ended) return;
    range->to = to_ns / range->used_tick_ns;
    if (range->to < range->last) range->to = range->last;
}

static void send(struct tk_time_range *range, const struct tk_track_event *event) {
    if (event->when == TK_IN_ORDER && event->ticks > range->last) range->last = event->ticks;
    range->out.event(range->out.ctx, event);
}

// ---- Slices open at the start of the range -------------------------------------------------------------------------

static void keep_begin(struct tk_time_range *range, const struct tk_track_event *event, bool drawn, bool late) {
    if (!tk_alloc_grow(range->alloc, (void **)&range->slices, &range->slice_capacity, range->slice_count + 1,
                       sizeof *range->slices))
        return;
    struct tk_time_range_slice *slice = &range->slices[range->slice_count++];
    *slice = (struct tk_time_range_slice){
        .track = event->track, .name = event->name, .category = event->category, .drawn = drawn, .late = late
    };
    if (!event->string) return;
    size_t len = event->string_len < TK_RANGE_NAME ? event->string_len : TK_RANGE_NAME - 1;
    while (len < event->string_len && len > 0 && (event->string[len] & 0xC0) == 0x80)
        len--; // do not cut inside a character
    memcpy(slice->string, event->string, len);
    slice->string_len = (uint8_t)len;
}

// Draws the begin of a slice that was open before the range, at the start of the range.
static void draw_begin(struct tk_time_range *range, struct tk_time_range_slice *slice, enum tk_when when) {
    struct tk_track_event event = { .ticks = range->from,
                                    .track = slice->track,
                                    .name = slice->name,
                                    .category = slice->category,
                                    .type = TK_EVENT_BEGIN,
                                    .when = (uint8_t)when };
    if (slice->string_len) event.string = slice->string;
    event.string_len = slice->string_len;
    slice->drawn = true;
    send(range, &event);
}

// Removes the innermost open slice of a track. Returns true if its begin was drawn, so that its end at `ticks` must be
// drawn too.
static bool drop_slice(struct tk_time_range *range, uint32_t track, uint64_t ticks) {
    uint32_t at = range->slice_count;
    while (at > 0 && range->slices[at - 1].track != track) at--;
    if (at == 0) return false;
    struct tk_time_range_slice *slice = &range->slices[at - 1];
    if (slice->late && ticks > range->from) draw_begin(range, slice, TK_LATE);
    bool drawn = slice->drawn;
    memmove(slice, slice + 1, (range->slice_count - at) * sizeof *slice);
    range->slice_count--;
    return drawn;
}

static void keep_counter(struct tk_time_range *range, const struct tk_track_event *event, bool pending_at_start) {
    if (event->track == 0) return;
    if (!tk_alloc_grow(range->alloc, (void **)&range->counters, &range->counter_capacity, event->track,
                       sizeof *range->counters))
        return;
    range->counters[event->track - 1] =
        (struct tk_time_range_counter){ event->value, event->value_double, true, event->is_double, pending_at_start };
}

static struct tk_time_range_task *task_of(struct tk_time_range *range, int32_t pid) {
    uint32_t index = tk_idmap_find(&range->task_of_pid, (uint64_t)pid);
    if (index != TK_NONE) return &range->tasks[index];
    if (!tk_alloc_grow(range->alloc, (void **)&range->tasks, &range->task_capacity, range->task_count + 1,
                       sizeof *range->tasks))
        return NULL;
    if (!tk_idmap_set(&range->task_of_pid, range->alloc, (uint64_t)pid, range->task_count)) return NULL;
    range->tasks[range->task_count].pid = pid;
    return &range->tasks[range->task_count++];
}

// Returns the task that ran last on a core before the range, unless it has moved to another core; NULL: none.
static struct tk_time_range_task *running_on(struct tk_time_range *range, uint32_t core) {
    struct tk_time_range_task *task = range->running[core] ? &range->tasks[range->running[core] - 1] : NULL;
    return task && task->state == TK_STATE_RUNNING + 1 && task->core == core ? task : NULL;
}

static void set_pending(struct tk_time_range *range, struct tk_time_range_task *task, bool pending_at_start) {
    range->pending_count += pending_at_start - task->pending_at_start;
    task->pending_at_start = pending_at_start;
}

// Stores the state of a task. A task that another one replaced on its core has an unknown state until its next change.
static struct tk_time_range_task *keep_state(struct tk_time_range *range, const struct tk_task_change *change) {
    struct tk_time_range_task *task = task_of(range, change->pid), *before = running_on(range, change->core);
    if (!task) return NULL;
    if (change->state == TK_STATE_RUNNING) {
        if (before && before != task) set_pending(range, before, false), before->state = 0;
        range->unrecorded &= ~((uint32_t)1 << change->core);
        range->running[change->core] = (uint32_t)(task - range->tasks) + 1;
    }
    task->state = change->state + 1;
    task->core = change->core;
    return task;
}

// ---- The start of the range
// ------------------------------------------------------------------------------------------

static void draw_pending(struct tk_time_range *range, struct tk_time_range_task *task) {
    set_pending(range, task, false);
    struct tk_task_change first = {
        .ticks = range->from, .pid = task->pid, .core = task->core, .when = TK_LATE, .state = task->state - 1
    };
    range->out.state(range->out.ctx, &first);
}

static void defer_states(struct tk_time_range *range) {
    for (uint32_t i = 0; i < range->task_count; i++) {
        struct tk_time_range_task *task = &range->tasks[i];
        set_pending(range, task, task->state && task->state != TK_STATE_DEAD + 1);
    }
}

// Draws pending initial states before a change: that of the task itself, and that of the task that ran on the core.
static void draw_pending_before(struct tk_time_range *range, const struct tk_task_change *change) {
    struct tk_time_range_task *task = task_of(range, change->pid), *before = running_on(range, change->core);
    if (change->state == TK_STATE_RUNNING && before && before->pending_at_start) draw_pending(range, before);
    if (task && task->pending_at_start) draw_pending(range, task);
}

static void draw_state(struct tk_time_range *range, const struct tk_task_change *change) {
    if (range->pending_count) draw_pending_before(range, change);
    if (change->when == TK_IN_ORDER) range->last = change->ticks;
    range->out.state(range->out.ctx, change);
}

// Replaces the pending initial state of a task by a state that was determined late.
static void change_pending(struct tk_time_range *range, const struct tk_task_change *change) {
    struct tk_time_range_task *task = task_of(range, change->pid);
    if (task && (task->pending_at_start || !task->state)) set_pending(range, keep_state(range, change), true);
}

static void draw_counter(struct tk_time_range *range, uint32_t track, enum tk_when when) {
    struct tk_time_range_counter *counter = &range->counters[track - 1];
    struct tk_track_event event = { .ticks = range->from,
                                    .track = track,
                                    .type = TK_EVENT_COUNTER,
                                    .when = (uint8_t)when,
                                    .is_double = counter->is_double,
                                    .value = counter->value,
                                    .value_double = counter->value_double };
    counter->pending_at_start = false;
    send(range, &event);
}

static struct tk_time_range_counter *known_counter(const struct tk_time_range *range, uint32_t track) {
    return track > 0 && track <= range->counter_capacity && range->counters[track - 1].known
               ? &range->counters[track - 1]
               : NULL;
}

static void draw_pending_counter(struct tk_time_range *range, uint32_t track) {
    const struct tk_time_range_counter *counter = known_counter(range, track);
    if (counter && counter->pending_at_start) draw_counter(range, track, TK_LATE);
}

static void draw_unrecorded(struct tk_time_range *range) {
    for (uint32_t core = 0; core < TK_RANGE_CORES; core++) {
        struct tk_task_change change = {
            .ticks = range->from, .core = core, .when = TK_LATE, .state = TK_STATE_UNRECORDED
        };
        if (range->unrecorded >> core & 1) range->out.state(range->out.ctx, &change);
    }
}

static void enter(struct tk_time_range *range) {
    range->inside = true;
    range->last = range->from;
    defer_states(range);
    draw_unrecorded(range);
    for (uint32_t track = 1; track <= range->counter_capacity; track++)
        if (known_counter(range, track)) draw_counter(range, track, TK_IN_ORDER);
    for (uint32_t i = 0; i < range->slice_count; i++) draw_begin(range, &range->slices[i], TK_IN_ORDER);
}

// Returns true for times before the range, including its start: the state is only stored. The first call after the
// start draws it.
static bool is_before(struct tk_time_range *range, uint64_t ticks) {
    update_limits(range);
    if (ticks >= range->seen_until) range->seen_until = ticks + 1;
    if (!range->inside && ticks > range->from && range->from <= range->to) enter(range);
    range->has_ended |= range->inside && ticks > range->to;
    return !range->inside;
}

// ---- The calls of the sink
// -------------------------------------------------------------------------------------------

static void on_define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    const struct tk_time_range *range = ctx;
    range->out.define(range->out.ctx, list, id, text, len);
}

static void on_declare(void *ctx, const struct tk_track_info *track) {
    const struct tk_time_range *range = ctx;
    range->out.declare(range->out.ctx, track);
}

static void on_task(void *ctx, const struct tk_task_info *task) {
    const struct tk_time_range *range = ctx;
    range->out.task(range->out.ctx, task);
}

// Before the range: the run of the core's task is not drawn, also not from the first moment on.
TK_COLD static void keep_core(struct tk_time_range *range, const struct tk_task_change *change) {
    struct tk_time_range_task *before = running_on(range, change->core);
    uint32_t bit = (uint32_t)1 << change->core;
    range->unrecorded = change->state == TK_STATE_UNRECORDED ? range->unrecorded | bit : range->unrecorded & ~bit;
    if (before) set_pending(range, before, false), before->state = 0;
}

// A core that is idle, or unrecorded, since a time before the range, is so from its first moment on.
TK_COLD static void draw_core(struct tk_time_range *range, const struct tk_task_change *change) {
    struct tk_time_range_task *before = running_on(range, change->core);
    struct tk_task_change core = *change;
    if (core.ticks < range->from) core.ticks = range->from;
    if (core.ticks > range->to) return;
    if (before && before->pending_at_start) draw_pending(range, before);
    range->out.state(range->out.ctx, &core);
}

static void on_state(void *ctx, const struct tk_task_change *change) {
    struct tk_time_range *range = ctx;
    if (!change->pid) {
        if (is_before(range, change->ticks)) keep_core(range, change);
        else draw_core(range, change);
        return;
    }
    if (is_before(range, change->ticks)) range->left_out.states++, keep_state(range, change);
    else if (change->ticks <= range->from) change_pending(range, change);
    else if (change->ticks <= range->to) draw_state(range, change);
}

// Takes a late value of a counter from before the range. It replaces an earlier late value; it does not replace a value
// that was known at the start of the range, which is newer.
static void on_late_counter(struct tk_time_range *range, const struct tk_track_event *event) {
    const struct tk_time_range_counter *counter = known_counter(range, event->track);
    if (event->when == TK_IN_ORDER || !counter || counter->pending_at_start) keep_counter(range, event, true);
}

static void on_counter(struct tk_time_range *range, const struct tk_track_event *event, bool before) {
    if (before) keep_counter(range, event, false);
    else if (event->ticks <= range->from) on_late_counter(range, event);
    else if (event->ticks <= range->to) draw_pending_counter(range, event->track), send(range, event);
}

static void on_begin_or_end(struct tk_time_range *range, const struct tk_track_event *event, bool before) {
    bool after = event->ticks > range->to;
    if (event->type == TK_EVENT_BEGIN) {
        bool late = !before && event->ticks < range->from, drawn = !before && !after && !late;
        keep_begin(range, event, drawn, late);
        if (drawn) send(range, event);
        return;
    }
    if (!drop_slice(range, event->track, event->ticks)) return;
    struct tk_track_event end = *event;
    if (after) end.ticks = range->to;
    if (end.ticks < range->from) end.ticks = range->from; // another track was already after the start of the range
    send(range, &end);
}

static void count_left_out(struct tk_range_omitted *left_out, const struct tk_track_event *event) {
    left_out->slices += event->type == TK_EVENT_BEGIN;
    left_out->instants += event->type == TK_EVENT_INSTANT || event->type == TK_EVENT_SAMPLE;
    left_out->values += event->type == TK_EVENT_COUNTER;
    left_out->arguments += event->arg_count;
}

static void on_event(void *ctx, const struct tk_track_event *event) {
    struct tk_time_range *range = ctx;
    bool before = is_before(range, event->ticks);
    if (before) count_left_out(&range->left_out, event);
    if (event->type == TK_EVENT_BEGIN || event->type == TK_EVENT_END) on_begin_or_end(range, event, before);
    else if (event->type == TK_EVENT_COUNTER) on_counter(range, event, before);
    else if (event->ticks >= range->from && event->ticks <= range->to) send(range, event);
}

static void on_simple_event(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                            uint64_t detail) {
    struct tk_arg room;
    struct tk_track_event event = tk_track_event_of(ticks, type, track, what, detail, &room);
    on_event(ctx, &event);
}

static void on_finish(void *ctx, const struct tk_trace_summary *summary) {
    struct tk_time_range *range = ctx;
    struct tk_trace_summary seen = *summary;
    if (seen.last_ticks > range->to) seen.last_ticks = range->to;
    for (uint32_t i = 0; i < range->task_count && range->pending_count; i++)
        if (range->tasks[i].pending_at_start) draw_pending(range, &range->tasks[i]);
    for (uint32_t track = 1; track <= range->counter_capacity; track++) draw_pending_counter(range, track);
    range->out.finish(range->out.ctx, &seen);
}

void tk_time_range_init(struct tk_time_range *range, struct tk_alloc *alloc, const struct tk_track_sink *out) {
    range->alloc = alloc;
    range->out = *out;
}

struct tk_track_sink tk_time_range_sink(struct tk_time_range *range) {
    return (
        struct tk_track_sink){ range, on_define, on_declare, on_task, on_state, on_event, on_simple_event, on_finish };
}
