// SPDX-License-Identifier: MIT
//
// Unpacks zlib and gzip with zlib's inflate, which buffers a window of 32 KiB and verifies the checksums. Includes
// internal headers of zlib: freeing its memory requires the sizes of its structs.
#include "inflater.h"
#include "unpack_internal.h"

#include <zutil.h> // the order of these three matters
#include <inftrees.h>
#include <inflate.h>

enum { RUNNING, ENDED, LARGEST_WINDOW = 15, AS_GZIP = 16 };

static struct inflate_state *state_of(const struct tk_inflater *inflater) {
    return (struct inflate_state *)inflater->stream.state;
}

// zlib allocates two blocks: its state and its window.
static void *allocate(void *ctx, unsigned count, unsigned size) {
    return tk_alloc_zero(((struct tk_inflater *)ctx)->alloc, (size_t)count * size);
}

static void release(void *ctx, void *ptr) {
    struct tk_inflater *inflater = ctx;
    const struct inflate_state *state = state_of(inflater);
    tk_alloc_free(inflater->alloc, ptr, ptr == state ? sizeof *state : (size_t)1 << state->wbits);
}

bool tk_inflater_begin(struct tk_inflater *inflater, struct tk_alloc *alloc, int window_bits) {
    *inflater = (struct tk_inflater){ { .zalloc = allocate, .zfree = release, .opaque = inflater }, alloc };
    return inflateInit2(&inflater->stream, window_bits) == Z_OK;
}

bool tk_inflate_begin(struct tk_unpack *unpack) {
    struct tk_inflater *inflater = tk_alloc_zero(unpack->alloc, sizeof *inflater);
    if (!inflater) return false;
    unpack->inflater = inflater;
    return tk_inflater_begin(inflater, unpack->alloc,
                             LARGEST_WINDOW + (unpack->method == TK_UNPACK_GZIP ? AS_GZIP : 0));
}

bool tk_inflate_run(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    z_stream *stream = &((struct tk_inflater *)unpack->inflater)->stream;
    if (unpack->state == ENDED) return !io->in_len;
    stream->next_in = (z_const Bytef *)(uintptr_t)io->in;
    stream->avail_in = (uInt)io->in_len;
    stream->next_out = io->at;
    stream->avail_out = (uInt)(io->end - io->at);
    int status = inflate(stream, Z_NO_FLUSH);
    io->in = stream->next_in;
    io->in_len = stream->avail_in;
    io->at = stream->next_out;
    if (status == Z_STREAM_END) unpack->state = ENDED;
    return status == Z_OK || status == Z_BUF_ERROR || (status == Z_STREAM_END && !io->in_len);
}

bool tk_inflate_is_complete(const struct tk_unpack *unpack) { return unpack->state == ENDED; }

void tk_inflate_end(struct tk_unpack *unpack) {
    struct tk_inflater *inflater = unpack->inflater;
    inflateEnd(&inflater->stream);
    tk_alloc_free(unpack->alloc, inflater, sizeof *inflater);
    unpack->inflater = NULL;
}
