// SPDX-License-Identifier: MIT
//
// Tables of the analysis.
#include "../model/tables/columns.h"
#include "../model/timeline/names.h"
#include "../model/trackers/rtos/rtos.h"
#include "internal.h"

// ---- Cells -------------------------------------------------------------------------------------

static void put_task_name(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                          const struct tk_analysed_task *task) {
    tk_cell_entity(sink, analysis->names, task->entity);
}

// index TK_NONE: unknown.
static void put_task_at(const struct tk_analysis *analysis, const struct tk_table_sink *sink, uint32_t index) {
    if (index == TK_NONE) tk_cell_none(sink);
    else put_task_name(analysis, sink, &analysis->tasks[index]);
}

static void put_ticks(const struct tk_table_sink *sink, const struct tk_durations *durations, uint64_t ticks) {
    tk_cell_ticks_if(sink, durations->measured > 0, ticks);
}

static void put_mean(const struct tk_table_sink *sink, const struct tk_durations *durations) {
    tk_cell_mean(sink, durations->total, durations->measured);
}

static void put_longest(const struct tk_table_sink *sink, const struct tk_durations *durations) {
    put_ticks(sink, durations, durations->max);
    put_ticks(sink, durations, durations->max_at);
}

// ---- Jobs --------------------------------------------------------------------------------------

uint64_t tk_unmeasured_jobs(const struct tk_analysed_task *task) {
    return task->counts[TK_JOB_LOST] + task->counts[TK_JOB_SUSPENDED] + task->counts[TK_JOB_DELETED];
}

bool tk_is_listed(const struct tk_analysis *analysis, const struct tk_rtos *rtos, uint32_t index) {
    const struct tk_analysed_task *task = &analysis->tasks[index];
    return !task->has_no_jobs && !tk_rtos_is_uncertain_task(rtos, index);
}

bool tk_has_jobs(const struct tk_analysis *analysis, const struct tk_rtos *rtos, uint32_t index) {
    if (!tk_is_listed(analysis, rtos, index)) return false;
    for (unsigned state = 0; state < TK_JOB_STATES; state++)
        if (analysis->tasks[index].counts[state]) return true;
    return false;
}

static void put_job(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                    const struct tk_analysed_task *task) {
    static const struct tk_job_statistics none;
    const struct tk_job_statistics *figures = task->figures ? task->figures : &none;
    uint64_t unmeasured = tk_unmeasured_jobs(task), measured = task->counts[TK_JOB_MEASURED];
    put_task_name(analysis, sink, task);
    tk_cell_uint(sink, measured + unmeasured);
    tk_cell_uint(sink, unmeasured);
    tk_cells_spread(sink, &figures->response);
    put_mean(sink, &figures->pending);
    put_longest(sink, &figures->pending);
    tk_cells_spread(sink, &figures->gross);
    tk_cells_spread(sink, &figures->net);
    tk_cell_ticks_if(sink, measured > 0, figures->interrupted);
    put_ticks(sink, &figures->preempted, figures->preempted.total);
    put_longest(sink, &figures->preempted);
    put_ticks(sink, &figures->blocked, figures->blocked.total);
    put_longest(sink, &figures->blocked);
    tk_cell_ticks_if(sink, measured > 0, figures->room);
    tk_cell_ticks_if(sink, measured > 0, figures->waited);
    tk_cells_spread(sink, &figures->period);
    put_ticks(sink, &figures->distance, figures->distance.min);
    put_mean(sink, &figures->distance);
    put_longest(sink, &figures->distance);
    tk_cell_ticks_if(sink, task->has_open, task->open_for);
    tk_cell_uint(sink, task->counts[TK_JOB_CUT_START]);
    tk_cell_uint(sink, task->counts[TK_JOB_CUT_END]);
    tk_cell_uint(sink, task->counts[TK_JOB_SUSPENDED]);
    tk_cell_uint(sink, task->counts[TK_JOB_DELETED]);
}

