// SPDX-License-Identifier: MIT
//
// State of the analysis, for its files.
#ifndef TK_ANALYSIS_INTERNAL_H
#define TK_ANALYSIS_INTERNAL_H

#include "../base/attributes.h"
#include "../base/idmap.h"
#include "../model/tables/keyed_rows.h"
#include "../model/tables/measure.h"
#include "../model/tables/parts.h"
#include "../model/timeline/wait_reasons.h"
#include "analysis.h"
#include "findings.h"

enum {
    TK_ANALYSED_TASKS = 128, // further tasks have no figures of the analysis, which TOO_MANY counts
    TK_ANALYSED_CORES = 32,
    TK_ACTIVATIONS = 8, // waits of a task whose jobs have a row of their own; further ones share one row
    TK_WAIT_ROWS = 16,  // reasons of waits of a task that have a row of their own; further ones share one row
    TK_WORST_JOBS = 8,  // jobs of a task that are kept with their causes
    TK_CORE_RUNS = 32,  // last runs of a core that are kept; a power of two
    TK_PROVEN_NEVER = 0 // an epoch in which nothing is proven
};

// Reasons of releases that are no waits; they are no value of tk_reason.
enum { TK_RELEASED_CREATED = 1, TK_RELEASED_DECLARED = 2, TK_RELEASED_RESUMED = 3, TK_RELEASED_OTHER = 4 };

// Waits of a task for one reason.
struct tk_wait_entry {
    struct tk_wait_entry *next;       // of the same task
    uint64_t reason;                  // without the number of ticks of a delay
    uint64_t count, woken;            // waits that ended; waits that ended because the task was made ready
    uint64_t timed_out, unknown_ends; // of the measured ones
    struct tk_measure length, wake;   // of the wait; from its end to the next run
    uint64_t open_for;                // longest wait that is open at the end, so far; if has_open
    bool can_time_out, has_open;
};

enum {
    TK_LOAD_WINDOWS = 2, // 10 ms and 100 ms
    TK_RING_BUCKETS = 64,
    TK_LOAD_LEAST_WIDTH = 10 // ticks of a bucket; a coarser clock has no windows
};

// The window with the least idle time; length 0: none.
struct tk_least_idle {
    uint64_t idle, at, length;
};

// Windows that overlap, each of them overloaded; until 0: none.
struct tk_overload {
    uint64_t since, until, percent;
};

// Idle time of a core.
struct tk_load_windows {
    uint64_t epoch; // in which the rings were started
    uint64_t from;  // since then it is known when the core is idle
    uint64_t end;   // of the current bucket
    uint64_t width; // ticks of a bucket of the first ring
    uint64_t sums[TK_LOAD_WINDOWS];
    uint32_t rings[TK_LOAD_WINDOWS][TK_RING_BUCKETS], current[TK_LOAD_WINDOWS];
    uint32_t part;  // buckets of the first ring in the current one of the second ring
    bool is_idle;   // since idle_since
    bool is_paused; // an interrupt runs; the core was idle before
    uint64_t idle_since;
    struct tk_least_idle least[TK_LOAD_WINDOWS];
    uint64_t losses; // losses since the core was idle for the first time; windows with a loss are not measured
    struct tk_overload overload;
};

// A run of a task on a core until the next one begins.
struct tk_core_run {
    uint64_t from;
    uint64_t interrupted; // time in interrupts, if it has ended
    uint32_t epoch;       // low bits
    uint32_t task;        // TK_NONE: none, or unknown
};

struct tk_core_runs {
    uint32_t count;               // of all runs
    uint64_t left;                // tick + 1 at which the last task left the core, if none runs since; 0: it runs
    struct tk_load_windows *load; // NULL: it was never idle
    struct tk_core_run ring[TK_CORE_RUNS];
};

struct tk_worst_job {
    union {
        struct tk_job job;
        struct tk_worst_job *next; // while it is in tk_analysis.spare
    };
    struct tk_causes causes;
};

