// SPDX-License-Identifier: MIT
//
// What the files of the rtos tracker share. Included by rtos*.c only.
#ifndef TK_MODEL_TRACKERS_RTOS_RTOS_INTERNAL_H
#define TK_MODEL_TRACKERS_RTOS_RTOS_INTERNAL_H

#include "rtos.h"

static inline struct tk_names *tk_rtos_names(struct tk_rtos *rtos) { return &rtos->tl->names; }
void tk_rtos_problem(struct tk_rtos *rtos, enum tk_diag_id id, const struct tk_event *event);

// ---- Entities; TK_NONE: no memory ----

// No task of its own: none, or the one that stands for all further ones. Their events say nothing about each other.
static inline bool tk_rtos_is_shared(uint32_t task) { return task >= TK_MAX_TASKS; }
uint32_t tk_rtos_add_task(struct tk_rtos *rtos, uint32_t id, bool own_pid);
uint32_t tk_rtos_add_queue(struct tk_rtos *rtos, uint32_t id);
uint32_t tk_rtos_add_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id);
uint32_t tk_rtos_find_isr(struct tk_rtos *rtos, uint8_t core, uint32_t id);

// ---- Tasks off the core (waits.c) ----

// The task leaves its core for what it announced: opens the slice and returns the state.
enum tk_task_state tk_rtos_start_wait(struct tk_rtos *rtos, uint32_t task);
// waker: text id of who made the task ready, or 0.
void tk_rtos_close_wait(struct tk_rtos *rtos, uint32_t task, uint32_t waker);
// Ends whatever the task was doing off the core (tasks.c).
void tk_rtos_end_off_cpu(struct tk_rtos *rtos, uint32_t task);
// by: the task that did it, or TK_NONE.
void tk_rtos_suspend(struct tk_rtos *rtos, uint32_t task, uint32_t by, uint32_t core);
void tk_rtos_delete(struct tk_rtos *rtos, uint32_t task, uint32_t by, uint32_t core);
void tk_rtos_end_task(struct tk_rtos *rtos, uint32_t task, uint32_t core);
// It left without a word, and it is clear now that it could have gone on.
void tk_rtos_was_preempted(struct tk_rtos *rtos, uint32_t task);
// It left without a word, and somebody made it ready again (ready_at, ready_core ...); not ready: nobody did until the
// end.
void tk_rtos_was_blocked(struct tk_rtos *rtos, uint32_t task, bool ready);
// A ready event that waited for the next event of its core means nothing, or that the task had waited.
void tk_rtos_discard_pending_ready(struct tk_rtos *rtos, uint32_t task);
void tk_rtos_resolve_as_blocked(struct tk_rtos *rtos, uint32_t task);

// A run is over, or the recording is.
static TK_INLINE void tk_rtos_count_run_until(struct tk_rtos *rtos, uint32_t index, uint32_t core, uint64_t until) {
    const struct tk_task *task = &rtos->tasks[index];
    if (task->loss == rtos->tl->losses[core + 1]) tk_stats_run(rtos->stats, index, core, task->since, until);
    else tk_stats_unmeasured_run(rtos->stats, index, core);
}
static TK_INLINE void tk_rtos_count_run(struct tk_rtos *rtos, uint32_t index, uint32_t core) {
    tk_rtos_count_run_until(rtos, index, core, rtos->tl->now);
}

// A wait_reason without its number of ticks: delays are of one kind.
uint64_t tk_rtos_wait_kind(uint64_t reason);
bool tk_rtos_is_delay(uint64_t reason);
// What a kind of queue is called in tables.
const char *tk_rtos_queue_kind_name(const struct tk_queue *queue);

// ---- Queues (queues.c) ----

// Track of who holds a mutex, made on first use.
uint32_t tk_rtos_lock_track(struct tk_rtos *rtos, uint32_t queue);
// How long a queue is, without an operation that made it so.
void tk_rtos_sample_length(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core);
// Nothing is in it or held any more; a namesake of its kind goes on in its row.
void tk_rtos_delete_queue(struct tk_rtos *rtos, uint32_t queue);

// ---- Interrupts (interrupts.c) ----

// Interrupts end without an event that says so, until `depth` are left.
void tk_rtos_close_isrs_after_loss(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core,
                                   uint32_t depth);
void tk_rtos_close_isrs_at(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, uint32_t depth,
                           uint64_t ticks);

// Until now no interrupt was seen to run, but events were lost meanwhile.
void tk_rtos_loss_outside_isrs(struct tk_rtos *rtos, uint32_t core);

// At the end: an interrupt without a name on its core bears the name that another core gave to the number.
void tk_rtos_import_isr_names(struct tk_rtos *rtos);

// ---- Handlers ----

#define TK_RTOS_HANDLER(name) \
    void tk_rtos_on_##name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core)
TK_RTOS_HANDLER(switched_in);
TK_RTOS_HANDLER(ready);
TK_RTOS_HANDLER(resumed);
TK_RTOS_HANDLER(suspended);
TK_RTOS_HANDLER(deleted);
TK_RTOS_HANDLER(wait_announced);
TK_RTOS_HANDLER(priority);
TK_RTOS_HANDLER(task_created);
TK_RTOS_HANDLER(task_name);
TK_RTOS_HANDLER(task_is_idle);
TK_RTOS_HANDLER(task_is_timer);
TK_RTOS_HANDLER(queue_operation);
TK_RTOS_HANDLER(queue_created);
TK_RTOS_HANDLER(queue_name);
TK_RTOS_HANDLER(queue_kind);
TK_RTOS_HANDLER(isr_enter);
TK_RTOS_HANDLER(isr_exit);
TK_RTOS_HANDLER(isr_name);

#endif
