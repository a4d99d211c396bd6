// SPDX-License-Identifier: MIT
//
// State of the RTOS tracker and functions shared by its files. Indexes refer to the arrays of struct tk_rtos; TK_NONE
// is none.
#ifndef TK_MODEL_TRACKERS_RTOS_RTOS_INTERNAL_H
#define TK_MODEL_TRACKERS_RTOS_RTOS_INTERNAL_H

#include "../../../base/attributes.h"
#include "../../facts.h"
#include "../../tables/durations.h"
#include "../../tables/keyed_rows.h"
#include "../../tables/stats.h"
#include "../../timeline/timeline.h"
#include "../../timeline/wait_reasons.h"
#include "../tracker.h"
#include "actor.h"
#include "heap_blocks.h"
#include "rtos.h"

enum {
    // Entities above these limits share one further entry, "further tasks" (with it, a power of two).
    TK_MAX_TASKS = 8191,
    TK_MAX_QUEUES = 8191,
    TK_MAX_ISRS = 1023,
    TK_MAX_KERNEL_OBJECTS = 8191, // objects of all classes together; further ones are counted and ignored
    TK_RTOS_NESTED = 64,          // interrupts open on one core
    TK_MAX_PENDING_FLOWS = 128,   // items in one queue whose sender is remembered
    TK_ALL_PENDING_FLOWS = 65536, // places for such items in all queues
    TK_MAX_INTERVAL_LANES = 16    // overlapping intervals of one channel that are drawn
};

// ---- Tasks -------------------------------------------------------------------------------------

enum tk_task_phase {
    TK_PHASE_UNKNOWN,
    TK_PHASE_READY,
    TK_PHASE_RUNNING,
    TK_PHASE_SWITCHED_OUT, // without an announced wait: its next event shows whether it was preempted or blocked
    TK_PHASE_WAITING,
    TK_PHASE_SUSPENDED,
    TK_PHASE_DELETED
};

// Action of a running task when it leaves its core.
enum tk_pending_block {
    TK_PENDING_NONE,
    TK_PENDING_DELAY,
    TK_PENDING_DELAY_UNTIL,
    TK_PENDING_RECEIVE,
    TK_PENDING_SEND,
    TK_PENDING_PEEK,
    TK_PENDING_SERVICE, // waits for an event group or a notification
    TK_PENDING_REASON,  // waits for what a text says
    TK_PENDING_SUSPEND,
    TK_PENDING_DELETE
};

// Target of a wait or of an operation.
enum tk_wait_target {
    TK_WAIT_TARGET_NONE,
    TK_WAIT_TARGET_TIME,
    TK_WAIT_TARGET_UNKNOWN,
    TK_WAIT_TARGET_QUEUE,
    TK_WAIT_TARGET_TASK,
    TK_WAIT_TARGET_EVENT_GROUP
};

// The target with its index in one number; 0: no target.
static inline uint32_t tk_wait_target_key(enum tk_wait_target target, uint32_t index) {
    return (uint32_t)target << 28 | index;
}
static inline enum tk_wait_target tk_wait_target_of(uint32_t key) { return (enum tk_wait_target)(key >> 28); }
static inline uint32_t tk_wait_target_index(uint32_t key) { return key & (((uint32_t)1 << 28) - 1); }

// Jobs of a task (jobs.c). Only in recordings that trace kernel services.
struct tk_task_jobs {
    uint32_t track;
    uint32_t drawn;           // number of the last job
    uint64_t ready_at;        // tick + 1 at which the task became ready; 0: unknown
    uint64_t since, last;     // start of the open job, and of the last one; `last` only if `drawn`
    uint64_t restart;         // the next job started here, if the task acts before it waits
    uint32_t loss, last_loss; // tk_timeline.losses at `since` and `last`
    bool is_open : 1;
    bool restarts : 1;     // `restart` is set
    bool declared : 1;     // the application reports when a job is done
    bool ends_at_next : 1; // the open job ends at the next call or wait
};

// The last wait of a task whose reason was announced in words.
struct tk_worded_wait {
    uint32_t words, name; // string id, and name id of its slice (0: none yet)
    // A preliminary wait, whose reason the recording may tell after its end; drawn when the reason is decided.
    uint32_t waker; // text id; 0: unknown
    uint32_t loss;  // tk_timeline.losses at `since`
    uint64_t since, until;
    bool is_uncertain;      // events are missing at its begin or end, or since
    bool is_before_figures; // it ended before them
};

