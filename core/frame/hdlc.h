// SPDX-License-Identifier: MIT
//
// Frames that end with 7E, with 7D as escape (the next byte XOR 20) and a sum byte at their end. docs/formats/qs.md,
// "Framing".
#ifndef TK_FRAME_HDLC_H
#define TK_FRAME_HDLC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TK_HDLC_FLAG = 0x7E, TK_HDLC_ESCAPE = 0x7D };
enum { TK_HDLC_MAX = 512, TK_HDLC_MAX_RAW = 2 * TK_HDLC_MAX, TK_HDLC_MIN = 3, TK_HDLC_SLACK = 16 };

enum tk_hdlc_verdict { TK_HDLC_OK, TK_HDLC_EMPTY, TK_HDLC_SHORT, TK_HDLC_BAD_SUM, TK_HDLC_ABORTED, TK_HDLC_TOO_LONG };

// What stands before a 7E.
struct tk_hdlc_frame {
    const uint8_t *bytes; // escapes removed, sum byte included; TK_HDLC_SLACK more may be read; valid until the next
                          // call
    size_t len;
    const uint8_t *raw; // as in the input, without the 7E; raw_len bytes unless TK_HDLC_TOO_LONG
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

// ---- The common frame: whole in the chunk, without escapes, with the right sum; read in place ------

static inline uint64_t tk_hdlc_word(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, 8);
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    word = 0;
    for (unsigned i = 8; i--;) word = word << 8 | at[i];
#endif
    return word;
}

// Of eight bytes: four sums of two each; and whether one of them is 7D, 7E or 7F.
static inline uint64_t tk_hdlc_word_sums(uint64_t word) {
    return (word & 0x00FF00FF00FF00FFu) + (word >> 8 & 0x00FF00FF00FF00FFu);
}
static inline uint64_t tk_hdlc_word_special(uint64_t word) {
    return ((word & 0x7F7F7F7F7F7F7F7Fu) + 0x0303030303030303u) & ~word & 0x8080808080808080u;
}

// Are they free of 7D, 7E and 7F, with the right sum? TK_HDLC_SLACK more bytes may be read.
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

// Where tk_hdlc_is_at_frame_start: is the next frame one, with `len` bytes, the sum byte included, from TK_HDLC_MIN to
// TK_HDLC_MAX, where `left` bytes of the chunk are left? TK_HDLC_SLACK more bytes may be read then. False: tk_hdlc_next
// looks closer.
static inline bool tk_hdlc_is_unescaped(const uint8_t *at, size_t left, size_t len) {
    return left > len + TK_HDLC_SLACK && at[len] == TK_HDLC_FLAG && tk_hdlc_is_intact(at, len);
}

// Is no frame begun that an earlier chunk cut?
static inline bool tk_hdlc_is_at_frame_start(const struct tk_hdlc *hdlc) { return !hdlc->carry_raw; }

// Goes past frames that were read in place: so many bytes, the 7E included.
static inline void tk_hdlc_consume(struct tk_hdlc *hdlc, struct tk_hdlc_cursor *cursor, size_t bytes, uint64_t frames) {
    hdlc->offset += bytes;
    hdlc->number += frames;
    cursor->at += bytes;
}

#endif
