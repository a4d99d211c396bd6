// SPDX-License-Identifier: MIT
//
// Waits of tasks, per task and reason, and how soon a task runs after its wait. A wait is measured if its begin was
// proven and no event was lost until its end.
#include "internal.h"

static struct tk_wait_entry *find_row(const struct tk_analysed_task *task, uint64_t reason) {
    if (task->last_wait && task->last_wait->reason == reason) return task->last_wait;
    struct tk_wait_entry *row = task->waits;
    while (row && row->reason != reason) row = row->next;
    return row;
}

// Returns the row of a reason; further reasons share the row TK_RELEASED_OTHER. Returns NULL when out of memory.
static struct tk_wait_entry *row_of(struct tk_analysis *analysis, struct tk_analysed_task *task,
                                    const struct tk_fact_wait *wait) {
    uint64_t reason = tk_reason_is_delay(wait->reason) ? tk_reason(TK_REASON_DELAY, 0) : wait->reason;
    struct tk_wait_entry *row = find_row(task, reason);
    if (!row && task->wait_count >= TK_WAIT_ROWS) row = find_row(task, reason = TK_RELEASED_OTHER);
    if (row || !(row = tk_alloc_zero(analysis->alloc, sizeof *row))) return row;
    row->reason = reason;
    row->can_time_out =
        wait->kind == TK_WAIT_FOR_OBJECT || wait->kind == TK_WAIT_FOR_LOCK || wait->kind == TK_WAIT_FOR_ROOM;
    struct tk_wait_entry **end = &task->waits;
    while (*end) end = &(*end)->next;
    task->wait_count++;
    return *end = row;
}

// Counts a wait from `since` on that has ended.
static void count(struct tk_analysis *analysis, struct tk_wait_entry *row, uint64_t since, uint64_t until,
                  enum tk_wait_end end, bool is_measured) {
    row->count++;
    if (!is_measured) return;
    row->timed_out += end == TK_WAIT_END_TIMED_OUT;
    row->unknown_ends += end == TK_WAIT_END_UNKNOWN;
    tk_measure_add(analysis->histograms, &row->length, since, until - since);
}

void tk_waits_end(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, enum tk_wait_end end,
                  bool is_measured) {
    task->last_wait = NULL;
    if (task->has_no_jobs) return;
    is_measured &= !task->wait_is_cut;
    if (task->wait.is_preliminary) {
        if (!task->undecided) task->undecided = tk_alloc_zero(analysis->alloc, sizeof *task->undecided);
        task->is_undecided = task->undecided;
        if (!task->is_undecided) return;
        *task->undecided = (struct tk_undecided_wait){
            .wait = task->wait, .since = task->since, .until = at, .end = end, .is_measured = is_measured
        };
        return;
    }
    task->last_wait = row_of(analysis, task, &task->wait);
    if (task->last_wait) count(analysis, task->last_wait, task->since, at, end, is_measured);
}

void tk_waits_decide(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t reason) {
    struct tk_undecided_wait *one = task->undecided;
    if (!one) return;
    if (task->job.is_open && task->job.reason == one->wait.reason)
        task->job.reason = reason; // also of a wait before the figures
    if (!task->is_undecided) return;
    task->is_undecided = false;
    one->wait.reason = reason;
    struct tk_wait_entry *row = task->last_wait = row_of(analysis, task, &one->wait);
    if (!row) return;
    count(analysis, row, one->since, one->until, one->end, one->is_measured);
    row->woken += one->has_woken;
    if (one->has_run) tk_measure_add(analysis->histograms, &row->wake, one->until, one->ran - one->until);
}

TK_COLD void tk_waits_open(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at) {
    if (task->wait_is_cut || !tk_is_proven(analysis, task)) {
        tk_waits_end(analysis, task, at, TK_WAIT_END_UNKNOWN, false);
        return;
    }
    struct tk_wait_entry *row = task->has_no_jobs ? NULL : row_of(analysis, task, &task->wait);
    if (!row) return;
    if (!row->has_open || at - task->since > row->open_for) row->open_for = at - task->since;
    row->has_open = true;
}

void tk_waits_runs(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, bool is_measured) {
    task->has_woken = false;
    if (!is_measured) return;
    if (task->is_undecided) task->undecided->has_run = true, task->undecided->ran = at;
    else if (task->last_wait)
        tk_measure_add(analysis->histograms, &task->last_wait->wake, task->since, at - task->since);
}

TK_COLD void tk_waits_clear(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    for (struct tk_wait_entry *row = task->waits; row; row = row->next) {
        tk_measure_clear(analysis->histograms, &row->length);
        tk_measure_clear(analysis->histograms, &row->wake);
        row->has_open = false;
        row->count = row->woken = row->timed_out = row->unknown_ends = 0;
    }
    task->wait_is_cut = true;
    task->has_woken = task->is_undecided = false;
}