struct tk_notification {
    uint64_t flow; // 0: none is pending
    uint64_t at;   // when it was sent
    uint32_t by;   // tk_actor_key of the sender
};

struct tk_task {
    uint32_t entity;
    uint32_t waits_for;   // tk_wait_target_key of the wait in its call; 0: none, or unknown
    uint64_t since;       // start of the run, of TK_PHASE_SWITCHED_OUT, or of the wait
    uint64_t ran_from;    // start of the last run that is over
    uint64_t wait_reason; // reason of the open wait (waits.c)
    uint64_t prio_since;
    uint32_t prio, prio_track;
    uint32_t pending_id;     // queue, label of TK_PENDING_SERVICE, text of TK_PENDING_REASON, or the task that suspends
                             // or deletes
    uint32_t pending_arg;    // timeout or ticks
    uint32_t pending_name;   // name id of the wait, for TK_PENDING_SERVICE
    uint32_t pending_target; // tk_wait_target_key, for TK_PENDING_SERVICE
    uint32_t pending_holder; // task that held the mutex when the wait was announced; TK_NONE: unknown or none
    int32_t core;            // core on which the task runs; -1: it does not run
    uint32_t loss;           // tk_timeline.losses when the run, or TK_PHASE_SWITCHED_OUT, began
    uint16_t switched_out_core;
    uint8_t phase;                // enum tk_task_phase
    uint8_t pending_block;        // enum tk_pending_block
    uint8_t timeout;              // enum tk_timeout: meaning of pending_arg
    uint8_t ready_core, ready_by; // core and waker (enum tk_waker) at ready_at
    bool wait_open;               // a slice on its thread track
    bool ready_pending;           // made ready in TK_PHASE_SWITCHED_OUT: the next event determines the meaning
    bool prio_known : 1, idle : 1, timer : 1, stack_known : 1;
    bool no_timeout : 1;     // the open wait has no timeout
    bool uncertain : 1;      // exists only because of a damaged number (uncertain.c); known at the end
    bool ends : 1;           // a context that ends when it leaves its core
    bool stale : 1;          // from before a restart: its number may now belong to another task
    bool is_preliminary : 1; // the announced wait (TK_PENDING_REASON) is a preliminary one
    bool is_undecided : 1;   // the reason of its worded wait is not decided; the wait has ended if wait_open is false
    uint32_t ready_waker;    // text id of the waker; 0: unknown
    uint32_t ready_loss;     // tk_timeline.losses at ready_at
    uint32_t calls_track, stack_track; // of kernel services, as all that follow `ready_at`
    uint64_t ready_at;
    struct tk_notification *notification; // the pending one; NULL: none yet
    struct tk_task_jobs *jobs;            // jobs of the task; NULL: none yet
    int64_t stack_least;                  // words
    uint64_t stack_least_at;
    uint32_t stack_size; // words; 0: unknown
};

// ---- Queues ------------------------------------------------------------------------------------

struct tk_pending_flow {
    uint64_t flow;
    uint64_t at;    // when it was sent
    uint32_t actor; // tk_actor_key
    uint32_t size;  // 1, or bytes of a buffer
};

// Contents of a queue, in order: `front` items of the ring, then the items of unknown senders, then the other items of
// the ring, then items without room in the ring (communication.c). Only items whose sender the recording proves have a
// flow; items that were in the queue at the start or during a loss have an unknown sender.
struct tk_pending_flows {
    struct tk_pending_flow *ring;
    uint16_t capacity, head, count; // capacity: 0 or a power of two
    uint16_t front;                 // items of the ring that were sent to the front of those with unknown senders
    uint32_t unknown, behind;       // items, or bytes of a buffer
};

// How far the length of a queue is proven by the operations on it (queue_lengths.c).
enum tk_queue_length_state {
    TK_QUEUE_LENGTH_UNKNOWN,  // no operation in this section, or none since a loss
    TK_QUEUE_LENGTH_RECORDED, // by one operation
    TK_QUEUE_LENGTH_PROVEN,   // an operation continued the length before it
    TK_QUEUE_LENGTH_UNCERTAIN // the last operation did not continue the length before it: the next one decides
};

// A length that waits for the next operation on the queue.
struct tk_uncertain_length {
    uint64_t ticks;
    uint32_t length;
    uint32_t text; // text id of the operation
};

