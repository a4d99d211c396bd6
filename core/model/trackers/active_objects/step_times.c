// SPDX-License-Identifier: MIT
//
// Figures of run-to-completion steps. A step is measured if its begin and its end were recorded and no event was lost
// in between; how long its event waited, if its post is known.
#include "../../../base/attributes.h"
#include "../../tables/columns.h"
#include "active_objects_internal.h"

static struct tk_step_times *times_of(struct tk_active_objects *o, struct tk_ao_object *object) {
    if (!object->times) object->times = tk_alloc_zero(o->alloc, sizeof *object->times);
    return object->times;
}

static uint64_t unmeasured_runs(const struct tk_active_objects *o, const struct tk_ao_object *object) {
    return o->stats->tasks[object->timeline_task].runs_unmeasured;
}

// A figure of a step that began at `begin`.
static void add(struct tk_active_objects *o, struct tk_measure *of, uint64_t begin, uint64_t length) {
    if (begin >= o->stats->start) tk_measure_add(&o->stats->histograms, of, begin, length);
}

static void count_signal(struct tk_active_objects *o, const struct tk_ao_object *object, uint32_t signal) {
    if (signal == TK_NONE) return;
    uint64_t key = (uint64_t)object->entity << 32 | signal;
    struct tk_signal_steps *row = tk_keyed_rows_find(&o->signal_steps, o->alloc, o->diag, key, sizeof *row);
    if (!row) return;
    row->object = object->entity;
    row->signal = signal;
    row->count++;
    if (object->arrival.flow && object->arrival.ticks >= o->stats->start)
        tk_durations_add(&row->latency, object->arrival.ticks, o->tl->now - object->arrival.ticks);
}

void tk_ao_step_time_begins(struct tk_active_objects *o, struct tk_ao_object *object, uint8_t core, uint32_t signal) {
    struct tk_step_times *times = times_of(o, object);
    uint64_t now = o->tl->now;
    count_signal(o, object, signal);
    if (!times || object->timeline_task >= o->stats->task_count) return;
    if (times->has_last && times->losses == o->losses)
        add(o, &times->period, times->last_begin, now - times->last_begin);
    times->has_last = true;
    times->last_begin = now;
    times->losses = o->losses;
    times->is_post_known = object->arrival.flow != 0;
    times->posted = object->arrival.ticks;
    times->ran = tk_ao_scheduler_ran(o, core, tk_ao_index(o, object), &times->was_scheduled);
    times->unmeasured = unmeasured_runs(o, object);
    times->is_run_known = tk_ao_scheduler_runs(o, core, tk_ao_index(o, object));
}

void tk_ao_step_time_ends(struct tk_active_objects *o, struct tk_ao_object *object, uint8_t core) {
    struct tk_step_times *times = object->times;
    uint64_t begin = object->step_since, now = o->tl->now, gross = now - begin;
    bool is_scheduled;
    if (!times || object->timeline_task >= o->stats->task_count) return;
    uint64_t net = tk_ao_scheduler_ran(o, core, tk_ao_index(o, object), &is_scheduled) - times->ran;
    bool is_known = times->is_run_known && is_scheduled == times->was_scheduled && net <= gross &&
                    times->unmeasured == unmeasured_runs(o, object);
    if (is_known) {
        add(o, &times->gross, begin, gross);
        add(o, &times->net, begin, net);
    }
    if (!times->is_post_known) return;
    add(o, &times->latency, times->posted, begin - times->posted);
    add(o, &times->response, times->posted, now - times->posted);
}

TK_COLD void tk_ao_step_times_clear(struct tk_active_objects *o) {
    struct tk_signal_steps *rows = o->signal_steps.rows;
    for (uint32_t i = 0; i < o->signal_steps.count; i++) {
        rows[i].count = 0;
        rows[i].latency = (struct tk_durations){ 0 };
    }
    for (uint32_t i = 0; i < o->count; i++) {
        struct tk_step_times *times = o->objects[i].times;
        if (!times) continue;
        struct tk_measure *const all[] = { &times->gross, &times->net, &times->latency, &times->response,
                                           &times->period };
        for (unsigned j = 0; j < sizeof all / sizeof *all; j++) tk_measure_clear(&o->stats->histograms, all[j]);
    }
}

// ---- Tables ------------------------------------------------------------------------------------

static const struct tk_column steps_columns[] = {
    NAME("name", "Active object"),
    COUNT("count", "Steps", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPREAD("gross", "step"),
    MEAN_OF("net", "net execution"),
    MEAN_OF("period", "period"),
    COUNT("events", "Events", TK_ROLE_VALUE),
    UNMEASURED("events_unmeasured"),
    SPREAD("latency", "from post to begin"),
    SPREAD("response", "from post to end"),
};
const struct tk_table tk_ao_steps_table = {
    "steps",
    "Steps",
    TK_TABLE_COLUMNS(steps_columns),
    TK_TABLE_LIST,
    "response_max",
    "Run-to-completion steps of each active object: how long they took, and how long their events waited before."
};

static void put_steps(const struct tk_active_objects *o, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &tk_ao_steps_table);
    for (uint32_t i = 0; i < o->count; i++) {
        const struct tk_ao_object *object = &o->objects[i];
        const struct tk_step_times *times = object->times;
        if (!times || !object->steps) continue;
        tk_cell_entity(sink, &o->tl->names, object->entity);
        tk_cell_uint(sink, object->steps);
        tk_cell_uint(sink, object->steps - times->gross.durations.measured);
        tk_cells_spread(sink, &times->gross);
        tk_cells_spread(sink, &times->net);
        tk_cells_spread(sink, &times->period);
        tk_cell_uint(sink, object->steps);
        tk_cell_uint(sink, object->steps - times->response.durations.measured);
        tk_cells_spread(sink, &times->latency);
        tk_cells_spread(sink, &times->response);
    }
    tk_table_end(sink);
}

static const struct tk_column signals_columns[] = {
    NAME("name", "Active object"),
    KEY("signal", "Event", TK_COLUMN_TEXT),
    COUNT("count", "Steps", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("latency_mean", "Mean from post to begin", TK_FOLD_NONE),
    SPAN("latency_max", "Longest", TK_FOLD_MAX),
    MOMENT("latency_max_at"),
};
const struct tk_table tk_ao_step_signals_table = {
    "step_signals",
    "Steps by event",
    TK_TABLE_COLUMNS(signals_columns),
    TK_TABLE_LIST,
    "latency_max",
    "Number of steps of each active object by event, and how long these events waited."
};

static void put_signals(const struct tk_active_objects *o, const struct tk_table_sink *sink) {
    const struct tk_signal_steps *rows = o->signal_steps.rows;
    tk_table_begin(sink, &tk_ao_step_signals_table);
    for (uint32_t i = 0; i < o->signal_steps.count; i++) {
        const struct tk_durations *latency = &rows[i].latency;
        if (!rows[i].count) continue;
        tk_cell_entity(sink, &o->tl->names, rows[i].object);
        tk_cell_entity(sink, &o->tl->names, rows[i].signal);
        tk_cell_uint(sink, rows[i].count);
        tk_cell_uint(sink, rows[i].count - latency->measured);
        tk_cell_mean(sink, latency->total, latency->measured);
        tk_cell_ticks_if(sink, latency->measured > 0, latency->max);
        tk_cell_ticks_if(sink, latency->measured > 0, latency->max_at);
    }
    tk_table_end(sink);
}

TK_COLD void tk_ao_step_tables(const struct tk_active_objects *o, const struct tk_table_sink *sink) {
    put_steps(o, sink);
    put_signals(o, sink);
}
