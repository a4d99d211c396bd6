// SPDX-License-Identifier: MIT
//
// All tables of the tracker for the report.
#include "../../tables/columns.h"
#include "rtos_internal.h"

static void put_task_name(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t task) {
    tk_cell_entity(sink, &rtos->tl->names, task == TK_NONE ? TK_NONE : rtos->tasks[task].entity);
}

static void put_actor(const struct tk_rtos *rtos, const struct tk_table_sink *sink, struct tk_actor actor) {
    char text[TK_LABEL_LEN];
    if (actor.kind == TK_ACTOR_TASK) put_task_name(rtos, sink, actor.index);
    else if (actor.kind == TK_ACTOR_INTERRUPT)
        tk_cell_text(sink, text,
                     tk_names_label_text(&rtos->tl->names, rtos->isrs[actor.index].entity, TK_LABEL_INTERRUPT, text));
    else tk_cell_none(sink);
}

// Writes a count, and the number of unmeasured occurrences.
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

static uint32_t id_of(const struct tk_rtos *rtos, uint32_t entity) { return rtos->tl->names.entities[entity].id; }

// After a failed allocation one array may be shorter than its neighbours: the tables end with the shortest.
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// ---- Tasks -------------------------------------------------------------------------------------

static uint32_t task_count(const struct tk_rtos *rtos) {
    return smaller(rtos->task_count, smaller(rtos->tl->task_count, rtos->stats->task_count));
}

static bool is_listed(const struct tk_rtos *rtos, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    const struct tk_timeline_task *drawn = &rtos->tl->tasks[index];
    if (task->uncertain) return false;
    if (drawn->shown || drawn->thread_track) return true;
    return task->prio_known && task->phase != TK_PHASE_DELETED; // the row of a deleted task may belong to a new task of
                                                                // the same name
}

// Writes two columns; row: of the strip, TK_STATS_ROWS: none.
static void put_share_noise(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t row) {
    struct tk_noise noise = tk_stats_noise(rtos->stats, row);
    tk_cells_noise(sink, &noise, 1e6);
}

#define SHARE_NOISE(typical, spread)                                                     \
    { "share_typical", typical, TK_COLUMN_SHARE, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE }, { \
        "share_spread", spread, TK_COLUMN_SHARE, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE      \
    }

static void put_task(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    const struct tk_stats_task *stats = &rtos->stats->tasks[index];
    bool waited = stats->longest_wait > 0;
    char reason[2 * TK_DISPLAY_LEN];
    uint64_t running = tk_stats_running(rtos->stats, index);
    tk_cell_entity(sink, &rtos->tl->names, task->entity);
    tk_cell_uint(sink, task->idle);
    tk_cell_uint(sink, id_of(rtos, task->entity));
    tk_cell_uint(sink, (uint64_t)rtos->tl->tasks[index].pid);
    if (task->prio_known && (int32_t)task->prio < 0) tk_cell_int(sink, (int32_t)task->prio);
    else tk_cell_uint_if(sink, task->prio_known, task->prio);
    tk_cell_ticks_if(sink, rtos->stats->end > rtos->stats->start, running);
    tk_cell_share(sink, running, rtos->stats->end - rtos->stats->start);
    tk_cell_uint(sink, stats->runs);
    tk_cell_uint(sink, stats->runs_unmeasured);
    tk_cell_uint(sink, stats->waits);
    tk_cell_ticks_if(sink, waited, stats->longest_wait);
    tk_cell_text(sink, reason, waited ? tk_reason_text(&rtos->tl->names, stats->longest_wait_reason, reason) : 0);
    tk_cell_ticks_if(sink, waited, stats->longest_wait_from);
    tk_cell_uint(sink, stats->waits_unmeasured);
    uint64_t created = !task->stale && index < rtos->created_at_capacity ? rtos->created_at[index] : 0;
    tk_cell_ticks_if(sink, created && created - 1 <= rtos->tl->now, created - 1);
    put_share_noise(rtos, sink, index < TK_STATS_TASK_ROWS ? index : TK_STATS_ROWS);
}