// Jobs of a task that one wait released.
struct tk_activation {
    struct tk_activation *next;         // of the same task
    uint64_t reason;                    // of the wait, without the number of ticks of a delay
    uint64_t last_release, last_proven; // release of the last job, and the proof (epoch) then
    uint64_t count;                     // measured jobs and those lost inside
    struct tk_measure response, period;
    uint64_t *late; // number of late jobs for each deadline; NULL: none was late
};

// Of the jobs that end in a part: number, sums, and the longest response time.
struct tk_job_parts {
    uint32_t counts[TK_PARTS];
    uint64_t response[TK_PARTS], net[TK_PARTS], longest[TK_PARTS];
};

// Counter of the response times of a task.
struct tk_response_track {
    uint32_t track; // id; 0: none yet
    bool is_ns;     // values are in ns, else in ticks
    bool has_value;
    int64_t value; // the last one
};

struct tk_job_statistics {
    struct tk_measure response, gross, net, period;
    struct tk_durations pending, preempted, blocked, distance; // distance: from start to start
    uint64_t interrupted, room, waited;                        // sums
    struct tk_worst_job *worst[TK_WORST_JOBS];                 // in no particular order; NULL: never needed
    uint32_t worst_count;
    uint64_t worst_limit; // shortest response time of the worst jobs, if they are TK_WORST_JOBS
    struct tk_job_parts parts;
    struct tk_response_track response_track;
    uint64_t *late; // number of late jobs for each deadline; NULL: none was late
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
    uint64_t interrupted, preempted, blocked, room, waited;
    uint64_t epoch;  // in which the job was released
    uint64_t reason; // of its release
    bool is_open, has_release, has_start;
    bool is_proven;    // its release was proven in `epoch`, and nothing spoilt it since
    uint32_t vain;     // receives that found nothing and did not wait
    bool is_tentative; // a job since JOB_DONE that does not exist if the task waits before it makes a call
};

enum { TK_WAKE_PERIODS = 4 };

// Ticks until which a task delays itself, to prove its period.
struct tk_wake_ticks {
    uint64_t epoch, at;                // of the last delay; epoch TK_PROVEN_NEVER: none
    uint32_t tick;                     // until which it lasted
    uint32_t period;                   // kernel ticks; 0: not proven
    uint32_t periods[TK_WAKE_PERIODS]; // the first different differences of two successive ticks
    uint64_t counts[TK_WAKE_PERIODS];  // how often they occurred; 0: free
    uint64_t all;                      // number of differences
};

// A wait that has ended and whose reason is not decided.
struct tk_undecided_wait {
    struct tk_fact_wait wait;
    uint64_t since, until, ran; // ran: start of the first run after the wait; only valid if has_run
    enum tk_wait_end end;
    bool is_measured, has_woken, has_run; // has_run: the task ran since, and its time until then is measured
};

struct tk_analysed_task {
    uint32_t entity;
    uint8_t place; // enum tk_task_place
    bool has_no_jobs : 1;
    bool is_idle : 1;      // an idle task
    bool declares : 1;     // the application declares when jobs are done
    bool ends_at_next : 1; // the open job ends at the next call or wait
    bool has_open : 1;
    bool had_job : 1;      // a job of this section ended or is open
    bool has_woken : 1;    // it is ready after the wait of last_wait
    bool wait_is_cut : 1;  // the wait began before the figures
    bool is_undecided : 1; // `undecided` is used
    uint8_t core;          // on which it ran last
    uint64_t core_epoch;   // in which it ran there; TK_PROVEN_NEVER: it has not run in this life
    uint64_t since;        // start of the place
    uint64_t charged;      // time up to which the causes of the place are charged
    uint64_t epoch;        // in which the place was proven; TK_PROVEN_NEVER: it is not
    uint64_t counted;      // time in interrupts of this run that is in no job, or in an earlier one
    struct tk_fact_wait wait;
    struct tk_undecided_wait *undecided; // NULL: none yet
    struct tk_open_job job;
    struct tk_worst_job *late;               // causes of the open job, and room for the job itself
    struct tk_causes *on_trial;              // of the time since it left its core, if it does not wait; NULL: none yet
    struct tk_wait_entry *waits, *last_wait; // the first row; the row of the last wait
    uint32_t wait_count;
    uint64_t last_release, last_start, last_epoch; // of the last measured job; last_epoch TK_PROVEN_NEVER: none
    uint64_t counts[TK_JOB_STATES];                // number of jobs
    uint64_t open_for; // lower bound of the response time of the job that is open at the end; if has_open
    struct tk_activation *activations;
    uint32_t activation_count;
    struct tk_job_statistics *figures; // NULL: no job was measured yet
    uint32_t held, held_count;         // number + 1 of the mutex that it took last and holds (0: none), number of those
    struct tk_wake_ticks *wake;        // NULL: no delay until a tick yet
    uint32_t priority;                 // with inheritance
    uint64_t priority_epoch;           // in which the priority is known
    uint64_t priority_since;           // time since when it is known that it did not change
    uint64_t ready_max, ready_max_at;  // longest time from ready to running
};

