// SPDX-License-Identifier: MIT
//
// What the files of tk_tracker_rtos_more share. Included by rtos_more*.c and what stands beside them only.
#ifndef TK_MODEL_RTOS_MORE_PARTS_H
#define TK_MODEL_RTOS_MORE_PARTS_H

#include "details.h"
#include "rtos_more.h"
#include "rtos_parts.h"

typedef void (*tk_more_handler)(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core);
#define TK_MORE_HANDLER(name) void tk_more_on_##name(struct tk_rtos_more *more, const struct tk_event *event, struct tk_core *core)

static inline struct tk_names *tk_more_names(struct tk_rtos_more *more) { return &more->tl->names; }

// ---- Who and what (rtos_more.c); NULL, TK_NONE: no memory, or beyond a limit ----

struct tk_queue_more *tk_more_queue(struct tk_rtos_more *more, uint32_t queue);
struct tk_task_more *tk_more_task(struct tk_rtos_more *more, uint32_t task);
struct tk_thing *tk_more_thing(struct tk_rtos_more *more, enum tk_entity_class is, uint32_t id);
// Its track in a group, made on first use; one of a deleted namesake of the same class goes on.
uint32_t tk_more_thing_track(struct tk_rtos_more *more, struct tk_thing *thing, enum tk_group group, enum tk_track_kind kind, const char *unit, const char *description);
void tk_more_delete_thing(struct tk_rtos_more *more, struct tk_thing *thing);
// Finds the row of a key, or makes a zeroed one; `out_fresh` tells which.
void *tk_more_row(struct tk_rtos_more *more, struct tk_rows *rows, uint64_t key, size_t row_size, bool *out_fresh);

enum tk_more_word { TK_WORD_EXPIRED, TK_WORD_STOPPED, TK_WORD_LOW_POWER, TK_WORDS };
struct tk_label_text tk_more_word(struct tk_rtos_more *more, enum tk_more_word word);

// Row of a mutex and a task; TK_NONE: nobody knows who.
struct tk_lock_row *tk_more_lock_row(struct tk_rtos_more *more, uint32_t queue, uint32_t task);
// From `since` until now; `loss`: tk_timeline.losses then, for nothing is measured across one.
void tk_more_measure(const struct tk_rtos_more *more, struct tk_durations *durations, uint64_t since, uint32_t loss);

// Who acts on a core: the innermost interrupt, else the running task; TK_NONE: nobody is known.
uint32_t tk_more_actor(const struct tk_core *core);
// "Main", "interrupt UART": text id. actor: not TK_NONE.
uint32_t tk_more_actor_text(struct tk_rtos_more *more, uint32_t actor);

// ---- Arguments ----

// Who, under a static name; left out when nobody is known.
void tk_more_who(struct tk_rtos_more *more, struct tk_details *details, const char *name, uint32_t actor);
// An address, in hexadecimal digits; at most one of an event.
void tk_more_address(struct tk_rtos_more *more, struct tk_details *details, const char *name, uint64_t address);

// ---- Calls (rtos_calls.c) ----

struct tk_call {
    struct tk_label_text name;
    const struct tk_details *args; // NULL: none
    uint64_t flow;  // an arrow begins or goes on here; 0: none
    bool no_kernel; // the task does this by itself: it is no end of a job
};

// An instant among the calls of the acting task, or in the slice of the acting interrupt. Nothing where nobody is known.
void tk_more_call(struct tk_rtos_more *more, const struct tk_core *core, const struct tk_call *call);
// The same for a phrase without further details.
void tk_more_say(struct tk_rtos_more *more, const struct tk_core *core, enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t number);
// The target could not do something.
void tk_more_fail(struct tk_rtos_more *more, const struct tk_core *core, struct tk_label_text name, const struct tk_details *args);
// An operation on a queue that is about to be handled.
void tk_more_operation(struct tk_rtos_more *more, const struct tk_event *event, const struct tk_core *core);
// Something went from one to the other through an object.
void tk_more_talk(struct tk_rtos_more *more, uint32_t from, uint32_t object, uint32_t to);
void tk_more_forget_arrows(struct tk_rtos_more *more);
TK_MORE_HANDLER(refused);
TK_MORE_HANDLER(call);
TK_MORE_HANDLER(failure);
TK_MORE_HANDLER(queue_deleted);
TK_MORE_HANDLER(logged);

// ---- Jobs (rtos_jobs.c) ----

void tk_more_jobs_ready(struct tk_rtos_more *more, uint32_t task);
// A task is about to leave its core for `next`, which begins to run.
void tk_more_jobs_switch(struct tk_rtos_more *more, uint32_t old, uint32_t next);
// The task is about to be suspended or deleted while it does not run.
void tk_more_jobs_stop(struct tk_rtos_more *more, uint32_t task);
// A running task calls the kernel.
void tk_more_jobs_call(struct tk_rtos_more *more, uint32_t task);
void tk_more_jobs_close(struct tk_rtos_more *more); // all, unmeasured: a section or the recording ends
TK_MORE_HANDLER(job_done);
TK_MORE_HANDLER(stack_free);

// ---- Event groups and notifications (rtos_bits.c) ----

TK_MORE_HANDLER(bits);
TK_MORE_HANDLER(bits_waited);
TK_MORE_HANDLER(block_on_bits);
TK_MORE_HANDLER(block_on_notification);
TK_MORE_HANDLER(notified);
TK_MORE_HANDLER(notification_taken);
// What the running task does with notifications is part of its wait for a buffer.
bool tk_more_is_part_of_buffer(const struct tk_rtos_more *more, const struct tk_event *event, const struct tk_core *core);

// ---- Timers, state machines, intervals, heaps, low power (rtos_things.c, rtos_heap.c) ----

TK_MORE_HANDLER(thing_name);
TK_MORE_HANDLER(timer);
TK_MORE_HANDLER(machine_state);
TK_MORE_HANDLER(interval_name);
TK_MORE_HANDLER(interval_begin);
TK_MORE_HANDLER(interval_end);
TK_MORE_HANDLER(heap);
TK_MORE_HANDLER(allocation_failed);
TK_MORE_HANDLER(stack_level);
TK_MORE_HANDLER(low_power);
void tk_more_things_close(struct tk_rtos_more *more); // as tk_more_jobs_close

// At the end: descriptions of tracks (rtos_describe.c).
void tk_more_describe(struct tk_rtos_more *more);
void tk_more_tables(const void *tracker, const struct tk_table_sink *sink);

#endif