static const struct tk_column tasks_columns[] = {
    { "name", "Task", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "idle", "Idle", TK_COLUMN_FLAG, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "pid", "Process", TK_COLUMN_NUMBER, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "priority", "Priority", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "cpu", "CPU time", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "share", "CPU", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "runs", "Runs", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "runs_unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
    { "waits", "Waits", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "longest_wait", "Longest wait", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "longest_wait_on", "Waited for", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "longest_wait_at", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
    { "waits_unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
    { "created", "Created", TK_COLUMN_TIME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    SHARE_NOISE("Typical CPU", "Spread of CPU"),
};
static const struct tk_table tasks_table = { "tasks",       "Tasks", TK_TABLE_COLUMNS(tasks_columns),
                                             TK_TABLE_LIST, "cpu",   "CPU time and waits of each task." };

static void put_tasks(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &tasks_table);
    for (uint32_t i = 0; i < task_count(rtos); i++)
        if (is_listed(rtos, i)) put_task(rtos, sink, i);
    tk_table_end(sink);
}

// ---- Interrupts --------------------------------------------------------------------------------

static uint32_t isr_count(const struct tk_rtos *rtos) { return smaller(rtos->isr_count, rtos->stats->isr_count); }

static void put_track(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t track) {
    char name[TK_TRACK_NAME_LEN];
    if (track) tk_cell_text(sink, name, tk_timeline_track_name(rtos->tl, track, name));
    else tk_cell_none(sink);
}

static void put_isr(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_isr *isr = &rtos->isrs[index];
    const struct tk_stats_isr *stats = &rtos->stats->isrs[index];
    tk_cell_entity(sink, &rtos->tl->names, isr->entity);
    tk_cell_uint(sink, isr->core);
    tk_cell_uint(sink, id_of(rtos, isr->entity));
    tk_cell_uint(sink, stats->entered);
    tk_cell_uint(sink, stats->entered - stats->duration.durations.measured);
    put_measured(sink, &stats->duration.durations, stats->duration.durations.total);
    tk_cells_spread(sink, &stats->duration);
    uint64_t net_count = stats->is_net_unknown ? 0 : stats->duration.durations.measured;
    tk_cell_mean(sink, stats->net_total, net_count);
    tk_cell_ticks_if(sink, net_count > 0, stats->net_max);
    tk_cell_ticks_if(sink, net_count > 0, stats->net_max_at);
    tk_cell_uint(sink, stats->deepest);
    tk_cells_spread(sink, &stats->period);
    put_track(rtos, sink, rtos->cores[isr->core].track);
    put_share_noise(rtos, sink, index < TK_STATS_ISR_ROWS ? TK_STATS_FIRST_ISR_ROW + index : TK_STATS_ROWS);
}

static const struct tk_column interrupts_columns[] = {
    NAME("name", "Interrupt"),
    KEY("core", "Core", TK_COLUMN_NUMBER),
    { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    COUNT("count", "Count", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("total", "Total", TK_FOLD_SUM),
    LENGTHS,
    HIDDEN("net_mean", "Mean without nested ones", TK_FOLD_NONE),
    HIDDEN("net_max", "Longest without nested ones", TK_FOLD_MAX),
    HIDDEN_MOMENT("net_max_at"),
    { "deepest", "Deepest nesting", TK_COLUMN_COUNT, TK_ROLE_HIDDEN, NULL, TK_FOLD_MAX },
    PERIODS,
    { "track", "Track", TK_COLUMN_TEXT, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    SHARE_NOISE("Typical share", "Spread of the share"),
};
static const struct tk_table interrupts_table = {
    "interrupts",  "Interrupts", TK_TABLE_COLUMNS(interrupts_columns),
    TK_TABLE_LIST, "total",      "Number, durations and periods of each interrupt."
};

static void put_isrs(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &interrupts_table);
    for (uint32_t i = 0; i < isr_count(rtos); i++)
        if (rtos->stats->isrs[i].entered && !rtos->isrs[i].uncertain) put_isr(rtos, sink, i);
    tk_table_end(sink);
}

// ---- Queues ------------------------------------------------------------------------------------

static uint32_t queue_count(const struct tk_rtos *rtos) { return smaller(rtos->queue_count, rtos->stats->queue_count); }

static const char *queue_kind(const struct tk_queue *queue) {
    static const char *const kinds[TK_QUEUE_KINDS] = {
        [TK_QUEUE_BASE] = "queue",
        [TK_QUEUE_COUNTING_SEMAPHORE] = "counting semaphore",
        [TK_QUEUE_BINARY_SEMAPHORE] = "binary semaphore",
        [TK_QUEUE_MUTEX] = "mutex",
        [TK_QUEUE_RECURSIVE_MUTEX] = "recursive mutex",
        [TK_QUEUE_SET] = "queue set",
        [TK_QUEUE_UNKNOWN] = "unknown",
        [TK_QUEUE_SEMAPHORE] = "semaphore",
        [TK_QUEUE_STREAM_BUFFER] = "stream buffer",
        [TK_QUEUE_MESSAGE_BUFFER] = "message buffer",
    };
    return queue->kind_known ? kinds[queue->kind] : "queue";
}

static void put_max_fill(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_stats_queue *stats = &rtos->stats->queues[index];
    tk_cell_uint_if(sink, stats->has_max && !rtos->queues[index].length.incomplete, stats->max_len);
}

// Writes a queue in a recording that does not trace kernel services.
static void put_plain_queue(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_queue *queue = &rtos->queues[index];
    tk_cell_entity(sink, &rtos->tl->names, queue->entity);
    tk_cell_uint(sink, id_of(rtos, queue->entity));
    tk_cell_word(sink, queue_kind(queue));
    tk_cell_uint(sink, rtos->stats->queues[index].operations);
    put_max_fill(rtos, sink, index);
}

// Recordings that do not trace kernel services have the first columns only.
enum { PLAIN_QUEUE_COLUMNS = 5 };
static const struct tk_column queues_columns[] = {
    NAME("name", "Name"),
    { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "kind", "Kind", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    COUNT("operations", "Operations", TK_ROLE_VALUE),
    { "max_fill", "Highest fill", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "capacity", "Capacity", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    COUNT("refused", "Refused", TK_ROLE_VALUE),
    COUNT("timed_out", "Timed out", TK_ROLE_VALUE),
};
static const struct tk_table queues_table = {
    "queues",      "Queues and locks", TK_TABLE_COLUMNS(queues_columns),
    TK_TABLE_LIST, "operations",       "Operations on each queue, semaphore or mutex."
};
static const struct tk_table plain_queues_table = { "queues",
                                                    "Queues and locks",
                                                    queues_columns,
                                                    PLAIN_QUEUE_COLUMNS,
                                                    TK_TABLE_LIST,
                                                    "operations",
                                                    "Operations on each queue, semaphore or mutex." };

static void put_plain_queues(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &plain_queues_table);
    for (uint32_t i = 0; i < queue_count(rtos); i++)
        if (rtos->queues[i].used && !rtos->queues[i].uncertain) put_plain_queue(rtos, sink, i);
    tk_table_end(sink);
}

// ---- Queues and locks --------------------------------------------------------------------------

static void put_queue(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_queue *queue = &rtos->queues[index];
    tk_cell_entity(sink, &rtos->tl->names, queue->entity);
    tk_cell_uint(sink, rtos->tl->names.entities[queue->entity].id);
    tk_cell_word(sink, queue_kind(queue));
    tk_cell_uint(sink, rtos->stats->queues[index].operations);
    put_max_fill(rtos, sink, index);
    tk_cell_uint_if(sink, queue->capacity > 0, queue->capacity);
    tk_cell_uint(sink, queue->refused);
    tk_cell_uint(sink, queue->timed_out);
}

static void put_queues(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &queues_table);
    for (uint32_t i = 0; i < queue_count(rtos); i++)
        if ((rtos->queues[i].used || rtos->queues[i].refused) && !rtos->queues[i].uncertain) put_queue(rtos, sink, i);
    tk_table_end(sink);
}

// ---- Stacks ------------------------------------------------------------------------------------

static const struct tk_column stacks_columns[] = {
    NAME("name", "Task"),
    { "size", "Size", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "words", TK_FOLD_NONE },
    { "least_free", "Least free", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "words", TK_FOLD_MIN },
    MOMENT("least_free_at")
};
static const struct tk_table stacks_table = { "stacks",      "Stacks", TK_TABLE_COLUMNS(stacks_columns),
                                              TK_TABLE_LIST, NULL,     "The smallest free space of each stack." };

static void put_stacks(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &stacks_table);
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        const struct tk_task *task = &rtos->tasks[i];
        if (!task->stack_known && !task->stack_size) continue;
        put_task_name(rtos, sink, i);
        tk_cell_uint_if(sink, task->stack_size > 0, task->stack_size);
        if (task->stack_known) tk_cell_int(sink, task->stack_least);
        else tk_cell_none(sink);
        tk_cell_ticks_if(sink, task->stack_known, task->stack_least_at);
    }
    for (uint32_t i = 0; i < rtos->object_count; i++) {
        const struct tk_kernel_object *stack = &rtos->objects[i];
        if (stack->class != TK_CLASS_STACK || !stack->stack.is_known) continue;
        tk_cell_entity(sink, &rtos->tl->names, stack->entity);
        tk_cell_none(sink);
        tk_cell_int(sink, stack->stack.least);
        tk_cell_ticks(sink, stack->stack.least_at);
    }
    tk_table_end(sink);
}

// ---- Intervals, states, timers, event groups ---------------------------------------------------

static void put_interval(const struct tk_rtos *rtos, const struct tk_table_sink *sink,
                         const struct tk_kernel_object *object) {
    const struct tk_durations *intervals = &object->channel.durations;
    tk_cell_entity(sink, &rtos->tl->names, object->entity);
    put_counts(sink, object->channel.count, intervals);
    put_measured(sink, intervals, intervals->total);
    put_measured(sink, intervals, intervals->min);
    put_mean(sink, intervals);
    put_longest(sink, intervals);
}

static const struct tk_column intervals_columns[] = {
    NAME("name", "Interval"),
    COUNT("count", "Count", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("total", "Total", TK_FOLD_SUM),
    SPAN("min", "Shortest", TK_FOLD_MIN),
    SPAN("mean", "Mean", TK_FOLD_NONE),
    SPAN("max", "Longest", TK_FOLD_MAX),
    MOMENT("max_at"),
};
static const struct tk_table intervals_table = { "intervals",   "Intervals", TK_TABLE_COLUMNS(intervals_columns),
                                                 TK_TABLE_LIST, "total",     "Number and durations of each interval." };

static void put_intervals(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &intervals_table);
    for (uint32_t i = 0; i < rtos->object_count; i++)
        if (rtos->objects[i].class == TK_CLASS_INTERVAL && rtos->objects[i].channel.count)
            put_interval(rtos, sink, &rtos->objects[i]);
    tk_table_end(sink);
}

static void put_state(const struct tk_rtos *rtos, const struct tk_table_sink *sink,
                      const struct tk_transition_stats *row) {
    tk_cell_entity(sink, &rtos->tl->names, rtos->objects[row->machine].entity);
    tk_cell_entity(sink, &rtos->tl->names, row->from);
    tk_cell_entity(sink, &rtos->tl->names, row->to);
    tk_cell_uint(sink, row->count);
    tk_cell_uint(sink, row->from == TK_NONE ? 0 : row->count - row->before.measured); // no state is known before it
    put_measured(sink, &row->before, row->before.total);
    put_longest(sink, &row->before);
}

static const struct tk_column states_columns[] = {
    NAME("name", "State machine"),
    { "from", "From", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "to", "To", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    COUNT("count", "Count", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("total", "Time before", TK_FOLD_SUM),
    SPAN("longest", "Longest", TK_FOLD_MAX),
    MOMENT("longest_at"),
};
static const struct tk_table states_table = { "states",
                                              "State changes",
                                              TK_TABLE_COLUMNS(states_columns),
                                              TK_TABLE_LIST,
                                              NULL,
                                              "Changes of each state machine from one state to another." };

static void put_states(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    const struct tk_transition_stats *rows = rtos->transitions.rows;
    tk_table_begin(sink, &states_table);
    for (uint32_t i = 0; i < rtos->transitions.count; i++) put_state(rtos, sink, &rows[i]);
    tk_table_end(sink);
}

static const struct tk_column timers_columns[] = {
    NAME("name", "Timer"),
    { "period", "Period", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "ticks", TK_FOLD_NONE },
    COUNT("expired", "Expired", TK_ROLE_VALUE),
    { "reloads", "Loads itself again", TK_COLUMN_FLAG, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table timers_table = {
    "timers",      "Timers",  TK_TABLE_COLUMNS(timers_columns),
    TK_TABLE_LIST, "expired", "The period of each software timer, and how often it expired."
};

static void put_timers(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &timers_table);
    for (uint32_t i = 0; i < rtos->object_count; i++) {
        const struct tk_kernel_object *timer = &rtos->objects[i];
        if (timer->class != TK_CLASS_TIMER) continue;
        tk_cell_entity(sink, &rtos->tl->names, timer->entity);
        tk_cell_uint_if(sink, timer->timer.period > 0, (uint64_t)timer->timer.period);
        tk_cell_uint(sink, timer->timer.expired);
        tk_cell_uint_if(sink, timer->timer.auto_reloads, 1); // the recording cannot prove that a timer is one-shot
    }
    tk_table_end(sink);
}

static const struct tk_column event_groups_columns[] = {
    NAME("name", "Event group"),
    COUNT("set", "Set", TK_ROLE_VALUE),
    COUNT("cleared", "Cleared", TK_ROLE_VALUE),
    COUNT("waited", "Waited for", TK_ROLE_VALUE),
    COUNT("timed_out", "Timed out", TK_ROLE_VALUE),
};
static const struct tk_table event_groups_table = {
    "event_groups", "Event groups", TK_TABLE_COLUMNS(event_groups_columns),
    TK_TABLE_LIST,  "set",          "Operations on each event group."
};

static void put_groups(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &event_groups_table);
    for (uint32_t i = 0; i < rtos->object_count; i++) {
        const struct tk_event_group *group = &rtos->objects[i].group;
        if (rtos->objects[i].class != TK_CLASS_EVENT_GROUP ||
            !(group->set_count || group->cleared_count || group->waited_count))
            continue;
        tk_cell_entity(sink, &rtos->tl->names, rtos->objects[i].entity);
        tk_cell_uint(sink, group->set_count);
        tk_cell_uint(sink, group->cleared_count);
        tk_cell_uint(sink, group->waited_count);
        tk_cell_uint(sink, group->timed_out);
    }
    tk_table_end(sink);
}

// ---- Memory ------------------------------------------------------------------------------------

// Returns the memory of a heap that was not freed.
static struct tk_heap_owner_stats left_in(const struct tk_rtos *rtos, uint32_t heap) {
    const struct tk_heap_owner_stats *rows = rtos->heap_owners.rows;
    struct tk_heap_owner_stats left = { .heap = heap };
    for (uint32_t i = 0; i < rtos->heap_owners.count; i++) {
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

static const struct tk_column heaps_columns[] = {
    NAME("name", "Heap"),
    { "most", "Most used", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_MAX },
    MOMENT("most_at"),
    { "end", "At the end", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_NONE },
    COUNT("allocated", "Allocations", TK_ROLE_VALUE),
    COUNT("freed", "Frees", TK_ROLE_VALUE),
    { "blocks_left", "Not freed", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "bytes_left", "Not freed", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_SUM },
    { "size", "Size", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_NONE },
};
static const struct tk_table heaps_table = { "heaps",       "Heaps", TK_TABLE_COLUMNS(heaps_columns),
                                             TK_TABLE_LIST, NULL,    "Usage of each heap." };

static bool is_used_heap(const struct tk_heap *heap) {
    return heap->most_known || heap->allocated || heap->freed || heap->size;
}

static void put_heaps(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &heaps_table);
    for (uint32_t i = 0; i < rtos->object_count; i++) {
        const struct tk_heap *heap = &rtos->objects[i].heap;
        if (rtos->objects[i].class != TK_CLASS_HEAP || !is_used_heap(heap)) continue;
        struct tk_heap_owner_stats left = left_in(rtos, i);
        bool all_seen = !rtos->heap_blocks.refused && !rtos->frees_missed;
        tk_cell_entity(sink, &rtos->tl->names, rtos->objects[i].entity);
        put_int_if(sink, heap->most_known, heap->most);
        tk_cell_ticks_if(sink, heap->most_known, heap->most_at);
        put_int_if(sink, heap->is_exact, heap->level);
        tk_cell_uint(sink, heap->allocated);
        tk_cell_uint(sink, heap->freed);
        tk_cell_uint_if(sink, all_seen, left.blocks);
        tk_cell_uint_if(sink, all_seen, left.bytes);
        put_int_if(sink, heap->size, heap->size);
    }
    tk_table_end(sink);
}

static const struct tk_column not_freed_columns[] = {
    NAME("name", "Allocated by"),
    { "heap", "Heap", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    COUNT("blocks", "Blocks not freed", TK_ROLE_VALUE),
    { "bytes", "Bytes not freed", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "bytes", TK_FOLD_SUM },
};
static const struct tk_table not_freed_table = {
    "not_freed",
    "Memory not freed",
    TK_TABLE_COLUMNS(not_freed_columns),
    TK_TABLE_LIST,
    "bytes",
    "Memory that was not freed, by the task or interrupt that allocated it."
};

static void put_owners(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    const struct tk_heap_owner_stats *rows = rtos->heap_owners.rows;
    tk_table_begin(sink, &not_freed_table);
    for (uint32_t i = 0; i < rtos->heap_owners.count; i++) {
        if (!rows[i].blocks) continue;
        if (rows[i].actor.kind == TK_ACTOR_UNKNOWN) tk_cell_word(sink, "unknown");
        else put_actor(rtos, sink, rows[i].actor);
        tk_cell_entity(sink, &rtos->tl->names, rtos->objects[rows[i].heap].entity);
        tk_cell_uint(sink, rows[i].blocks);
        tk_cell_uint(sink, rows[i].bytes);
    }
    tk_table_end(sink);
}

const struct tk_table *const tk_rtos_table_list[] = {
    &tasks_table,  &interrupts_table, &queues_table,    &event_groups_table, &timers_table, &intervals_table,
    &states_table, &heaps_table,      &not_freed_table, &stacks_table,       NULL
};

// ---- All ---------------------------------------------------------------------------------------

void tk_rtos_tables(const void *tracker, const struct tk_table_sink *sink) {
    static void (*const of_services[])(const struct tk_rtos *, const struct tk_table_sink *) = {
        put_queues, put_groups, put_timers, put_intervals, put_states, put_heaps, put_owners, put_stacks,
    };
    const struct tk_rtos *rtos = tracker;
    put_tasks(rtos, sink);
    put_isrs(rtos, sink);
    if (!rtos->traces_services) {
        put_plain_queues(rtos, sink);
        return;
    }
    for (size_t i = 0; i < sizeof of_services / sizeof *of_services; i++) of_services[i](rtos, sink);
}
