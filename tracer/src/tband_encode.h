/* SPDX-License-Identifier: MIT */
/*
 * Writes one frame in one pass: data bytes, and the COBS codes in place of zero bytes. A frame never has 254 bytes
 * without a zero (tband_defaults.h), so no COBS block is full. The caller ensures that the longest frame fits.
 */
#ifndef TBAND_ENCODE_H
#define TBAND_ENCODE_H

#include <stdint.h>

/* Forced inline, so that the encoder of every event stays in registers also when the compiler optimises for size. */
#if defined(__GNUC__)
#define TBAND_HOT static inline __attribute__((always_inline, unused)) /* no back end uses all of them */
#define TBAND_COLD __attribute__((noinline))
#define TBAND_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define TBAND_IN_REGISTER(pointer) \
    __asm__("" : "+r"(pointer)) /* otherwise compilers recompute the address at each use */
#else
#define TBAND_HOT static inline
#define TBAND_COLD
#define TBAND_LIKELY(condition) (condition)
#define TBAND_IN_REGISTER(pointer) ((void)0)
#endif

/* Writes words at odd addresses too, the lowest byte first. */
#if defined(__GNUC__) && defined(__ARM_FEATURE_UNALIGNED) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TBAND_STORES_ANYWHERE 1
#else
#define TBAND_STORES_ANYWHERE 0
#endif

/* Returns the end of a text from `begin` to `end` whose limit is within a character of UTF-8: without that character.
 */
uint8_t *tband_cut_text(uint8_t *end, const uint8_t *begin);

struct tband_frame {
    uint8_t *at; /* position of the next byte; after a number or a text it contains 0, which is the delimiter if nothing
                    follows */
    uint8_t *code; /* position of the code byte of the current block */
};

/* Varints, encoded byte by byte: `at` is the start. Return the position after them, which becomes 0. This one is for
 * numbers other than 0, so that none of their bytes is 0. */
uint8_t *tband_put_long_number(uint8_t *at, uint32_t number);
/* Any number. A zero ends the current block, and its position becomes the code byte of the next block. */
uint8_t *tband_put_rare_number(uint8_t *at, uint32_t number, uint8_t *code);
uint8_t *tband_put_wide_number(uint8_t *at, uint8_t *code, uint64_t number);
/* Writes a time of less than five bytes after code and id, then any number. */
uint8_t *tband_put_early_time_and_number(uint8_t *at, uint32_t number, uint32_t time);

/* Writes a byte and the 0 after it: one store if the processor has it. */
TBAND_HOT uint8_t *tband_put_small(uint8_t *at, uint32_t byte) {
#if TBAND_STORES_ANYWHERE
    const uint16_t half = (uint16_t)byte;
    __builtin_memcpy(at, &half, sizeof half);
#else
    at[0] = (uint8_t)byte;
    at[1] = 0;
#endif
    return &at[1];
}

/* head: its low byte is the event id, not 0. */
TBAND_HOT void tband_frame_begin(struct tband_frame *frame, uint8_t *at, uint32_t head) {
    at[1] = (uint8_t)head;
    frame->code = at;
    frame->at = at + 2;
}

/* Returns the position after the frame. */
TBAND_HOT uint8_t *tband_frame_end(struct tband_frame *frame) {
    uint32_t len = (uint32_t)(frame->at - frame->code);
    TBAND_IN_REGISTER(len); /* otherwise GCC cuts it to a byte before it stores the byte */
    *frame->code = (uint8_t)len;
    return frame->at + 1;
}

/* After a number that was encoded out of line, the position of a zero becomes the code byte of the next block. */
TBAND_HOT void tband_frame_continue(struct tband_frame *frame, uint8_t *at) {
    frame->at = at;
    if (at[-1] == 0u) frame->code = &at[-1];
}

/* Most numbers take one byte. */
TBAND_HOT void tband_put_number(struct tband_frame *frame, uint32_t number) {
    if (TBAND_LIKELY((number - 1u) < 0x7Fu)) frame->at = tband_put_small(frame->at, number);
    else tband_frame_continue(frame, tband_put_rare_number(frame->at, number, frame->code));
}

