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
#else
#define TBAND_HOT static inline
#define TBAND_COLD
#endif

struct tband_frame {
    uint8_t *at;   /* the next byte */
    uint8_t *code; /* what becomes the code byte of the present block */
};

/* A zero is not written: its place becomes the code byte of the next block. */
TBAND_HOT void tband_put_byte(struct tband_frame *frame, uint8_t byte) {
    if (byte) {
        *frame->at++ = byte;
        return;
    }
    *frame->code = (uint8_t)(frame->at - frame->code);
    frame->code = frame->at++;
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

/* Only the number 0 has a zero byte: the last byte of any other is above 0, the ones before it have bit 7. */
TBAND_HOT void tband_put_number_above_0(struct tband_frame *frame, uint32_t number) {
    while (number >= 0x80) {
        *frame->at++ = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    *frame->at++ = (uint8_t)number;
}

TBAND_HOT void tband_put_number(struct tband_frame *frame, uint32_t number) {
    if (number) tband_put_number_above_0(frame, number);
    else tband_put_byte(frame, 0);
}

/* Four bytes, the lowest first: one store where the processor has it. */
TBAND_HOT void tband_put_word(struct tband_frame *frame, uint32_t word) {
#if defined(__ARM_FEATURE_UNALIGNED) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    __builtin_memcpy(frame->at, &word, sizeof word);
#else
    frame->at[0] = (uint8_t)word;
    frame->at[1] = (uint8_t)(word >> 8);
    frame->at[2] = (uint8_t)(word >> 16);
    frame->at[3] = (uint8_t)(word >> 24);
#endif
    frame->at += 4;
}

/* Four groups of seven bits at once, each with bit 7; returns the bits above them. */
TBAND_HOT uint64_t tband_put_four_groups(struct tband_frame *frame, uint64_t number) {
    uint32_t groups = (uint32_t)number;
    groups += groups >> 7 << 7;
    groups += groups >> 15 << 15;
    groups += groups >> 23 << 23;
    tband_put_word(frame, groups | 0x80808080u);
    return number >> 28;
}

TBAND_HOT void tband_put_wide_number(struct tband_frame *frame, uint64_t number) {
    if (!(number >> 28)) {
        tband_put_number(frame, (uint32_t)number);
        return;
    }
    do number = tband_put_four_groups(frame, number);
    while (number >> 28);
    tband_put_number_above_0(frame, (uint32_t)number);
}

/* Bit 0 is the sign, the rest the magnitude; the least number, whose magnitude has no room, is a negative zero. */
static inline uint64_t tband_sign_and_magnitude(int64_t value) {
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return magnitude << 1 | (value < 0);
}

TBAND_HOT void tband_put_text(struct tband_frame *frame, const char *text) {
    uint32_t len = 0;
    if (!text) return;
    for (uint8_t byte; len < tband_configMAX_STR_LEN && (byte = (uint8_t)text[len]) != 0; len++) frame->at[len] = byte;
    frame->at += len;
}

#endif