static const struct tk_column jobs_columns[] = {
    NAME("name", "Task"),
    COUNT("count", "Jobs", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPREAD("response", "response"),
    HIDDEN("pending_mean", "Mean before it ran", TK_FOLD_NONE),
    SPAN("pending_max", "Longest before it ran", TK_FOLD_MAX),
    HIDDEN_MOMENT("pending_max_at"),
    MEAN_OF("gross", "from start to end"),
    MEAN_OF("net", "net execution"),
    HIDDEN("interrupted", "In interrupts", TK_FOLD_SUM),
    HIDDEN("preempted", "Preempted", TK_FOLD_SUM),
    SPAN("preempted_max", "Longest preempted", TK_FOLD_MAX),
    HIDDEN_MOMENT("preempted_max_at"),
    HIDDEN("blocked", "Waited for locks", TK_FOLD_SUM),
    SPAN("blocked_max", "Longest for locks", TK_FOLD_MAX),
    HIDDEN_MOMENT("blocked_max_at"),
    HIDDEN("room", "Waited for room", TK_FOLD_SUM),
    HIDDEN("waited", "Waited inside", TK_FOLD_SUM),
    MEAN_OF("period", "period"),
    HIDDEN("distance_min", "Shortest from start to start", TK_FOLD_MIN),
    HIDDEN("distance_mean", "Mean from start to start", TK_FOLD_NONE),
    HIDDEN("distance_max", "Longest from start to start", TK_FOLD_MAX),
    HIDDEN_MOMENT("distance_max_at"),
    HIDDEN("open_for", "Open at the end for", TK_FOLD_MAX),
    COUNT("cut_start", "Cut at the start", TK_ROLE_HIDDEN),
    COUNT("cut_end", "Cut at the end", TK_ROLE_HIDDEN),
    COUNT("suspended", "Suspended", TK_ROLE_HIDDEN),
    COUNT("deleted", "Deleted", TK_ROLE_HIDDEN),
};
static const struct tk_table jobs_table = {
    "jobs",
    "Jobs",
    TK_TABLE_COLUMNS(jobs_columns),
    TK_TABLE_LIST,
    "response_max",
    "Response times and periods of the jobs of each task. A job is released when the task is made ready, and ends when "
    "the task waits for more work."
};

static void put_jobs(const struct tk_analysis *analysis, const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &jobs_table);
    for (uint32_t i = 0; i < analysis->task_count; i++)
        if (tk_has_jobs(analysis, rtos, i)) put_job(analysis, sink, &analysis->tasks[i]);
    tk_table_end(sink);
}

// ---- Activations -------------------------------------------------------------------------------

void tk_activation_put_name(const struct tk_analysis *analysis, struct tk_text *text,
                            const struct tk_analysed_task *task, const struct tk_activation *activation) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    const char *name = tk_names_text(analysis->names, task->entity, room, &len);
    tk_text_put(text, name, len);
    tk_text_add(text, " / ");
    tk_analysis_put_reason(analysis, text, activation->reason);
}

static void put_activation(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                           const struct tk_analysed_task *task, const struct tk_activation *activation) {
    char name[TK_ACTIVATION_LEN];
    struct tk_text text = tk_text_in(name, sizeof name);
    tk_activation_put_name(analysis, &text, task, activation);
    tk_cell_text(sink, text.text, text.len);
    tk_cell_uint(sink, activation->count);
    tk_cell_uint(sink, activation->count - activation->response.durations.measured);
    tk_cells_spread(sink, &activation->response);
    tk_cells_spread(sink, &activation->period);
}

static const struct tk_column activations_columns[] = {
    NAME("name", "Task / wait"),    COUNT("count", "Jobs", TK_ROLE_VALUE), UNMEASURED("count_unmeasured"),
    SPREAD("response", "response"), MEAN_OF("period", "period"),
};
static const struct tk_table activations_table = {
    "activations",
    "Jobs by wait",
    TK_TABLE_COLUMNS(activations_columns),
    TK_TABLE_LIST,
    "response_max",
    "Response times and periods of the jobs of each task, by the wait that released them."
};

static void put_activations(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                            const struct tk_table_sink *sink) {
    tk_table_begin(sink, &activations_table);
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        const struct tk_analysed_task *task = &analysis->tasks[i];
        if (!tk_has_jobs(analysis, rtos, i)) continue;
        for (const struct tk_activation *at = task->activations; at; at = at->next)
            if (at->count) put_activation(analysis, sink, task, at);
    }
    tk_table_end(sink);
}

// ---- Waits -------------------------------------------------------------------------------------

