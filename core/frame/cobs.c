// SPDX-License-Identifier: MIT
#include "cobs.h"

#include "../base/bytes.h"

// Bytes kept of a piece that grows too long: they may still contain the end of a valid frame.
enum { KEEP = TK_COBS_MAX_PIECE / 2 };

static void describe(struct tk_cobs *cobs, const uint8_t *bytes, size_t len, uint64_t cut, bool delimited,
                     struct tk_piece *out_piece) {
    // Cut long pieces to the same bytes however the input was split into chunks.
    if (len > KEEP && (cut || len > TK_COBS_MAX_PIECE)) {
        cut += len - KEEP;
        bytes += len - KEEP;
        len = KEEP;
    }
    *out_piece = (struct tk_piece){ bytes, len, cobs->offset, cut, cobs->number++, 0, delimited };
    cobs->offset += cut + len + delimited;
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

static void describe_carry(struct tk_cobs *cobs, bool delimited, struct tk_piece *out_piece) {
    size_t len = cobs->carry_len;
    uint64_t cut = cobs->carry_cut;
    cobs->carry_len = 0;
    cobs->carry_cut = 0;
    describe(cobs, cobs->carry, len, cut, delimited, out_piece);
}

bool tk_cobs_next_cut(struct tk_cobs *cobs, struct tk_alloc *alloc, struct tk_cobs_cursor *cursor,
                      struct tk_piece *out_piece) {
    const uint8_t *start = cursor->bytes + cursor->at;
    size_t left = cursor->len - cursor->at, len = tk_find_zero(start, left);
    if (len == left) {
        carry_append(cobs, alloc, start, len);
        cursor->at = cursor->len;
        return false;
    }
    cursor->at += len + 1;
    if (!cobs->carry_len && !cobs->carry_cut) {
        describe(cobs, start, len, 0, true, out_piece);
        return true;
    }
    carry_append(cobs, alloc, start, len);
    describe_carry(cobs, true, out_piece);
    return true;
}

bool tk_cobs_finish(struct tk_cobs *cobs, struct tk_piece *out_piece) {
    if (!cobs->carry_len && !cobs->carry_cut) return false;
    describe_carry(cobs, false, out_piece);
    return true;
}

ptrdiff_t tk_cobs_decode(const uint8_t *piece, size_t len, size_t slack, uint8_t *out) {
    const uint8_t *at = piece, *end = piece + len;
    uint8_t *to = out;
    while (at < end) {
        size_t code = *at;
        if (!code || code > (size_t)(end - at)) return -1;
        if (code <= TK_COBS_OVERRUN && (size_t)(end - at) + slack > TK_COBS_OVERRUN)
            memcpy(to, at + 1, TK_COBS_OVERRUN);
        else memcpy(to, at + 1, code - 1);
        to += code - 1;
        at += code;
        if (code < 0xFF && at < end) *to++ = 0;
    }
    return to - out;
}