// Figures of a queue, semaphore or buffer.
struct tk_queue_figures {
    uint64_t since, epoch;   // start of the present length; epoch TK_PROVEN_NEVER: the length is unknown
    uint32_t length, most;   // items or bytes now; most since the start of the figures
    uint32_t capacity;       // length when a sender began to wait for room; 0: unknown
    uint64_t known;          // time with a known length
    uint64_t at_most, empty; // parts of it: with `most` items, with none
    double filled;           // sum of length times time
    uint64_t sender_waits, receives;
    struct tk_measure latency;
    uint32_t last_pair; // number + 1 of the row of the last item in tk_analysis.pairs; 0: none
};

// Items that went from a task or interrupt to another one through an object; all are entities.
struct tk_pair_figures {
    uint32_t from, object, to;
    uint64_t count;
    struct tk_durations latency;
};

struct tk_analysed_queue {
    uint32_t entity;
    struct tk_queue_figures *figures; // NULL: no operation yet, or a mutex
    // A mutex
    bool is_held, is_listed; // is_listed: among those of its holder
    uint32_t holder;         // TK_NONE: unknown
    uint32_t next_held;      // number + 1 of the next mutex of its holder
    uint64_t since, epoch;   // when it was taken
};

// A mutex and a task that held it; task TK_NONE: unknown.
struct tk_lock_figures {
    uint32_t mutex, task;
    uint64_t holds, contended; // contended: number of times that the task waited for it before it took it
    uint64_t waits_while_held; // waits for more work
    bool hides_waits;          // the holder held too many mutexes: its waits are not counted
    struct tk_durations held, waited_while_held;
};

// A mutex, a task that waited for it, and the task that held it when the wait began (TK_NONE: unknown).
struct tk_lock_wait_figures {
    uint32_t mutex, waiter, holder;
    uint64_t count;
    struct tk_durations durations;
};

enum { TK_LOCK_WAITERS = 16 };

// A task that waits for a lock.
struct tk_lock_waiter {
    uint32_t task;
    uint32_t between;   // task that ran instead of the holder
    uint32_t holder;    // of the lock, or at the end of the chain of locks
    uint64_t inverted;  // ticks that such tasks ran while the holder was ready
    uint64_t undecided; // as far as it is not decided yet whether the holder was ready
};

struct tk_priorities {
    bool is_used;    // the recording contains priorities
    bool is_unknown; // a priority that mattered was unknown
    bool is_crowded; // more tasks waited for locks at the same time than are followed
    uint64_t since;  // up to here the time of the waiters is counted
    uint64_t limit;  // ticks that a task may be ready while one of lower priority runs; 0: unknown
    struct tk_lock_waiter waiters[TK_LOCK_WAITERS];
    uint32_t waiter_count;
};

enum { TK_ANALYSED_HEAPS = 8, TK_HEAP_BUCKETS = 64, TK_ANALYSED_ISRS = 128, TK_SHARE_PARTS = 16 };

// Least level of a heap over time.
struct tk_analysed_heap {
    uint32_t entity;
    uint64_t epoch; // in which all its operations are known; TK_PROVEN_NEVER: it has had none
    uint64_t start, at, level, frees;
    uint64_t width;                  // ticks of a bucket
    uint64_t least[TK_HEAP_BUCKETS]; // UINT64_MAX: none
};

