// SPDX-License-Identifier: MIT
//
// Names of exceptions. System exceptions have fixed names; an interrupt is named by the user or by symbols, otherwise
// by its number.
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
    bool is_stm32f303;                    // the user selected this chip
    uint64_t seen[(CM_MAX_VECTOR + 64) / 64];
    uint64_t named[(CM_MAX_VECTOR + 64) / 64]; // bit per vector: the model knows its name
};

static inline bool cm_contexts_is_known(const struct cm_contexts *contexts, uint32_t vector) {
    return contexts->named[vector / 64] >> vector % 64 & 1;
}
// Registers the context of a function record and sends its name to the model if it is known. handler: name of the
// function that the hardware entered, as the file of symbols spells it; handler_len 0: a function called it. at: the
// fields that its events have in common.
void cm_contexts_register(struct cm_contexts *contexts, uint32_t vector, const char *handler, size_t handler_len,
                          const struct tk_event *at);
// Names the contexts that have no name by their numbers.
void cm_contexts_finish(struct cm_contexts *contexts, const struct tk_event *at);
// Returns the length of the name, or of the number where there is none; out_text is not terminated.
size_t cm_contexts_name(const struct cm_contexts *contexts, uint32_t vector, char out_text[CM_CONTEXT_NAME_LEN]);

#endif
