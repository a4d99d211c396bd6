// SPDX-License-Identifier: MIT
//
// zlib's inflate with memory of a tk_alloc.
#ifndef TK_UNPACK_INFLATER_H
#define TK_UNPACK_INFLATER_H

#include "../base/alloc.h"

#include <zlib.h>

struct tk_inflater {
    z_stream stream;
    struct tk_alloc *alloc;
};

// window_bits: as inflateInit2 takes them. False: no memory. The inflater stays at its address until inflateEnd.
bool tk_inflater_begin(struct tk_inflater *inflater, struct tk_alloc *alloc, int window_bits);

#endif
