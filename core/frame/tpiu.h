// SPDX-License-Identifier: MIT
//
// Frames of the TPIU (trace port interface unit) of Arm processors: 16 bytes with the data of several numbered streams.
// docs/formats/itm.md describes them.
#ifndef TK_FRAME_TPIU_H
#define TK_FRAME_TPIU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TK_TPIU_FRAME = 16, TK_TPIU_STREAMS = 128, TK_TPIU_NO_STREAM = 0 };

// The state of a stream of bytes. A zero-initialised one begins before the first sync or frame.
struct tk_tpiu {
    uint8_t frame[TK_TPIU_FRAME];
    uint8_t len;     // bytes of the frame so far
    uint8_t stream;  // current stream; TK_TPIU_NO_STREAM: none, or unknown
    uint32_t sync;   // the last four bytes
    bool is_aligned; // frames begin at a known byte
};

// Takes the data of one stream, in order. Returns false to stop.
typedef bool (*tk_tpiu_fn)(void *ctx, uint8_t stream, const uint8_t *bytes, size_t len);

// Reads bytes. Before the first sync they are skipped. Returns false if `take` has returned false.
bool tk_tpiu_feed(struct tk_tpiu *tpiu, const uint8_t *bytes, size_t len, tk_tpiu_fn take, void *ctx);
// Returns true if bytes contain TPIU frames: most of their full syncs are at the first byte or an even distance after
// the one before. Frames and half syncs have even lengths.
bool tk_tpiu_is(const uint8_t *bytes, size_t len);

#endif
