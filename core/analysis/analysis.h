// SPDX-License-Identifier: MIT
//
// Analysis of a recording: jobs of tasks with their parts, from the facts of the trackers (model/facts.h). One pass;
// memory depends on the number of tasks. A figure covers only what the recording proves; everything else is counted as
// not measured. docs/REPORT.md defines the figures.
#ifndef TK_ANALYSIS_ANALYSIS_H
#define TK_ANALYSIS_ANALYSIS_H

#include "../base/alloc.h"
#include "../base/diag.h"
#include "../model/facts.h"
#include "../model/tables/table.h"

struct tk_names;
struct tk_rtos;
struct tk_analysis;

// Whether a job is measured, and why not.
enum tk_job_state {
    TK_JOB_MEASURED,
    TK_JOB_CUT_START, // its release is before the recording, or before the time range of the figures
    TK_JOB_CUT_END,   // it is open at the end
    TK_JOB_LOST,      // events are missing between the wait before its release and its end
    TK_JOB_SUSPENDED, // another task suspended the task
    TK_JOB_DELETED,   // another task deleted the task
    TK_JOB_STATES
};

// A job, in ticks of the trace clock. The times in interrupts, preempted, blocked by locks and waiting for room are
// parts of end - start; what remains is the net execution time.
struct tk_job {
    uint32_t task, entity;
    uint8_t state; // enum tk_job_state
    bool has_release, has_start, has_period;
    uint64_t release, start, end; // release and start: if known
    uint64_t interrupted, preempted, blocked, room;
    uint64_t period; // since the release of the job before
};

struct tk_job_listener {
    void *ctx;
    void (*on_job)(void *ctx, const struct tk_job *job); // NULL: none
};

// Returns NULL when out of memory. names: of the tasks and reasons.
struct tk_analysis *tk_analysis_new(struct tk_alloc *alloc, struct tk_diag *diag, const struct tk_names *names);
const struct tk_facts *tk_analysis_facts(const struct tk_analysis *analysis);
// Calls the listener with each job when its end is decided.
void tk_analysis_listen(struct tk_analysis *analysis, const struct tk_job_listener *listener);

static inline uint64_t tk_job_response(const struct tk_job *job) { return job->end - job->release; }
static inline uint64_t tk_job_pending(const struct tk_job *job) { return job->start - job->release; }
static inline uint64_t tk_job_gross(const struct tk_job *job) { return job->end - job->start; }
static inline uint64_t tk_job_net(const struct tk_job *job) {
    return job->end - job->start - job->interrupted - job->preempted - job->blocked - job->room;
}
// Returns the name of a state: "cut_start".
const char *tk_job_state_name(enum tk_job_state state);

// The tables. rtos: the tracker that told the facts.
extern const struct tk_table *const tk_analysis_table_list[]; // ended by NULL
void tk_analysis_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                        const struct tk_table_sink *sink);

#endif
