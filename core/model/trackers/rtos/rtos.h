// SPDX-License-Identifier: MIT
//
// Tasks, queues, cores and interrupts: the state machine that every RTOS format shares. It turns "switched in",
// "made ready", "will wait for" into states, waits with reasons, fills and holders. docs/MODEL.md.
#ifndef TK_MODEL_TRACKERS_RTOS_RTOS_H
#define TK_MODEL_TRACKERS_RTOS_RTOS_H

#include "../../../base/attributes.h"
#include "../../event/event.h"
#include "../../tables/stats.h"
#include "../../timeline/timeline.h"

// Beyond these limits all further ones share one more, "further tasks" ... (with it, a power of two)
enum {
    TK_RTOS_CORES = 32,
    TK_MAX_TASKS = 8191,
    TK_MAX_QUEUES = 8191,
    TK_MAX_ISRS = 2047,
    TK_RTOS_NESTED = 64
}; // NESTED: interrupts open on one core

enum tk_task_phase {
    TK_PHASE_UNKNOWN,
    TK_PHASE_READY,
    TK_PHASE_RUNNING,
    TK_PHASE_SWITCHED_OUT,
    TK_PHASE_WAITING,
    TK_PHASE_SUSPENDED,
    TK_PHASE_DELETED
};

// What a running task will do when it leaves its core. NAMED: waits for what `pending_name` says.
enum tk_pending_block {
    TK_PENDING_NONE,
    TK_PENDING_DELAY,
    TK_PENDING_DELAY_UNTIL,
    TK_PENDING_RECEIVE,
    TK_PENDING_SEND,
    TK_PENDING_PEEK,
    TK_PENDING_NAMED,
    TK_PENDING_SUSPEND,
    TK_PENDING_DELETE
};

// What can be waited for and operated on; CLOCK: time, UNKNOWN: nobody knows what came last.
enum tk_wait_target {
    TK_WAIT_TARGET_NONE,
    TK_WAIT_TARGET_TIME,
    TK_WAIT_TARGET_UNKNOWN,
    TK_WAIT_TARGET_QUEUE,
    TK_WAIT_TARGET_TASK,
    TK_WAIT_TARGET_EVENT_GROUP
};

static inline uint32_t tk_wait_target_key(enum tk_wait_target is, uint32_t index) {
    return (uint32_t)is << 28 | index;
} // 0: no object
static inline uint32_t tk_wait_target_index(uint32_t key) { return key & (((uint32_t)1 << 28) - 1); }

struct tk_task {
    uint32_t entity;
    uint32_t waits_for;   // tk_wait_target_key of the open wait; 0: not known
    uint64_t since;       // start of the run, or the moment it left (TK_PHASE_SWITCHED_OUT), or of the wait
    uint64_t ran_from;    // start of the last run that is over
    uint64_t wait_reason; // of the open wait, for the statistics
    uint64_t prio_since;
    uint32_t prio, prio_track;
    uint32_t pending_id, pending_arg;      // queue and timeout, ticks, or the task that suspends or deletes
    uint32_t pending_name, pending_target; // of TK_PENDING_NAMED: name id, and waits_for; pending_id: number of the
                                           // reason (tk_rtos_service_reason)
    int32_t core;                          // runs there; -1: not running
    uint32_t loss; // tk_timeline.losses when the run began, or when it left (TK_PHASE_SWITCHED_OUT)
    uint16_t switched_out_core;
    uint8_t phase;                // enum tk_task_phase
    uint8_t pending_block;        // enum tk_pending_block
    uint8_t timeout;              // enum tk_timeout: what pending_arg is
    uint8_t ready_core, ready_by; // belong to ready_at; ready_by: enum tk_waker
    bool no_timeout;              // the open wait has no timeout
    bool wait_open;               // a slice on its thread track
    bool prio_known, idle, timer;
    bool ends;          // a context that nobody deletes: it is over when it leaves its core
    bool stale;         // from before a restart: its number may mean another task now
    bool ready_pending; // made ready in TK_PHASE_SWITCHED_OUT: the next event tells what that means
    uint64_t ready_at;
    uint32_t ready_waker; // text id
    uint32_t ready_loss;  // tk_timeline.losses then
};

