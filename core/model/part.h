// SPDX-License-Identifier: MIT
//
// What a model knows besides tasks, queues and interrupts. A decoder names the part that its events need; a program
// without such a decoder carries none of it.
#ifndef TK_MODEL_PART_H
#define TK_MODEL_PART_H

#include "../base/alloc.h"
#include "../base/diag.h"
#include "event.h"
#include "table.h"

struct tk_timeline;
struct tk_stats;

struct tk_model_part {
    size_t size; // zeroed memory for init
    void (*init)(void *part, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *timeline, struct tk_stats *stats);
    void (*deinit)(void *part);
    void (*event)(void *part, const struct tk_event *event); // any kind from SYMBOL_NAME on
    void (*loss)(void *part);    // events are missing here: what is open may have ended
    void (*restart)(void *part); // the target starts again
    void (*finish)(void *part);  // the recording ends: what still runs has run until now
    void (*tables)(const void *part, const struct tk_table_sink *sink); // of its own in the report
    void (*series)(const void *part, const struct tk_table_sink *sink);
};

extern const struct tk_model_part tk_part_objects; // active objects (objects.h)

#endif
