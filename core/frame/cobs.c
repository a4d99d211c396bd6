// SPDX-License-Identifier: MIT
#include "cobs.h"

#include "../base/bytes.h"

enum { KEEP = TK_COBS_MAX_PIECE / 2 }; // what stays of a piece that grows too long: its end may still hold a frame

static bool hand_over(struct tk_cobs *cobs, const uint8_t *bytes, size_t len, uint64_t cut, bool delimited, tk_piece_fn fn, void *ctx) {
    // The same bytes must reach the decoder however the input was cut into chunks.
    if (len > KEEP && (cut || len > TK_COBS_MAX_PIECE)) {
        cut += len - KEEP;
        bytes += len - KEEP;
        len = KEEP;
    }
    struct tk_piece piece = { bytes, len, cobs->offset, cut, cobs->number++, delimited };
    cobs->offset += cut + len + delimited;
    return fn(ctx, &piece);
}

static void carry_append(struct tk_cobs *cobs, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    if (!cobs->carry) cobs->carry = tk_alloc_zero(alloc, TK_COBS_MAX_PIECE);
    if (!cobs->carry) return;
    while (len) {
        if (cobs->carry_len == TK_COBS_MAX_PIECE) {
            cobs->carry_cut += TK_COBS_MAX_PIECE - KEEP;
            memmove(cobs->carry, cobs->carry + TK_COBS_MAX_PIECE - KEEP, KEEP);
            cobs->carry_len = KEEP;
        }
        size_t room = TK_COBS_MAX_PIECE - cobs->carry_len, step = len < room ? len : room;
        memcpy(cobs->carry + cobs->carry_len, bytes, step);
        cobs->carry_len += step;
        bytes += step;
        len -= step;
    }
}

static bool hand_over_carry(struct tk_cobs *cobs, bool delimited, tk_piece_fn fn, void *ctx) {
    size_t len = cobs->carry_len;
    uint64_t cut = cobs->carry_cut;
    cobs->carry_len = 0;
    cobs->carry_cut = 0;
    return hand_over(cobs, cobs->carry, len, cut, delimited, fn, ctx);
}

size_t tk_cobs_feed(struct tk_cobs *cobs, struct tk_alloc *alloc, const uint8_t *bytes, size_t len, tk_piece_fn fn, void *ctx) {
    size_t at = 0;
    while (at < len) {
        size_t piece_len = tk_find_zero(bytes + at, len - at);
        if (at + piece_len == len) {
            carry_append(cobs, alloc, bytes + at, piece_len);
            return len;
        }
        size_t start = at;
        bool go_on;
        at += piece_len + 1;
        if (cobs->carry_len || cobs->carry_cut) {
            carry_append(cobs, alloc, bytes + start, piece_len);
            go_on = hand_over_carry(cobs, true, fn, ctx);
        } else {
            go_on = hand_over(cobs, bytes + start, piece_len, 0, true, fn, ctx);
        }
        if (!go_on) return at;
    }
    return len;
}

void tk_cobs_finish(struct tk_cobs *cobs, tk_piece_fn fn, void *ctx) {
    if (cobs->carry_len || cobs->carry_cut) hand_over_carry(cobs, false, fn, ctx);
}

void tk_cobs_deinit(struct tk_cobs *cobs, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, cobs->carry, cobs->carry ? TK_COBS_MAX_PIECE : 0);
    memset(cobs, 0, sizeof *cobs);
}

ptrdiff_t tk_cobs_decode(const uint8_t *piece, size_t len, uint8_t *out) {
    const uint8_t *at = piece, *end = piece + len;
    uint8_t *to = out;
    while (at < end) {
        size_t code = *at;
        if (!code || code > (size_t)(end - at)) return -1;
        memcpy(to, at + 1, code - 1);
        to += code - 1;
        at += code;
        if (code < 0xFF && at < end) *to++ = 0;
    }
    return to - out;
}
