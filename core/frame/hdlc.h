// SPDX-License-Identifier: MIT
//
// Frames that end with 7E, with 7D as escape (the next byte XOR 20) and a sum byte at their end. docs/formats/qs.md, "Framing".
#ifndef TK_FRAME_HDLC_H
#define TK_FRAME_HDLC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TK_HDLC_MAX = 512, TK_HDLC_MAX_RAW = 2 * TK_HDLC_MAX, TK_HDLC_MIN = 3, TK_HDLC_SLACK = 8 };

enum tk_hdlc_verdict { TK_HDLC_OK, TK_HDLC_EMPTY, TK_HDLC_SHORT, TK_HDLC_BAD_SUM, TK_HDLC_ABORTED, TK_HDLC_TOO_LONG };

// What stands before a 7E.
struct tk_hdlc_frame {
    const uint8_t *bytes; // escapes removed, sum byte included; TK_HDLC_SLACK more may be read; valid until the next call
    size_t len;
    const uint8_t *raw;   // as in the input, without the 7E; raw_len bytes unless TK_HDLC_TOO_LONG
    size_t raw_kept;
    uint64_t raw_len;
    uint64_t offset, number; // of its first byte; frames before it
    enum tk_hdlc_verdict verdict;
};

struct tk_hdlc {
    uint64_t offset, number; // of the current frame
    uint64_t carry_raw;      // its length so far, where it was cut by a chunk end
    size_t carry_len;        // of them kept
    uint8_t carry[TK_HDLC_MAX_RAW + TK_HDLC_SLACK];
    uint8_t plain[TK_HDLC_MAX_RAW + TK_HDLC_SLACK];
};

struct tk_hdlc_cursor {
    const uint8_t *bytes;
    size_t at, len;
};

// The next frame that ends in the chunk. False: the chunk is used up.
bool tk_hdlc_next(struct tk_hdlc *hdlc, struct tk_hdlc_cursor *cursor, struct tk_hdlc_frame *out_frame);
// Bytes behind the last 7E; 0: none.
uint64_t tk_hdlc_tail(const struct tk_hdlc *hdlc);

#endif
