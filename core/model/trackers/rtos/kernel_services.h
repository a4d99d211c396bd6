// SPDX-License-Identifier: MIT
//
// What some kernels tell beyond tasks, queues and interrupts, and what follows from it: calls and who they reach, jobs,
// event groups, notifications, software timers, state machines, intervals, heaps, stacks, low power. It looks at the
// events of rtos.h as well. A decoder that tells of any of these lists tk_tracker_kernel_services; a program without
// one carries none of it.
#ifndef TK_MODEL_TRACKERS_RTOS_KERNEL_SERVICES_H
#define TK_MODEL_TRACKERS_RTOS_KERNEL_SERVICES_H

#include "heap_blocks.h"
#include "../../tables/durations.h"
#include "../../tables/histogram.h"
#include "../../timeline/name_templates.h"
#include "rtos.h"
#include "../tracker.h"

enum {
    TK_MAX_KERNEL_OBJECTS = 8191, // event groups, timers, machines, intervals, heaps together; further ones are counted
    TK_MAX_PENDING_FLOWS = 128,   // items of one queue whose sender is remembered
    TK_MAX_PAIRS = 4096,          // rows of the tables of waits, states and communication, each
    TK_MAX_INTERVAL_LANES = 16,   // intervals of one channel that are drawn at the same time
    TK_MAX_JOB_STATS = 256        // tasks whose jobs have percentiles
};

// Who did something: a task, or an interrupt.
#define TK_ACTOR_IS_ISR ((uint32_t)1 << 30)

struct tk_pending_flow {
    uint64_t flow;
    uint32_t actor; // TK_NONE: nobody knows
};

// What was sent and not yet received.
struct tk_pending_flows {
    struct tk_pending_flow *ring;
    uint32_t capacity, head, count; // capacity: 0 or a power of two
};

// Of a queue, by its index.
struct tk_queue_services {
    struct tk_pending_flows sent;
    uint64_t refused, timed_out;
    uint64_t held_since; // of a mutex
    uint32_t held_loss;  // tk_timeline.losses then
    bool seen_taken;     // or created, in this section
    bool flow_open;      // of a stream buffer: the arrow goes on
};

struct tk_job_stats {
    struct tk_histogram response, period;
};

// Of a task, by its index.
struct tk_task_services {
    uint32_t calls_track, jobs_track, stack_track;
    uint32_t notified_by;         // actor
    uint64_t notified;            // flow; 0: no notification waits
    uint64_t ready_at;            // when it became ready; 0: not known
    uint64_t job_since, job_last; // begin of the open job, and of the one before; job_last is only known if job_count
    uint64_t job_restart;         // the next job began here, if the task does anything before it waits
    uint32_t job_loss, last_loss; // tk_timeline.losses at these
    uint32_t job_count;
    bool job_open : 1, job_restarts : 1, own_jobs : 1, job_ends : 1, stack_known : 1; // own_jobs: it tells when a job
                                                                                      // is done; job_ends: at its next
                                                                                      // call or wait
    uint64_t jobs;
    struct tk_durations responses, periods; // of jobs; from the begin of one to that of the next
    struct tk_job_stats *figures;           // NULL: none
    int64_t stack_least;
    uint64_t stack_least_at;
};

// An interval that goes on.
struct tk_open_interval {
    uint64_t instance, since;
    uint32_t loss; // tk_timeline.losses when it began
    bool open;
};

// An event group, timer, machine, interval channel or heap.
struct tk_kernel_object {
    uint32_t entity, track;
    uint8_t is;                                // enum tk_entity_class
    bool deleted, armed, reloads, level_known; // level_known: of a heap `level_most`, of a stack `level`
    bool sure, unsure;   // of a heap: `level` was told, and nothing is missing since; it was drawn although that is not
                         // so
    uint32_t state, set; // of a machine: entity + 1; of an interval: symbol
    uint64_t since;      // of the state, or armed; when `level` of a stack was told
    uint32_t loss;
    uint64_t flow;                 // of the last setter of bits
    uint32_t actor;                // who
    int64_t level, level_most;     // of a heap; `level` also: least words free of a stack, period of a timer
    uint64_t level_most_at, count; // count: of intervals
    struct tk_durations intervals;
    uint64_t set_count, cleared_count, waited_count, timed_out, expired;
    uint32_t lanes[TK_MAX_INTERVAL_LANES]; // tracks of an interval
    struct tk_open_interval *open;         // [TK_MAX_INTERVAL_LANES] of an interval
};

struct tk_wait_stats {
    uint64_t reason;
    uint64_t count, timed_out;
    struct tk_durations lasted;
    uint32_t longest_task;
};

struct tk_transition_stats {
    uint32_t machine, from, to; // thing, entities
    uint64_t count;
    struct tk_durations before; // in `from`
};

struct tk_communication_edge {
    uint32_t from, object, to; // actors, entity
    uint64_t count;
};

// A mutex and a task that held it or waited for it.
struct tk_mutex_stats {
    uint32_t queue, task;
    uint64_t holds, waits;
    struct tk_durations held, waited;
};

// What somebody allocated and nobody freed.
struct tk_heap_owner_stats {
    uint32_t heap, actor; // thing; TK_NONE: nobody knows
    uint64_t blocks, bytes;
};

// A growing array of rows found by a key.
struct tk_keyed_rows {
    struct tk_idmap by_key;
    void *rows;
    uint32_t count, capacity;
};

struct tk_kernel_services {
    struct tk_tracker_host host;
    struct tk_timeline *tl;
    struct tk_rtos *rtos;
    struct tk_name_templates name_templates;
    struct tk_queue_services *queues;
    struct tk_task_services *tasks;
    struct tk_kernel_object *objects;
    uint32_t queue_count, task_count, object_count, queue_capacity, task_capacity, object_capacity; // with room
    struct tk_idmap object_by_key, dead_object_by_name;
    struct tk_keyed_rows waits, states, communication, owners, locks;
    struct tk_heap_blocks blocks;
    uint32_t words[3]; // enum tk_services_fixed_name
    char address[24];  // of what is drawn
    uint32_t failures_track, low_power_tracks[TK_RTOS_CORES];
    uint32_t figures_count;
    uint64_t section_since; // when this section began
    uint32_t section_loss;  // tk_timeline.losses then
    bool frees_missed;      // what was freed of them may not have been seen
    bool started_late;      // events came before its first: what it counts in those of rtos.h is not all
};

#endif
