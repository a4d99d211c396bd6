// SPDX-License-Identifier: MIT
//
// The actor of an event: the task or interrupt whose operation the event reports.
#ifndef TK_MODEL_TRACKERS_RTOS_ACTOR_H
#define TK_MODEL_TRACKERS_RTOS_ACTOR_H

#include <stdint.h>

enum tk_actor_kind {
    TK_ACTOR_UNKNOWN, // no task is known to run, or an interrupt acted whose start was not traced
    TK_ACTOR_TASK,
    TK_ACTOR_INTERRUPT
};

struct tk_actor {
    enum tk_actor_kind kind;
    uint32_t index; // index of the task or interrupt; 0 for an unknown actor
};

// A number per actor, for keys of tables.
static inline uint32_t tk_actor_key(struct tk_actor actor) {
    return actor.kind == TK_ACTOR_UNKNOWN ? UINT32_MAX
                                          : (uint32_t)(actor.kind == TK_ACTOR_INTERRUPT) << 30 | actor.index;
}

static inline struct tk_actor tk_actor_of_key(uint32_t key) {
    if (key == UINT32_MAX) return (struct tk_actor){ TK_ACTOR_UNKNOWN, 0 };
    return (struct tk_actor){ key >> 30 ? TK_ACTOR_INTERRUPT : TK_ACTOR_TASK, key & (((uint32_t)1 << 30) - 1) };
}

#endif