// Time that an interrupt takes, with those nested in it, in a window of TK_STORM_MS that moves in steps of a part.
struct tk_isr_share {
    uint64_t width;                 // ticks of a part; 0: not begun
    uint64_t begin, end;            // start of the first part, end of the current one
    uint64_t counted;               // end of the last interrupt in it
    uint64_t sum;                   // of the parts
    uint32_t parts[TK_SHARE_PARTS]; // a ring
    uint32_t current;               // index in it
    uint64_t most_percent, most_at; // largest share of a window, and its start
};

struct tk_analysed_isr {
    uint32_t entity;
    uint64_t count, last, epoch;      // epoch: of `last`
    uint64_t first, first_count;      // of that epoch, and `count` before it
    uint64_t covered, intervals;      // sum and number of the times from one to the next in earlier epochs
    uint64_t enters[TK_STORM_ENTERS]; // a ring of the last ones
    uint32_t oldest;                  // index in it
    uint64_t densest, densest_at;     // the shortest time of TK_STORM_ENTERS periods
    struct tk_isr_share share;
};

struct tk_analysis {
    struct tk_facts facts;
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *timeline;
    const struct tk_names *names; // of the timeline
    struct tk_job_listener listener;
    struct tk_analysed_task *tasks;
    uint32_t task_count, task_capacity;
    struct tk_analysed_queue *queues;
    uint32_t queue_count, queue_capacity;
    struct tk_keyed_rows locks, lock_waits, pairs;
    uint64_t stats_from; // start of the figures
    uint64_t parts_from; // release of the first measured job; if has_parts
    uint64_t parts_for;  // ticks from there to the end of the last one
    bool has_parts;
    uint8_t part_shift; // a part of the time has 2^part_shift ticks
    uint64_t epoch;     // from 1; a loss begins another one
    bool is_lossy;      // events were lost since this section began
    bool is_between;    // between two sections, or after the end
    struct tk_histogram_pool *histograms;
    struct tk_deadline_limits *deadlines; // NULL: no deadlines
    struct tk_findings findings;
    struct tk_priorities priorities;
    struct tk_analysed_heap *heaps; // [TK_ANALYSED_HEAPS]; NULL: none yet
    struct tk_analysed_isr *isrs;
    uint32_t heap_count, isr_count, isr_capacity;
    bool has_idle;                        // an idle task ran, or a core was idle without one
    bool has_stacks;                      // the recording contains free space of stacks
    bool records_failures;                // the recorder records operations that fail
    bool records_posts;                   // the recorder records posts to active objects, also those that fail
    bool has_creations;                   // the recording contains the creation of a task
    bool has_object_waits;                // the recording contains a wait for a queue or lock
    bool has_locks;                       // the recording contains a mutex that was taken
    bool has_further_isrs;                // more interrupts than are followed
    const uint64_t *now;                  // time of the current event
    uint64_t (*tick_ns)(const void *ctx); // length of a tick; 0: unknown
    const void *tick_ctx;
    uint64_t loss_at;                              // time of the last loss + 1; 0: none
    struct tk_worst_job *spare;                    // memory for open jobs
    struct tk_core_runs *cores[TK_ANALYSED_CORES]; // NULL: no task ran there, and it was not idle
    uint32_t core_count;
};

static inline bool tk_is_proven(const struct tk_analysis *analysis, const struct tk_analysed_task *task) {
    return task->epoch == analysis->epoch;
}

// Returns the ticks of the trace clock in so many milliseconds; 0 if the length of a tick is unknown.
uint64_t tk_analysis_ticks_of_ms(const struct tk_analysis *analysis, uint64_t ms);

// Returns the number of jobs that were lost or cut.
uint64_t tk_unmeasured_jobs(const struct tk_analysed_task *task);

// tables.c
enum { TK_ACTIVATION_LEN = TK_DISPLAY_LEN + TK_LABEL_LEN + 8 };
// Returns true if the table of jobs has a row for the task.
bool tk_has_jobs(const struct tk_analysis *analysis, const struct tk_rtos *rtos, uint32_t task);
// Adds "control / delay".
void tk_activation_put_name(const struct tk_analysis *analysis, struct tk_text *text,
                            const struct tk_analysed_task *task, const struct tk_activation *activation);

