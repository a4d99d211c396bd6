// SPDX-License-Identifier: MIT
#include "tpiu.h"

static const uint32_t full_sync = 0x7FFFFFFF; // FF FF FF 7F as it arrives, the first byte lowest

struct run {
    uint8_t bytes[TK_TPIU_FRAME];
    size_t len;
    tk_tpiu_fn take;
    void *ctx;
};

static bool end_run(const struct tk_tpiu *tpiu, struct run *run) {
    bool goes_on =
        !run->len || tpiu->stream == TK_TPIU_NO_STREAM || run->take(run->ctx, tpiu->stream, run->bytes, run->len);
    run->len = 0;
    return goes_on;
}

static bool end_frame(struct tk_tpiu *tpiu, tk_tpiu_fn take, void *ctx) {
    struct run run = { .take = take, .ctx = ctx };
    const uint8_t *frame = tpiu->frame;
    for (unsigned i = 0; i < TK_TPIU_FRAME - 1; i++) {
        unsigned low = frame[TK_TPIU_FRAME - 1] >> i / 2 & 1;
        if (i & 1 || !(frame[i] & 1)) {
            run.bytes[run.len++] = i & 1 ? frame[i] : (uint8_t)(frame[i] | low);
            continue;
        }
        // A new stream: from the next byte on, or from the one after it.
        if (low && i + 1 < TK_TPIU_FRAME - 1) run.bytes[run.len++] = frame[i + 1];
        if (!end_run(tpiu, &run)) return false;
        tpiu->stream = frame[i] >> 1;
        if (low) i++;
    }
    return end_run(tpiu, &run);
}

static void find_full_sync(struct tk_tpiu *tpiu) {
    // The three bytes before 7F may have gone into the frame.
    if (tpiu->len > 3) tpiu->stream = TK_TPIU_NO_STREAM; // bytes were lost
    tpiu->len = 0;
    tpiu->is_aligned = true;
}

bool tk_tpiu_feed(struct tk_tpiu *tpiu, const uint8_t *bytes, size_t len, tk_tpiu_fn take, void *ctx) {
    for (size_t i = 0; i < len; i++) {
        tpiu->sync = tpiu->sync >> 8 | (uint32_t)bytes[i] << 24;
        if (tpiu->sync == full_sync) {
            find_full_sync(tpiu);
            continue;
        }
        if (!tpiu->is_aligned) continue;
        tpiu->frame[tpiu->len++] = bytes[i];
        bool is_half_sync = tpiu->len % 2 == 0 && tpiu->frame[tpiu->len - 2] == 0xFF && bytes[i] == 0x7F;
        if (is_half_sync) tpiu->len -= 2;
        if (tpiu->len < TK_TPIU_FRAME) continue;
        tpiu->len = 0;
        if (!end_frame(tpiu, take, ctx)) return false;
    }
    return true;
}

static bool is_sync(const uint8_t *at) { return at[0] == 0xFF && at[1] == 0xFF && at[2] == 0xFF && at[3] == 0x7F; }

bool tk_tpiu_is(const uint8_t *bytes, size_t len) {
    size_t last = 0, syncs = 0, fit = 0;
    for (size_t at = 0; at + 4 <= len; at++) {
        if (bytes[at] != 0xFF || !is_sync(bytes + at)) continue;
        if (syncs++) fit += (at - last) % 2 == 0; // frames, and half syncs in them
        else if (!at && len >= 4 + TK_TPIU_FRAME) fit++;
        last = at;
    }
    return syncs && fit * 2 > syncs;
}
