// SPDX-License-Identifier: MIT
#include "contexts.h"

#include <string.h>

#include "../../base/decimal.h"

size_t cm_contexts_words(const struct cm_contexts *contexts, uint32_t vector, char out_text[CM_CONTEXT_NAME_LEN]) {
    static const char *const system[CM_FIRST_INTERRUPT] = {
        [0] = "main", [1] = "Reset", [2] = "NMI", [3] = "HardFault", [4] = "MemManage", [5] = "BusFault", [6] = "UsageFault", [7] = "SecureFault",
        [11] = "SVCall", [12] = "DebugMonitor", [14] = "PendSV", [15] = "SysTick"
    };
    const char *words = vector >= CM_FIRST_INTERRUPT ? "IRQ" : system[vector] ? system[vector] : "reserved ";
    bool numbered = vector >= CM_FIRST_INTERRUPT || !system[vector];
    size_t len = strlen(words);
    (void)contexts;
    memcpy(out_text, words, len + 1);
    return numbered ? len + tk_decimal(vector >= CM_FIRST_INTERRUPT ? vector - CM_FIRST_INTERRUPT : vector, out_text + len) : len;
}

void cm_contexts_name(struct cm_contexts *contexts, uint32_t vector, const struct tk_event *before) {
    char text[CM_CONTEXT_NAME_LEN];
    size_t len = cm_contexts_words(contexts, vector, text);
    struct tk_event *event = tk_batch_place(contexts->batch);
    *event = *before;
    event->kind = TK_EV_CONTEXT_NAME;
    event->id = vector;
    event->arg = vector ? TK_CONTEXT_HANDLER : TK_CONTEXT_THREAD;
    event->str = tk_arena_copy(&contexts->batch->memory, text, len);
    event->str_len = event->str ? (uint32_t)len : 0;
    tk_batch_add(contexts->batch);
    contexts->named[vector / 64] |= (uint64_t)1 << vector % 64;
}
