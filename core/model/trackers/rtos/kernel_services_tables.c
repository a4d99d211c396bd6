// SPDX-License-Identifier: MIT
//
// Waits, queues, mutexes, jobs, intervals, states, timers, event groups, memory and who talks to whom, as tables.
#include "kernel_services_internal.h"

#define COUNT(key, title, role) { key, title, TK_COLUMN_COUNT, role, NULL, TK_FOLD_SUM }
#define SPAN(key, title, fold) { key, title, TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, fold }
#define NAME(key, title) { key, title, TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE }
#define MOMENT(key) { key, "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE }
#define NOTE(key, title) { key, title, TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE }
#define UNMEASURED(key) { key, "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM }
#define TABLE(id, title, columns, sort) { id, title, columns, sizeof columns / sizeof *columns, TK_TABLE_LIST, sort }

static void put_entity(const struct tk_kernel_services *services, const struct tk_table_sink *sink, uint32_t entity) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    if (entity == TK_NONE) {
        tk_cell_none(sink);
        return;
    }
    const char *text = tk_names_text(&services->tl->names, entity, room, &len);
    tk_cell_text(sink, text, len);
}

static void put_actor(const struct tk_kernel_services *services, const struct tk_table_sink *sink, uint32_t actor) {
    char text[2 * TK_DISPLAY_LEN];
    if (actor == TK_NONE) tk_cell_none(sink);
    else if (actor & TK_ACTOR_IS_ISR)
        tk_cell_text(sink, text,
                     tk_names_label_text(&services->tl->names, services->rtos->isrs[actor & ~TK_ACTOR_IS_ISR].entity,
                                         TK_ISR_TEXT, text));
    else put_entity(services, sink, services->rtos->tasks[actor].entity);
}

// How often it happened, and how often nobody could measure how long.
static void put_counts(const struct tk_table_sink *sink, uint64_t count, const struct tk_durations *durations) {
    tk_cell_uint(sink, count);
    tk_cell_uint(sink, count - durations->measured);
}

static void put_measured(const struct tk_table_sink *sink, const struct tk_durations *durations, uint64_t ticks) {
    tk_cell_ticks_if(sink, durations->measured > 0, ticks);
}

static void put_longest(const struct tk_table_sink *sink, const struct tk_durations *durations) {
    put_measured(sink, durations, durations->max);
    put_measured(sink, durations, durations->max_at);
}

static void put_mean(const struct tk_table_sink *sink, const struct tk_durations *durations) {
    tk_cell_mean(sink, durations->total, durations->measured);
}

// ---- Waits -------------------------------------------------------------------------------------

static void put_wait(const struct tk_kernel_services *services, const struct tk_table_sink *sink,
                     const struct tk_wait_stats *row) {
    char text[2 * TK_DISPLAY_LEN];
    size_t len = tk_rtos_is_delay(row->reason) ? tk_append_text(text, 0, "delay")
                                               : tk_rtos_reason_text(services->rtos, row->reason, text);
    tk_cell_text(sink, text, len);
    put_counts(sink, row->count, &row->lasted);
    put_measured(sink, &row->lasted, row->lasted.total);
    put_mean(sink, &row->lasted);
    put_longest(sink, &row->lasted);
    put_actor(services, sink, row->lasted.measured ? row->longest_task : TK_NONE);
}

static void put_waits(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Waited for"),
        COUNT("count", "Waits", TK_ROLE_VALUE),
        UNMEASURED("count_unmeasured"),
        SPAN("total", "Total", TK_FOLD_SUM),
        SPAN("mean", "Mean", TK_FOLD_NONE),
        SPAN("longest", "Longest", TK_FOLD_MAX),
        MOMENT("longest_at"),
        NOTE("longest_of", "Task"),
    };
    static const struct tk_table table = TABLE("waits", "Waits", columns, "total");
    const struct tk_wait_stats *rows = services->waits.rows;
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->waits.count; i++) put_wait(services, sink, &rows[i]);
    tk_table_end(sink);
}

// ---- Queues and locks --------------------------------------------------------------------------

static const struct tk_queue_services *queue_of(const struct tk_kernel_services *services, uint32_t index) {
    static const struct tk_queue_services none;
    return index < services->queue_count ? &services->queues[index] : &none;
}

static void put_queue(const struct tk_kernel_services *services, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_queue *queue = &services->rtos->queues[index];
    const struct tk_queue_services *own = queue_of(services, index);
    put_entity(services, sink, queue->entity);
    tk_cell_uint(sink, services->tl->names.entities[queue->entity].id);
    tk_cell_word(sink, tk_rtos_queue_kind_name(queue));
    tk_cell_uint(sink, services->host.stats->queues[index].operations);
    tk_cell_uint(sink, services->host.stats->queues[index].max_len);
    tk_cell_uint_if(sink, queue->capacity > 0, queue->capacity);
    tk_cell_uint(sink, own->refused);
    tk_cell_uint(sink, own->timed_out);
}