struct tk_queue_length {
    struct tk_uncertain_length *uncertain; // the length in TK_QUEUE_LENGTH_UNCERTAIN; NULL: none yet
    uint32_t now;                          // items, or bytes of a buffer
    uint32_t loss;                         // tk_timeline.losses at the last operation; without kernel services
    uint8_t state;                         // enum tk_queue_length_state
    bool follows;                          // `sent` and `now` match the contents of the queue; false after a loss
    bool incomplete;                       // operations were not recorded: the highest fill is unknown
};

struct tk_queue {
    uint32_t entity, track, lock_track;
    uint8_t kind; // enum tk_queue_kind
    bool kind_known : 1, used : 1, held : 1;
    bool fresh : 1; // created, and no operation since
    bool stale : 1; // the queue is from before a restart: its number may now belong to another queue
    bool deleted : 1;
    bool seen_taken : 1;   // a mutex that was taken or created in this section
    bool give_follows : 1; // a mutex that a task of another core took in the tick in which its holder, given_by, gave
                           // it at given_at, where the take comes first
    bool uncertain : 1;    // as in struct tk_task
    uint32_t capacity;     // number of items; 0: unknown
    uint32_t holder;       // task, while held; TK_NONE: unknown
    uint32_t given_by;     // task
    uint32_t taken_loss;   // tk_timeline.losses when it was taken
    uint64_t given_at;
    // Kernel services
    struct tk_pending_flows sent;
    struct tk_queue_length length;
    uint64_t refused, timed_out;
};

static inline bool tk_queue_is_lock(const struct tk_queue *queue) {
    return queue->kind == TK_QUEUE_MUTEX || queue->kind == TK_QUEUE_RECURSIVE_MUTEX;
}
static inline bool tk_queue_is_semaphore(const struct tk_queue *queue) {
    return queue->kind == TK_QUEUE_COUNTING_SEMAPHORE || queue->kind == TK_QUEUE_BINARY_SEMAPHORE ||
           queue->kind == TK_QUEUE_SEMAPHORE;
}
static inline bool tk_queue_is_buffer(const struct tk_queue *queue) {
    return queue->kind == TK_QUEUE_STREAM_BUFFER || queue->kind == TK_QUEUE_MESSAGE_BUFFER;
}

// ---- Interrupts and cores ----------------------------------------------------------------------

struct tk_isr {
    uint32_t entity;
    uint32_t priority; // + 1; 0: unknown
    uint8_t core;
    bool stale;     // from before a restart
    bool uncertain; // as in struct tk_task
};

#define TK_INSIDE_UNKNOWN UINT64_MAX

// An interrupt that is running or was interrupted.
struct tk_isr_call {
    uint32_t isr;
    uint32_t last_target; // tk_wait_target_key of its last operation; 0: none
    uint64_t enter;
    uint64_t inside; // time of nested calls that ended; TK_INSIDE_UNKNOWN: the end of one was lost
};

struct tk_core {
    uint32_t task;                // running; TK_NONE
    uint32_t track;               // interrupts
    bool seen;                    // it had an event
    bool damaged;                 // events of this core are missing since its last event
    bool task_migrated;           // its task was seen on another core before this core reported that it left
    bool is_idle, has_idled;      // the recording says that no task runs now; that none ran at some time
    uint32_t idle_loss;           // tk_timeline.losses at idle_since
    uint64_t idle_since;          // start of the last idle time, if has_idled
    uint64_t none_ready_at;       // last time + 1 at which the core was idle and no task was ready; 0: never
    bool loss_outside;            // events were lost since the last interrupt ended; unknown while one is open
    uint64_t left;                // end of that interrupt
    uint32_t depth;               // open interrupts
    struct tk_isr_call *stack;    // [TK_RTOS_NESTED]
    uint32_t pending_ready;       // task whose ready event waits for the next event of this core; TK_NONE
    uint32_t prio_task;           // task whose priority was set by event prio_serial; TK_NONE
    uint32_t serial, prio_serial; // timed events of this core
    uint32_t last_target; // tk_wait_target_key of the last operation of the running task; 0: none since its switch, or
                          // since the last tick
};

// ---- Kernel objects ----------------------------------------------------------------------------

struct tk_event_group {
    uint64_t flow; // flow of the last setter of bits; 0: none
    struct tk_actor setter;
    uint64_t set_at;
    uint64_t set_count, cleared_count, waited_count, timed_out;
};

struct tk_soft_timer {
    int64_t period; // ticks of the kernel
    uint64_t since; // armed or expired at this tick; 0: unknown
    uint32_t loss;  // tk_timeline.losses then
    bool is_armed, auto_reloads;
    uint64_t expired;
};