static void put_wait(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                     const struct tk_analysed_task *task, const struct tk_wait_entry *row) {
    char words[TK_LABEL_LEN];
    struct tk_text text = tk_text_in(words, sizeof words);
    const struct tk_durations *length = &row->length.durations;
    tk_analysis_put_reason(analysis, &text, row->reason);
    tk_cell_text(sink, text.text, text.len);
    put_task_name(analysis, sink, task);
    tk_cell_uint(sink, row->count);
    tk_cell_uint(sink, row->count - length->measured);
    put_ticks(sink, length, length->total);
    put_mean(sink, length);
    tk_cell_percentile(sink, &row->length, 50);
    tk_cell_percentile(sink, &row->length, 95);
    tk_cell_percentile(sink, &row->length, 99);
    put_longest(sink, length);
    tk_cell_ticks_if(sink, row->has_open, row->open_for);
    tk_cell_uint_if(sink, row->can_time_out && !row->unknown_ends, row->timed_out);
    tk_cell_uint(sink, row->woken);
    tk_cell_uint(sink, row->woken - row->wake.durations.measured);
    put_mean(sink, &row->wake.durations);
    tk_cell_percentile(sink, &row->wake, 95);
    put_longest(sink, &row->wake.durations);
}

static const struct tk_column waits_columns[] = {
    NAME("name", "Waited for"),
    KEY("task", "Task", TK_COLUMN_TEXT),
    COUNT("count", "Waits", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("total", "Total", TK_FOLD_SUM),
    SPAN("mean", "Mean", TK_FOLD_NONE),
    PERCENTILES(""),
    SPAN("longest", "Longest", TK_FOLD_MAX),
    MOMENT("longest_at"),
    HIDDEN("open_for", "Open at the end for", TK_FOLD_MAX),
    COUNT("timed_out", "Timed out", TK_ROLE_VALUE),
    COUNT("woken", "Made ready", TK_ROLE_VALUE),
    UNMEASURED("woken_unmeasured"),
    SPAN("wake_mean", "Mean until it ran", TK_FOLD_NONE),
    HIDDEN("wake_p95", "95 % at most", TK_FOLD_NONE),
    SPAN("wake_max", "Longest until it ran", TK_FOLD_MAX),
    MOMENT("wake_max_at"),
};
static const struct tk_table waits_table = {
    "waits",
    "Waits",
    TK_TABLE_COLUMNS(waits_columns),
    TK_TABLE_LIST,
    "total",
    "How often and how long each task waited, by what it waited for, and how soon it ran afterwards."
};

static void put_waits(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                      const struct tk_table_sink *sink) {
    tk_table_begin(sink, &waits_table);
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        const struct tk_analysed_task *task = &analysis->tasks[i];
        if (!tk_is_listed(analysis, rtos, i)) continue;
        for (const struct tk_wait_entry *row = task->waits; row; row = row->next)
            if (row->count || row->has_open) put_wait(analysis, sink, task, row);
    }
    tk_table_end(sink);
}

// ---- Mutexes -----------------------------------------------------------------------------------

static void put_lock(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                     const struct tk_lock_figures *row) {
    tk_cell_entity(sink, analysis->names, analysis->queues[row->mutex].entity);
    put_task_at(analysis, sink, row->task);
    tk_cell_uint(sink, row->holds);
    tk_cell_uint(sink, row->holds - row->held.measured);
    put_ticks(sink, &row->held, row->held.total);
    put_mean(sink, &row->held);
    put_longest(sink, &row->held);
    tk_cell_uint(sink, row->contended);
    tk_cell_uint_if(sink, !row->hides_waits, row->waits_while_held);
    tk_cell_uint_if(sink, !row->hides_waits, row->waits_while_held - row->waited_while_held.measured);
    tk_cell_ticks_if(sink, row->waited_while_held.measured && !row->hides_waits, row->waited_while_held.max);
    tk_cell_ticks_if(sink, row->waited_while_held.measured && !row->hides_waits, row->waited_while_held.max_at);
}

static const struct tk_column mutexes_columns[] = {
    NAME("name", "Mutex"),
    KEY("task", "Task", TK_COLUMN_TEXT),
    COUNT("holds", "Held", TK_ROLE_VALUE),
    UNMEASURED("holds_unmeasured"),
    SPAN("held", "Held for", TK_FOLD_SUM),
    SPAN("held_mean", "Mean", TK_FOLD_NONE),
    SPAN("held_longest", "Longest", TK_FOLD_MAX),
    MOMENT("held_longest_at"),
    COUNT("contended", "Waited before", TK_ROLE_VALUE),
    COUNT("waits_while_held", "Waits while held", TK_ROLE_VALUE),
    UNMEASURED("waits_while_held_unmeasured"),
    SPAN("waited_while_held_longest", "Longest wait", TK_FOLD_MAX),
    MOMENT("waited_while_held_longest_at"),
};
static const struct tk_table mutexes_table = {
    "mutexes",
    "Mutexes",
    TK_TABLE_COLUMNS(mutexes_columns),
    TK_TABLE_LIST,
    "held_longest",
    "How often and how long each task held a mutex, how often it had to wait for it, and how it waited for something "
    "else meanwhile."
};