static void put_queues(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Name"),
        { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "kind", "Kind", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        COUNT("operations", "Operations", TK_ROLE_VALUE),
        { "max_fill", "Highest fill", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
        { "capacity", "Capacity", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
        COUNT("refused", "Refused", TK_ROLE_VALUE),
        COUNT("timed_out", "Timed out", TK_ROLE_VALUE),
    };
    static const struct tk_table table = TABLE("queues", "Queues and locks", columns, "operations");
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->rtos->queue_count && i < services->host.stats->queue_count; i++)
        if (services->rtos->queues[i].used || queue_of(services, i)->refused) put_queue(services, sink, i);
    tk_table_end(sink);
}

static void put_lock(const struct tk_kernel_services *services, const struct tk_table_sink *sink,
                     const struct tk_mutex_stats *row) {
    put_entity(services, sink, services->rtos->queues[row->queue].entity);
    put_actor(services, sink, row->task);
    put_counts(sink, row->holds, &row->held);
    put_measured(sink, &row->held, row->held.total);
    put_mean(sink, &row->held);
    put_longest(sink, &row->held);
    put_counts(sink, row->waits, &row->waited);
    put_measured(sink, &row->waited, row->waited.total);
    put_longest(sink, &row->waited);
}

static void put_mutexes(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Mutex"),
        { "task", "Task", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
        COUNT("holds", "Held", TK_ROLE_VALUE),
        UNMEASURED("holds_unmeasured"),
        SPAN("held", "Held for", TK_FOLD_SUM),
        SPAN("held_mean", "Mean", TK_FOLD_NONE),
        SPAN("held_longest", "Longest", TK_FOLD_MAX),
        MOMENT("held_longest_at"),
        COUNT("waits", "Waits", TK_ROLE_VALUE),
        UNMEASURED("waits_unmeasured"),
        SPAN("waited", "Waited for it", TK_FOLD_SUM),
        SPAN("waited_longest", "Longest wait", TK_FOLD_MAX),
        MOMENT("waited_longest_at"),
    };
    static const struct tk_table table = TABLE("mutexes", "Mutexes", columns, "held_longest");
    const struct tk_mutex_stats *rows = services->locks.rows;
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->locks.count; i++) put_lock(services, sink, &rows[i]);
    tk_table_end(sink);
}

// ---- Jobs and stacks ---------------------------------------------------------------------------

static void put_spread(const struct tk_table_sink *sink, const struct tk_durations *durations,
                       const struct tk_histogram *histogram) {
    uint64_t bound = histogram ? tk_histogram_quantile(histogram, 95) : 0;
    put_measured(sink, durations, durations->min);
    put_mean(sink, durations);
    tk_cell_ticks_if(sink, histogram && histogram->count, bound < durations->max ? bound : durations->max);
    put_longest(sink, durations);
}

static void put_job(const struct tk_kernel_services *services, const struct tk_table_sink *sink, uint32_t task) {
    const struct tk_task_services *own = &services->tasks[task];
    put_actor(services, sink, task);
    put_counts(sink, own->jobs, &own->responses);
    put_spread(sink, &own->responses, own->figures ? &own->figures->response : NULL);
    put_spread(sink, &own->periods, own->figures ? &own->figures->period : NULL);
}

static void put_jobs(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Task"),
        COUNT("count", "Jobs", TK_ROLE_VALUE),
        UNMEASURED("count_unmeasured"),
        SPAN("response_min", "Shortest response", TK_FOLD_MIN),
        SPAN("response_mean", "Mean", TK_FOLD_NONE),
        SPAN("response_p95", "95 % at most", TK_FOLD_NONE),
        SPAN("response_max", "Longest response", TK_FOLD_MAX),
        MOMENT("response_max_at"),
        SPAN("period_min", "Shortest period", TK_FOLD_MIN),
        SPAN("period_mean", "Mean", TK_FOLD_NONE),
        SPAN("period_p95", "95 % at most", TK_FOLD_NONE),
        SPAN("period_max", "Longest period", TK_FOLD_MAX),
        MOMENT("period_max_at"),
    };
    static const struct tk_table table = TABLE("jobs", "Jobs", columns, "response_max");
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->task_count && i < services->rtos->task_count; i++)
        if (services->tasks[i].jobs) put_job(services, sink, i);
    tk_table_end(sink);
}