struct tk_machine {
    uint32_t state; // entity + 1; 0: unknown
    uint64_t since;
    uint32_t loss; // tk_timeline.losses then
};

struct tk_open_interval {
    uint64_t instance, since;
    uint32_t loss; // tk_timeline.losses then
    bool is_open;
};

struct tk_interval_channel {
    uint32_t set;                          // symbol; 0: none
    uint32_t lanes[TK_MAX_INTERVAL_LANES]; // tracks
    struct tk_open_interval *open;         // [TK_MAX_INTERVAL_LANES]; NULL: none yet
    uint64_t count;
    struct tk_durations durations;
};

struct tk_heap {
    int64_t level, most; // bytes in use
    int64_t size;        // 0: unknown
    uint64_t most_at;
    uint64_t allocated, freed;
    bool most_known;
    bool is_exact;     // the recording contained the level, and no event was lost since
    bool drew_inexact; // a level was drawn that was not exact
};

// A stack that belongs to no task.
struct tk_stack {
    int64_t least; // words never used
    uint64_t least_at;
    bool is_known;
};

struct tk_kernel_object {
    uint32_t entity, track;
    uint8_t class; // enum tk_entity_class: member of the union
    bool deleted;
    union {
        struct tk_event_group group;
        struct tk_soft_timer timer;
        struct tk_machine machine;
        struct tk_interval_channel channel;
        struct tk_heap heap;
        struct tk_stack stack;
    };
};

// ---- Figures -----------------------------------------------------------------------------------

struct tk_transition_stats {
    uint32_t machine, from, to; // object, entities
    uint64_t count;
    struct tk_durations before; // durations of the stays in `from`
};

// Memory that an actor allocated and that is not freed.
struct tk_heap_owner_stats {
    uint32_t heap; // object
    struct tk_actor actor;
    uint64_t blocks, bytes;
};

// ---- The tracker -------------------------------------------------------------------------------

struct tk_rtos {
    const struct tk_tracker_host *host;
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *tl;
    struct tk_stats *stats;
    const struct tk_facts *facts;                       // receiver of resolved facts; NULL: none
    struct tk_idmap task_by_id, queue_by_id, isr_by_id; // isr key: core << 32 | id
    struct tk_idmap dead_by_name;                       // string id -> deleted task whose row may be used again
    struct tk_idmap dead_queue_by_name; // kind << 32 | string id -> deleted queue whose row may be used again
    struct tk_idmap object_by_key, dead_object_by_name; // (class + 1) << 32 | id or string id
    struct tk_task *tasks;
    uint64_t *created_at; // by task: time of its creation + 1, from TK_EV_TASK_DECLARED; 0: unknown
    uint32_t created_at_capacity;
    struct tk_worded_wait *worded; // by task; of those that had such a wait
    uint32_t worded_capacity;
    struct tk_queue *queues;
    struct tk_isr *isrs;
    struct tk_kernel_object *objects;
    uint32_t task_count, task_capacity, queue_count, queue_capacity, isr_count, isr_capacity, object_count,
        object_capacity;
    bool queues_deleted; // some queue was deleted
    uint32_t damaged;    // number of damaged cores
    uint64_t next_flow;
    uint32_t pending_flows; // places in the rings of all queues
    bool has_open_flows;    // there are flows of notifications or event groups since the last loss
    uint32_t tick;          // last tick of the kernel
    bool tick_known;
    bool blocking_traced; // all waits are announced: a task that leaves without one is ready
    bool no_operations;   // the recording contains no operations on queues, so nothing shows that a wait timed out
    struct tk_core cores[TK_RTOS_CORES];
    uint32_t delay_names[256]; // "delay n ticks"
    struct tk_isr_call calls[TK_RTOS_CORES][TK_RTOS_NESTED];
    // Kernel services: used from the first event of one on (tk_rtos_traces_services)
    bool traces_services;
    bool is_partial;        // the figures cover a time range: earlier occurrences are not counted
    uint64_t section_since; // start of this section of the recording
    uint32_t section_loss;  // tk_timeline.losses at section_since
    uint32_t failures_track, low_power_tracks[TK_RTOS_CORES], suspended_tracks[TK_RTOS_CORES];
    struct tk_keyed_rows transitions, heap_owners;
    struct tk_heap_blocks heap_blocks;
    bool frees_missed; // frees of allocated blocks may have been lost
    char address[24];  // text of an argument of the event that is being drawn
};

