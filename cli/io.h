// SPDX-License-Identifier: MIT
//
// Bytes in: a file, a pipe or a scratch copy, or a part of one; gzip removed (several members, and what precedes a
// cut).
#ifndef CLI_IO_H
#define CLI_IO_H

#include "platform.h"

struct bytes {
    uint8_t *data;
    size_t len, capacity;
};

bool bytes_append(struct bytes *bytes, const void *data, size_t len); // false: no memory
void bytes_release(struct bytes *bytes);

typedef struct plain plain;

// Takes the descriptor and closes it with inflated_close, unless `shared`: then the position is kept here and set
// before each read, so that several readers can share one descriptor. NULL: no memory. `damage_reported`: what is wrong
// with the compressed data was said before.
plain *inflated_open(int fd, bool shared, const char *name, bool damage_reported);
void inflated_close(plain *reader);

// Bytes [from, from + len) of `file`, which is closed with it and from which nothing was taken yet; `deflated`: they
// are raw deflate. gzip in them is removed as well. NULL: no memory; `file` is closed then.
plain *plain_part(plain *file, uint64_t from, uint64_t len, bool deflated, const char *name, bool damage_reported);

// Copies bytes from an offset; fewer where the file ends. Of gzip only ranges that ascend can be had. Not for use with
// inflated_next.
size_t inflated_read_at(plain *reader, uint64_t offset, uint8_t *out, size_t len);

// Looks at what comes, up to `len` bytes; `patience_ms` < 0 waits for all of them, otherwise looking ends when
// something is there and nothing came for that long, or the first of it five times that long ago. Stays valid until
// inflated_next.
const struct bytes *inflated_peek(plain *reader, size_t len, int patience_ms);

// The next piece, borrowed until the next call. Length 0: the end (or an error, see inflated_failed).
const uint8_t *inflated_next(plain *reader, size_t *out_len);

bool inflated_has_more(const plain *reader);       // of what was looked at
uint64_t inflated_arrival_ns(const plain *reader); // when that piece was read, by plat_now_ns
uint64_t inflated_raw_bytes(const plain *reader);  // read from the file so far, compressed where it is
bool inflated_is_gzip(const plain *reader);
bool inflated_is_damaged(const plain *reader); // the compressed data; a message was printed, once per input
bool inflated_failed(const plain *reader);     // a read error; a message was printed

#endif
