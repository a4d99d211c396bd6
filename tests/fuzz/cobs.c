// SPDX-License-Identifier: MIT
//
// Zero-delimited frames. Bytes 0, 1: chunk boundaries. The frames must cover every byte once and be the same for any
// chunking; a frame decodes as in the simplest implementation, and encoded frames decode to their payload.
#include <string.h>

#include "../common/cobs_encode.h"
#include "base/bytes.h"
#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "frame/cobs.h"

enum { MAX_LEN = 2048 };

struct stream {
    const uint8_t *bytes;
    uint64_t covered, number;
};

static ptrdiff_t plain_decode(const uint8_t *piece, size_t len, uint8_t *out) {
    size_t to = 0;
    for (size_t at = 0; at < len;) {
        size_t code = piece[at++];
        for (size_t i = 1; i < code; i++) {
            if (at == len || !piece[at]) return -1;
            out[to++] = piece[at++];
        }
        if (code < 0xFF && at < len) out[to++] = 0;
    }
    return (ptrdiff_t)to;
}

static void check_piece(struct stream *stream, const struct tk_piece *piece) {
    check(piece->offset == stream->covered && piece->number == stream->number++);
    check(!piece->cut);
    check(!piece->len || !memcmp(piece->bytes, stream->bytes + stream->covered, piece->len));
    check(!memchr(piece->bytes, 0, piece->len));
    stream->covered += piece->len + piece->delimited;
    check(!piece->delimited || !stream->bytes[stream->covered - 1]);
    static uint8_t out[MAX_LEN + TK_COBS_OVERRUN], plain[MAX_LEN];
    ptrdiff_t len = tk_cobs_decode(piece->bytes, piece->len, piece->slack, out);
    check(len == plain_decode(piece->bytes, piece->len, plain));
    check(len <= 0 || !memcmp(out, plain, (size_t)len));
}

static void read_cut(const uint8_t *data, size_t len, unsigned cuts) {
    struct tk_alloc alloc = heap_alloc();
    struct tk_cobs cobs = { 0 };
    struct stream stream = { data, 0, 0 };
    struct tk_piece piece;
    for (size_t at = 0, chunk; at < len; at += chunk) {
        chunk = cuts ? 1 + (cuts & 31) * (cuts & 32 ? 1 : 9) : len;
        cuts = cuts >> 1 | (cuts & 1) << 15;
        if (chunk > len - at) chunk = len - at;
        unsigned char *copy = heap_copy(data + at, chunk);
        struct tk_cobs_cursor cursor = { copy, 0, chunk };
        while (tk_cobs_next(&cobs, &alloc, &cursor, &piece)) check_piece(&stream, &piece);
        check(cursor.at == chunk);
        heap_drop(copy, chunk);
    }
    if (tk_cobs_finish(&cobs, &piece)) check_piece(&stream, &piece);
    check(stream.covered == len);
    tk_alloc_free_all(&alloc);
}

static void round_trip(const uint8_t *payload, size_t len) {
    static uint8_t frame[COBS_ENCODED(MAX_LEN)], out[sizeof frame + TK_COBS_OVERRUN];
    size_t frame_len = cobs_encode(payload, len, frame);
    unsigned char *alone = heap_copy(frame, frame_len);
    check(tk_cobs_decode(alone, frame_len, 0, out) == (ptrdiff_t)len);
    check(!len || !memcmp(out, payload, len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    const uint8_t *bytes = take_bytes(&from, MAX_LEN, &len);
    read_cut(bytes, len, 0);
    if (cuts) read_cut(bytes, len, cuts);
    round_trip(bytes, len);
    heap_reset();
    return 0;
}
