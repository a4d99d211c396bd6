// SPDX-License-Identifier: MIT
//
// HDLC-like frames: each ends with 7E; 7D escapes a byte (the next byte XOR 20); the last byte of a frame is a
// checksum. docs/formats/qs.md, "Framing".
#ifndef TK_FRAME_HDLC_H
#define TK_FRAME_HDLC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TK_HDLC_FLAG = 0x7E, TK_HDLC_ESCAPE = 0x7D };
enum { TK_HDLC_MAX = 512, TK_HDLC_MAX_RAW = 2 * TK_HDLC_MAX, TK_HDLC_MIN = 3, TK_HDLC_SLACK = 16 };

enum tk_hdlc_verdict { TK_HDLC_OK, TK_HDLC_EMPTY, TK_HDLC_SHORT, TK_HDLC_BAD_SUM, TK_HDLC_ABORTED, TK_HDLC_TOO_LONG };

// The bytes before a 7E.
struct tk_hdlc_frame {
    const uint8_t *bytes; // without escapes, including the checksum; TK_HDLC_SLACK more bytes are readable; valid until
                          // the next call
    size_t len;
    const uint8_t *raw; // bytes as in the input, without the 7E; raw_kept of them
    size_t raw_kept;
    uint64_t raw_len;
    uint64_t offset, number; // offset of the first byte in the input; number of frames before this one
    enum tk_hdlc_verdict verdict;
};

struct tk_hdlc {
    uint64_t offset, number; // position and number of the current frame in the input
    uint64_t carry_raw;      // length so far of a frame that the end of a chunk cut; 0: none
    size_t carry_len;        // number of bytes of it in `carry`
    uint8_t carry[TK_HDLC_MAX_RAW + TK_HDLC_SLACK];
    uint8_t plain[TK_HDLC_MAX_RAW + TK_HDLC_SLACK];
};

struct tk_hdlc_cursor {
    const uint8_t *bytes;
    size_t at, len;
};

// Returns the next frame that ends in the chunk. Returns false when the chunk is used up.
bool tk_hdlc_next(struct tk_hdlc *hdlc, struct tk_hdlc_cursor *cursor, struct tk_hdlc_frame *out_frame);
// Returns the number of bytes after the last 7E.
uint64_t tk_hdlc_tail(const struct tk_hdlc *hdlc);

// ---- Fast path: a frame whole in the chunk, without escapes and with a valid checksum; read in place ----

static inline uint64_t tk_hdlc_word(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, 8);
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    word = 0;
    for (unsigned i = 8; i--;) word = word << 8 | at[i];
#endif
    return word;
}

// For eight bytes: tk_hdlc_word_sums returns four sums of two bytes each; tk_hdlc_word_special is not 0 if a byte is
// 7D, 7E or 7F.
static inline uint64_t tk_hdlc_word_sums(uint64_t word) {
    return (word & 0x00FF00FF00FF00FFu) + (word >> 8 & 0x00FF00FF00FF00FFu);
}
static inline uint64_t tk_hdlc_word_special(uint64_t word) {
    return ((word & 0x7F7F7F7F7F7F7F7Fu) + 0x0303030303030303u) & ~word & 0x8080808080808080u;
}

// Returns true if the bytes contain no 7D, 7E or 7F and the checksum is valid. TK_HDLC_SLACK more bytes must be
// readable.
static inline bool tk_hdlc_is_intact(const uint8_t *at, size_t len) {
    uint64_t sums = 0;
    for (; len > 16; len -= 8, at += 8) {
        uint64_t word = tk_hdlc_word(at);
        if (tk_hdlc_word_special(word)) return false;
        sums += tk_hdlc_word_sums(word);
    }
    uint64_t first = tk_hdlc_word(at), last = 0;
    if (len > 8) last = tk_hdlc_word(at + 8) << 8 * (16 - len);
    else first <<= 8 * (8 - len);
    sums += tk_hdlc_word_sums(first) + tk_hdlc_word_sums(last);
    sums += sums >> 32;
    return !(tk_hdlc_word_special(first) | tk_hdlc_word_special(last)) && (uint8_t)(sums + (sums >> 16)) == 0xFF;
}

// Returns true if the next frame has `len` bytes (checksum included, TK_HDLC_MIN .. TK_HDLC_MAX), no escapes and a
// valid checksum. `left`: remaining bytes of the chunk. Requires tk_hdlc_is_at_frame_start. On false, call
// tk_hdlc_next.
static inline bool tk_hdlc_is_unescaped(const uint8_t *at, size_t left, size_t len) {
    return left > len + TK_HDLC_SLACK && at[len] == TK_HDLC_FLAG && tk_hdlc_is_intact(at, len);
}

// Returns true unless an earlier chunk cut the current frame.
static inline bool tk_hdlc_is_at_frame_start(const struct tk_hdlc *hdlc) { return !hdlc->carry_raw; }

// Skips frames that were read in place: `bytes` in total, including each 7E.
static inline void tk_hdlc_consume(struct tk_hdlc *hdlc, struct tk_hdlc_cursor *cursor, size_t bytes, uint64_t frames) {
    hdlc->offset += bytes;
    hdlc->number += frames;
    cursor->at += bytes;
}

#endif