static void put_stacks(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = { NAME("name", "Task"),
                                                { "least_free", "Least free", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "words",
                                                  TK_FOLD_MIN },
                                                MOMENT("least_free_at") };
    static const struct tk_table table = TABLE("stacks", "Stacks", columns, NULL);
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->task_count && i < services->rtos->task_count; i++) {
        if (!services->tasks[i].stack_known) continue;
        put_actor(services, sink, i);
        tk_cell_int(sink, services->tasks[i].stack_least);
        tk_cell_ticks(sink, services->tasks[i].stack_least_at);
    }
    for (uint32_t i = 0; i < services->object_count; i++) {
        const struct tk_kernel_object *stack = &services->objects[i];
        if (stack->is != TK_CLASS_STACK || !stack->level_known) continue;
        put_entity(services, sink, stack->entity);
        tk_cell_int(sink, stack->level);
        tk_cell_ticks(sink, stack->since);
    }
    tk_table_end(sink);
}

// ---- Intervals, states, timers, event groups ---------------------------------------------------

static void put_interval(const struct tk_kernel_services *services, const struct tk_table_sink *sink,
                         const struct tk_kernel_object *channel) {
    const struct tk_durations *intervals = &channel->intervals;
    put_entity(services, sink, channel->entity);
    put_counts(sink, channel->count, intervals);
    put_measured(sink, intervals, intervals->total);
    put_measured(sink, intervals, intervals->min);
    put_mean(sink, intervals);
    put_longest(sink, intervals);
}

static void put_intervals(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Interval"),
        COUNT("count", "Count", TK_ROLE_VALUE),
        UNMEASURED("count_unmeasured"),
        SPAN("total", "Total", TK_FOLD_SUM),
        SPAN("min", "Shortest", TK_FOLD_MIN),
        SPAN("mean", "Mean", TK_FOLD_NONE),
        SPAN("max", "Longest", TK_FOLD_MAX),
        MOMENT("max_at"),
    };
    static const struct tk_table table = TABLE("intervals", "Intervals", columns, "total");
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->object_count; i++)
        if (services->objects[i].is == TK_CLASS_INTERVAL && services->objects[i].count)
            put_interval(services, sink, &services->objects[i]);
    tk_table_end(sink);
}

static void put_state(const struct tk_kernel_services *services, const struct tk_table_sink *sink,
                      const struct tk_transition_stats *row) {
    put_entity(services, sink, services->objects[row->machine].entity);
    put_entity(services, sink, row->from);
    put_entity(services, sink, row->to);
    tk_cell_uint(sink, row->count);
    tk_cell_uint(sink, row->from == TK_NONE ? 0 : row->count - row->before.measured); // nothing known was before it
    put_measured(sink, &row->before, row->before.total);
    put_longest(sink, &row->before);
}

static void put_states(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "State machine"),
        { "from", "From", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
        { "to", "To", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
        COUNT("count", "Count", TK_ROLE_VALUE),
        UNMEASURED("count_unmeasured"),
        SPAN("total", "Time before", TK_FOLD_SUM),
        SPAN("longest", "Longest", TK_FOLD_MAX),
        MOMENT("longest_at"),
    };
    static const struct tk_table table = TABLE("states", "State changes", columns, NULL);
    const struct tk_transition_stats *rows = services->states.rows;
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->states.count; i++) put_state(services, sink, &rows[i]);
    tk_table_end(sink);
}

static void put_timers(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Timer"),
        { "period", "Period", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "ticks", TK_FOLD_NONE },
        COUNT("expired", "Expired", TK_ROLE_VALUE),
        { "reloads", "Loads itself again", TK_COLUMN_FLAG, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    };
    static const struct tk_table table = TABLE("timers", "Timers", columns, "expired");
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->object_count; i++) {
        const struct tk_kernel_object *timer = &services->objects[i];
        if (timer->is != TK_CLASS_TIMER) continue;
        put_entity(services, sink, timer->entity);
        tk_cell_uint_if(sink, timer->level > 0, (uint64_t)timer->level);
        tk_cell_uint(sink, timer->expired);
        tk_cell_uint_if(sink, timer->reloads, 1); // that it does not is never proven
    }
    tk_table_end(sink);
}

static void put_groups(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Event group"),
        COUNT("set", "Set", TK_ROLE_VALUE),
        COUNT("cleared", "Cleared", TK_ROLE_VALUE),
        COUNT("waited", "Waited for", TK_ROLE_VALUE),
        COUNT("timed_out", "Timed out", TK_ROLE_VALUE),
    };
    static const struct tk_table table = TABLE("event_groups", "Event groups", columns, "set");
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->object_count; i++) {
        const struct tk_kernel_object *group = &services->objects[i];
        if (group->is != TK_CLASS_EVENT_GROUP || !(group->set_count || group->cleared_count || group->waited_count))
            continue;
        put_entity(services, sink, group->entity);
        tk_cell_uint(sink, group->set_count);
        tk_cell_uint(sink, group->cleared_count);
        tk_cell_uint(sink, group->waited_count);
        tk_cell_uint(sink, group->timed_out);
    }
    tk_table_end(sink);
}

