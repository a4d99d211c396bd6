// SPDX-License-Identifier: MIT
//
// Overload: times of at least 10 ms in which the core is hardly idle. They end when the core becomes idle, so the
// idle times before that moment decide. Only the last TK_IDLE_TIMES of them are kept; more of them mean that the core
// was idle often.
#include "findings.h"
#include "internal.h"

// Returns the idle time within the last `length` ticks before `at`, or more than `limit` as soon as it exceeds that.
static uint64_t idle_before(const struct tk_idle_times *idle, uint64_t at, uint64_t length, uint64_t limit) {
    uint64_t from = at - length, sum = 0;
    uint32_t kept = idle->count < TK_IDLE_TIMES ? (uint32_t)idle->count : TK_IDLE_TIMES;
    for (uint32_t i = 1; i <= kept && sum <= limit; i++) {
        const struct tk_idle_time *time = &idle->times[(idle->count - i) % TK_IDLE_TIMES];
        if (time->end <= from) return sum;
        uint64_t within = time->end - (time->begin > from ? time->begin : from);
        sum += within < time->idle ? within : time->idle;
    }
    return idle->count > TK_IDLE_TIMES ? limit + 1 : sum;
}

static bool is_overloaded(struct tk_analysis *analysis, uint64_t at, unsigned ms) {
    struct tk_idle_times *idle = &analysis->idle;
    uint64_t length = tk_analysis_ticks_of_ms(analysis, ms), limit = length * (100 - TK_OVERLOAD_PERCENT) / 100;
    if (length < 100 || at - idle->known_from < length) return false;
    uint64_t free = idle_before(idle, at, length, limit);
    if (free > limit) return false;
    uint64_t last_end = idle->times[(idle->count - 1) % TK_IDLE_TIMES].end, from = at - length;
    if (idle->count && last_end > idle->known_from && last_end < from) from = last_end; // busy for longer
    struct tk_finding_subject subject = { .rule = TK_FINDER_OVERLOAD, .task = TK_NONE, .entity = TK_NONE };
    bool is_longest;
    struct tk_finding *row =
        tk_finding_note(analysis, &subject, (struct tk_finding_place){ from, at - from }, &is_longest);
    if (row && is_longest) row->figure = (length - free) * 100 / length;
    idle->known_from = at; // the next overload begins after this one
    return true;
}

static void look_back(struct tk_analysis *analysis, uint64_t at) {
    struct tk_idle_times *idle = &analysis->idle;
    if (idle->has_several_cores || !idle->is_known || at <= idle->known_from) return;
    if (!is_overloaded(analysis, at, TK_OVERLOAD_LONG_MS)) is_overloaded(analysis, at, TK_OVERLOAD_SHORT_MS);
}

void tk_findings_idle_begins(struct tk_analysis *analysis, uint64_t at) {
    struct tk_idle_times *idle = &analysis->idle;
    look_back(analysis, at);
    if (!idle->is_known) idle->known_from = at;
    idle->is_known = idle->has_run = true;
    idle->since = at;
}

void tk_findings_idle_ends(struct tk_analysis *analysis, uint64_t at, uint64_t interrupted) {
    struct tk_idle_times *idle = &analysis->idle;
    uint64_t length = at - idle->since;
    if (!idle->is_known || at < idle->since || interrupted > length) return;
    idle->times[idle->count++ % TK_IDLE_TIMES] = (struct tk_idle_time){ idle->since, at, length - interrupted };
}

// After a loss and between sections it is unknown whether the core is idle.
TK_COLD void tk_findings_forget_idle(struct tk_analysis *analysis) {
    analysis->idle.is_known = false;
    analysis->idle.count = 0;
}

TK_COLD void tk_findings_load_at_end(struct tk_analysis *analysis, uint64_t at) {
    if (analysis->idle.idle_cores) return;
    for (uint32_t i = 0; i < analysis->task_count; i++)
        if (analysis->tasks[i].is_idle && analysis->tasks[i].place == TK_PLACE_RUNNING) return;
    look_back(analysis, at);
}
