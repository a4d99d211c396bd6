// SPDX-License-Identifier: MIT
//
// What became of every byte of one input: part of an event, skipped for a reason, or left over. A frame is booked
// once, with its delimiter, when it is decided about.
#ifndef TK_BASE_ACCOUNT_H
#define TK_BASE_ACCOUNT_H

#include "diag.h"

struct tk_account {
    uint64_t decoded;                // in frames that became events
    uint64_t skipped[TK_DIAG_COUNT]; // by the problem that tells why
    uint64_t left;                   // behind the last whole frame, when the input ended
};

static inline void tk_account_skip(struct tk_account *account, enum tk_diag_id why, uint64_t bytes) {
    account->skipped[why] += bytes;
}

// A decoded frame is rejected by a later stage.
static inline void tk_account_reject(struct tk_account *account, enum tk_diag_id why, uint64_t bytes) {
    account->decoded -= bytes;
    account->skipped[why] += bytes;
}

static inline uint64_t tk_account_skipped(const struct tk_account *account) {
    uint64_t sum = 0;
    for (unsigned id = 0; id < TK_DIAG_COUNT; id++) sum += account->skipped[id];
    return sum;
}

#endif
