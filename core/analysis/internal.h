// SPDX-License-Identifier: MIT
//
// State of the analysis, for its files.
#ifndef TK_ANALYSIS_INTERNAL_H
#define TK_ANALYSIS_INTERNAL_H

#include "../base/attributes.h"
#include "../base/idmap.h"
#include "../model/tables/durations.h"
#include "../model/tables/histogram.h"
#include "../model/timeline/wait_reasons.h"
#include "analysis.h"

enum {
    TK_ANALYSED_TASKS = 128, // further tasks have no figures of the analysis, which TOO_MANY counts
    TK_ACTIVATIONS = 8,      // waits of a task whose jobs have a row of their own; further ones share one row
    TK_PROVEN_NEVER = 0      // an epoch in which nothing is proven
};

// Reasons of releases that are no waits; they are no value of tk_reason.
enum { TK_RELEASED_CREATED = 1, TK_RELEASED_DECLARED = 2, TK_RELEASED_RESUMED = 3, TK_RELEASED_OTHER = 4 };

struct tk_measure {
    struct tk_durations durations;
    struct tk_histogram *histogram; // NULL: no value, or none of the limited number
};

// Jobs of a task that one wait released.
struct tk_activation {
    uint64_t reason;                    // of the wait, without the number of ticks of a delay
    uint64_t last_release, last_proven; // release of the last job, and the proof (struct task_state.proof) then
    uint64_t count;                     // measured jobs and those lost inside
    struct tk_measure response, period;
};

struct tk_job_figures {
    struct tk_measure response, gross, net, period;
    struct tk_durations pending, preempted, blocked, distance; // distance: from start to start
    uint64_t interrupted, room;                                // sums
    struct tk_activation *activations[TK_ACTIVATIONS + 1];     // the last one has the jobs of all other waits
    uint32_t activation_count;
};

enum tk_task_place {
    TK_PLACE_UNKNOWN,
    TK_PLACE_CREATED,
    TK_PLACE_READY,
    TK_PLACE_RUNNING,
    TK_PLACE_LEFT, // off its core; whether it is ready or waits is not decided yet
    TK_PLACE_WAITING,
    TK_PLACE_STOPPED // suspended by another task
};

// The job of a task that is not finished.
struct tk_open_job {
    uint64_t release, start; // if has_release, has_start
    uint64_t interrupted, preempted, blocked, room;
    uint64_t epoch;  // in which the job was released
    uint64_t reason; // of its release
    bool is_open, has_release, has_start;
    bool is_proven;    // its release was proven in `epoch`, and nothing spoilt it since
    bool is_tentative; // a job since JOB_DONE that does not exist if the task waits before it makes a call
};

struct tk_analysed_task {
    uint32_t entity;
    uint8_t place; // enum tk_task_place
    bool has_no_jobs : 1;
    bool declares : 1;     // the application declares when jobs are done
    bool ends_at_next : 1; // the open job ends at the next call or wait
    bool has_open : 1;
    bool had_job : 1; // a job of this section ended or is open
    uint64_t since;   // start of the place
    uint64_t epoch;   // in which the place was proven; TK_PROVEN_NEVER: it is not
    uint64_t counted; // time in interrupts of this run that is in no job, or in an earlier one
    struct tk_fact_wait wait;
    struct tk_open_job job;
    uint64_t last_release, last_start, last_epoch; // of the last measured job; last_epoch TK_PROVEN_NEVER: none
    uint64_t counts[TK_JOB_STATES];                // number of jobs
    uint64_t open_for;              // lower bound of the response time of the job that is open at the end; if has_open
    struct tk_job_figures *figures; // NULL: no job was measured yet
};

struct tk_analysis {
    struct tk_facts facts;
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    const struct tk_names *names;
    struct tk_job_listener listener;
    struct tk_analysed_task *tasks;
    uint32_t task_count, task_capacity;
    uint64_t epoch;  // from 1; a loss begins another one
    bool is_lossy;   // events were lost since this section began
    bool is_between; // between two sections, or after the end
    struct tk_histogram_pool histograms;
};

// jobs.c
void tk_analysis_init_jobs(struct tk_facts *facts);

#endif
