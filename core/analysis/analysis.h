// SPDX-License-Identifier: MIT
//
// Analysis of a recording: jobs of tasks with their parts, from the facts of the trackers (model/facts.h). One pass;
// memory depends on the number of tasks. A figure covers only what the recording proves; everything else is counted as
// not measured. docs/REPORT.md defines the figures.
#ifndef TK_ANALYSIS_ANALYSIS_H
#define TK_ANALYSIS_ANALYSIS_H

#include "../base/alloc.h"
#include "../base/diag.h"
#include "../base/text.h"
#include "../model/facts.h"
#include "../model/tables/table.h"

struct tk_timeline;
struct tk_histogram_pool;
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

// Parts of a response time that another task or object causes.
enum tk_cause_kind {
    TK_CAUSE_PENDING,   // ready before it ran; who: the task that had the core
    TK_CAUSE_PREEMPTED, // ready after it ran; who: the task that had the core
    TK_CAUSE_BLOCKED,   // waited for a lock (reason); who: the task that held it when the wait began
    TK_CAUSE_ROOM,      // waited for room (reason)
    TK_CAUSE_WAITED,    // waited for something else inside a declared job (reason)
    TK_CAUSE_KINDS
};

struct tk_cause {
    uint64_t ticks, reason; // reason: of the wait; 0: none
    uint32_t who;           // task; TK_NONE: unknown
    uint8_t kind;           // enum tk_cause_kind
    bool is_least;          // some of its time may be among the others
};

enum { TK_CAUSES = 8 };
// Causes of a job. Their times and `others` add up to the parts of the job.
struct tk_causes {
    uint32_t count;
    struct tk_cause list[TK_CAUSES]; // in no particular order
    uint64_t others[TK_CAUSE_KINDS]; // time of further causes, and of tasks that are not analysed
};

// A job, in ticks of the trace clock. The times in interrupts, preempted, blocked by locks, waiting for room and (in
// declared jobs) waiting for something else are parts of end - start; what remains is the net execution time.
struct tk_job {
    uint32_t task, entity;
    uint8_t state; // enum tk_job_state
    bool has_release, has_start, has_period;
    uint64_t release, start, end; // release and start: if known
    uint64_t interrupted, preempted, blocked, room, waited;
    uint64_t period; // since the release of the job before
};

struct tk_job_listener {
    void *ctx;
    void (*on_job)(void *ctx, const struct tk_job *job, const struct tk_causes *causes); // NULL: none
};

// Returns NULL when out of memory. timeline: that of the tracker, on which the analysis draws response times and
// findings. histograms: that of all figures.
struct tk_analysis *tk_analysis_new(struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *timeline,
                                    struct tk_histogram_pool *histograms);
// now: time of the current event. tick_ns: returns the length of a tick in ns; 0: unknown. Without it losses have no
// time, and rules about absolute times are not examined.
void tk_analysis_set_clock(struct tk_analysis *analysis, const uint64_t *now, uint64_t (*tick_ns)(const void *ctx),
                           const void *ctx);
const struct tk_facts *tk_analysis_facts(const struct tk_analysis *analysis);
// Calls the listener with each job when its end is decided.
void tk_analysis_listen(struct tk_analysis *analysis, const struct tk_job_listener *listener);

// Deadlines of jobs. The analysis counts the jobs that miss each of them.
struct tk_deadlines {
    const void *ctx;
    uint32_t count;
    // Returns the length of a tick, as far as it is known, that the limits depend on.
    uint64_t (*tick_ns)(const void *ctx);
    // Returns the longest response time in ticks that meets a deadline.
    uint64_t (*limit)(const void *ctx, uint32_t deadline);
    // Returns true if a deadline is about the jobs of a task, "control", or (is_wait) about those that a wait of a task
    // released, "control / delay". Returns false for all if the unit of the deadline is not one of the recording.
    bool (*covers)(const void *ctx, uint32_t deadline, const char *name, size_t len, bool is_wait);
    const char *(*text)(const void *ctx, uint32_t deadline); // "5ms"
};
// Sets the deadlines, before the first fact.
void tk_analysis_set_deadlines(struct tk_analysis *analysis, const struct tk_deadlines *deadlines);

static inline uint64_t tk_job_response(const struct tk_job *job) { return job->end - job->release; }
static inline uint64_t tk_job_pending(const struct tk_job *job) { return job->start - job->release; }
static inline uint64_t tk_job_gross(const struct tk_job *job) { return job->end - job->start; }
static inline uint64_t tk_job_net(const struct tk_job *job) {
    return job->end - job->start - job->interrupted - job->preempted - job->blocked - job->room - job->waited;
}
// Returns the name of a kind: "preempted".
const char *tk_cause_kind_name(enum tk_cause_kind kind);
// Adds the name of a task of a cause: "can"; nothing if it is unknown.
void tk_analysis_put_task(const struct tk_analysis *analysis, struct tk_text *text, uint32_t task);
// Adds the reason of a wait: "lock spi bus", "delay".
void tk_analysis_put_reason(const struct tk_analysis *analysis, struct tk_text *text, uint64_t reason);
// Returns the name of a state: "cut_start".
const char *tk_job_state_name(enum tk_job_state state);

// The tables of jobs, waits, locks, queues and loads. rtos: the tracker that reported the facts.
extern const struct tk_table *const tk_analysis_table_list[]; // ended by NULL
void tk_analysis_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                        const struct tk_table_sink *sink);
// The tables of findings, which are the first of the report.
extern const struct tk_table *const tk_findings_table_list[]; // ended by NULL
void tk_findings_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                        const struct tk_table_sink *sink);
// Describes rule `number` of those that find faults (findings.def), from 0. The texts are static. Returns false after
// the last one.
struct tk_finder_text {
    const char *id, *severity, *title, *threshold, *needs, *remedy;
};
bool tk_finding_rule(unsigned number, struct tk_finder_text *out_rule);

#endif
