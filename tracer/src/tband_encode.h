/* SPDX-License-Identifier: MIT */
/*
 * Writes one frame to its place in one pass: bytes as they are, and the COBS codes where zeros would stand. A frame never has 254 bytes
 * without a zero (tband_defaults.h), so no block is full. The caller has made sure that the longest frame fits.
 */
#ifndef TBAND_ENCODE_H
#define TBAND_ENCODE_H

#include <stdint.h>

/* What every event runs through stays in registers also where a compiler saves space. */
#if defined(__GNUC__)
#define TBAND_HOT static inline __attribute__((always_inline, unused)) /* no back end needs all of them */
#define TBAND_COLD __attribute__((noinline))
#define TBAND_LIKELY(condition) __builtin_expect(!!(condition), 1)
#else
#define TBAND_HOT static inline
#define TBAND_COLD
#define TBAND_LIKELY(condition) (condition)
#endif

struct tband_frame {
    uint8_t *at;   /* the next byte */
    uint8_t *code; /* what becomes the code byte of the present block */
};

/* Varints behind `at`, byte by byte; the number is not 0, so that none of their bytes is. Both return the byte behind them. */
uint8_t *tband_put_long_number(uint8_t *at, uint32_t number);
uint8_t *tband_put_wide_number(uint8_t *at, uint64_t number);

/* A zero is not written: its place becomes the code byte of the next block. */
TBAND_HOT void tband_put_zero(struct tband_frame *frame) {
    uint8_t *place = frame->at++;
    *frame->code = (uint8_t)(place - frame->code);
    frame->code = place;
}

TBAND_HOT void tband_put_byte(struct tband_frame *frame, uint8_t byte) {
    if (!byte) {
        tband_put_zero(frame);
        return;
    }
    *frame->at = byte;
    frame->at++;
}

/* head: its low byte is the id of the event, not 0. */
TBAND_HOT void tband_frame_begin(struct tband_frame *frame, uint8_t *at, uint32_t head) {
    at[1] = (uint8_t)head;
    frame->code = at;
    frame->at = at + 2;
}

/* Returns the byte behind the frame. */
TBAND_HOT uint8_t *tband_frame_end(struct tband_frame *frame) {
    *frame->code = (uint8_t)(frame->at - frame->code);
    *frame->at = 0;
    return frame->at + 1;
}

/* Most are one byte. */
TBAND_HOT void tband_put_number(struct tband_frame *frame, uint32_t number) {
    if (TBAND_LIKELY((number - 1u) < 0x7Fu)) {
        *frame->at = (uint8_t)number;
        frame->at++;
    } else if (number) {
        frame->at = tband_put_long_number(frame->at, number);
    } else {
        tband_put_zero(frame);
    }
}

TBAND_HOT void tband_put_wide(struct tband_frame *frame, uint64_t number) {
    if (number) frame->at = tband_put_wide_number(frame->at, number);
    else tband_put_zero(frame);
}

/* Four bytes, the lowest first: one store where the processor has it. */
TBAND_HOT void tband_put_word(uint8_t *at, uint32_t word) {
#if defined(__ARM_FEATURE_UNALIGNED) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    __builtin_memcpy(at, &word, sizeof word);
#else
    at[0] = (uint8_t)word;
    at[1] = (uint8_t)(word >> 8);
    at[2] = (uint8_t)(word >> 16);
    at[3] = (uint8_t)(word >> 24);
#endif
}

/* The lowest 28 bits in four groups of seven, a byte each, with bit 7 set: the upper pair of groups goes two bits up, then in both pairs the upper group one. */
TBAND_HOT uint32_t tband_four_groups(uint32_t number) {
    uint32_t pairs = number + (((number >> 14) * 3u) << 14);
    return (pairs + (pairs & ~UINT32_C(0x007F007F))) | 0x80808080u;
}

/* A time of 0 is recorded as 1, so that it has no zero byte. Most have five bytes. */
TBAND_HOT void tband_put_time(struct tband_frame *frame, uint64_t time) {
    uint8_t *at = frame->at;
    uint64_t rest = time >> 28;
    if (TBAND_LIKELY(rest)) {
        tband_put_word(at, tband_four_groups((uint32_t)time));
        at[4] = (uint8_t)rest;
        frame->at = TBAND_LIKELY(rest < 0x80u) ? &at[5] : tband_put_wide_number(&at[4], rest);
    } else {
        frame->at = tband_put_wide_number(at, time ? time : 1u);
    }
}

/* Bit 0 is the sign, the rest the magnitude; the least number, whose magnitude has no room, is a negative zero. */
static inline uint64_t tband_sign_and_magnitude(int64_t value) {
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return magnitude << 1 | (value < 0);
}

TBAND_HOT void tband_put_text(struct tband_frame *frame, const char *text) {
#if tband_configMAX_STR_LEN > 0
    const uint8_t *end = frame->at + tband_configMAX_STR_LEN;
    uint8_t byte;
    if (!text || (byte = (uint8_t)*text) == 0) return;
    do *frame->at++ = byte;
    while (frame->at != end && (byte = (uint8_t)*++text) != 0);
#else
    (void)frame, (void)text;
#endif
}

#endif
