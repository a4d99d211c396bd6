// SPDX-License-Identifier: MIT
#include "../model/timeline/timeline.h"
#include "internal.h"

static const uint64_t no_time;
static uint64_t unknown_length(const void *ctx) { return (void)ctx, 0; }

static void trace_ends(void *ctx, const struct tk_rtos *tracker) {
    tk_findings_end(ctx);
    tk_findings_draw(ctx, tracker);
}

TK_COLD struct tk_analysis *tk_analysis_new(struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *timeline,
                                            struct tk_histogram_pool *histograms) {
    struct tk_analysis *analysis = tk_alloc_zero(alloc, sizeof *analysis);
    if (!analysis) return NULL;
    analysis->alloc = alloc;
    analysis->histograms = histograms;
    analysis->diag = diag;
    analysis->timeline = timeline;
    analysis->names = &timeline->names;
    analysis->epoch = 1;
    analysis->facts.ctx = analysis;
    tk_analysis_set_clock(analysis, &no_time, unknown_length, NULL);
    tk_analysis_init_jobs(&analysis->facts);
    tk_analysis_init_locks(&analysis->facts);
    tk_analysis_init_objects(&analysis->facts);
    analysis->facts.trace_ends = trace_ends;
    tk_analysis_init_queues(&analysis->facts);
    return analysis;
}

TK_COLD void tk_analysis_set_clock(struct tk_analysis *analysis, const uint64_t *now,
                                   uint64_t (*tick_ns)(const void *ctx), const void *ctx) {
    analysis->now = now;
    analysis->tick_ns = tick_ns;
    analysis->tick_ctx = ctx;
}

TK_COLD uint64_t tk_analysis_ticks_of_ms(const struct tk_analysis *analysis, uint64_t ms) {
    uint64_t tick_ns = analysis->tick_ns(analysis->tick_ctx), ticks = tick_ns ? ms * 1000000 / tick_ns : 0;
    return tick_ns && !ticks ? 1 : ticks;
}

const struct tk_facts *tk_analysis_facts(const struct tk_analysis *analysis) { return &analysis->facts; }

TK_COLD void tk_analysis_listen(struct tk_analysis *analysis, const struct tk_job_listener *listener) {
    analysis->listener = *listener;
}

const char *tk_cause_kind_name(enum tk_cause_kind kind) {
    static const char *const names[TK_CAUSE_KINDS] = { [TK_CAUSE_PENDING] = "pending",
                                                       [TK_CAUSE_PREEMPTED] = "preempted",
                                                       [TK_CAUSE_BLOCKED] = "blocked",
                                                       [TK_CAUSE_ROOM] = "room",
                                                       [TK_CAUSE_WAITED] = "waited" };
    return names[kind];
}

void tk_analysis_put_task(const struct tk_analysis *analysis, struct tk_text *text, uint32_t task) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    if (task >= analysis->task_count) return;
    const char *name = tk_names_text(analysis->names, analysis->tasks[task].entity, room, &len);
    tk_text_put(text, name, len);
}

void tk_analysis_put_reason(const struct tk_analysis *analysis, struct tk_text *text, uint64_t reason) {
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

const char *tk_job_state_name(enum tk_job_state state) {
    static const char *const names[TK_JOB_STATES] = {
        [TK_JOB_MEASURED] = "measured", [TK_JOB_CUT_START] = "cut_start", [TK_JOB_CUT_END] = "cut_end",
        [TK_JOB_LOST] = "lost",         [TK_JOB_SUSPENDED] = "suspended", [TK_JOB_DELETED] = "deleted"
    };
    return names[state];
}
