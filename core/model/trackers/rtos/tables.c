// SPDX-License-Identifier: MIT
//
// Tasks, interrupts and queues as tables.
#include "rtos_internal.h"

static void put_name(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t entity) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    const char *text = tk_names_text(&rtos->tl->names, entity, room, &len);
    tk_cell_text(sink, text, len);
}

static uint32_t id_of(const struct tk_rtos *rtos, uint32_t entity) { return rtos->tl->names.entities[entity].id; }

// After a failed allocation one array may be shorter than its neighbours: the tables end with the shortest.
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// ---- Tasks ----

static uint32_t task_count(const struct tk_rtos *rtos) {
    return smaller(rtos->task_count, smaller(rtos->tl->row_count, rtos->stats->task_count));
}

static bool is_listed(const struct tk_rtos *rtos, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    const struct tk_timeline_task *row = &rtos->tl->rows[index];
    if (row->shown || row->thread_track) return true;
    return task->prio_known && task->phase != TK_PHASE_DELETED; // the row of a deleted one may have gone to a namesake
}

static void put_task(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_task *task = &rtos->tasks[index];
    const struct tk_stats_task *stats = &rtos->stats->tasks[index];
    bool waited = stats->longest_wait > 0;
    char reason[2 * TK_DISPLAY_LEN];
    uint64_t running = tk_stats_running(rtos->stats, index);
    put_name(rtos, sink, task->entity);
    tk_cell_uint(sink, task->idle);
    tk_cell_uint(sink, id_of(rtos, task->entity));
    tk_cell_uint(sink, (uint64_t)rtos->tl->rows[index].pid);
    tk_cell_uint_if(sink, task->prio_known, task->prio);
    tk_cell_ticks_if(sink, rtos->stats->end > rtos->stats->start, running);
    tk_cell_share(sink, running, rtos->stats->end - rtos->stats->start);
    tk_cell_uint(sink, stats->runs);
    tk_cell_uint(sink, stats->runs_unmeasured);
    tk_cell_uint(sink, stats->waits);
    tk_cell_ticks_if(sink, waited, stats->longest_wait);
    tk_cell_text(sink, reason, waited ? tk_rtos_reason_text(rtos, stats->longest_wait_reason, reason) : 0);
    tk_cell_ticks_if(sink, waited, stats->longest_wait_from);
    tk_cell_uint(sink, stats->waits_unmeasured);
}

static void put_tasks(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
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
    };
    static const struct tk_table table = { "tasks",       "Tasks", columns, sizeof columns / sizeof *columns,
                                           TK_TABLE_LIST, "cpu" };
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < task_count(rtos); i++)
        if (is_listed(rtos, i)) put_task(rtos, sink, i);
    tk_table_end(sink);
}

// ---- Interrupts ----

static uint32_t isr_count(const struct tk_rtos *rtos) { return smaller(rtos->isr_count, rtos->stats->isr_count); }

static void put_track(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t track) {
    char name[TK_TRACK_NAME_LEN];
    if (track) tk_cell_text(sink, name, tk_timeline_track_name(rtos->tl, track, name));
    else tk_cell_none(sink);
}

static void put_isr(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_isr *isr = &rtos->isrs[index];
    const struct tk_stats_isr *stats = &rtos->stats->isrs[index];
    put_name(rtos, sink, isr->entity);
    tk_cell_uint(sink, isr->core);
    tk_cell_uint(sink, id_of(rtos, isr->entity));
    tk_cell_uint(sink, stats->entered);
    tk_cell_uint(sink, stats->entered - stats->measured);
    tk_cell_ticks_if(sink, stats->measured > 0, stats->total);
    tk_cell_ticks_if(sink, stats->measured > 0, stats->min);
    tk_cell_mean(sink, stats->total, stats->measured);
    tk_cell_ticks_if(sink, stats->measured > 0, stats->max);
    tk_cell_ticks_if(sink, stats->measured > 0, stats->max_from);
    tk_cell_ticks_if(sink, stats->periods > 0, stats->period_min);
    tk_cell_mean(sink, stats->period_total, stats->periods);
    tk_cell_ticks_if(sink, stats->periods > 0, stats->period_max);
    put_track(rtos, sink, rtos->cores[isr->core].track);
}

static void put_isrs(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        { "name", "Interrupt", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "core", "Core", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
        { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
        { "count_unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
        { "total", "Total", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
        { "min", "Shortest", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
        { "mean", "Mean", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "max", "Longest", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
        { "max_at", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
        { "period_min", "Shortest period", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
        { "period_mean", "Mean period", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "period_max", "Longest period", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
        { "track", "Track", TK_COLUMN_TEXT, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    };
    static const struct tk_table table = { "interrupts",  "Interrupts", columns, sizeof columns / sizeof *columns,
                                           TK_TABLE_LIST, "total" };
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < isr_count(rtos); i++)
        if (rtos->stats->isrs[i].entered) put_isr(rtos, sink, i);
    tk_table_end(sink);
}

// ---- Queues ----

const char *tk_rtos_queue_kind_name(const struct tk_queue *queue) {
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

static void put_queue(const struct tk_rtos *rtos, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_queue *queue = &rtos->queues[index];
    put_name(rtos, sink, queue->entity);
    tk_cell_uint(sink, id_of(rtos, queue->entity));
    tk_cell_word(sink, tk_rtos_queue_kind_name(queue));
    tk_cell_uint(sink, rtos->stats->queues[index].operations);
    tk_cell_uint(sink, rtos->stats->queues[index].max_len);
}

static void put_queues(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        { "name", "Name", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "kind", "Kind", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
        { "operations", "Operations", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
        { "max_fill", "Highest fill", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    };
    static const struct tk_table table = { "queues",      "Queues and locks", columns, sizeof columns / sizeof *columns,
                                           TK_TABLE_LIST, "operations" };
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < smaller(rtos->queue_count, rtos->stats->queue_count); i++)
        if (rtos->queues[i].used) put_queue(rtos, sink, i);
    tk_table_end(sink);
}

void tk_rtos_tables(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    put_tasks(rtos, sink);
    put_isrs(rtos, sink);
    if (!rtos->observer) put_queues(rtos, sink); // who looks at them knows more
}

// ---- Series ----

static void put_series(const struct tk_rtos *rtos, const struct tk_table_sink *sink, const char *group, uint32_t row,
                       uint32_t entity, uint32_t stats_row) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    const char *label = tk_names_text(&rtos->tl->names, entity, room, &len);
    tk_stats_put_series(
        rtos->stats, sink,
        &(struct tk_series){ .group = group, .row = row, .label = label, .label_len = len, .index = stats_row });
}

void tk_rtos_series(const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    uint32_t row = 0;
    for (uint32_t i = 0; i < smaller(task_count(rtos), TK_STATS_TASK_ROWS); i++) {
        if (!is_listed(rtos, i)) continue;
        put_series(rtos, sink, "tasks", row++, rtos->tasks[i].entity, i);
    }
    row = 0;
    for (uint32_t i = 0; i < smaller(isr_count(rtos), TK_STATS_ISR_ROWS); i++) {
        if (!rtos->stats->isrs[i].entered) continue;
        put_series(rtos, sink, "interrupts", row++, rtos->isrs[i].entity, TK_STATS_FIRST_ISR_ROW + i);
    }
}
