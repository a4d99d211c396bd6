// SPDX-License-Identifier: MIT
//
// zlib's inflate with the allocator of the core.
#ifndef TK_UNPACK_INFLATER_H
#define TK_UNPACK_INFLATER_H

#include "../base/alloc.h"

#include <zlib.h>

struct tk_inflater {
    z_stream stream;
    struct tk_alloc *alloc;
};

// window_bits: as for inflateInit2. Returns false when out of memory. The inflater must not move until inflateEnd.
bool tk_inflater_begin(struct tk_inflater *inflater, struct tk_alloc *alloc, int window_bits);

#endif
