// SPDX-License-Identifier: MIT
//
// Zero-delimited COBS frames. docs/formats/tonbandgeraet.md, "Framing".
#ifndef TK_FRAME_COBS_H
#define TK_FRAME_COBS_H

#include "../base/alloc.h"
#include "../base/bytes.h"

// No valid frame is longer, in bytes. The framer shortens a longer piece to its last bytes; `cut` is the number of
// removed bytes.
enum { TK_COBS_MAX_PIECE = 64 * 1024 };

// The bytes between two delimiters, still encoded.
struct tk_piece {
    const uint8_t *bytes;
    size_t len;
    uint64_t offset; // offset of the first byte of the piece in the input, removed bytes included
    uint64_t cut;    // number of removed bytes before `bytes`
    uint64_t number; // number of pieces before this one
    size_t slack;    // number of readable bytes after the piece
    bool delimited;  // false: the input ended here, without a delimiter
};

struct tk_cobs {
    uint8_t *carry; // start of a piece that the end of a chunk cut; allocated when first needed
    size_t carry_len;
    uint64_t carry_cut;
    uint64_t offset; // offset of the first byte of the current piece
    uint64_t number;
};

// A chunk and the position of the framer in it.
struct tk_cobs_cursor {
    const uint8_t *bytes;
    size_t at, len;
};

bool tk_cobs_next_cut(struct tk_cobs *cobs, struct tk_alloc *alloc, struct tk_cobs_cursor *cursor,
                      struct tk_piece *out_piece);

// Returns the next piece that ends in the chunk, valid until the next call. Returns false when the chunk is used up.
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

// Fast path for the common piece: shorter than 16 bytes, whole in the chunk, with 16 more readable bytes after it.
// Returns its length and sets *out_payload to the payload (length - 1 bytes): in place, or decoded into scratch (32
// bytes). Returns 0 for any other piece; then call tk_cobs_next. Not allowed while a piece is cut (carry_len).
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
    do { // each further code replaces a zero of the payload
        size_t code = scratch[at];
        scratch[at] = 0;
        at += code;
    } while (at < len);
    return at == len ? len : 0;
}

// Returns the bytes after the last delimiter. Returns false if there are none.
bool tk_cobs_finish(struct tk_cobs *cobs, struct tk_piece *out_piece);

// Decodes a piece. out must have room for `len` bytes, plus TK_COBS_OVERRUN if slack > 0: with `slack` readable bytes
// after the piece, short blocks are copied 16 bytes at a time. Returns the payload length, or -1 when the chain of
// codes does not end on the delimiter.
enum { TK_COBS_OVERRUN = 16 };
ptrdiff_t tk_cobs_decode(const uint8_t *piece, size_t len, size_t slack, uint8_t *out);

#endif
