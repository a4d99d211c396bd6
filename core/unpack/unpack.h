// SPDX-License-Identifier: MIT
//
// Packed blocks -> bytes, piece by piece: LZ4 blocks, FastLZ, zlib, gzip. No block is ever held whole: what is unpacked
// goes behind what is still there of the bytes before it, of which TK_UNPACK_HISTORY are enough.
//
//   tk_unpack_begin(&unpack, alloc, method);
//   while more packed bytes: tk_unpack_run(&unpack, &io)   until io.in_len is 0 or io.at is io.end
//   tk_unpack_is_complete(&unpack)                          at the end of the packed bytes
//   tk_unpack_end(&unpack);
#ifndef TK_UNPACK_UNPACK_H
#define TK_UNPACK_UNPACK_H

#include "../base/alloc.h"

enum tk_unpack_method { TK_UNPACK_LZ4, TK_UNPACK_FASTLZ, TK_UNPACK_ZLIB, TK_UNPACK_GZIP, TK_UNPACK_METHODS };

enum { TK_UNPACK_HISTORY = 74 * 1024 }; // the farthest that a match reaches back (FastLZ, level 2)

// The packed bytes at hand, and where what they hold goes.
struct tk_unpack_io {
    const uint8_t *in;
    size_t in_len;
    uint8_t *start; // of the bytes in front of `at`: all that were unpacked, or TK_UNPACK_HISTORY of them
    uint8_t *at;    // moves on
    uint8_t *end;   // of the room
};

struct tk_unpack {
    struct tk_alloc *alloc;
    void *inflater; // zlib and gzip: its state
    uint32_t left;  // bytes of a run of literals or of a match that are not written yet
    uint32_t distance;
    uint8_t method; // enum tk_unpack_method
    uint8_t state;
    uint8_t level; // FastLZ: 1 or 2; 0 before the first byte
    uint8_t low;   // bits of a length that stand in the byte before it
    bool damaged;  // sticky
};

// False: no memory.
bool tk_unpack_begin(struct tk_unpack *unpack, struct tk_alloc *alloc, enum tk_unpack_method method);
// Goes on until the packed bytes or the room are used up. False: they are damaged, or there is no memory; io tells how
// far it came.
bool tk_unpack_run(struct tk_unpack *unpack, struct tk_unpack_io *io);
// May the packed bytes end here?
bool tk_unpack_is_complete(const struct tk_unpack *unpack);
void tk_unpack_end(struct tk_unpack *unpack);

// The most that `packed` bytes can hold.
uint64_t tk_unpack_bound(enum tk_unpack_method method, uint64_t packed);
const char *tk_unpack_name(enum tk_unpack_method method);

#endif
