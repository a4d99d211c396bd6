// SPDX-License-Identifier: MIT
//
// What exceptions are called: system exceptions have names, interrupts get theirs from symbols or a person, else a number.
#ifndef TK_FORMATS_CORTEXM_CONTEXTS_H
#define TK_FORMATS_CORTEXM_CONTEXTS_H

#include "../../model/event.h"
#include "../../model/time/batch.h"
#include "records.h"

enum { CM_FIRST_INTERRUPT = 16, CM_CONTEXT_NAME_LEN = 64 };

struct cm_contexts {
    struct tk_batch *batch;
    uint64_t named[(CM_MAX_VECTOR + 64) / 64]; // bit per vector: told to the model
};

static inline bool cm_contexts_is_known(const struct cm_contexts *contexts, uint32_t vector) { return contexts->named[vector / 64] >> vector % 64 & 1; }
// Tells the model; before: what its event has in common with others.
void cm_contexts_name(struct cm_contexts *contexts, uint32_t vector, const struct tk_event *before);
size_t cm_contexts_words(const struct cm_contexts *contexts, uint32_t vector, char out_text[CM_CONTEXT_NAME_LEN]);

#endif
