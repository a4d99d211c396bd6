// SPDX-License-Identifier: MIT
//
// Accounts for every byte of one input: decoded, skipped (by reason) or left over. The decoder books a frame once, with
// its delimiter, as soon as it has decoded or skipped the frame.
#ifndef TK_BASE_ACCOUNT_H
#define TK_BASE_ACCOUNT_H

#include "diag.h"

struct tk_account {
    uint64_t decoded;                // bytes of frames that became events
    uint64_t skipped[TK_DIAG_COUNT]; // bytes by the problem that made Tonkopf skip them
    uint64_t left;                   // bytes after the last whole frame at the end of the input
};

static inline void tk_account_skip(struct tk_account *account, enum tk_diag_id why, uint64_t bytes) {
    account->skipped[why] += bytes;
}

// Moves bytes from `decoded` to `skipped` when a later stage rejects a decoded frame.
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