typedef void (*tk_rtos_handler)(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core);
#define TK_RTOS_HANDLER(name) \
    void tk_rtos_on_##name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core)

static inline struct tk_names *tk_rtos_names(struct tk_rtos *rtos) { return &rtos->tl->names; }
static inline uint32_t tk_rtos_core_number(const struct tk_rtos *rtos, const struct tk_core *core) {
    return (uint32_t)(core - rtos->cores);
}
// Notes a problem at the position of an event.
void tk_rtos_problem(struct tk_rtos *rtos, enum tk_diag_id id, const struct tk_event *event);
// Adds the time from `since` until now. loss: tk_timeline.losses at `since`; times across a loss are not measured.
void tk_rtos_measure_since(const struct tk_rtos *rtos, struct tk_durations *durations, uint64_t since, uint32_t loss);
static inline void *tk_rtos_find_row(struct tk_rtos *rtos, struct tk_keyed_rows *rows, uint64_t key, size_t row_size) {
    return tk_keyed_rows_find(rows, rtos->alloc, rtos->diag, key, row_size);
}

// ---- Entities (entities.c); TK_NONE: no memory ----

// Returns true if the index is not one task: TK_NONE, or the entry shared by all tasks above the limit, whose events
// are unrelated.
static inline bool tk_rtos_is_shared(uint32_t task) { return task >= TK_MAX_TASKS; }
uint32_t tk_rtos_add_task(struct tk_rtos *rtos, uint32_t id, bool own_pid);
uint32_t tk_rtos_add_queue(struct tk_rtos *rtos, uint32_t id);
uint32_t tk_rtos_find_queue(struct tk_rtos *rtos, uint32_t id);
uint32_t tk_rtos_add_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id);
uint32_t tk_rtos_find_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id);
// Returns NULL when out of memory, or above the limit.
struct tk_kernel_object *tk_rtos_find_object(struct tk_rtos *rtos, enum tk_entity_class class, uint32_t id);
static inline uint32_t tk_rtos_object_index(const struct tk_rtos *rtos, const struct tk_kernel_object *object) {
    return (uint32_t)(object - rtos->objects);
}
// Returns the track of an object, added to a group on first use. Reuses the track of a deleted object of the same class
// and name.
uint32_t tk_rtos_object_track(struct tk_rtos *rtos, struct tk_kernel_object *object, enum tk_group group,
                              enum tk_track_kind kind, const char *unit, const char *description);
void tk_rtos_delete_object(struct tk_rtos *rtos, struct tk_kernel_object *object);
TK_RTOS_HANDLER(object_name);
TK_RTOS_HANDLER(entity_address);

// ---- Actors (actor.c) ----

// Returns true if the event happened in an interrupt, although the interrupt itself may not be traced.
bool tk_rtos_is_from_isr(const struct tk_event *event);
// Returns the innermost interrupt, otherwise the running task. Unknown for an event from an untraced interrupt.
struct tk_actor tk_rtos_actor(const struct tk_core *core, const struct tk_event *event);
// Returns the text id of "Main", "interrupt UART". The actor must be known.
uint32_t tk_rtos_actor_text(struct tk_rtos *rtos, struct tk_actor actor);
// Returns the actor, or an unknown one if events of the core were lost since it began to run.
struct tk_actor tk_rtos_certain_actor(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor);
void tk_rtos_add_actor_arg(struct tk_rtos *rtos, struct tk_details *details, const char *name, struct tk_actor actor);
// Sets the target of an event's operation, for tk_rtos_waker.
void tk_rtos_set_last_target(struct tk_core *core, const struct tk_event *event, uint32_t target);

// ---- Tasks (tasks.c) ----

// Ends the wait or other state of the task off its core.
void tk_rtos_end_off_cpu(struct tk_rtos *rtos, uint32_t task);
TK_RTOS_HANDLER(switched_in);
TK_RTOS_HANDLER(core_idle);
// Counts the idle time of a core until `until`, which is not after now. A core that was idle is not idle any more.
void tk_rtos_end_idle(struct tk_rtos *rtos, uint32_t number, uint64_t until);
TK_RTOS_HANDLER(ready);
TK_RTOS_HANDLER(resumed);
TK_RTOS_HANDLER(suspended);
TK_RTOS_HANDLER(deleted);
TK_RTOS_HANDLER(priority);
TK_RTOS_HANDLER(task_created);
TK_RTOS_HANDLER(task_declared);
TK_RTOS_HANDLER(task_name);
TK_RTOS_HANDLER(task_is_idle);
TK_RTOS_HANDLER(task_is_timer);
TK_RTOS_HANDLER(task_ends);

