// SPDX-License-Identifier: MIT
#include "hdlc.h"

#include <string.h>

enum { FLAG = TK_HDLC_FLAG, ESCAPE = TK_HDLC_ESCAPE, FLIP = 0x20 };

// Removes escapes and sums the bytes. Returns false if the frame ends inside an escape.
static bool read_raw(const uint8_t *raw, size_t len, uint8_t *out, size_t *out_len, uint8_t *out_sum) {
    uint8_t *to = out, sum = 0;
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = raw[i];
        if (byte == ESCAPE) {
            if (++i == len) return false;
            byte = raw[i] ^ FLIP;
        }
        *to++ = byte;
        sum = (uint8_t)(sum + byte);
    }
    *out_len = (size_t)(to - out);
    *out_sum = sum;
    return true;
}

static enum tk_hdlc_verdict verify(struct tk_hdlc *hdlc, struct tk_hdlc_frame *frame) {
    uint8_t sum;
    if (!frame->raw_len) return TK_HDLC_EMPTY;
    if (frame->raw_len > TK_HDLC_MAX_RAW) return TK_HDLC_TOO_LONG;
    frame->bytes = hdlc->plain;
    if (!read_raw(frame->raw, (size_t)frame->raw_len, hdlc->plain, &frame->len, &sum)) return TK_HDLC_ABORTED;
    if (frame->len > TK_HDLC_MAX) return TK_HDLC_TOO_LONG;
    if (frame->len < TK_HDLC_MIN) return TK_HDLC_SHORT;
    return sum == 0xFF ? TK_HDLC_OK : TK_HDLC_BAD_SUM;
}

static void carry(struct tk_hdlc *hdlc, const uint8_t *bytes, size_t len) {
    size_t room = TK_HDLC_MAX_RAW - hdlc->carry_len, step = len < room ? len : room;
    memcpy(hdlc->carry + hdlc->carry_len, bytes, step);
    hdlc->carry_len += step;
    hdlc->carry_raw += len;
}

bool tk_hdlc_next(struct tk_hdlc *hdlc, struct tk_hdlc_cursor *cursor, struct tk_hdlc_frame *out_frame) {
    size_t left = cursor->len - cursor->at;
    if (!left) return false;
    const uint8_t *start = cursor->bytes + cursor->at, *flag = memchr(start, FLAG, left);
    if (!flag) {
        carry(hdlc, start, left);
        cursor->at = cursor->len;
        return false;
    }
    size_t len = (size_t)(flag - start);
    cursor->at += len + 1;
    *out_frame = (struct tk_hdlc_frame){
        .offset = hdlc->offset, .number = hdlc->number++, .raw = start, .raw_kept = len, .raw_len = len
    };
    if (hdlc->carry_raw) {
        carry(hdlc, start, len);
        out_frame->raw = hdlc->carry;
        out_frame->raw_kept = hdlc->carry_len;
        out_frame->raw_len = hdlc->carry_raw;
        hdlc->carry_len = 0;
        hdlc->carry_raw = 0;
    }
    hdlc->offset += out_frame->raw_len + 1;
    out_frame->verdict = verify(hdlc, out_frame);
    return true;
}

uint64_t tk_hdlc_tail(const struct tk_hdlc *hdlc) { return hdlc->carry_raw; }
