// SPDX-License-Identifier: MIT
//
// Tables of the analysis.
#include "../model/timeline/names.h"
#include "../model/trackers/rtos/rtos.h"
#include "internal.h"

#define COUNT(key, title, role) { key, title, TK_COLUMN_COUNT, role, NULL, TK_FOLD_SUM }
#define SPAN(key, title, fold) { key, title, TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, fold }
#define HIDDEN(key, title, fold) { key, title, TK_COLUMN_DURATION, TK_ROLE_HIDDEN, NULL, fold }
#define HIDDEN_MOMENT(key) { key, "At", TK_COLUMN_TIME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE }
#define NAME(key, title) { key, title, TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE }
#define MOMENT(key) { key, "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE }
#define UNMEASURED(key) { key, "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM }

// ---- Cells -------------------------------------------------------------------------------------

static void put_task_name(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                          const struct tk_analysed_task *task) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    const char *text = tk_names_text(analysis->names, task->entity, room, &len);
    tk_cell_text(sink, text, len);
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

static void put_percentile(const struct tk_table_sink *sink, const struct tk_measure *of, unsigned percent) {
    uint64_t rank = tk_percentile_rank(of->durations.measured, percent), bound = UINT64_MAX;
    if (of->durations.measured == 1) bound = of->durations.min;
    else if (of->histogram) bound = tk_histogram_at(of->histogram, rank);
    tk_cell_ticks_if(sink, bound < UINT64_MAX, bound);
}

static void put_spread(const struct tk_table_sink *sink, const struct tk_measure *of) {
    put_ticks(sink, &of->durations, of->durations.min);
    put_mean(sink, &of->durations);
    put_percentile(sink, of, 50);
    put_percentile(sink, of, 95);
    put_percentile(sink, of, 99);
    put_longest(sink, &of->durations);
}

// Of a spread people see the mean, 95 % and the longest; programs get all of it.
#define SPREAD(key, noun)                                                                                 \
    HIDDEN(key "_min", "Shortest " noun, TK_FOLD_MIN), SPAN(key "_mean", "Mean " noun, TK_FOLD_NONE),     \
        HIDDEN(key "_p50", "50 % at most", TK_FOLD_NONE), SPAN(key "_p95", "95 % at most", TK_FOLD_NONE), \
        HIDDEN(key "_p99", "99 % at most", TK_FOLD_NONE), SPAN(key "_max", "Longest " noun, TK_FOLD_MAX), \
        MOMENT(key "_max_at")
// Of these people see the mean.
#define MEAN_OF(key, noun)                                                                                  \
    HIDDEN(key "_min", "Shortest " noun, TK_FOLD_MIN), SPAN(key "_mean", "Mean " noun, TK_FOLD_NONE),       \
        HIDDEN(key "_p50", "50 % at most", TK_FOLD_NONE), HIDDEN(key "_p95", "95 % at most", TK_FOLD_NONE), \
        HIDDEN(key "_p99", "99 % at most", TK_FOLD_NONE), HIDDEN(key "_max", "Longest " noun, TK_FOLD_MAX), \
        HIDDEN_MOMENT(key "_max_at")

// ---- Jobs --------------------------------------------------------------------------------------

static uint64_t unmeasured_jobs(const struct tk_analysed_task *task) {
    return task->counts[TK_JOB_LOST] + task->counts[TK_JOB_SUSPENDED] + task->counts[TK_JOB_DELETED];
}

static bool is_listed(const struct tk_analysis *analysis, const struct tk_rtos *rtos, uint32_t index) {
    const struct tk_analysed_task *task = &analysis->tasks[index];
    if (task->has_no_jobs || tk_rtos_is_uncertain_task(rtos, index)) return false;
    for (unsigned state = 0; state < TK_JOB_STATES; state++)
        if (task->counts[state]) return true;
    return false;
}

static void put_job(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                    const struct tk_analysed_task *task) {
    static const struct tk_job_figures none;
    const struct tk_job_figures *figures = task->figures ? task->figures : &none;
    uint64_t unmeasured = unmeasured_jobs(task), measured = task->counts[TK_JOB_MEASURED];
    put_task_name(analysis, sink, task);
    tk_cell_uint(sink, measured + unmeasured);
    tk_cell_uint(sink, unmeasured);
    put_spread(sink, &figures->response);
    put_mean(sink, &figures->pending);
    put_longest(sink, &figures->pending);
    put_spread(sink, &figures->gross);
    put_spread(sink, &figures->net);
    tk_cell_ticks_if(sink, measured > 0, figures->interrupted);
    put_ticks(sink, &figures->preempted, figures->preempted.total);
    put_longest(sink, &figures->preempted);
    put_ticks(sink, &figures->blocked, figures->blocked.total);
    put_longest(sink, &figures->blocked);
    tk_cell_ticks_if(sink, measured > 0, figures->room);
    put_spread(sink, &figures->period);
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
        if (is_listed(analysis, rtos, i)) put_job(analysis, sink, &analysis->tasks[i]);
    tk_table_end(sink);
}

// ---- Activations -------------------------------------------------------------------------------

static void put_reason(const struct tk_analysis *analysis, struct tk_text *text, uint64_t reason) {
    char room[TK_LABEL_LEN];
    if (tk_reason_is_delay(reason)) {
        tk_text_add(text, "delay");
        return;
    }
    switch (reason) {
    case TK_RELEASED_CREATED: tk_text_add(text, "created"); break;
    case TK_RELEASED_DECLARED: tk_text_add(text, "end of the job before"); break;
    case TK_RELEASED_RESUMED: tk_text_add(text, "resumed"); break;
    case TK_RELEASED_OTHER: tk_text_add(text, "other"); break;
    default: tk_text_put(text, room, tk_reason_text(analysis->names, reason, room));
    }
}

static void put_activation(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                           const struct tk_analysed_task *task, const struct tk_activation *activation) {
    char room[TK_DISPLAY_LEN], words[TK_DISPLAY_LEN + TK_LABEL_LEN + 8];
    size_t len;
    struct tk_text text = tk_text_in(words, sizeof words);
    const char *name = tk_names_text(analysis->names, task->entity, room, &len);
    tk_text_put(&text, name, len);
    tk_text_add(&text, " / ");
    put_reason(analysis, &text, activation->reason);
    tk_cell_text(sink, text.text, text.len);
    tk_cell_uint(sink, activation->count);
    tk_cell_uint(sink, activation->count - activation->response.durations.measured);
    put_spread(sink, &activation->response);
    put_spread(sink, &activation->period);
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
        if (!is_listed(analysis, rtos, i)) continue;
        for (uint32_t n = 0; task->figures && n < task->figures->activation_count; n++)
            if (task->figures->activations[n]->count)
                put_activation(analysis, sink, task, task->figures->activations[n]);
    }
    tk_table_end(sink);
}

const struct tk_table *const tk_analysis_table_list[] = { &jobs_table, &activations_table, NULL };

TK_COLD void tk_analysis_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                                const struct tk_table_sink *sink) {
    if (!analysis->task_count) return; // of a recording without tasks
    put_jobs(analysis, rtos, sink);
    put_activations(analysis, rtos, sink);
}
