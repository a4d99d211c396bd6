// SPDX-License-Identifier: MIT
//
// Streams that one sequence of bytes carries: the streams in the frames of a TPIU, and the stimulus ports of an ITM.
// A stream may carry further ones.
#ifndef TK_CONVERSION_CARRIER_H
#define TK_CONVERSION_CARRIER_H

#include "base/alloc.h"
#include "base/carry.h"
#include "base/text.h"
#include "frame/itm.h"
#include "frame/tpiu.h"

enum tk_carrier_kind { TK_CARRIER_NONE, TK_CARRIER_TPIU, TK_CARRIER_ITM };
enum { TK_CARRIER_STREAMS = 256, TK_CARRIER_DEPTH = 2 };

// One stream of a carrier.
struct tk_carried {
    uint8_t kind;   // enum tk_carrier_kind
    uint8_t number; // of the stream or port
};

// The state of reading a carrier. The owner sets `kind`; all else is 0 at the start.
struct tk_carrier {
    enum tk_carrier_kind kind;
    struct tk_tpiu tpiu;      // for TPIU
    struct tk_itm_stream itm; // for ITM
    uint8_t page;             // for ITM: page of 32 ports that the stream has selected
    struct tk_carry rest;     // bytes of an incomplete frame or packet
};

// Takes bytes of stream or port `number`, in order. Returns false without memory.
typedef bool (*tk_carrier_fn)(void *ctx, uint8_t number, const uint8_t *bytes, size_t len);

// Returns what the bytes at the start of an input carry.
enum tk_carrier_kind tk_carrier_probe(const uint8_t *head, size_t len);
// Passes the bytes of all streams in the next bytes of the carrier to `take`. bytes NULL: the input ends. Returns false
// without memory, or if `take` has returned false.
bool tk_carrier_feed(struct tk_carrier *carrier, struct tk_alloc *alloc, const uint8_t *bytes, size_t len,
                     tk_carrier_fn take, void *ctx);
void tk_carrier_release(struct tk_carrier *carrier, struct tk_alloc *alloc);
// Writes "stream 2" or "port 1".
void tk_carried_put(const struct tk_carried *carried, struct tk_text *text);

#endif
