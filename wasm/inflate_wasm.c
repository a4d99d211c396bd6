// SPDX-License-Identifier: MIT
//
// gzip and deflate for a WebAssembly host. What an inflater unpacked last stays in its memory, so that a saved state
// (image.c) holds the bytes that were unpacked but not yet fed.
#include "../core/unpack/gunzip.h"
#include "io.h"

enum { PIECE_LEN = 64 * 1024 };

struct inflater {
    struct tk_gunzip *gunzip;
    uint32_t len; // of `piece`
    uint8_t piece[PIECE_LEN];
};

struct inflater *tkw_inflater_new(struct tkw_instance *instance, uint32_t raw);
int32_t tkw_inflate(struct tkw_instance *instance, struct inflater *inflater, uint32_t len);
int32_t tkw_inflated(struct tkw_instance *instance, const struct inflater *inflater);
int32_t tkw_inflate_fault(struct tkw_instance *instance, const struct inflater *inflater);
void tkw_inflater_free(struct tkw_instance *instance, struct inflater *inflater);

// raw: deflate without the frame of gzip, as in a zip. NULL: no memory.
struct inflater *tkw_inflater_new(struct tkw_instance *instance, uint32_t raw) {
    struct inflater *inflater = tk_alloc_zero(&instance->unpacking, sizeof *inflater);
    if (!inflater) return NULL;
    inflater->gunzip = tk_gunzip_new(&instance->unpacking, raw != 0);
    if (inflater->gunzip) return inflater;
    tk_alloc_free(&instance->unpacking, inflater, sizeof *inflater);
    return NULL;
}

void tkw_inflater_free(struct tkw_instance *instance, struct inflater *inflater) {
    tk_gunzip_free(inflater->gunzip);
    tk_alloc_free(&instance->unpacking, inflater, sizeof *inflater);
}

static int32_t put_piece(struct tkw_instance *instance, const struct inflater *inflater) {
    int32_t status = tkw_end(instance, instance->unpacking.failed ? TK_NO_MEMORY : TK_OK);
    instance->io.output = (uint32_t)(uintptr_t)inflater->piece;
    instance->io.output_len = inflater->len;
    return status;
}

// The input block holds packed bytes, of which io.consumed are taken. The output is the next piece of what they hold.
// No output, although packed bytes are left: there is nothing more to unpack.
int32_t tkw_inflate(struct tkw_instance *instance, struct inflater *inflater, uint32_t len) {
    tkw_begin(instance);
    if (len > TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    const uint8_t *in = instance->input;
    size_t left = len;
    inflater->len = (uint32_t)tk_gunzip_run(inflater->gunzip, &in, &left, inflater->piece, PIECE_LEN);
    instance->io.consumed = len - (uint32_t)left;
    return put_piece(instance, inflater);
}

// The output is the last piece once more.
int32_t tkw_inflated(struct tkw_instance *instance, const struct inflater *inflater) {
    tkw_begin(instance);
    return put_piece(instance, inflater);
}

// The output says what is wrong if the packed bytes end here; nothing: they are whole.
int32_t tkw_inflate_fault(struct tkw_instance *instance, const struct inflater *inflater) {
    static const char *const words[] = { "", "the compressed data is cut off at byte ",
                                         "the compressed data is damaged at byte ",
                                         "what follows the compressed data at byte " };
    uint64_t byte;
    enum tk_gunzip_fault fault = tk_gunzip_fault(inflater->gunzip, &byte);
    tkw_begin(instance);
    if (fault != TK_GUNZIP_WHOLE) {
        tkw_put_text(&instance->output, words[fault]);
        tkw_put_number(&instance->output, (int64_t)byte);
        tkw_put_text(&instance->output,
                     fault == TK_GUNZIP_FOREIGN ? " is no gzip and was left out" : "; what precedes is used");
    }
    return tkw_end(instance, TK_OK);
}
