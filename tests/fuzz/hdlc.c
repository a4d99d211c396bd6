// SPDX-License-Identifier: MIT
//
// Frames with flags, escapes and a checksum. Bytes 0, 1: chunk boundaries. Compared with the simplest implementation;
// the frames and the remaining bytes must cover every byte once.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "frame/hdlc.h"

enum { MAX_LEN = 4096 };

static enum tk_hdlc_verdict plain_verdict(const uint8_t *raw, size_t len, uint8_t *out, size_t *out_len) {
    uint8_t sum = 0;
    *out_len = 0;
    if (!len) return TK_HDLC_EMPTY;
    if (len > TK_HDLC_MAX_RAW) return TK_HDLC_TOO_LONG;
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = raw[i];
        if (byte == 0x7D && ++i == len) return TK_HDLC_ABORTED;
        if (byte == 0x7D) byte = raw[i] ^ 0x20;
        out[(*out_len)++] = byte;
        sum = (uint8_t)(sum + byte);
    }
    if (*out_len > TK_HDLC_MAX) return TK_HDLC_TOO_LONG;
    if (*out_len < TK_HDLC_MIN) return TK_HDLC_SHORT;
    return sum == 0xFF ? TK_HDLC_OK : TK_HDLC_BAD_SUM;
}

struct stream {
    const uint8_t *bytes;
    uint64_t covered, number;
};

static void check_frame(struct stream *stream, const struct tk_hdlc_frame *frame) {
    static uint8_t plain[TK_HDLC_MAX_RAW];
    size_t plain_len;
    const uint8_t *raw = stream->bytes + stream->covered;
    check(frame->offset == stream->covered && frame->number == stream->number++);
    check(raw[frame->raw_len] == 0x7E && !memchr(raw, 0x7E, (size_t)frame->raw_len));
    check(frame->raw_kept <= frame->raw_len && !memcmp(frame->raw, raw, frame->raw_kept));
    check(frame->verdict == plain_verdict(raw, (size_t)frame->raw_len, plain, &plain_len));
    if (frame->verdict == TK_HDLC_OK || frame->verdict == TK_HDLC_BAD_SUM)
        check(frame->len == plain_len && !memcmp(frame->bytes, plain, plain_len));
    check(frame->verdict == TK_HDLC_TOO_LONG || frame->raw_kept == frame->raw_len);
    stream->covered += frame->raw_len + 1;
}

// The faster function for callers that know the expected length.
static bool take_plain(struct stream *stream, struct tk_hdlc *hdlc, struct tk_hdlc_cursor *cursor) {
    static uint8_t plain[TK_HDLC_MAX_RAW];
    const uint8_t *start = cursor->bytes + cursor->at, *flag = memchr(start, 0x7E, cursor->len - cursor->at);
    size_t len = flag ? (size_t)(flag - start) : 0, left = cursor->len - cursor->at - len, plain_len;
    if (len < TK_HDLC_MIN || len > TK_HDLC_MAX) return false;
    if (!tk_hdlc_is_at_frame_start(hdlc)) return false;
    bool is_whole = left > TK_HDLC_SLACK, is_simple = !memchr(start, 0x7D, len) && !memchr(start, 0x7F, len);
    bool is_plain = tk_hdlc_is_unescaped(start, cursor->len - cursor->at, len);
    check(is_plain == (is_whole && is_simple && plain_verdict(start, len, plain, &plain_len) == TK_HDLC_OK));
    for (size_t other = TK_HDLC_MIN; other < len + TK_HDLC_MIN; other++)
        check(other == len || !tk_hdlc_is_unescaped(start, cursor->len - cursor->at, other));
    if (!is_plain) return false;
    check(hdlc->offset == stream->covered && hdlc->number == stream->number++);
    tk_hdlc_consume(hdlc, cursor, len + 1, 1);
    stream->covered += len + 1;
    return true;
}

// cuts: shift register whose values choose the length of each chunk.
static void read_cut(const uint8_t *data, size_t len, unsigned cuts) {
    static struct tk_hdlc hdlc;
    struct stream stream = { data, 0, 0 };
    memset(&hdlc, 0, sizeof hdlc);
    for (size_t at = 0, chunk; at < len; at += chunk) {
        chunk = cuts ? 1 + (cuts & 31) * (cuts & 32 ? 1 : 9) : len;
        cuts = cuts >> 1 | (cuts & 1) << 15;
        if (chunk > len - at) chunk = len - at;
        unsigned char *copy = heap_copy(data + at, chunk);
        struct tk_hdlc_cursor cursor = { copy, 0, chunk };
        struct tk_hdlc_frame frame;
        for (;;) {
            if (stream.number & 1 && take_plain(&stream, &hdlc, &cursor)) continue;
            if (!tk_hdlc_next(&hdlc, &cursor, &frame)) break;
            check_frame(&stream, &frame);
        }
        check(cursor.at == chunk);
        heap_drop(copy, chunk);
    }
    check(stream.covered + tk_hdlc_tail(&hdlc) == len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    const uint8_t *bytes = take_bytes(&from, MAX_LEN, &len);
    read_cut(bytes, len, 0);
    if (cuts) read_cut(bytes, len, cuts);
    heap_reset();
    return 0;
}