// ---- Memory ------------------------------------------------------------------------------------

// What was not given back to a heap.
static struct tk_heap_owner_stats left_in(const struct tk_kernel_services *services, uint32_t heap) {
    const struct tk_heap_owner_stats *rows = services->owners.rows;
    struct tk_heap_owner_stats left = { .heap = heap };
    for (uint32_t i = 0; i < services->owners.count; i++) {
        if (rows[i].heap != heap) continue;
        left.blocks += rows[i].blocks;
        left.bytes += rows[i].bytes;
    }
    return left;
}

static void put_int_if(const struct tk_table_sink *sink, bool known, int64_t value) {
    if (known) tk_cell_int(sink, value);
    else tk_cell_none(sink);
}

static void put_heaps(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Heap"),
        { "most", "Most used", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_MAX },
        MOMENT("most_at"),
        { "end", "At the end", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_NONE },
        COUNT("allocated", "Allocations", TK_ROLE_VALUE),
        COUNT("freed", "Frees", TK_ROLE_VALUE),
        { "blocks_left", "Not freed", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
        { "bytes_left", "Not freed", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_SUM },
    };
    static const struct tk_table table = TABLE("heaps", "Heaps", columns, NULL);
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->object_count; i++) {
        const struct tk_kernel_object *heap = &services->objects[i];
        if (heap->is != TK_CLASS_HEAP || !(heap->level_known || heap->set_count || heap->cleared_count)) continue;
        struct tk_heap_owner_stats left = left_in(services, i);
        bool all_seen = !services->blocks.refused && !services->frees_missed;
        put_entity(services, sink, heap->entity);
        put_int_if(sink, heap->level_known, heap->level_most);
        tk_cell_ticks_if(sink, heap->level_known, heap->level_most_at);
        put_int_if(sink, heap->sure, heap->level);
        tk_cell_uint(sink, heap->set_count);
        tk_cell_uint(sink, heap->cleared_count);
        tk_cell_uint_if(sink, all_seen, left.blocks);
        tk_cell_uint_if(sink, all_seen, left.bytes);
    }
    tk_table_end(sink);
}

static void put_owners(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("name", "Allocated by"),
        { "heap", "Heap", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
        COUNT("blocks", "Blocks not freed", TK_ROLE_VALUE),
        { "bytes", "Bytes not freed", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_SUM },
    };
    static const struct tk_table table = TABLE("not_freed", "Memory not freed", columns, "bytes");
    const struct tk_heap_owner_stats *rows = services->owners.rows;
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->owners.count; i++) {
        if (!rows[i].blocks) continue;
        if (rows[i].actor == TK_NONE) tk_cell_word(sink, "unknown");
        else put_actor(services, sink, rows[i].actor);
        put_entity(services, sink, services->objects[rows[i].heap].entity);
        tk_cell_uint(sink, rows[i].blocks);
        tk_cell_uint(sink, rows[i].bytes);
    }
    tk_table_end(sink);
}

// ---- Who talks to whom -------------------------------------------------------------------------

static void put_communication(const struct tk_kernel_services *services, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        NAME("from", "From"),
        { "object", "Through", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
        { "to", "To", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
        COUNT("count", "Count", TK_ROLE_VALUE),
    };
    static const struct tk_table table = TABLE("communication", "Communication", columns, "count");
    const struct tk_communication_edge *rows = services->communication.rows;
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < services->communication.count; i++) {
        put_actor(services, sink, rows[i].from);
        put_entity(services, sink, rows[i].object);
        put_actor(services, sink, rows[i].to);
        tk_cell_uint(sink, rows[i].count);
    }
    tk_table_end(sink);
}

void tk_services_tables(const void *tracker, const struct tk_table_sink *sink) {
    static void (*const tables[])(const struct tk_kernel_services *, const struct tk_table_sink *) = {
        put_jobs,   put_waits,     put_mutexes, put_communication, put_queues, put_groups,
        put_timers, put_intervals, put_states,  put_heaps,         put_owners, put_stacks,
    };
    enum { OF_EVERY_EVENT = 4 }; // so many need all of them
    const struct tk_kernel_services *services = tracker;
    for (size_t i = services->started_late ? OF_EVERY_EVENT : 0; i < sizeof tables / sizeof *tables; i++)
        tables[i](services, sink);
}
