// SPDX-License-Identifier: MIT
//
// Unpacks gzip streams with any number of members, and raw deflate from archives, piece by piece with zlib's inflate.
// Checks the checksum and length of each member. Returns all bytes before damage or a cut.
//
//   while more packed bytes: tk_gunzip_run(gunzip, &in, &in_len, out, room)   until it returns 0
//   tk_gunzip_fault(gunzip, &byte)                                            at the end of the packed bytes
#ifndef TK_UNPACK_GUNZIP_H
#define TK_UNPACK_GUNZIP_H

#include "../base/alloc.h"

enum tk_gunzip_fault {
    TK_GUNZIP_WHOLE,   // no fault
    TK_GUNZIP_CUT,     // the packed bytes end inside a member
    TK_GUNZIP_DAMAGED, // invalid deflate data, or a wrong checksum or length
    TK_GUNZIP_FOREIGN  // other bytes than a gzip header follow a member
};

struct tk_gunzip;

// Returns NULL when out of memory. Borrows alloc until tk_gunzip_free. raw: one deflate stream without header and
// checksum; bytes after its end are ignored.
struct tk_gunzip *tk_gunzip_new(struct tk_alloc *alloc, bool raw);
void tk_gunzip_free(struct tk_gunzip *gunzip); // NULL is allowed

// Unpacks until `out` is full or the packed bytes are used up, and advances *in. Returns the number of bytes written,
// at most `room` (> 0). Returns 0 with packed bytes left when the stream has ended or has a fault.
size_t tk_gunzip_run(struct tk_gunzip *gunzip, const uint8_t **in, size_t *in_len, uint8_t *out, size_t room);

// Returns the fault of the stream if the packed bytes end here. *out_byte: offset in the packed bytes of the fault; for
// FOREIGN of the first foreign byte.
enum tk_gunzip_fault tk_gunzip_fault(const struct tk_gunzip *gunzip, uint64_t *out_byte);

#endif