static void put_locks(const struct tk_analysis *analysis, const struct tk_table_sink *sink) {
    const struct tk_lock_figures *rows = analysis->locks.rows;
    tk_table_begin(sink, &mutexes_table);
    for (uint32_t i = 0; i < analysis->locks.count; i++) put_lock(analysis, sink, &rows[i]);
    tk_table_end(sink);
}

static const struct tk_column mutex_waits_columns[] = {
    NAME("name", "Mutex"),
    KEY("task", "Waited", TK_COLUMN_TEXT),
    KEY("owner", "Held by", TK_COLUMN_TEXT),
    COUNT("count", "Waits", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("total", "Total", TK_FOLD_SUM),
    SPAN("mean", "Mean", TK_FOLD_NONE),
    SPAN("longest", "Longest", TK_FOLD_MAX),
    MOMENT("longest_at"),
};
static const struct tk_table mutex_waits_table = {
    "mutex_waits",
    "Waits for mutexes",
    TK_TABLE_COLUMNS(mutex_waits_columns),
    TK_TABLE_LIST,
    "longest",
    "How often and how long each task waited for a mutex, by the task that held it when the wait began."
};

static void put_lock_waits(const struct tk_analysis *analysis, const struct tk_table_sink *sink) {
    const struct tk_lock_wait_figures *rows = analysis->lock_waits.rows;
    tk_table_begin(sink, &mutex_waits_table);
    for (uint32_t i = 0; i < analysis->lock_waits.count; i++) {
        tk_cell_entity(sink, analysis->names, analysis->queues[rows[i].mutex].entity);
        put_task_at(analysis, sink, rows[i].waiter);
        put_task_at(analysis, sink, rows[i].holder);
        tk_cell_uint(sink, rows[i].count);
        tk_cell_uint(sink, rows[i].count - rows[i].durations.measured);
        put_ticks(sink, &rows[i].durations, rows[i].durations.total);
        put_mean(sink, &rows[i].durations);
        put_longest(sink, &rows[i].durations);
    }
    tk_table_end(sink);
}

// ---- Queues ------------------------------------------------------------------------------------

static uint32_t capacity_of(const struct tk_rtos *rtos, uint32_t index, const struct tk_queue_figures *figures) {
    uint32_t recorded = tk_rtos_queue_capacity(rtos, index), capacity = recorded ? recorded : figures->capacity;
    return capacity < figures->most || tk_rtos_is_buffer(rtos, index) ? recorded : capacity;
}

static void put_queue(const struct tk_analysis *analysis, const struct tk_rtos *rtos, const struct tk_table_sink *sink,
                      uint32_t index) {
    const struct tk_queue_figures *figures = analysis->queues[index].figures;
    bool is_buffer = tk_rtos_is_buffer(rtos, index), is_known = figures->known > 0;
    uint32_t capacity = capacity_of(rtos, index, figures);
    bool has_full = is_known && capacity >= figures->most && capacity && !is_buffer;
    uint64_t full = figures->most == capacity ? figures->at_most : 0;
    tk_cell_entity(sink, analysis->names, analysis->queues[index].entity);
    tk_cell_ticks_if(sink, is_known, figures->known);
    tk_cell_uint_if(sink, capacity > 0, capacity);
    if (is_known) tk_cell_double(sink, figures->filled / (double)figures->known);
    else tk_cell_none(sink);
    tk_cell_ticks_if(sink, has_full, full);
    if (has_full) tk_cell_share(sink, full, figures->known);
    else tk_cell_none(sink);
    tk_cell_ticks_if(sink, is_known, figures->empty);
    tk_cell_uint(sink, figures->sender_waits);
    tk_cell_uint_if(sink, !is_buffer, figures->receives);
    tk_cell_uint_if(sink, !is_buffer, figures->receives - figures->latency.durations.measured);
    tk_cells_spread(sink, &figures->latency);
}

static const struct tk_column queue_times_columns[] = {
    NAME("name", "Queue"),
    HIDDEN("known", "Fill known for", TK_FOLD_SUM),
    { "capacity", "Capacity", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "fill_mean", "Mean fill", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    SPAN("full", "Full for", TK_FOLD_SUM),
    SHARE("full_share", "Full", TK_FOLD_NONE),
    HIDDEN("empty", "Empty for", TK_FOLD_SUM),
    COUNT("sender_waits", "Senders waited", TK_ROLE_VALUE),
    COUNT("receives", "Received", TK_ROLE_VALUE),
    UNMEASURED("receives_unmeasured"),
    SPREAD("latency", "latency"),
};
static const struct tk_table queue_times_table = {
    "queue_times",
    "Queues over time",
    TK_TABLE_COLUMNS(queue_times_columns),
    TK_TABLE_LIST,
    "latency_max",
    "Fill of each queue, semaphore or buffer over time, senders that waited for room, and the time from a send to the "
    "receive of the same item."
};

static void put_queues(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                       const struct tk_table_sink *sink) {
    tk_table_begin(sink, &queue_times_table);
    for (uint32_t i = 0; i < analysis->queue_count; i++)
        if (analysis->queues[i].figures && !tk_rtos_is_uncertain_queue(rtos, i)) put_queue(analysis, rtos, sink, i);
    tk_table_end(sink);
}

static void put_actor(const struct tk_analysis *analysis, const struct tk_table_sink *sink, uint32_t entity) {
    char text[TK_LABEL_LEN];
    bool is_interrupt = analysis->names->entities[entity].type == TK_ENTITY_ISR;
    if (is_interrupt) tk_cell_text(sink, text, tk_names_label_text(analysis->names, entity, TK_LABEL_INTERRUPT, text));
    else tk_cell_entity(sink, analysis->names, entity);
}

static const struct tk_column communication_columns[] = {
    NAME("from", "From"),
    KEY("object", "Through", TK_COLUMN_TEXT),
    KEY("to", "To", TK_COLUMN_TEXT),
    COUNT("count", "Count", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    SPAN("latency_mean", "Mean latency", TK_FOLD_NONE),
    SPAN("latency_max", "Longest", TK_FOLD_MAX),
    MOMENT("latency_max_at"),
};
static const struct tk_table communication_table = {
    "communication",
    "Communication",
    TK_TABLE_COLUMNS(communication_columns),
    TK_TABLE_LIST,
    "count",
    "How often each task or interrupt passed something to another one, through which object, and how long it took."
};

static void put_communication(const struct tk_analysis *analysis, const struct tk_table_sink *sink) {
    const struct tk_pair_figures *rows = analysis->pairs.rows;
    tk_table_begin(sink, &communication_table);
    for (uint32_t i = 0; i < analysis->pairs.count; i++) {
        put_actor(analysis, sink, rows[i].from);
        tk_cell_entity(sink, analysis->names, rows[i].object);
        put_actor(analysis, sink, rows[i].to);
        tk_cell_uint(sink, rows[i].count);
        tk_cell_uint(sink, rows[i].count - rows[i].latency.measured);
        put_mean(sink, &rows[i].latency);
        put_longest(sink, &rows[i].latency);
    }
    tk_table_end(sink);
}

const struct tk_table *const tk_analysis_table_list[] = {
    &jobs_table,
    &activations_table,
    &tk_deadlines_table,
    &waits_table,
    &tk_worst_jobs_table,
    &tk_worst_causes_table,
    &tk_job_distribution_table,
    &tk_job_noise_table,
    &mutexes_table,
    &mutex_waits_table,
    &queue_times_table,
    &communication_table,
    &tk_load_windows_table,
    NULL,
};

TK_COLD void tk_analysis_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                                const struct tk_table_sink *sink) {
    if (analysis->task_count) {
        put_jobs(analysis, rtos, sink);
        put_activations(analysis, rtos, sink);
        tk_deadlines_tables(analysis, rtos, sink);
        put_waits(analysis, rtos, sink);
        tk_late_tables(analysis, rtos, sink);
        tk_job_parts_tables(analysis, rtos, sink);
        put_locks(analysis, sink);
        put_lock_waits(analysis, sink);
        put_queues(analysis, rtos, sink);
        put_communication(analysis, sink);
    }
    if (analysis->task_count || analysis->has_idle) tk_windows_tables(analysis, sink);
}