// deadlines.c

// Compares a measured job with all deadlines. late: counters of its row.
void tk_deadlines_compare(struct tk_analysis *analysis, uint64_t **late, uint64_t response);
static inline void tk_deadlines_count(struct tk_analysis *analysis, uint64_t **late, uint64_t response) {
    if (analysis->deadlines) tk_deadlines_compare(analysis, late, response);
}
void tk_deadlines_begin_stats(struct tk_analysis *analysis);
extern const struct tk_table tk_deadlines_table;
void tk_deadlines_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                         const struct tk_table_sink *sink);

// response_track.c
void tk_response_draw(const struct tk_analysis *analysis, struct tk_response_track *response, const struct tk_job *job);

// job_parts.c
extern const struct tk_table tk_job_noise_table, tk_job_distribution_table;
void tk_job_parts_add(struct tk_analysis *analysis, struct tk_job_parts *parts, const struct tk_job *job);
void tk_job_parts_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                         const struct tk_table_sink *sink);

// findings_objects.c
void tk_analysis_init_objects(struct tk_facts *facts);
// At the end of a section, and of the recording.
void tk_findings_heaps_at_end(struct tk_analysis *analysis, uint64_t at);
void tk_findings_storms(struct tk_analysis *analysis);
void tk_findings_objects_clear(struct tk_analysis *analysis);

// load_windows.c

static inline struct tk_load_windows *tk_windows_of(const struct tk_analysis *analysis, uint32_t core) {
    return core < TK_ANALYSED_CORES && analysis->cores[core] ? analysis->cores[core]->load : NULL;
}
// An idle task begins to run, or no task.
void tk_windows_idle_begins(struct tk_analysis *analysis, uint32_t core, uint64_t at);
void tk_windows_idle_ends(struct tk_analysis *analysis, uint32_t core, uint64_t at);
// An interrupt begins while no other one runs.
void tk_windows_interrupt(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t at);
// The last interrupt ends on a core whose idle task was interrupted.
void tk_windows_interrupt_ends(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t at);
void tk_windows_end_section(struct tk_analysis *analysis, uint64_t at);
void tk_windows_begin_stats(struct tk_analysis *analysis);
extern const struct tk_table tk_load_windows_table;
void tk_windows_tables(const struct tk_analysis *analysis, const struct tk_table_sink *sink);

// findings_priorities.c. Called only if the recording contains priorities.

// Counts the time of tasks that wait for locks, before the place or the priority of a task changes.
void tk_priorities_count(struct tk_analysis *analysis, uint64_t at);
// A task runs after it was ready since task->since, which is proven.
void tk_priorities_runs(struct tk_analysis *analysis, uint32_t task, uint32_t core, uint64_t at);
// A task that left its core was ready since, or waited.
void tk_priorities_decide(struct tk_analysis *analysis, uint32_t task, bool was_ready);
// A wait for a lock begins, after the place of the task changed, or ends, before it changes.
void tk_priorities_wait_begins(struct tk_analysis *analysis, uint32_t task, uint64_t at);
void tk_priorities_wait_ends(struct tk_analysis *analysis, uint32_t task, uint64_t at, bool is_certain);
void tk_priorities_set(struct tk_analysis *analysis, uint32_t task, uint32_t priority, uint64_t at);
void tk_priorities_forget(struct tk_analysis *analysis);

// jobs.c
void tk_analysis_init_jobs(struct tk_facts *facts);

// waits.c

// The wait of the task (task->wait, since task->since) ends.
void tk_waits_end(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, enum tk_wait_end end,
                  bool is_measured);
// The wait of the task is open at the end.
void tk_waits_open(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at);
// The task is ready after the wait that ended last.
static inline void tk_waits_wakes(struct tk_analysed_task *task) {
    if (task->is_undecided) task->undecided->has_woken = task->has_woken = true;
    if (!task->last_wait) return;
    task->last_wait->woken++;
    task->has_woken = true;
}
// The reason of the undecided wait, if there is one.
void tk_waits_decide(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t reason);
// The task runs after a wait (task->has_woken).
void tk_waits_runs(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, bool is_measured);
// Clears all figures; the open wait is not measured.
void tk_waits_clear(struct tk_analysis *analysis, struct tk_analysed_task *task);

