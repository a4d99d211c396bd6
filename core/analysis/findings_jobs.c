// SPDX-License-Identifier: MIT
//
// Rules about tasks and their jobs.
#include "findings.h"
#include "internal.h"

static struct tk_finding_subject task_subject(enum tk_finder rule, uint32_t task) {
    return (struct tk_finding_subject){ .rule = (uint8_t)rule, .task = task, .entity = TK_NONE };
}

// ---- Incomplete recording ----------------------------------------------------------------------

// Several facts may tell of one loss.
TK_COLD void tk_findings_lost(struct tk_analysis *analysis) {
    struct tk_finding_subject subject = task_subject(TK_FINDER_RECORDING, TK_NONE);
    uint64_t now = *analysis->now;
    if (analysis->loss_at == now + 1) return;
    analysis->loss_at = now + 1;
    tk_finding_note(analysis, &subject, (struct tk_finding_place){ now, 0 }, NULL);
}

// ---- Missed periods ----------------------------------------------------------------------------

// Counts a difference of wake-up ticks. Returns the proven period; 0: none.
static uint32_t prove_period(struct tk_wake_ticks *wake, uint32_t difference) {
    unsigned best = 0, at = 0;
    while (at < TK_WAKE_PERIODS && wake->counts[at] && wake->periods[at] != difference) at++;
    if (at < TK_WAKE_PERIODS) {
        wake->periods[at] = difference;
        wake->counts[at]++;
    }
    wake->all++;
    for (unsigned i = 1; i < TK_WAKE_PERIODS; i++)
        if (wake->counts[i] > wake->counts[best]) best = i;
    bool is_proven = wake->all >= TK_LEAST_DELAYS && wake->counts[best] >= wake->all - wake->counts[best];
    return wake->period = is_proven ? wake->periods[best] : 0;
}

static void check_wake_tick(struct tk_analysis *analysis, uint32_t index, uint32_t tick, uint64_t at) {
    struct tk_analysed_task *task = &analysis->tasks[index];
    if (!task->wake) task->wake = tk_alloc_zero(analysis->alloc, sizeof *task->wake);
    struct tk_wake_ticks *wake = task->wake;
    if (!wake) return;
    uint32_t difference = tick - wake->tick;
    if (wake->epoch == analysis->epoch && difference && difference <= INT32_MAX) {
        uint32_t period = prove_period(wake, difference);
        if (period && difference > period && difference % period == 0) {
            struct tk_finding_subject subject = task_subject(TK_FINDER_OVERRUN, index);
            struct tk_finding *row =
                tk_finding_note(analysis, &subject, (struct tk_finding_place){ wake->at, at - wake->at }, NULL);
            if (row) row->figure += difference / period - 1;
        }
    }
    wake->tick = tick;
    wake->at = at;
    wake->epoch = analysis->epoch;
}

void tk_findings_wait_begins(struct tk_analysis *analysis, uint32_t index, const struct tk_fact_wait *wait) {
    if (tk_reason_kind(wait->reason) == TK_REASON_DELAY_UNTIL)
        check_wake_tick(analysis, index, (uint32_t)wait->reason, wait->since);
}

// ---- Full queues -------------------------------------------------------------------------------

void tk_findings_room(struct tk_analysis *analysis, uint32_t index, const struct tk_fact_wait *wait, uint64_t since,
                      uint64_t at) {
    struct tk_finding_subject subject = { .rule = TK_FINDER_QUEUE_FULL, .task = TK_NONE, .entity = TK_NONE };
    bool is_longest;
    subject.reason = wait->reason;
    struct tk_finding *row =
        tk_finding_note(analysis, &subject, (struct tk_finding_place){ since, at - since }, &is_longest);
    if (row && is_longest) row->other = analysis->tasks[index].entity;
}

// ---- Rules about the figures of a task ---------------------------------------------------------

static uint64_t percentile(const struct tk_measure *of, unsigned percent) {
    return tk_measure_at(of, tk_percentile_rank(of->durations.measured, percent));
}

static bool exceeds(uint64_t length, uint64_t unit, uint64_t times) { return unit && length / times >= unit; }

static void find_starvation(struct tk_analysis *analysis, uint32_t index) {
    const struct tk_analysed_task *task = &analysis->tasks[index];
    const struct tk_job_statistics *figures = task->figures;
    struct tk_finding_subject subject = task_subject(TK_FINDER_STARVATION, index);
    uint64_t period = percentile(&figures->period, 50);
    if (period == UINT64_MAX || figures->period.durations.measured < TK_LEAST_JOBS) return;
    if (exceeds(task->ready_max, period, TK_STARVED_PERIODS))
        tk_finding_note(analysis, &subject, (struct tk_finding_place){ task->ready_max_at, task->ready_max }, NULL);
}

