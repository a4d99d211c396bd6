// SPDX-License-Identifier: MIT
//
// Zero-delimited COBS frames. docs/formats/tonbandgeraet.md, "Framing".
#ifndef TK_FRAME_COBS_H
#define TK_FRAME_COBS_H

#include "../base/alloc.h"
#include "../base/bytes.h"

// No valid frame is longer. A longer piece is handed on cut to its last bytes (`cut` says how many are gone).
enum { TK_COBS_MAX_PIECE = 64 * 1024 };

// What stands between two delimiters, still encoded.
struct tk_piece {
    const uint8_t *bytes;
    size_t len;
    uint64_t offset; // of the first byte of the piece in the input, cut bytes included
    uint64_t cut;    // bytes missing before `bytes`
    uint64_t number; // pieces before this one
    size_t slack;    // readable bytes behind the piece
    bool delimited;  // false: the input ended here
};

struct tk_cobs {
    uint8_t *carry; // a piece cut by a chunk end; allocated when first needed
    size_t carry_len;
    uint64_t carry_cut;
    uint64_t offset; // of the first byte of the current piece
    uint64_t number;
};

// A chunk on its way through the framer.
struct tk_cobs_cursor {
    const uint8_t *bytes;
    size_t at, len;
};

bool tk_cobs_next_cut(struct tk_cobs *cobs, struct tk_alloc *alloc, struct tk_cobs_cursor *cursor,
                      struct tk_piece *out_piece);

// The next piece that ends in the chunk; it is valid until the next call. False: the chunk is used up.
static inline bool tk_cobs_next(struct tk_cobs *cobs, struct tk_alloc *alloc, struct tk_cobs_cursor *cursor,
                                struct tk_piece *out_piece) {
    const uint8_t *start = cursor->bytes + cursor->at;
    size_t left = cursor->len - cursor->at, len = tk_find_zero(start, left);
    if (len == left || len > TK_COBS_MAX_PIECE || cobs->carry_len || cobs->carry_cut)
        return tk_cobs_next_cut(cobs, alloc, cursor, out_piece);
    *out_piece = (struct tk_piece){ start, len, cobs->offset, 0, cobs->number++, left - len, true };
    cobs->offset += len + 1;
    cursor->at += len + 1;
    return true;
}

// The next piece when it is the common one: shorter than sixteen bytes, whole in the chunk with as many readable bytes
// after it. Returns its length and sets the payload, one byte shorter: as it stands, or decoded into scratch (32
// bytes). 0: tk_cobs_next looks closer. Not while a piece is cut (carry_len).
enum { TK_COBS_SHORT = 16, TK_COBS_SHORT_PADDING = 16 };
static inline size_t tk_cobs_short(const struct tk_cobs_cursor *cursor, uint8_t *scratch, const uint8_t **out_payload) {
    const uint8_t *start = cursor->bytes + cursor->at;
    if (cursor->len - cursor->at < TK_COBS_SHORT + TK_COBS_SHORT_PADDING) return 0;
    size_t len = tk_find_zero_16(start), at = *start;
    if (len == TK_COBS_SHORT || at > len) return 0;
    *out_payload = start + 1;
    if (at == len) return len;
    memcpy(scratch, start, TK_COBS_SHORT + TK_COBS_SHORT_PADDING);
    *out_payload = scratch + 1;
    do { // each further code stands where a zero was
        size_t code = scratch[at];
        scratch[at] = 0;
        at += code;
    } while (at < len);
    return at == len ? len : 0;
}

// What follows the last delimiter. False: nothing.
bool tk_cobs_finish(struct tk_cobs *cobs, struct tk_piece *out_piece);

// Decodes a piece. out must hold `len` bytes and, with slack, TK_COBS_OVERRUN more: short blocks are copied
// sixteen bytes at a time where `slack` bytes behind the piece may be read. Returns the payload length, or -1 when the
// chain of codes does not end on the delimiter.
enum { TK_COBS_OVERRUN = 16 };
ptrdiff_t tk_cobs_decode(const uint8_t *piece, size_t len, size_t slack, uint8_t *out);

#endif
