// SPDX-License-Identifier: MIT
//
// What exceptions are called: system exceptions have names, interrupts get theirs from symbols or a person, else a
// number.
#ifndef TK_FORMATS_CORTEXM_CONTEXTS_H
#define TK_FORMATS_CORTEXM_CONTEXTS_H

#include "../../lookup/lookup.h"
#include "../../lookup/symbols.h"
#include "../../model/event/event.h"
#include "../../model/time/batch.h"
#include "records.h"

enum { CM_FIRST_INTERRUPT = 16, CM_CONTEXT_NAME_LEN = TK_SHOWN_NAME_LEN + 1 };

struct cm_contexts {
    struct tk_batch *batch;
    struct tk_symbols *symbols;           // NULL: there is no file of symbols
    const struct tk_lookup *const *given; // names beside the recording; NULL: there are none
    bool is_stm32f303;                    // as the user says
    uint64_t seen[(CM_MAX_VECTOR + 64) / 64];
    uint64_t named[(CM_MAX_VECTOR + 64) / 64]; // bit per vector: told to the model
};

static inline bool cm_contexts_is_known(const struct cm_contexts *contexts, uint32_t vector) {
    return contexts->named[vector / 64] >> vector % 64 & 1;
}
// A record of a context that is not known: tells the model if anything says its name. handler: name of the function
// that the hardware entered, as the file of symbols spells it; len 0: it was called by another one. at: what events
// have in common.
void cm_contexts_register(struct cm_contexts *contexts, uint32_t vector, const char *handler, size_t handler_len,
                          const struct tk_event *at);
// Those that nothing named get their numbers.
void cm_contexts_finish(struct cm_contexts *contexts, const struct tk_event *at);
// The name as far as it is known; not terminated.
size_t cm_contexts_name(const struct cm_contexts *contexts, uint32_t vector, char out_text[CM_CONTEXT_NAME_LEN]);

#endif
