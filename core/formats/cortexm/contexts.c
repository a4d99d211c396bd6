// SPDX-License-Identifier: MIT
#include "contexts.h"

#include <string.h>

#include "vectors.h"
#include "../../base/text.h"

// Returns the length of "RTC_WKUP" in "RTC_WKUP_IRQHandler"; 0: the name has no suffix of a handler.
static size_t without_suffix(const char *name, size_t len) {
    static const char *const suffixes[] = { "_IRQHandler", "_Handler", "IRQHandler", "Handler" };
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t suffix = strlen(suffixes[i]);
        if (len > suffix && !memcmp(name + len - suffix, suffixes[i], suffix)) return len - suffix;
    }
    return 0;
}

static bool put_fixed(struct tk_text *words, uint32_t vector) {
    static const char *const system[CM_FIRST_INTERRUPT] = {
        [0] = "main",      [1] = "Reset",         [2] = "NMI",        [3] = "HardFault",
        [4] = "MemManage", [5] = "BusFault",      [6] = "UsageFault", [7] = "SecureFault",
        [11] = "SVCall",   [12] = "DebugMonitor", [14] = "PendSV",    [15] = "SysTick"
    };
    if (vector >= CM_FIRST_INTERRUPT) return false;
    tk_text_add(words, system[vector] ? system[vector] : "reserved ");
    if (!system[vector]) tk_text_u64(words, vector);
    return true;
}

// Appends the name from the vector table of the firmware. Returns false if the table has none.
static bool put_vector(const struct cm_contexts *contexts, struct tk_text *words, uint32_t vector) {
    struct tk_symbol symbol;
    if (!contexts->symbols || !tk_symbols_vector(contexts->symbols, vector, &symbol)) return false;
    size_t len = without_suffix(symbol.name, symbol.name_len);
    tk_text_put(words, symbol.name, len ? len : symbol.name_len);
    return true;
}

// Appends the name that the user gave. Returns false if there is none.
static bool put_user_name(const struct cm_contexts *contexts, struct tk_text *words, uint32_t vector) {
    const char *text;
    size_t len;
    if (!contexts->given || !cm_vector_given(*contexts->given, vector, &text, &len)) return false;
    tk_text_put(words, text, len);
    return true;
}

static bool put_known(const struct cm_contexts *contexts, struct tk_text *words, uint32_t vector) {
    return put_fixed(words, vector) || put_user_name(contexts, words, vector) || put_vector(contexts, words, vector);
}

size_t cm_contexts_name(const struct cm_contexts *contexts, uint32_t vector, char out_text[CM_CONTEXT_NAME_LEN]) {
    struct tk_text words = tk_text_in(out_text, CM_CONTEXT_NAME_LEN);
    const char *name = contexts->is_stm32f303 ? cm_vector_of_stm32f303(vector) : NULL;
    if (put_known(contexts, &words, vector)) return words.len;
    if (name) return tk_text_add(&words, name), words.len;
    tk_text_add(&words, "IRQ");
    tk_text_u64(&words, vector - CM_FIRST_INTERRUPT);
    return words.len;
}

static void emit_name(struct cm_contexts *contexts, uint32_t vector, const char *text, size_t len,
                      const struct tk_event *at) {
    struct tk_event *event = tk_batch_slot(contexts->batch);
    *event = *at;
    event->kind = TK_EV_CONTEXT_NAME;
    event->context_name = (struct tk_event_context_name){ vector, vector ? TK_CONTEXT_HANDLER : TK_CONTEXT_THREAD };
    event->str = tk_arena_copy(&contexts->batch->memory, text, len);
    event->str_len = event->str ? (uint32_t)len : 0;
    tk_batch_add(contexts->batch);
    contexts->named[vector / 64] |= (uint64_t)1 << vector % 64;
}

static void emit_context_name(struct cm_contexts *contexts, uint32_t vector, const struct tk_event *at) {
    char text[CM_CONTEXT_NAME_LEN];
    emit_name(contexts, vector, text, cm_contexts_name(contexts, vector, text), at);
}

void cm_contexts_register(struct cm_contexts *contexts, uint32_t vector, const char *handler, size_t handler_len,
                          const struct tk_event *at) {
    char text[CM_CONTEXT_NAME_LEN];
    struct tk_text words = tk_text_in(text, CM_CONTEXT_NAME_LEN);
    size_t len = without_suffix(handler, handler_len);
    contexts->seen[vector / 64] |= (uint64_t)1 << vector % 64;
    if (put_known(contexts, &words, vector) || !contexts->symbols) emit_context_name(contexts, vector, at);
    else if (len) emit_name(contexts, vector, handler, len, at);
}

void cm_contexts_finish(struct cm_contexts *contexts, const struct tk_event *at) {
    for (uint32_t vector = 0; vector <= CM_MAX_VECTOR; vector++)
        if (contexts->seen[vector / 64] >> vector % 64 & 1 && !cm_contexts_is_known(contexts, vector))
            emit_context_name(contexts, vector, at);
}