// Counts a run of the task that ended at `until`.
static TK_INLINE void tk_rtos_count_run_until(struct tk_rtos *rtos, uint32_t index, uint32_t core, uint64_t until) {
    const struct tk_task *task = &rtos->tasks[index];
    if (task->loss == rtos->tl->losses[core + 1]) tk_stats_run(rtos->stats, index, core, task->since, until);
    else tk_stats_unmeasured_run(rtos->stats, index, core);
}

// Returns the time in interrupts since the task of a core began to run.
static TK_INLINE uint64_t tk_rtos_interrupted(const struct tk_rtos *rtos, uint32_t core) {
    return rtos->stats->cores[core].interrupted - rtos->stats->cores[core].mark;
}

// ---- Waits (waits.c, blocking_calls.c) ----

// Starts the announced wait when the task leaves its core: opens the slice and returns the state.
enum tk_task_state tk_rtos_start_wait(struct tk_rtos *rtos, uint32_t task);
// waker: text id of the actor that made the task ready, or 0.
void tk_rtos_close_wait(struct tk_rtos *rtos, uint32_t task, uint32_t waker);
// Draws the preliminary wait of a task with the reason that was announced.
void tk_rtos_draw_undecided(struct tk_rtos *rtos, uint32_t task);
// Marks the open wait as not measured: events are missing.
void tk_rtos_invalidate_wait(struct tk_rtos *rtos, uint32_t task);
// Ends a wait at a restart or at the end of the recording; its end is unknown.
void tk_rtos_end_wait_unmeasured(struct tk_rtos *rtos, uint32_t task);
// by: the task that suspended or deleted it, or TK_NONE.
void tk_rtos_suspend(struct tk_rtos *rtos, uint32_t task, uint32_t by, uint32_t core);
// Tells that task `by` (TK_NONE: unknown) suspends or deletes a task that is off its core, or leaves it now.
void tk_rtos_tell_stop(struct tk_rtos *rtos, uint32_t task, uint32_t by, bool is_deleted, bool is_certain);
void tk_rtos_delete(struct tk_rtos *rtos, uint32_t task, uint32_t by, uint32_t core);
void tk_rtos_end_task(struct tk_rtos *rtos, uint32_t task, uint32_t core);
// Resolves TK_PHASE_SWITCHED_OUT: the task was preempted.
void tk_rtos_was_preempted(struct tk_rtos *rtos, uint32_t task);
// Resolves TK_PHASE_SWITCHED_OUT: the task had waited, and was made ready (ready_at, ready_core ...) or, if not
// `ready`, waits until the end.
void tk_rtos_was_blocked(struct tk_rtos *rtos, uint32_t task, bool ready);
// Resolve a pending ready event: ignore it, or take it as proof that the task had waited.
void tk_rtos_discard_pending_ready(struct tk_rtos *rtos, uint32_t task);
void tk_rtos_resolve_as_blocked(struct tk_rtos *rtos, uint32_t task);

struct tk_rtos_waker {
    uint32_t text; // id for "woken by"; 0: unknown
    enum tk_waker by;
    enum tk_wait_end end;
};
// Returns the actor if its last operation had the target that the task waits for, otherwise the clock.
struct tk_rtos_waker tk_rtos_waker(struct tk_rtos *rtos, const struct tk_core *core, const struct tk_event *event,
                                   uint32_t woken);

// Cancels the announced wait of a running task that makes another call.
void tk_rtos_cancel_wait(struct tk_rtos *rtos, struct tk_actor actor);
// Forgets the last wait of a task that has made a call since: it has no result any more.
void tk_rtos_forget_wait(struct tk_rtos *rtos, struct tk_actor actor);
TK_RTOS_HANDLER(wait_announced);
TK_RTOS_HANDLER(waited_for);
TK_RTOS_HANDLER(block_on_event_group);
TK_RTOS_HANDLER(block_on_notification);
TK_RTOS_HANDLER(blocking_is_traced);
TK_RTOS_HANDLER(kernel_tick);

// ---- Queues (queues.c, queue_calls.c) and mutexes (mutexes.c) ----

