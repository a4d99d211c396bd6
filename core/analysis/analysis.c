// SPDX-License-Identifier: MIT
#include "internal.h"

TK_COLD struct tk_analysis *tk_analysis_new(struct tk_alloc *alloc, struct tk_diag *diag,
                                            const struct tk_names *names) {
    struct tk_analysis *analysis = tk_alloc_zero(alloc, sizeof *analysis);
    if (!analysis) return NULL;
    analysis->alloc = analysis->histograms.alloc = alloc;
    analysis->diag = diag;
    analysis->names = names;
    analysis->epoch = 1;
    analysis->facts.ctx = analysis;
    tk_analysis_init_jobs(&analysis->facts);
    return analysis;
}

const struct tk_facts *tk_analysis_facts(const struct tk_analysis *analysis) { return &analysis->facts; }

TK_COLD void tk_analysis_listen(struct tk_analysis *analysis, const struct tk_job_listener *listener) {
    analysis->listener = *listener;
}

const char *tk_job_state_name(enum tk_job_state state) {
    static const char *const names[TK_JOB_STATES] = {
        [TK_JOB_MEASURED] = "measured", [TK_JOB_CUT_START] = "cut_start", [TK_JOB_CUT_END] = "cut_end",
        [TK_JOB_LOST] = "lost",         [TK_JOB_SUSPENDED] = "suspended", [TK_JOB_DELETED] = "deleted"
    };
    return names[state];
}
