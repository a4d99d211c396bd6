// SPDX-License-Identifier: MIT
//
// Counts the jobs that miss deadlines, for each deadline and each row of jobs. The names of tasks may come after their
// jobs, so each row counts for all deadlines; the table shows the rows that a deadline covers.
#include <string.h>

#include "../model/tables/columns.h"
#include "../model/timeline/names.h"
#include "internal.h"

struct tk_deadline_limits {
    struct tk_deadlines deadlines;
    uint64_t *ticks;   // longest response times that meet the deadlines
    uint64_t least;    // the shortest one of them
    uint64_t tick_ns;  // length of a tick that they are for
    bool is_set;       // they are valid, and jobs were compared with them
    bool is_uncertain; // some jobs were compared with the limits of another length of a tick
};

TK_COLD void tk_analysis_set_deadlines(struct tk_analysis *analysis, const struct tk_deadlines *deadlines) {
    struct tk_deadline_limits *limits = tk_alloc_zero(analysis->alloc, sizeof *limits);
    if (!limits) return;
    limits->deadlines = *deadlines;
    limits->ticks = tk_alloc_zero(analysis->alloc, deadlines->count * sizeof *limits->ticks);
    if (limits->ticks) analysis->deadlines = limits;
}

static uint64_t tick_ns_of(const struct tk_deadline_limits *limits) {
    return limits->deadlines.tick_ns(limits->deadlines.ctx);
}

TK_COLD static void set_limits(struct tk_deadline_limits *limits, uint64_t tick_ns) {
    limits->is_uncertain |= limits->is_set;
    limits->is_set = true;
    limits->tick_ns = tick_ns;
    limits->least = UINT64_MAX;
    for (uint32_t i = 0; i < limits->deadlines.count; i++) {
        limits->ticks[i] = limits->deadlines.limit(limits->deadlines.ctx, i);
        if (limits->ticks[i] < limits->least) limits->least = limits->ticks[i];
    }
}

void tk_deadlines_compare(struct tk_analysis *analysis, uint64_t **late, uint64_t response) {
    struct tk_deadline_limits *limits = analysis->deadlines;
    uint64_t tick_ns = tick_ns_of(limits);
    if (!limits->is_set || tick_ns != limits->tick_ns) set_limits(limits, tick_ns);
    if (response <= limits->least) return;
    if (!*late) *late = tk_alloc_zero(analysis->alloc, limits->deadlines.count * sizeof **late);
    for (uint32_t i = 0; *late && i < limits->deadlines.count; i++) (*late)[i] += response > limits->ticks[i];
}

static void clear(const struct tk_deadline_limits *limits, uint64_t *late) {
    if (late) memset(late, 0, limits->deadlines.count * sizeof *late);
}

TK_COLD void tk_deadlines_begin_stats(struct tk_analysis *analysis) {
    struct tk_deadline_limits *limits = analysis->deadlines;
    if (!limits) return;
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        const struct tk_analysed_task *task = &analysis->tasks[i];
        if (task->figures) clear(limits, task->figures->late);
        for (const struct tk_activation *at = task->activations; at; at = at->next) clear(limits, at->late);
    }
    limits->is_set = limits->is_uncertain = false;
}

// ---- The table ---------------------------------------------------------------------------------

static const struct tk_column deadlines_columns[] = {
    NAME("name", "Task"),
    KEY("wait", "Released by", TK_COLUMN_TEXT),
    KEY("deadline", "Deadline", TK_COLUMN_TEXT),
    COUNT("count", "Jobs", TK_ROLE_VALUE),
    UNMEASURED("count_unmeasured"),
    COUNT("late", "Late", TK_ROLE_VALUE),
};
const struct tk_table tk_deadlines_table = {
    "deadlines",
    "Deadlines",
    TK_TABLE_COLUMNS(deadlines_columns),
    TK_TABLE_LIST,
    "late",
    "How many jobs of each task missed the deadlines that were given before the recording was read."
};

// The jobs of a row of the table.
struct row {
    const char *task;
    size_t task_len;
    const char *wait; // NULL: all jobs of the task
    uint64_t count, unmeasured;
    const uint64_t *late; // NULL: none is late
};

static void put_row(const struct tk_deadline_limits *limits, const struct tk_table_sink *sink, uint32_t deadline,
                    const struct row *row) {
    bool is_known = !limits->is_uncertain && (!limits->is_set || limits->tick_ns == tick_ns_of(limits));
    tk_cell_text(sink, row->task, row->task_len);
    if (row->wait) tk_cell_word(sink, row->wait);
    else tk_cell_none(sink);
    tk_cell_word(sink, limits->deadlines.text(limits->deadlines.ctx, deadline));
    tk_cell_uint(sink, row->count);
    tk_cell_uint(sink, row->unmeasured);
    tk_cell_uint_if(sink, is_known, row->late ? row->late[deadline] : 0);
}

// Returns true if a deadline is about a row, and none before it is of the same length.
static bool is_first(const struct tk_deadlines *deadlines, uint32_t deadline, const char *name, size_t len,
                     bool is_wait) {
    const char *text = deadlines->text(deadlines->ctx, deadline);
    if (!deadlines->covers(deadlines->ctx, deadline, name, len, is_wait)) return false;
    for (uint32_t i = 0; i < deadline; i++)
        if (!strcmp(deadlines->text(deadlines->ctx, i), text) &&
            deadlines->covers(deadlines->ctx, i, name, len, is_wait))
            return false;
    return true;
}

// name: of the row in the table of jobs, or of activations.
static void put_rows(const struct tk_deadline_limits *limits, const struct tk_table_sink *sink, const char *name,
                     size_t len, const struct row *row) {
    const struct tk_deadlines *deadlines = &limits->deadlines;
    for (uint32_t i = 0; i < deadlines->count; i++)
        if (is_first(deadlines, i, name, len, row->wait != NULL)) put_row(limits, sink, i, row);
}

static void put_task(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                     const struct tk_analysed_task *task) {
    char room[TK_DISPLAY_LEN];
    uint64_t unmeasured = tk_unmeasured_jobs(task);
    struct row row = { .count = task->counts[TK_JOB_MEASURED] + unmeasured,
                       .unmeasured = unmeasured,
                       .late = task->figures ? task->figures->late : NULL };
    row.task = tk_names_text(analysis->names, task->entity, room, &row.task_len);
    put_rows(analysis->deadlines, sink, row.task, row.task_len, &row);
    for (const struct tk_activation *at = task->activations; at; at = at->next) {
        char name[TK_ACTIVATION_LEN], wait[TK_LABEL_LEN];
        struct tk_text text = tk_text_in(name, sizeof name), reason = tk_text_in(wait, sizeof wait);
        if (!at->count) continue;
        tk_activation_put_name(analysis, &text, task, at);
        tk_analysis_put_reason(analysis, &reason, at->reason);
        row.wait = wait;
        row.count = at->count;
        row.unmeasured = at->count - at->response.durations.measured;
        row.late = at->late;
        put_rows(analysis->deadlines, sink, text.text, text.len, &row);
    }
}

TK_COLD void tk_deadlines_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                                 const struct tk_table_sink *sink) {
    if (!analysis->deadlines) return;
    tk_table_begin(sink, &tk_deadlines_table);
    for (uint32_t i = 0; i < analysis->task_count; i++)
        if (tk_has_jobs(analysis, rtos, i)) put_task(analysis, sink, &analysis->tasks[i]);
    tk_table_end(sink);
}
