// SPDX-License-Identifier: MIT
//
// zlib and gzip, by zlib's own inflate: it keeps a window of 32 KiB itself, and checks the sums.
#include "unpack_parts.h"

#include <stddef.h>
#include <zlib.h>

enum { RUNNING, ENDED };

struct inflater {
    z_stream stream;
};

union header { // in front of what zlib allocates: our allocator wants sizes back
    size_t size;
    max_align_t aligned;
};

static void *allocate(void *ctx, unsigned count, unsigned size) {
    struct tk_alloc *alloc = ctx;
    size_t whole = (size_t)count * size + sizeof(union header);
    union header *header = tk_alloc_zero(alloc, whole);
    if (!header) return NULL;
    header->size = whole;
    return header + 1;
}

static void release(void *ctx, void *ptr) {
    union header *header = (union header *)ptr - 1;
    tk_alloc_free(ctx, header, header->size);
}

bool tk_inflate_begin(struct tk_unpack *unpack) {
    enum { LARGEST_WINDOW = 15, AS_GZIP = 16 };
    struct inflater *inflater = tk_alloc_zero(unpack->alloc, sizeof *inflater);
    if (!inflater) return false;
    inflater->stream = (z_stream){ .zalloc = allocate, .zfree = release, .opaque = unpack->alloc };
    unpack->inflate = inflater;
    return inflateInit2(&inflater->stream, LARGEST_WINDOW + (unpack->method == TK_UNPACK_GZIP ? AS_GZIP : 0)) == Z_OK;
}

bool tk_inflate_run(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    z_stream *stream = &((struct inflater *)unpack->inflate)->stream;
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
    struct inflater *inflater = unpack->inflate;
    inflateEnd(&inflater->stream);
    tk_alloc_free(unpack->alloc, inflater, sizeof *inflater);
    unpack->inflate = NULL;
}