// Draws the length of a queue after an operation that did not change it.
void tk_rtos_draw_length_of_failed(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core);
// Lets the next queue of the same kind and name use the tracks of a deleted one.
void tk_rtos_reuse_queue_tracks(struct tk_rtos *rtos, struct tk_queue *queue);
// Draws the call of a queue operation, before the operation itself is handled. index: of the queue; nothing is drawn
// above the limit. actor: of the event. length: items or bytes in it afterwards. is_proven: the call has a flow and
// contains the length.
void tk_rtos_draw_queue_call(struct tk_rtos *rtos, const struct tk_event *event, uint32_t index,
                             const struct tk_core *core, struct tk_actor actor, uint32_t length, bool is_proven);
TK_RTOS_HANDLER(queue_operation);
TK_RTOS_HANDLER(queue_created);
TK_RTOS_HANDLER(queue_name);
TK_RTOS_HANDLER(queue_kind);
TK_RTOS_HANDLER(queue_capacity);
TK_RTOS_HANDLER(queue_failed);
TK_RTOS_HANDLER(queue_deleted);

// holder: a task, or TK_NONE.
void tk_rtos_take_mutex(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t holder);
// giver: the task that gives it, or TK_NONE.
void tk_rtos_release_mutex(struct tk_rtos *rtos, struct tk_queue *queue, uint32_t giver);
// Releases the mutex, unless a task of another core has already taken it in this tick.
void tk_rtos_give_mutex(struct tk_rtos *rtos, struct tk_queue *queue, struct tk_actor actor);
// Releases a mutex whose release was lost.
void tk_rtos_close_mutex_after_loss(struct tk_rtos *rtos, struct tk_queue *queue);
// Handles a call on a mutex. Returns the flow to the holder; 0: none.
uint64_t tk_rtos_mutex_call(struct tk_rtos *rtos, struct tk_queue *queue, enum tk_label call, struct tk_actor actor);

// ---- Lengths of queues (queue_lengths.c); used in recordings that trace kernel services ----

// Checks the length after an operation, except on locks: `length` items or bytes are in the queue. Returns false if
// nothing proves this length: then it is not drawn, and no flow begins or ends with the operation. The caller sets
// length.now of a proven length.
bool tk_rtos_prove_length(struct tk_rtos *rtos, const struct tk_event *event, uint32_t index,
                          enum tk_queue_change change, uint32_t length);
// Resets the lengths of all queues to unknown, after a loss, at a restart and at the end.
void tk_rtos_end_lengths(struct tk_rtos *rtos, bool by_loss);

// ---- Communication (communication.c) ----

// Sends an item to a queue that contains `length` items or bytes afterwards. Returns the flow of the item; 0: none.
uint64_t tk_rtos_flow_of_send(struct tk_rtos *rtos, struct tk_queue *queue, enum tk_label call, struct tk_actor actor,
                              uint32_t length);
// Receives an item from a queue that contains `length` items or bytes afterwards. Returns its flow; 0: none is proven.
uint64_t tk_rtos_flow_of_receive(struct tk_rtos *rtos, struct tk_queue *queue, struct tk_actor actor, uint32_t length);
// Sets the contents of a queue to `length` items or bytes of unknown senders.
void tk_rtos_forget_senders(struct tk_queue *queue, uint32_t length);
// After a loss or a restart: resets the senders of notifications and the setters of event groups to unknown. For items
// in queues see tk_rtos_end_lengths.
void tk_rtos_clear_flows(struct tk_rtos *rtos);
// Returns the entity of a task or interrupt; TK_NONE: unknown.
uint32_t tk_rtos_actor_entity(const struct tk_rtos *rtos, struct tk_actor actor);
// Tells the analysis of an item that an actor receives now. queue: TK_NONE: no queue. object: entity. sent: when it was
// sent; NULL: unknown.
void tk_rtos_tell_received(struct tk_rtos *rtos, struct tk_actor from, uint32_t queue, uint32_t object,
                           struct tk_actor to, const uint64_t *sent);

// ---- Interrupts (interrupts.c) ----

// Closes interrupts whose ends were lost, until `depth` are left.
void tk_rtos_close_isrs_after_loss(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core,
                                   uint32_t depth);
void tk_rtos_close_isrs_at(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, uint32_t depth,
                           uint64_t ticks);