// causes.c

static inline struct tk_causes *tk_causes_of(struct tk_analysed_task *task) {
    return task->late ? &task->late->causes : NULL;
}
// causes: may be NULL.
void tk_causes_clear(struct tk_causes *causes);
void tk_causes_add(struct tk_causes *causes, enum tk_cause_kind kind, uint32_t who, uint64_t reason, uint64_t ticks);
// Returns the runs of a core, which are empty at first. NULL: out of memory, or a core that is not analysed.
struct tk_core_runs *tk_causes_core(struct tk_analysis *analysis, uint32_t core);
// A task runs on a core from `at` on.
void tk_causes_core_runs(struct tk_analysis *analysis, uint32_t core, uint32_t task, uint64_t at);
// No task, or an unknown one, runs on a core from `at` on. interrupted: time in interrupts since the last one runs.
static inline void tk_causes_core_left(const struct tk_analysis *analysis, uint32_t core, uint64_t at,
                                       uint64_t interrupted) {
    struct tk_core_runs *runs = core < TK_ANALYSED_CORES ? analysis->cores[core] : NULL;
    if (!runs) return;
    runs->left = at + 1;
    runs->ring[(runs->count - 1) % TK_CORE_RUNS].interrupted = interrupted;
}
// The task was ready when it left its core (confirm), or waits (reject).
void tk_causes_add_trial(struct tk_analysed_task *task); // for tk_causes_confirm
static inline void tk_causes_confirm(struct tk_analysed_task *task) {
    if (task->on_trial) tk_causes_add_trial(task);
}
static inline void tk_causes_reject(struct tk_analysed_task *task) {
    if (task->on_trial) tk_causes_clear(task->on_trial);
}
// The task was ready until `at`, and runs now.
void tk_causes_ready_ends(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at);

// late.c

// Keeps the job of `task->late` if it is one of the worst ones.
void tk_late_keep(struct tk_analysed_task *task, const struct tk_job *job);
// Gives a job that begins room for its causes, and takes it back after a job that is not measured.
void tk_late_begin(struct tk_analysis *analysis, struct tk_analysed_task *task);
void tk_late_end(struct tk_analysis *analysis, struct tk_analysed_task *task);
void tk_late_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos, const struct tk_table_sink *sink);
extern const struct tk_table tk_worst_jobs_table, tk_worst_causes_table;
// Returns true if the task has jobs that the report lists.
bool tk_is_listed(const struct tk_analysis *analysis, const struct tk_rtos *rtos, uint32_t task);

// locks.c
void tk_analysis_init_locks(struct tk_facts *facts);
// A wait of a task for a mutex begins: task->wait is set. Keeps its holder if it is proven.
void tk_locks_wait_begins(const struct tk_analysis *analysis, struct tk_analysed_task *task);
// The wait ends, before the place of the task changes. is_certain: its end is known.
void tk_locks_wait_ends(struct tk_analysis *analysis, struct tk_analysed_task *task, uint64_t at, bool is_certain);
// Returns the task that holds a mutex; TK_NONE: unknown.
uint32_t tk_locks_holder(const struct tk_analysis *analysis, uint32_t mutex);
// The task begins anew and holds nothing.
void tk_locks_forget_holder(struct tk_analysis *analysis, struct tk_analysed_task *task);
void tk_locks_end_section(struct tk_analysis *analysis);
void tk_locks_begin_stats(struct tk_analysis *analysis);

// queues.c
void tk_analysis_init_queues(struct tk_facts *facts);
// A task begins to wait for room in a queue.
void tk_queues_sender_waits(struct tk_analysis *analysis, uint32_t queue);
void tk_queues_end_section(struct tk_analysis *analysis, uint64_t at);
void tk_queues_begin_stats(struct tk_analysis *analysis, uint64_t at);

#endif
