// SPDX-License-Identifier: MIT
//
// Packets that the end of a chunk cuts. A decoder gets its input in chunks of any size and decodes whole packets only;
// tk_packets_decode keeps the cut one and continues it with the next chunk.
#ifndef TK_FORMATS_KIT_PACKETS_H
#define TK_FORMATS_KIT_PACKETS_H

#include "../../base/carry.h"

struct tk_packets {
    struct tk_alloc *alloc;
    // Decodes the whole packets at the start of `bytes` until is_full. Returns their length; 0: the first packet is not
    // whole. With `limit` bytes it must decode or skip at least one. in_chunk: the bytes belong to the caller's chunk,
    // so events may borrow from them.
    size_t (*take)(void *decoder, const uint8_t *bytes, size_t len, bool in_chunk);
    bool (*is_full)(const void *decoder); // the batches have no more room
    uint32_t limit;                       // bytes: twice the longest packet, or more
    struct tk_carry carry;                // the bytes of the cut packet
};

// Decodes the packets of a chunk, after the bytes that earlier chunks left. Returns the bytes consumed, as
// tk_decoder.decode does: all of them, unless the batches are full.
size_t tk_packets_decode(struct tk_packets *packets, void *decoder, const uint8_t *bytes, size_t len);

// Number of bytes of the cut packet.
static inline uint32_t tk_packets_left(const struct tk_packets *packets) { return tk_carry_len(&packets->carry); }

#endif
