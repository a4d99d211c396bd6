// SPDX-License-Identifier: MIT
//
// What the files of tk_tracker_kernel_services share. Included by rtos_more*.c and what stands beside them only.
#ifndef TK_MODEL_TRACKERS_RTOS_KERNEL_SERVICES_INTERNAL_H
#define TK_MODEL_TRACKERS_RTOS_KERNEL_SERVICES_INTERNAL_H

#include "../../timeline/details.h"
#include "kernel_services.h"
#include "rtos_internal.h"

typedef void (*tk_services_handler)(struct tk_kernel_services *services, const struct tk_event *event,
                                    struct tk_core *core);
#define TK_SERVICES_HANDLER(name) \
    void tk_services_on_##name(struct tk_kernel_services *services, const struct tk_event *event, struct tk_core *core)

static inline struct tk_names *tk_services_names(struct tk_kernel_services *services) { return &services->tl->names; }

// ---- Who and what (kernel_services.c); NULL, TK_NONE: no memory, or beyond a limit ----

struct tk_queue_services *tk_services_queue(struct tk_kernel_services *services, uint32_t queue);
struct tk_task_services *tk_services_task(struct tk_kernel_services *services, uint32_t task);
struct tk_kernel_object *tk_services_object(struct tk_kernel_services *services, enum tk_entity_class is, uint32_t id);
// Its track in a group, made on first use; one of a deleted namesake of the same class goes on.
uint32_t tk_services_object_track(struct tk_kernel_services *services, struct tk_kernel_object *object,
                                  enum tk_group group, enum tk_track_kind kind, const char *unit,
                                  const char *description);
void tk_services_delete_object(struct tk_kernel_services *services, struct tk_kernel_object *object);
// Finds the row of a key, or makes a zeroed one; `out_fresh` tells which.
void *tk_services_find_row(struct tk_kernel_services *services, struct tk_keyed_rows *rows, uint64_t key,
                           size_t row_size, bool *out_fresh);

enum tk_services_fixed_name { TK_FIXED_NAME_EXPIRED, TK_FIXED_NAME_STOPPED, TK_FIXED_NAME_LOW_POWER, TK_CELL_TEXT_LEN };
struct tk_label_text tk_services_fixed_name(struct tk_kernel_services *services, enum tk_services_fixed_name word);

// Row of a mutex and a task; TK_NONE: it is unknown who.
struct tk_mutex_stats *tk_services_mutex_stats(struct tk_kernel_services *services, uint32_t queue, uint32_t task);
// From `since` until now; `loss`: tk_timeline.losses then, for nothing is measured across one.
void tk_services_measure_since(const struct tk_kernel_services *services, struct tk_durations *durations,
                               uint64_t since, uint32_t loss);

// Who acts on a core: the innermost interrupt, else the running task; TK_NONE: nobody is known.
uint32_t tk_services_actor(const struct tk_core *core);
// "Main", "interrupt UART": text id. actor: not TK_NONE.
uint32_t tk_services_actor_text(struct tk_kernel_services *services, uint32_t actor);

// ---- Arguments ----

// Who, under a static name; left out when nobody is known.
void tk_services_add_actor_arg(struct tk_kernel_services *services, struct tk_details *details, const char *name,
                               uint32_t actor);
// An address, in hexadecimal digits; at most one of an event.
void tk_services_add_address_arg(struct tk_kernel_services *services, struct tk_details *details, const char *name,
                                 uint64_t address);

// ---- Calls (kernel_calls.c) ----

struct tk_call {
    struct tk_label_text name;
    const struct tk_details *args; // NULL: none
    uint64_t flow;                 // an arrow begins or goes on here; 0: none
    bool no_kernel;                // the task does this by itself: it is no end of a job
};

// An instant among the calls of the acting task, or in the slice of the acting interrupt. Nothing where nobody is
// known.
void tk_services_emit_call(struct tk_kernel_services *services, const struct tk_core *core, const struct tk_call *call);
// The same for a phrase without further details.
void tk_services_emit_verb(struct tk_kernel_services *services, const struct tk_core *core, enum tk_verb verb,
                           enum tk_result result, uint32_t entity, uint32_t number);
// The target could not do something.
void tk_services_emit_failure(struct tk_kernel_services *services, const struct tk_core *core,
                              struct tk_label_text name, const struct tk_details *args);
// An operation on a queue that is about to be handled.
void tk_services_queue_operation(struct tk_kernel_services *services, const struct tk_event *event,
                                 const struct tk_core *core);
// Something went from one to the other through an object.
void tk_services_count_communication(struct tk_kernel_services *services, uint32_t from, uint32_t object, uint32_t to);
void tk_services_clear_flows(struct tk_kernel_services *services);
TK_SERVICES_HANDLER(refused);
TK_SERVICES_HANDLER(call);
TK_SERVICES_HANDLER(failure);
TK_SERVICES_HANDLER(queue_deleted);
TK_SERVICES_HANDLER(logged);

// ---- Jobs (jobs.c) ----

void tk_services_jobs_ready(struct tk_kernel_services *services, uint32_t task);
// A task is about to leave its core for `next`, which begins to run.
void tk_services_jobs_switch(struct tk_kernel_services *services, uint32_t old, uint32_t next);
// The task is about to be suspended or deleted while it does not run.
void tk_services_jobs_stop(struct tk_kernel_services *services, uint32_t task);
// A running task calls the kernel.
void tk_services_jobs_call(struct tk_kernel_services *services, uint32_t task);
void tk_services_jobs_close(struct tk_kernel_services *services); // all, unmeasured: a section or the recording ends
TK_SERVICES_HANDLER(job_done);
TK_SERVICES_HANDLER(stack_free);

// ---- Event groups and notifications (event_groups.c) ----

TK_SERVICES_HANDLER(bits);
TK_SERVICES_HANDLER(event_group_waited);
TK_SERVICES_HANDLER(block_on_event_group);
TK_SERVICES_HANDLER(block_on_notification);
TK_SERVICES_HANDLER(notified);
TK_SERVICES_HANDLER(notification_taken);
// What the running task does with notifications is part of its wait for a buffer.
bool tk_services_is_part_of_buffer(const struct tk_kernel_services *services, const struct tk_event *event,
                                   const struct tk_core *core);

// ---- Timers, state machines, intervals, heaps, low power (kernel_objects.c, heaps.c) ----

TK_SERVICES_HANDLER(object_name);
TK_SERVICES_HANDLER(timer);
TK_SERVICES_HANDLER(machine_state);
TK_SERVICES_HANDLER(interval_name);
TK_SERVICES_HANDLER(interval_begin);
TK_SERVICES_HANDLER(interval_end);
TK_SERVICES_HANDLER(heap);
TK_SERVICES_HANDLER(allocation_failed);
TK_SERVICES_HANDLER(stack_level);
TK_SERVICES_HANDLER(low_power);
void tk_services_close_objects(struct tk_kernel_services *services); // as tk_services_jobs_close

// At the end: descriptions of tracks (track_descriptions.c).
void tk_services_describe(struct tk_kernel_services *services);
void tk_services_tables(const void *tracker, const struct tk_table_sink *sink);

#endif