// Returns the number of periods that are longer than `limit`.
static uint64_t count_above(const struct tk_measure *of, uint64_t limit) {
    uint64_t low = 0, high = of->durations.measured; // of `low` values it is known that they are not above
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (tk_measure_at(of, middle) <= limit) low = middle;
        else high = middle - 1;
    }
    return of->durations.measured - low;
}

static bool is_regular(const struct tk_activation *activation, uint64_t median) {
    uint64_t low = percentile(&activation->period, 5), high = percentile(&activation->period, 95);
    return high - low <= median / 100 * TK_REGULAR_PERCENT + median % 100 * TK_REGULAR_PERCENT / 100;
}

static void find_jitter(struct tk_analysis *analysis, uint32_t index, const struct tk_activation *activation) {
    const struct tk_durations *periods = &activation->period.durations;
    uint64_t median = percentile(&activation->period, 50);
    if (periods->measured < TK_LEAST_JOBS || median == UINT64_MAX || !median) return;
    if (!is_regular(activation, median)) return;
    uint64_t off = median / 100 * TK_JITTER_PERCENT + median % 100 * TK_JITTER_PERCENT / 100;
    uint64_t above =
        periods->max > median && periods->max - median > off ? count_above(&activation->period, median + off) : 0;
    if (!above) return;
    struct tk_finding_subject subject = task_subject(TK_FINDER_JITTER, index);
    subject.reason = activation->reason;
    struct tk_finding *row =
        tk_finding_note(analysis, &subject, (struct tk_finding_place){ periods->max_at, periods->max }, NULL);
    if (!row) return;
    row->count = above;
    row->total = periods->max - median;
    row->figure = median;
}

// ---- The end of a section ----------------------------------------------------------------------

// A task that was created and made ready, and did not run since.
static void find_never_ran(struct tk_analysis *analysis, uint32_t index, uint64_t end) {
    const struct tk_analysed_task *task = &analysis->tasks[index];
    const struct tk_open_job *job = &task->job;
    uint64_t limit = tk_analysis_ticks_of_ms(analysis, TK_NEVER_RAN_MS);
    bool waits_to_run = job->is_open && !job->has_start && job->is_proven && job->epoch == analysis->epoch &&
                        job->reason == TK_RELEASED_CREATED && task->place == TK_PLACE_READY;
    if (!waits_to_run || !limit || end - job->release <= limit) return;
    struct tk_finding_subject subject = task_subject(TK_FINDER_NEVER_RAN, index);
    tk_finding_note(analysis, &subject, (struct tk_finding_place){ job->release, end - job->release }, NULL);
}

// A task that is ready until the end, for longer than its jobs ever took.
static void find_starved_at_end(struct tk_analysis *analysis, uint32_t index, uint64_t end) {
    const struct tk_analysed_task *task = &analysis->tasks[index];
    const struct tk_durations *responses = &task->figures->response.durations;
    if (task->place != TK_PLACE_READY || task->epoch != analysis->epoch || responses->measured < TK_LEAST_JOBS) return;
    struct tk_finding_subject subject = task_subject(TK_FINDER_STARVATION, index);
    if (exceeds(end - task->since, responses->max, TK_STARVED_RESPONSES))
        tk_finding_note(analysis, &subject, (struct tk_finding_place){ task->since, end - task->since }, NULL);
}

TK_COLD void tk_findings_section_ends(struct tk_analysis *analysis, uint64_t at) {
    tk_findings_heaps_at_end(analysis, at);
    tk_findings_cycles(analysis, at);
    tk_windows_end_section(analysis, at);
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        const struct tk_analysed_task *task = &analysis->tasks[i];
        if (task->has_no_jobs) continue;
        find_never_ran(analysis, i, at);
        if (task->figures) find_starved_at_end(analysis, i, at);
    }
}

TK_COLD void tk_findings_end(struct tk_analysis *analysis) {
    tk_findings_storms(analysis);
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        const struct tk_analysed_task *task = &analysis->tasks[i];
        if (task->has_no_jobs || !task->figures) continue;
        find_starvation(analysis, i);
        for (const struct tk_activation *waited = task->activations; waited; waited = waited->next)
            find_jitter(analysis, i, waited);
    }
}
