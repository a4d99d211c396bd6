// SPDX-License-Identifier: MIT
//
// The tracker of RTOS events (tk_tracker_rtos): turns "switched in", "made ready", "will wait for" into task states,
// waits with reasons, queue lengths and mutex holders. Recordings that also trace kernel services (calls, event groups,
// timers, heaps ...) get calls, jobs and communication as well. docs/MODEL.md. Its state is in rtos_internal.h.
#ifndef TK_MODEL_TRACKERS_RTOS_RTOS_H
#define TK_MODEL_TRACKERS_RTOS_RTOS_H

#include "../../event/event.h"
#include "../../timeline/details.h"

enum { TK_RTOS_CORES = 32 };

struct tk_rtos;

// Handles an event of this tracker (TK_OWNER_RTOS); event->ticks is trace time.
void tk_rtos_event(struct tk_rtos *rtos, const struct tk_event *event);

// Returns the index of the task with this number; adds it if it is new. Returns TK_NONE when out of memory. All tasks
// above the limit share one index.
uint32_t tk_rtos_find_task(struct tk_rtos *rtos, uint32_t id);
// Returns the index of the running task of a core, or TK_NONE.
uint32_t tk_rtos_running(const struct tk_rtos *rtos, uint8_t core);
// Returns true for a task that exists only by a damaged number; no table lists it. Valid after the end of the
// recording.
bool tk_rtos_is_uncertain_task(const struct tk_rtos *rtos, uint32_t task);
bool tk_rtos_is_idle_task(const struct tk_rtos *rtos, uint32_t task);
// Returns true for a queue that exists only by a damaged number.
bool tk_rtos_is_uncertain_queue(const struct tk_rtos *rtos, uint32_t queue);
// Returns the recorded capacity of a queue, semaphore or buffer; 0: unknown.
uint32_t tk_rtos_queue_capacity(const struct tk_rtos *rtos, uint32_t queue);
// Returns true for a stream or message buffer, whose length is in bytes.
bool tk_rtos_is_buffer(const struct tk_rtos *rtos, uint32_t queue);
// Returns true for a context that ends when it leaves its core (TK_EV_TASK_ENDS), such as the code before the
// scheduler.
bool tk_rtos_is_ended_context(const struct tk_rtos *rtos, uint32_t task);
// Returns true if no task that ran on the core is known to be idle, and one without a name may be: then the load of the
// core is unknown.
bool tk_rtos_hides_idle(const struct tk_rtos *rtos, uint32_t core);

// Returns true if the recording traces kernel services: an event of one was handled.
bool tk_rtos_traces_services(const struct tk_rtos *rtos);
// Adds the actor of an event as an argument; nothing if the actor is unknown. name: static.
void tk_rtos_add_actor(struct tk_rtos *rtos, struct tk_details *details, const char *name,
                       const struct tk_event *event);

#endif
