// SPDX-License-Identifier: MIT
//
// What a model knows besides tasks, queues and interrupts. A decoder names the part that its events need; a program
// without such a decoder carries none of it.
#ifndef TK_MODEL_PART_H
#define TK_MODEL_PART_H

#include "../base/alloc.h"
#include "../base/diag.h"
#include "event.h"

struct tk_timeline;
struct tk_stats;

enum { TK_PART_TEXT = 512 };

// What it adds to the report: rows of the tables of tasks and queues, where there are none of an RTOS.
struct tk_part_summary {
    uint32_t task_rows, queue_rows;
};

struct tk_part_task {
    uint32_t entity;
    uint32_t priority; // 0: not known
    char reason[TK_PART_TEXT]; // of the longest wait; not terminated
    size_t reason_len;
};

struct tk_part_queue {
    uint32_t entity;
    const char *kind; // static
};

struct tk_model_part {
    size_t size; // zeroed memory for init
    void (*init)(void *part, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *timeline, struct tk_stats *stats);
    void (*deinit)(void *part);
    void (*event)(void *part, const struct tk_event *event); // any kind from SYMBOL_NAME on
    void (*loss)(void *part);    // events are missing here: what is open may have ended
    void (*restart)(void *part); // the target starts again
    void (*finish)(void *part);  // the recording ends: what still runs has run until now
    void (*summary)(const void *part, struct tk_part_summary *out);
    bool (*task)(const void *part, uint32_t row, struct tk_part_task *out); // false: the row is nobody's
    void (*queue)(const void *part, uint32_t row, struct tk_part_queue *out);
};

extern const struct tk_model_part tk_part_objects; // active objects (objects.h)

#endif