// Handles a loss of events while no interrupt was active.
void tk_rtos_loss_outside_isrs(struct tk_rtos *rtos, uint32_t core);
// At the end: an interrupt without a name on its core gets the name of the same number on another core.
void tk_rtos_import_isr_names(struct tk_rtos *rtos);
TK_RTOS_HANDLER(isr_enter);
TK_RTOS_HANDLER(isr_exit);
TK_RTOS_HANDLER(isr_name);
TK_RTOS_HANDLER(isr_priority);

// ---- Calls, failures and messages (kernel_calls.c) ----

struct tk_call {
    struct tk_label_text name;
    const struct tk_details *args; // further arguments; NULL: none
    uint64_t flow;                 // flow of the call; 0: none
    bool no_kernel;                // the task did this without the kernel: no end of a job
};

// Draws an instant among the calls of a task, or in the slice of an interrupt; nothing if the actor is unknown.
void tk_rtos_draw_call(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor,
                       const struct tk_call *call);
// Draws a call whose name is a label of an entity, without arguments.
void tk_rtos_draw_plain_call(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor,
                             enum tk_label label, uint32_t entity);
// Draws a failure of the target. args: further arguments; NULL: none.
void tk_rtos_draw_failure(struct tk_rtos *rtos, struct tk_actor actor, struct tk_label_text name,
                          const struct tk_details *args);
// Adds an address in hexadecimal digits; at most one per event.
void tk_rtos_add_address_arg(struct tk_rtos *rtos, struct tk_details *details, const char *name, uint64_t address);
TK_RTOS_HANDLER(kernel_call);
TK_RTOS_HANDLER(failure);
TK_RTOS_HANDLER(log_message);

// ---- Jobs (jobs.c) ----

void tk_rtos_job_ready(struct tk_rtos *rtos, uint32_t task);
// Task `old` leaves its core, and `next` starts to run; each may be TK_NONE.
void tk_rtos_job_switch(struct tk_rtos *rtos, uint32_t old, uint32_t next);
// Ends the job of a task that is suspended or deleted while it does not run.
void tk_rtos_job_stop(struct tk_rtos *rtos, uint32_t task);
// Handles a kernel call of the running task.
void tk_rtos_job_call(struct tk_rtos *rtos, uint32_t task);
// Ends all jobs unmeasured: a section or the recording ends.
void tk_rtos_close_jobs(struct tk_rtos *rtos);
TK_RTOS_HANDLER(job_done);

// ---- Other kernel services ----

TK_RTOS_HANDLER(event_group);        // event_groups.c
TK_RTOS_HANDLER(event_group_waited); // event_groups.c
TK_RTOS_HANDLER(notified);           // notifications.c
TK_RTOS_HANDLER(notification_taken); // notifications.c
// Returns true if an event about a notification belongs to the buffer that the running task waits for: buffers are
// implemented with notifications.
bool tk_rtos_is_part_of_buffer(const struct tk_rtos *rtos, const struct tk_event *event, const struct tk_core *core);
TK_RTOS_HANDLER(timer);         // software_timers.c
TK_RTOS_HANDLER(machine_state); // state_machines.c
TK_RTOS_HANDLER(interval_name); // intervals.c
TK_RTOS_HANDLER(interval_begin);
TK_RTOS_HANDLER(interval_end);
TK_RTOS_HANDLER(heap_level); // heaps.c
TK_RTOS_HANDLER(heap_size);
TK_RTOS_HANDLER(heap_operation);
TK_RTOS_HANDLER(allocation_failed);
// After a loss or a restart: resets the allocated blocks and the levels of heaps to unknown.
void tk_rtos_clear_heaps(struct tk_rtos *rtos);
TK_RTOS_HANDLER(stack_free);  // stacks.c
TK_RTOS_HANDLER(stack_level); // stacks.c
TK_RTOS_HANDLER(low_power);   // low_power.c
TK_RTOS_HANDLER(scheduler);   // low_power.c
TK_RTOS_HANDLER(stack_size);  // stacks.c

// ---- At the end ----

// Adds capacity, set and address to the descriptions of tracks (track_descriptions.c).
void tk_rtos_describe_tracks(struct tk_rtos *rtos);
// tables.c
extern const struct tk_table *const tk_rtos_table_list[];
void tk_rtos_tables(const void *tracker, const struct tk_table_sink *sink);
// Draws the load of cores and interrupts from tk_load. tick_ns: tick length in ns, >= 1 (load_tracks.c).
void tk_rtos_draw_load(const struct tk_rtos *rtos, uint64_t tick_ns);

void tk_rtos_find_uncertain(struct tk_rtos *rtos); // called at the end; uncertain.c

#endif
