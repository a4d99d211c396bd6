// SPDX-License-Identifier: MIT
//
// Rings of post-mortem recorders, alone or in a dump of memory: finds the oldest packet. Section "Rings" of
// docs/formats/systemview.md.
#ifndef TK_FORMATS_SYSTEMVIEW_RING_H
#define TK_FORMATS_SYSTEMVIEW_RING_H

#include "packet.h"

enum { SV_LONGEST_DUMP = 4 * 1024 * 1024 };

// A ring: `len` bytes of a dump from `at` on, whose packets begin `from` bytes after `at` and go around.
struct sv_ring {
    uint32_t at, len, from;
    uint32_t used;         // bytes from `from` on that hold packets
    bool end_is_uncertain; // the dump does not tell where the newest packet ends
};

// Returns true if the bytes are a ring without anything around it, or the first part of one.
bool sv_is_ring(const uint8_t *bytes, size_t len);
// Returns the position of the control block of the transport in a dump of memory; `len`: there is none.
size_t sv_find_control_block(const uint8_t *bytes, size_t len);
// Finds the ring in a dump. Returns false if there is none.
bool sv_ring_find(const uint8_t *bytes, size_t len, struct sv_ring *out_ring);
// Copies the packets of the ring in their order, ring->used bytes.
void sv_ring_order(const uint8_t *bytes, const struct sv_ring *ring, uint8_t *out);

#endif
