// SPDX-License-Identifier: MIT
//
// zlib and gzip, by zlib's inflate: it keeps a window of 32 KiB itself, and checks the sums. Its structs are those of
// the sources that are built with this file, so that pointers within them can follow when they stand elsewhere.
#include "unpack_parts.h"

#include <zutil.h> // these in this order
#include <inftrees.h>
#include <inflate.h>

enum { RUNNING, ENDED, LARGEST_WINDOW = 15, AS_GZIP = 16 };

struct inflater {
    z_stream stream;
    struct tk_alloc *alloc;
};

static struct inflate_state *state_of(const struct inflater *inflater) {
    return (struct inflate_state *)inflater->stream.state;
}

// It allocates two things, its state and its window.
static void *allocate(void *ctx, unsigned count, unsigned size) {
    return tk_alloc_zero(((struct inflater *)ctx)->alloc, (size_t)count * size);
}

static void release(void *ctx, void *ptr) {
    struct inflater *inflater = ctx;
    const struct inflate_state *state = state_of(inflater);
    tk_alloc_free(inflater->alloc, ptr, ptr == state ? sizeof *state : (size_t)1 << state->wbits);
}

bool tk_inflate_begin(struct tk_unpack *unpack) {
    struct inflater *inflater = tk_alloc_zero(unpack->alloc, sizeof *inflater);
    if (!inflater) return false;
    *inflater = (struct inflater){ { .zalloc = allocate, .zfree = release, .opaque = inflater }, unpack->alloc };
    unpack->inflater = inflater;
    return inflateInit2(&inflater->stream, LARGEST_WINDOW + (unpack->method == TK_UNPACK_GZIP ? AS_GZIP : 0)) == Z_OK;
}

bool tk_inflate_run(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    z_stream *stream = &((struct inflater *)unpack->inflater)->stream;
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

static void state_moved(struct inflater *inflater, struct tk_relocation *move) {
    struct inflate_state *state = tk_relocate(move, inflater->stream.state, sizeof *state);
    inflater->stream.state = (struct internal_state *)state;
    if (!state) return;
    state->strm = &inflater->stream;
    state->lencode = tk_relocate_any(move, state->lencode, sizeof(code)); // in the state itself, or the fixed one
    state->distcode = tk_relocate_any(move, state->distcode, sizeof(code));
    state->next = tk_relocate(move, state->next, 0);
    state->window = tk_relocate(move, state->window, state->window ? (size_t)1 << state->wbits : 0);
}

void tk_inflate_relocate(struct tk_unpack *unpack, struct tk_relocation *move) {
    struct inflater *inflater = unpack->inflater =
        tk_relocate(move, unpack->inflater, unpack->inflater ? sizeof *inflater : 0);
    if (!inflater) return;
    inflater->stream.zalloc = allocate;
    inflater->stream.zfree = release;
    inflater->stream.opaque = inflater;
    inflater->stream.msg = NULL;
    inflater->alloc = unpack->alloc;
    state_moved(inflater, move);
}

void tk_inflate_end(struct tk_unpack *unpack) {
    struct inflater *inflater = unpack->inflater;
    inflateEnd(&inflater->stream);
    tk_alloc_free(unpack->alloc, inflater, sizeof *inflater);
    unpack->inflater = NULL;
}
