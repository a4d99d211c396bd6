// SPDX-License-Identifier: MIT
#include "unpack.h"

#include "unpack_internal.h"

bool tk_unpack_begin(struct tk_unpack *unpack, struct tk_alloc *alloc, enum tk_unpack_method method) {
    *unpack = (struct tk_unpack){ .alloc = alloc, .method = (uint8_t)method };
    return method < TK_UNPACK_ZLIB || tk_inflate_begin(unpack);
}

bool tk_unpack_run(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    static bool (*const runs[TK_UNPACK_METHODS])(
        struct tk_unpack *, struct tk_unpack_io *) = { tk_lz4_run, tk_fastlz_run, tk_inflate_run, tk_inflate_run };
    if (!unpack->damaged && !runs[unpack->method](unpack, io)) unpack->damaged = true;
    return !unpack->damaged;
}

bool tk_unpack_is_complete(const struct tk_unpack *unpack) {
    static bool (*const completes[TK_UNPACK_METHODS])(const struct tk_unpack *) = {
        tk_lz4_is_complete, tk_fastlz_is_complete, tk_inflate_is_complete, tk_inflate_is_complete
    };
    return !unpack->damaged && completes[unpack->method](unpack);
}

void tk_unpack_end(struct tk_unpack *unpack) {
    if (unpack->inflater) tk_inflate_end(unpack);
}

uint64_t tk_unpack_bound(enum tk_unpack_method method, uint64_t packed) {
    uint64_t ratio = method < TK_UNPACK_ZLIB ? 255 : 1032;
    return packed > UINT64_MAX / 2048 ? UINT64_MAX : packed * ratio + 64;
}

const char *tk_unpack_name(enum tk_unpack_method method) {
    static const char *const names[TK_UNPACK_METHODS] = { "LZ4", "FastLZ", "zlib", "gzip" };
    return names[method];
}
