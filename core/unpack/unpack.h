// SPDX-License-Identifier: MIT
//
// Unpacks LZ4 blocks, FastLZ, zlib and gzip piece by piece. It never buffers a whole block: it appends to the caller's
// output and copies matches from there; the last TK_UNPACK_HISTORY bytes of output suffice.
//
//   tk_unpack_begin(&unpack, alloc, method);
//   while more packed bytes: tk_unpack_run(&unpack, &io)   until io.in_len is 0 or io.at is io.end
//   tk_unpack_is_complete(&unpack)                          at the end of the packed bytes
//   tk_unpack_end(&unpack);
#ifndef TK_UNPACK_UNPACK_H
#define TK_UNPACK_UNPACK_H

#include "../base/alloc.h"

enum tk_unpack_method { TK_UNPACK_LZ4, TK_UNPACK_FASTLZ, TK_UNPACK_ZLIB, TK_UNPACK_GZIP, TK_UNPACK_METHODS };

enum { TK_UNPACK_HISTORY = 74 * 1024 }; // largest distance of a match in bytes (FastLZ, level 2)

// Input and output of tk_unpack_run.
struct tk_unpack_io {
    const uint8_t *in;
    size_t in_len;
    uint8_t *start; // start of the earlier output before `at`: all of it, or the last TK_UNPACK_HISTORY bytes
    uint8_t *at;    // next byte to write; tk_unpack_run advances it
    uint8_t *end;   // end of the output buffer
};

struct tk_unpack {
    struct tk_alloc *alloc;
    void *inflater; // state of zlib for zlib and gzip; NULL for the other methods
    uint32_t left;  // remaining bytes of the current literals or match
    uint32_t distance;
    uint8_t method; // enum tk_unpack_method
    uint8_t state;
    uint8_t level; // FastLZ: 1 or 2; 0 before the first byte
    uint8_t low;   // low bits of a length, from the byte that precedes the length
    bool damaged;  // the packed bytes are damaged; sticky
};

// Returns false when out of memory.
bool tk_unpack_begin(struct tk_unpack *unpack, struct tk_alloc *alloc, enum tk_unpack_method method);
// Unpacks until the packed bytes or the room are used up. Returns false when the packed bytes are damaged or out of
// memory; io contains the position.
bool tk_unpack_run(struct tk_unpack *unpack, struct tk_unpack_io *io);
// Returns true if the packed bytes may end here.
bool tk_unpack_is_complete(const struct tk_unpack *unpack);
void tk_unpack_end(struct tk_unpack *unpack);

// Returns an upper bound of the unpacked size of `packed` bytes.
uint64_t tk_unpack_bound(enum tk_unpack_method method, uint64_t packed);
const char *tk_unpack_name(enum tk_unpack_method method);

#endif
