// SPDX-License-Identifier: MIT
//
// gzip streams of any number of members, and raw deflate as archives hold it -> bytes, piece by piece, by zlib's
// inflate. Checksum and length of each member are checked. All bytes before damage or a cut are handed out.
//
//   while more packed bytes: tk_gunzip_run(gunzip, &in, &in_len, out, room)   until it returns 0
//   tk_gunzip_fault(gunzip, &byte)                                            at the end of the packed bytes
#ifndef TK_UNPACK_GUNZIP_H
#define TK_UNPACK_GUNZIP_H

#include "../base/alloc.h"

enum tk_gunzip_fault {
    TK_GUNZIP_WHOLE,   // no fault
    TK_GUNZIP_CUT,     // the packed bytes end inside a member
    TK_GUNZIP_DAMAGED, // not deflate, or a wrong checksum or length
    TK_GUNZIP_FOREIGN  // bytes that are no gzip follow a member
};

struct tk_gunzip;

// NULL: no memory. alloc is borrowed. raw: one deflate stream without header and checksum; bytes after its end are
// ignored.
struct tk_gunzip *tk_gunzip_new(struct tk_alloc *alloc, bool raw);
void tk_gunzip_free(struct tk_gunzip *gunzip); // NULL: does nothing

// Unpacks until `out` is full or the packed bytes are used up, and moves *in behind the bytes taken. Returns the bytes
// written, at most `room`. Returns 0 with packed bytes left when there is nothing more to unpack: the stream has ended
// or has a fault. room > 0.
size_t tk_gunzip_run(struct tk_gunzip *gunzip, const uint8_t **in, size_t *in_len, uint8_t *out, size_t room);

// The fault of the stream if the packed bytes end here. *out_byte: offset in the packed bytes, of the fault or, of
// FOREIGN, of the first foreign byte.
enum tk_gunzip_fault tk_gunzip_fault(const struct tk_gunzip *gunzip, uint64_t *out_byte);

#endif
