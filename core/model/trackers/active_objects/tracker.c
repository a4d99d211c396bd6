// SPDX-License-Identifier: MIT
//
// The tracker of active objects.
#include "active_objects_internal.h"

static void init(void *tracker, const struct tk_tracker_host *host) { tk_ao_init(tracker, host); }

static void on_event(void *tracker, const struct tk_event *event) { tk_ao_event(tracker, event); }
static void on_loss(void *tracker, int32_t core) {
    (void)core;
    tk_ao_loss(tracker);
}
static void on_restart(void *tracker, bool announced) { (void)announced, tk_ao_restart(tracker); }
static void finish(void *tracker) { tk_ao_finish(tracker); }

// ---- Tables ----

// After a failed allocation one array may be shorter than the others.
static uint32_t task_count(const struct tk_active_objects *o) {
    uint32_t count = o->object_of_task_capacity < o->tl->task_count ? o->object_of_task_capacity : o->tl->task_count;
    return count < o->stats->task_count ? count : o->stats->task_count;
}

static void put_object(const struct tk_active_objects *o, const struct tk_table_sink *sink, uint32_t task,
                       const struct tk_ao_object *object) {
    const struct tk_stats_task *stats = &o->stats->tasks[task];
    bool waited = stats->longest_wait > 0;
    char reason[2 * TK_DISPLAY_LEN];
    uint64_t running = tk_stats_running(o->stats, task);
    tk_cell_entity(sink, &o->tl->names, object->entity);
    tk_cell_uint(sink, task + 1);
    tk_cell_uint(sink, (uint64_t)o->tl->tasks[task].pid);
    tk_cell_uint_if(sink, object->priority > 0, object->priority);
    tk_cell_ticks_if(sink, o->stats->end > o->stats->start, running);
    tk_cell_share(sink, running, o->stats->end - o->stats->start);
    tk_cell_uint(sink, object->steps);
    tk_cell_uint(sink, object->steps_unmeasured);
    tk_cell_uint(sink, stats->waits);
    tk_cell_ticks_if(sink, waited, stats->longest_wait);
    tk_cell_text(sink, reason, waited ? tk_ao_reason_text(o, stats->longest_wait_reason, reason) : 0);
    tk_cell_ticks_if(sink, waited, stats->longest_wait_from);
    tk_cell_uint(sink, stats->waits_unmeasured);
}

static const struct tk_column objects_columns[] = {
    { "name", "Active object", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "pid", "Process", TK_COLUMN_NUMBER, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "priority", "Priority", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "cpu", "CPU time", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "share", "CPU", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "steps", "Steps", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "steps_unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
    { "waits", "Waits", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "longest_wait", "Longest wait", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "longest_wait_on", "Waiting event", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "longest_wait_at", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
    { "waits_unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
};
static const struct tk_table objects_table = { "objects",
                                               "Active objects",
                                               TK_TABLE_COLUMNS(objects_columns),
                                               TK_TABLE_LIST,
                                               "cpu",
                                               "CPU time and waits of each active object." };

static void put_objects(const struct tk_active_objects *o, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &objects_table);
    for (uint32_t task = 0; task < task_count(o); task++) {
        const struct tk_ao_object *object = tk_ao_of_task(o, task);
        if (object) put_object(o, sink, task, object);
    }
    tk_table_end(sink);
}

static const struct tk_column stores_columns[] = {
    { "name", "Name", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "kind", "Kind", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "operations", "Operations", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "max_fill", "Highest fill", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
};
static const struct tk_table stores_table = { "stores",
                                              "Event queues, pools and locks",
                                              TK_TABLE_COLUMNS(stores_columns),
                                              TK_TABLE_LIST,
                                              "operations",
                                              "Operations on each event queue, pool and lock." };

static void put_queues(const struct tk_active_objects *o, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &stores_table);
    for (uint32_t i = 0; i < o->store_count && i < o->stats->queue_count; i++) {
        tk_cell_entity(sink, &o->tl->names, o->stores[i].entity);
        tk_cell_word(sink, o->stores[i].kind);
        tk_cell_uint(sink, o->stats->queues[i].operations);
        tk_cell_uint_if(sink, !o->stores[i].unsure && !o->stores[i].unsure_before, o->stats->queues[i].max_len);
    }
    tk_table_end(sink);
}

static const struct tk_table *const table_list[] = { &objects_table, &tk_ao_steps_table, &tk_ao_step_signals_table,
                                                     &stores_table, NULL };

static void tables(const void *tracker, const struct tk_table_sink *sink) {
    put_objects(tracker, sink);
    if (((const struct tk_active_objects *)tracker)->has_analysis) tk_ao_step_tables(tracker, sink);
    put_queues(tracker, sink);
}

// All other figures are in tk_stats.
static void begin_stats(void *tracker, uint64_t ticks) {
    struct tk_active_objects *o = tracker;
    tk_ao_step_times_clear(o);
    (void)ticks;
    for (uint32_t i = 0; i < o->store_count; i++) o->stores[i].unsure_before = false;
    for (uint32_t i = 0; i < o->count; i++) {
        o->objects[i].steps = o->objects[i].steps_unmeasured = 0;
        o->objects[i].inbox.least = o->objects[i].store.least = 0;
    }
}

const struct tk_tracker tk_tracker_active_objects = { .owner = TK_OWNER_ACTIVE_OBJECTS,
                                                      .size = sizeof(struct tk_active_objects),
                                                      .draws_details = true,
                                                      .init = init,
                                                      .event = on_event,
                                                      .loss = on_loss,
                                                      .restart = on_restart,
                                                      .finish = finish,
                                                      .begin_stats = begin_stats,
                                                      .tables = tables,
                                                      .table_list = table_list };
