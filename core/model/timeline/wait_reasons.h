// SPDX-License-Identifier: MIT
//
// Reasons of waits as numbers, which tables convert to texts.
#ifndef TK_MODEL_TIMELINE_WAIT_REASONS_H
#define TK_MODEL_TIMELINE_WAIT_REASONS_H

#include "labels.h"

// A reason: its kind (high half) and number (low half): a fixed name, ticks, the index of a label, or a text in the
// table of strings.
enum tk_reason_kind { TK_REASON_FIXED = 1, TK_REASON_DELAY, TK_REASON_DELAY_UNTIL, TK_REASON_LABEL, TK_REASON_TEXT };

static inline uint64_t tk_reason(enum tk_reason_kind kind, uint32_t number) { return (uint64_t)kind << 32 | number; }
static inline enum tk_reason_kind tk_reason_kind(uint64_t reason) { return (enum tk_reason_kind)(reason >> 32); }
static inline bool tk_reason_is_delay(uint64_t reason) {
    return tk_reason_kind(reason) == TK_REASON_DELAY || tk_reason_kind(reason) == TK_REASON_DELAY_UNTIL;
}

// Writes the text of a reason: "receive from commands".
size_t tk_reason_text(const struct tk_names *names, uint64_t reason, char out_text[TK_LABEL_LEN]);

#endif