struct tk_queue {
    uint32_t entity, track, lock_track;
    uint8_t kind;                       // enum tk_queue_kind
    bool kind_known, used, held, fresh; // fresh: created, nothing happened since
    bool stale;                         // from before a restart
    bool deleted;
    uint32_t capacity; // most that it takes; 0: not known
    uint32_t holder;   // task, while held; TK_NONE: nobody knows
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
// string: id of its name.
static inline uint64_t tk_queue_name_key(const struct tk_queue *queue, uint32_t string) {
    return (uint64_t)queue->kind << 32 | string;
}

struct tk_isr {
    uint32_t entity;
    uint32_t priority; // + 1; 0: not told
    uint8_t core;
    bool stale; // from before a restart
};

// An interrupt that is running or was interrupted.
struct tk_isr_call {
    uint32_t isr;
    uint32_t last_target; // tk_wait_target_key of its last operation; 0: none
    uint64_t enter;
};

struct tk_core {
    uint32_t task;      // running; TK_NONE
    uint32_t track;     // interrupts
    bool seen;          // anything happened here
    bool damaged;       // something of it is missing since its last event; other cores went on meanwhile
    bool task_migrated; // its task once ran on another core before this one told that it left
    bool loss_outside;  // events were lost since the last interrupt ended; not known while one is open
    uint64_t left;      // when it did
    uint32_t depth;
    struct tk_isr_call *stack;    // TK_RTOS_NESTED
    uint32_t pending_ready;       // task whose ready event waits for the next event of this core; TK_NONE
    uint32_t prio_task;           // task whose priority was set by event prio_serial; TK_NONE
    uint32_t serial, prio_serial; // timed events of this core
    uint32_t last_target; // tk_wait_target_key of the last operation of the running task; 0: none since it runs, or
                          // since the last tick
};

// Who looks at what happens to tasks, queues and interrupts.
struct tk_rtos_observer {
    void (*event)(void *observer_ctx, const struct tk_event *event, struct tk_core *core); // before it changes anything
    void (*waited)(void *observer_ctx, uint32_t task, bool measured); // a wait ends: task->since, wait_reason,
                                                                      // waits_for
    void (*marker)(void *observer_ctx, const struct tk_event *event, uint32_t track,
                   struct tk_label_text name); // one with values is drawn
    size_t (*reason_text)(const void *observer_ctx, uint32_t number,
                          char out_text[2 * TK_DISPLAY_LEN]); // for wait_reasons of its own (tk_rtos_service_reason)
};

struct tk_rtos;
typedef void (*tk_rtos_handler)(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core);

struct tk_rtos {
    const tk_rtos_handler *handlers; // tk_rtos_handlers: by this way only, so that a program without this tracker
                                     // carries none of them
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *tl;
    struct tk_stats *stats;
    struct tk_idmap task_by_id, queue_by_id, isr_by_id; // isr key: core << 32 | id
    struct tk_idmap dead_by_name;                       // string id -> deleted task whose row may be used again
    struct tk_idmap dead_queue_by_name;                 // tk_queue_name_key -> deleted queue, likewise
    bool queues_deleted;                                // any
    uint32_t damaged;                                   // cores that are
    struct tk_task *tasks;
    struct tk_queue *queues;
    struct tk_isr *isrs;
    uint32_t task_count, task_capacity, queue_count, queue_capacity, isr_count, isr_capacity;
    uint64_t next_flow;
    uint32_t tick; // of the kernel
    bool tick_known;
    bool blocking_traced;                    // a task that leaves without an announced wait is ready
    const struct tk_rtos_observer *observer; // NULL: nobody looks at the events of tasks, queues and interrupts
    void *observer_ctx;
    struct tk_core cores[TK_RTOS_CORES];
    uint32_t delay_names[256]; // "delay n ticks"
    struct tk_isr_call calls[TK_RTOS_CORES][TK_RTOS_NESTED];
};

void tk_rtos_init(struct tk_rtos *rtos, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *tl,
                  struct tk_stats *stats);
void tk_rtos_relocate(struct tk_rtos *rtos, struct tk_relocation *move); // nobody watches it then

extern const tk_rtos_handler tk_rtos_handlers[TK_EV_COUNT]; // NULL: it does not concern tasks, queues or interrupts
void tk_rtos_first_event(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core); // of a core; handed
                                                                                                    // to its handler as
                                                                                                    // well

static TK_INLINE void tk_rtos_handle(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    core->serial += event->timed;
    if (rtos->observer) rtos->observer->event(rtos->observer_ctx, event, core);
    rtos->handlers[event->kind](rtos, event, core);
}

// event->ticks is trace time. False: it does not concern tasks, queues or interrupts.
static TK_INLINE bool tk_rtos_event(struct tk_rtos *rtos, const struct tk_event *event) {
    struct tk_core *core = &rtos->cores[event->core];
    if (!rtos->handlers[event->kind]) return false;
    if (core->seen) tk_rtos_handle(rtos, event, core);
    else tk_rtos_first_event(rtos, event, core);
    return true;
}

// Before any other event than the one just handed in may change anything: decides pending ready events of this core.
void tk_rtos_resolve_pending(struct tk_rtos *rtos, const struct tk_event *event);
// Events were lost here, of one core or (core < 0) of any: nobody knows what they operated on.
void tk_rtos_loss(struct tk_rtos *rtos, int32_t core);
// The same for one core, where the first event behind them tells: its interrupts ended at `since`, the last time
// before.
void tk_rtos_loss_since(struct tk_rtos *rtos, const struct tk_event *event, uint64_t since);
// The target restarted: nothing runs, nothing waits. told: numbers go on; else they may mean others from here on.
void tk_rtos_restart(struct tk_rtos *rtos, bool told);
void tk_rtos_finish(struct tk_rtos *rtos);
struct tk_rtos_waker {
    uint32_t text; // id for "woken by"; 0: nobody is known
    enum tk_waker by;
};
// The interrupt on this core or the running task, if its last operation was on what the task waits for; else the clock.
struct tk_rtos_waker tk_rtos_waker(struct tk_rtos *rtos, const struct tk_core *core, uint32_t woken);
// "Core 3". core < TK_RTOS_CORES
const char *tk_core_title(uint32_t core);
// Running task of a core, or TK_NONE.
static inline uint32_t tk_rtos_running(const struct tk_rtos *rtos, uint8_t core) { return rtos->cores[core].task; }
uint32_t tk_rtos_find_task(struct tk_rtos *rtos, uint32_t id); // makes it known; TK_MAX_TASKS: the one of all further
                                                               // tasks; TK_NONE: no memory
uint32_t tk_rtos_find_queue(struct tk_rtos *rtos, uint32_t id);
// What happens now on a core operates on this.
static TK_INLINE void tk_rtos_set_last_target(struct tk_core *core, uint32_t object) {
    *(core->depth ? &core->stack[core->depth - 1].last_target : &core->last_target) = object;
}
// A wait_reason whose words the watcher knows.
uint64_t tk_rtos_service_reason(uint32_t number);
// Words for a wait_reason: "receive from commands".
size_t tk_rtos_reason_text(const struct tk_rtos *rtos, uint64_t reason, char out_text[2 * TK_DISPLAY_LEN]);

// Tables of tasks, interrupts and queues, and how busy they were when.
void tk_rtos_tables(const struct tk_rtos *rtos, const struct tk_table_sink *sink);
void tk_rtos_series(const struct tk_rtos *rtos, const struct tk_table_sink *sink);

// Of the tasks that ran on a core none is known to be idle, and one without a name may be: it is unknown how busy that
// core was.
static inline bool tk_rtos_hides_idle(const struct tk_rtos *rtos, uint32_t core) {
    bool is_hidden = false;
    for (uint32_t i = 0; i < rtos->task_count; i++) {
        const struct tk_task *task = &rtos->tasks[i];
        if (!tk_stats_running_on(rtos->stats, i, core).ticks) continue;
        if (task->idle) return false;
        is_hidden |= !rtos->tl->names.entities[task->entity].name;
    }
    return is_hidden;
}

#endif
