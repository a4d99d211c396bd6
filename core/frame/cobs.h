// SPDX-License-Identifier: MIT
//
// Zero-delimited COBS frames. docs/formats/tonbandgeraet.md, "Framing".
#ifndef TK_FRAME_COBS_H
#define TK_FRAME_COBS_H

#include "../base/alloc.h"

// No valid frame is longer. A longer piece is handed on cut to its last bytes (`cut` says how many are gone).
enum { TK_COBS_MAX_PIECE = 64 * 1024 };

// What stands between two delimiters, still encoded.
struct tk_piece {
    const uint8_t *bytes;
    size_t len;
    uint64_t offset; // of the first byte of the piece in the input, cut bytes included
    uint64_t cut;    // bytes missing before `bytes`
    uint64_t number; // pieces before this one
    bool delimited;  // false: the input ended here
};

// Return false to stop after this piece.
typedef bool (*tk_piece_fn)(void *ctx, const struct tk_piece *piece);

struct tk_cobs {
    uint8_t *carry; // a piece cut by a chunk end; allocated when first needed
    size_t carry_len;
    uint64_t carry_cut;
    uint64_t offset; // of the first byte of the current piece
    uint64_t number;
};

// Calls `fn` for each piece that ends in the chunk. Returns the bytes consumed: all, unless `fn` stopped.
size_t tk_cobs_feed(struct tk_cobs *cobs, struct tk_alloc *alloc, const uint8_t *bytes, size_t len, tk_piece_fn fn, void *ctx);
// Hands over what follows the last delimiter, if anything.
void tk_cobs_finish(struct tk_cobs *cobs, tk_piece_fn fn, void *ctx);
void tk_cobs_deinit(struct tk_cobs *cobs, struct tk_alloc *alloc);

// Decodes a piece. out must hold `len` bytes. Returns the payload length, or -1 when the chain of codes does not end on the delimiter.
ptrdiff_t tk_cobs_decode(const uint8_t *piece, size_t len, uint8_t *out);

#endif