TBAND_HOT void tband_put_wide(struct tband_frame *frame, uint64_t number) {
    tband_frame_continue(frame, tband_put_wide_number(frame->at, frame->code, number));
}

/* Four bytes, the lowest first: one store if the processor has it. */
TBAND_HOT void tband_put_word(uint8_t *at, uint32_t word) {
#if TBAND_STORES_ANYWHERE
    __builtin_memcpy(at, &word, sizeof word);
#else
    at[0] = (uint8_t)word;
    at[1] = (uint8_t)(word >> 8);
    at[2] = (uint8_t)(word >> 16);
    at[3] = (uint8_t)(word >> 24);
#endif
}

/* Encodes the lowest 28 bits as four bytes of seven bits each, with bit 7 set: shifts the upper two groups up by two
 * bits, then the upper group of each pair by one. */
TBAND_HOT uint32_t tband_four_groups(uint32_t number) {
    uint32_t pairs = ((number >> 14) << 16) | (number & 0x3FFFu);
    return (pairs + (pairs & ~UINT32_C(0x007F007F))) | 0x80808080u;
}

/* Writes a time of five bytes (the usual case) or more. The caller writes the bytes after it. */
TBAND_HOT uint8_t *tband_put_late_time(uint8_t *at, uint64_t time) {
    uint64_t rest = time >> 28;
    tband_put_word(at, tband_four_groups((uint32_t)time));
    at[4] = (uint8_t)rest;
    if (TBAND_LIKELY(rest < 0x80u)) return &at[5];
    at[4] |= 0x80u;
    return tband_put_long_number(&at[5], (uint32_t)(rest >> 7));
}

/* Writes a time of fewer bytes; 0 is recorded as 1, so that it has no zero byte. */
TBAND_HOT uint8_t *tband_put_early_time(uint8_t *at, uint32_t time) {
    return tband_put_long_number(at, time ? time : 1u);
}

TBAND_HOT uint8_t *tband_put_time(uint8_t *at, uint64_t time) {
    return ((time >> 28) != 0u) ? tband_put_late_time(at, time) : tband_put_early_time(at, (uint32_t)time);
}

/* Writes the time of an event and the number after it. Most times take five bytes: two words are compared, not one of
 * 64 bits. */
TBAND_HOT void tband_put_time_and_number(struct tband_frame *frame, uint64_t time, uint32_t number) {
    const uint32_t low = (uint32_t)time, high = (uint32_t)(time >> 32), rest = (high << 4) | (low >> 28);
    if (TBAND_LIKELY((high < 8u) && (rest != 0u))) {
        tband_put_word(frame->at, tband_four_groups(low));
        frame->at[4] = (uint8_t)rest;
        frame->at += 5;
    } else if (high == 0u) {
        tband_frame_continue(frame, tband_put_early_time_and_number(frame->at, number, low));
        return;
    } else {
        frame->at = tband_put_late_time(frame->at, time);
    }
    tband_put_number(frame, number);
}

/* Bit 0 is the sign, the rest the magnitude. The smallest number, whose magnitude does not fit, becomes a negative
 * zero. */
static inline uint64_t tband_sign_and_magnitude(int64_t value) {
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return magnitude << 1 | (value < 0);
}

TBAND_HOT void tband_put_text(struct tband_frame *frame, const char *text) {
#if tband_configMAX_STR_LEN > 0
    const uint8_t *end = frame->at + tband_configMAX_STR_LEN;
    uint8_t byte;
    if (!text || (byte = (uint8_t)*text) == 0) return;
    do {
        *frame->at++ = byte;
    } while ((byte = (uint8_t)*++text) != 0 && TBAND_LIKELY(frame->at != end));
    if ((byte & 0xC0u) == 0x80u) frame->at = tband_cut_text(frame->at, end - tband_configMAX_STR_LEN);
    *frame->at = 0;
#else
    (void)frame, (void)text;
#endif
}

#endif
