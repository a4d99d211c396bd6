// SPDX-License-Identifier: MIT
//
// The methods of unpack.h, and functions shared by those that copy matches from their own output.
#ifndef TK_UNPACK_UNPACK_INTERNAL_H
#define TK_UNPACK_UNPACK_INTERNAL_H

#include <string.h>

#include "unpack.h"

bool tk_lz4_run(struct tk_unpack *unpack, struct tk_unpack_io *io);
bool tk_lz4_is_complete(const struct tk_unpack *unpack);
bool tk_fastlz_run(struct tk_unpack *unpack, struct tk_unpack_io *io);
bool tk_fastlz_is_complete(const struct tk_unpack *unpack);
bool tk_inflate_begin(struct tk_unpack *unpack);
bool tk_inflate_run(struct tk_unpack *unpack, struct tk_unpack_io *io);
bool tk_inflate_is_complete(const struct tk_unpack *unpack);
void tk_inflate_end(struct tk_unpack *unpack);

static inline uint8_t tk_unpack_byte(struct tk_unpack_io *io) { return io->in_len--, *io->in++; }

// Copies literals. Returns true when all of them are written.
static inline bool tk_unpack_literals(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    size_t len = unpack->left, room = (size_t)(io->end - io->at);
    if (len > io->in_len) len = io->in_len;
    if (len > room) len = room;
    if (len) memcpy(io->at, io->in, len);
    io->in += len;
    io->in_len -= len;
    io->at += len;
    unpack->left -= (uint32_t)len;
    return !unpack->left;
}

// Copies a match from `distance` bytes before; the ranges may overlap. Returns true when the match is complete.
static inline bool tk_unpack_match(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    size_t len = unpack->left, room = (size_t)(io->end - io->at);
    const uint8_t *from = io->at - unpack->distance;
    if (len > room) len = room;
    if (len && unpack->distance >= len) memcpy(io->at, from, len);
    else
        for (size_t i = 0; i < len; i++) io->at[i] = from[i];
    io->at += len;
    unpack->left -= (uint32_t)len;
    return !unpack->left;
}

// Returns true if the match starts within the available output.
static inline bool tk_unpack_distance_is_valid(const struct tk_unpack *unpack, const struct tk_unpack_io *io) {
    return unpack->distance && unpack->distance <= (size_t)(io->at - io->start);
}

// Adds a byte of a length that continues while the byte is 255. Returns false if the length exceeds every valid one.
static inline bool tk_unpack_long_length(struct tk_unpack *unpack, uint8_t byte) {
    unpack->left += byte;
    return unpack->left < (uint32_t)1 << 30;
}

#endif
