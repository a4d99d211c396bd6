/* SPDX-License-Identifier: MIT */
/*
 * Writes one frame to its place in one pass: bytes as they are, and the COBS codes where zeros would stand. A frame
 * never has 254 bytes without a zero (tband_defaults.h), so no block is full. The caller has made sure that the longest
 * frame fits.
 */
#ifndef TBAND_ENCODE_H
#define TBAND_ENCODE_H

#include <stdint.h>

/* What every event runs through stays in registers also where a compiler saves space. */
#if defined(__GNUC__)
#define TBAND_HOT static inline __attribute__((always_inline, unused)) /* no back end needs all of them */
#define TBAND_COLD __attribute__((noinline))
#define TBAND_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define TBAND_IN_REGISTER(pointer) \
    __asm__("" : "+r"(pointer)) /* else compilers put the address together again wherever it is used */
#else
#define TBAND_HOT static inline
#define TBAND_COLD
#define TBAND_LIKELY(condition) (condition)
#define TBAND_IN_REGISTER(pointer) ((void)0)
#endif

/* Words at odd addresses too, the lowest byte first. */
#if defined(__ARM_FEATURE_UNALIGNED) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TBAND_STORES_ANYWHERE 1
#else
#define TBAND_STORES_ANYWHERE 0
#endif

struct tband_frame {
    uint8_t *at;   /* the next byte; 0 behind a number or a text, for it is the delimiter if nothing follows */
    uint8_t *code; /* what becomes the code byte of the present block */
};

/* Varints, byte by byte: `at` is where they begin. Return the byte behind them, which becomes 0. This one is for
 * numbers other than 0, so that none of their bytes is. */
uint8_t *tband_put_long_number(uint8_t *at, uint32_t number);
/* Any number. A zero ends the block of this code byte, and its place is that of the next one. */
uint8_t *tband_put_rare_number(uint8_t *at, uint32_t number, uint8_t *code);
uint8_t *tband_put_wide_number(uint8_t *at, uint8_t *code, uint64_t number);
/* A time of less than five bytes behind code and id, then any number. */
uint8_t *tband_put_early_time_and_number(uint8_t *at, uint32_t number, uint32_t time);

/* A byte and the 0 behind it: one store where the processor has it. */
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

/* head: its low byte is the id of the event, not 0. */
TBAND_HOT void tband_frame_begin(struct tband_frame *frame, uint8_t *at, uint32_t head) {
    at[1] = (uint8_t)head;
    frame->code = at;
    frame->at = at + 2;
}

/* Returns the byte behind the frame. */
TBAND_HOT uint8_t *tband_frame_end(struct tband_frame *frame) {
    *frame->code = (uint8_t)(frame->at - frame->code);
    return frame->at + 1;
}

/* Behind a number that was written out of line: the place of a zero is the code byte of the next block. */
TBAND_HOT void tband_frame_continue(struct tband_frame *frame, uint8_t *at) {
    frame->at = at;
    if (at[-1] == 0u) frame->code = &at[-1];
}

/* Most are one byte. */
TBAND_HOT void tband_put_number(struct tband_frame *frame, uint32_t number) {
    if (TBAND_LIKELY((number - 1u) < 0x7Fu)) frame->at = tband_put_small(frame->at, number);
    else tband_frame_continue(frame, tband_put_rare_number(frame->at, number, frame->code));
}

TBAND_HOT void tband_put_wide(struct tband_frame *frame, uint64_t number) {
    tband_frame_continue(frame, tband_put_wide_number(frame->at, frame->code, number));
}

/* Four bytes, the lowest first: one store where the processor has it. */
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

/* The lowest 28 bits in four groups of seven, a byte each, with bit 7 set: the upper pair of groups goes two bits up,
 * then in both pairs the upper group one. */
TBAND_HOT uint32_t tband_four_groups(uint32_t number) {
    uint32_t pairs = ((number >> 14) << 16) | (number & 0x3FFFu);
    return (pairs + (pairs & ~UINT32_C(0x007F007F))) | 0x80808080u;
}

/* A time that has five bytes, as most, or more. What stands behind it is the caller's. */
TBAND_HOT uint8_t *tband_put_late_time(uint8_t *at, uint64_t time) {
    uint64_t rest = time >> 28;
    tband_put_word(at, tband_four_groups((uint32_t)time));
    at[4] = (uint8_t)rest;
    if (TBAND_LIKELY(rest < 0x80u)) return &at[5];
    at[4] |= 0x80u;
    return tband_put_long_number(&at[5], (uint32_t)(rest >> 7));
}

/* One of less; 0 is recorded as 1, so that it has no zero byte. */
TBAND_HOT uint8_t *tband_put_early_time(uint8_t *at, uint32_t time) {
    return tband_put_long_number(at, time ? time : 1u);
}

TBAND_HOT uint8_t *tband_put_time(uint8_t *at, uint64_t time) {
    return ((time >> 28) != 0u) ? tband_put_late_time(at, time) : tband_put_early_time(at, (uint32_t)time);
}

/* The time of an event and the number behind it. */
TBAND_HOT void tband_put_time_and_number(struct tband_frame *frame, uint64_t time, uint32_t number) {
    if (TBAND_LIKELY(time >> 28)) {
        frame->at = tband_put_late_time(frame->at, time);
        tband_put_number(frame, number);
    } else {
        tband_frame_continue(frame, tband_put_early_time_and_number(frame->at, number, (uint32_t)time));
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
    do {
        *frame->at++ = byte;
    } while ((byte = (uint8_t)*++text) != 0 && TBAND_LIKELY(frame->at != end));
    *frame->at = 0;
#else
    (void)frame, (void)text;
#endif
}

#endif
