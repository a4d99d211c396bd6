// SPDX-License-Identifier: MIT
//
// Rules about locks: held across a wait, and tasks that wait for each other's locks.
#include "findings.h"
#include "internal.h"

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Looks for the task that has waited longest for the mutex.
static uint32_t find_blocked(const struct tk_analysis *analysis, uint32_t mutex, uint64_t *out_since) {
    uint32_t found = TK_NONE;
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        const struct tk_analysed_task *task = &analysis->tasks[i];
        bool waits = task->place == TK_PLACE_WAITING && task->epoch == analysis->epoch &&
                     task->wait.kind == TK_WAIT_FOR_LOCK && task->wait.object == mutex;
        if (!waits || (found != TK_NONE && task->since >= *out_since)) continue;
        found = i;
        *out_since = task->since;
    }
    return found;
}

void tk_findings_held(struct tk_analysis *analysis, uint32_t index, uint32_t mutex, uint64_t at) {
    uint64_t since = analysis->tasks[index].wait.since, blocked_since = 0;
    struct tk_finding_subject subject = { .rule = TK_FINDER_LOCK_HELD,
                                          .task = index,
                                          .entity = analysis->queues[mutex].entity };
    struct tk_finding *row = tk_finding_note(analysis, &subject, (struct tk_finding_place){ since, at - since }, NULL);
    uint32_t blocked = row ? find_blocked(analysis, mutex, &blocked_since) : TK_NONE;
    if (blocked == TK_NONE) return;
    uint64_t length = at - later(since, blocked_since);
    if (row->other != TK_NONE && length <= row->figure) return;
    row->other = analysis->tasks[blocked].entity;
    row->figure = length;
}

// ---- Cycles ------------------------------------------------------------------------------------

static uint32_t next_in_chain(const struct tk_analysis *analysis, uint32_t index) {
    const struct tk_analysed_task *task = &analysis->tasks[index];
    bool waits =
        task->place == TK_PLACE_WAITING && task->epoch == analysis->epoch && task->wait.kind == TK_WAIT_FOR_LOCK;
    return waits ? tk_locks_holder(analysis, task->wait.object) : TK_NONE;
}

// Notes a cycle at the task with the lowest index in it. Returns without a finding if the chain does not come back.
static void find_cycle(struct tk_analysis *analysis, uint32_t index, uint64_t end) {
    uint64_t since = analysis->tasks[index].since;
    uint32_t at = next_in_chain(analysis, index), length = 1;
    for (; at != TK_NONE && at != index; at = next_in_chain(analysis, at), length++) {
        if (at < index || length > analysis->task_count) return;
        since = later(since, analysis->tasks[at].since);
    }
    if (at != index) return;
    struct tk_finding_subject subject = {
        .rule = TK_FINDER_LOCK_CYCLE, .task = index, .entity = TK_NONE, .reason = analysis->tasks[index].wait.reason
    };
    struct tk_finding *row = tk_finding_note(analysis, &subject, (struct tk_finding_place){ since, end - since }, NULL);
    if (!row) return;
    row->figure = length;
    row->other = analysis->tasks[next_in_chain(analysis, index)].entity;
}

TK_COLD void tk_findings_cycles(struct tk_analysis *analysis, uint64_t at) {
    for (uint32_t i = 0; i < analysis->task_count; i++) find_cycle(analysis, i, at);
}
