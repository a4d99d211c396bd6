// SPDX-License-Identifier: MIT
//
// Reads little-endian base-128 numbers (varints), finds bytes and hashes. Unless stated otherwise, a function never
// reads at or after `end`.
#ifndef TK_BASE_BYTES_H
#define TK_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Reads a number. Returns the position after it, or NULL if it does not end before `end` or exceeds the type.
static inline const uint8_t *tk_varint64_read(const uint8_t *at, const uint8_t *end, uint64_t *out_value) {
    if (at < end && *at < 0x80) {
        *out_value = *at;
        return at + 1;
    }
    uint64_t value = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 63 && byte > 1) return NULL;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out_value = value;
            return at;
        }
    }
    return NULL;
}

static inline const uint8_t *tk_varint32_read(const uint8_t *at, const uint8_t *end, uint32_t *out_value) {
    if (at < end && *at < 0x80) {
        *out_value = *at;
        return at + 1;
    }
    uint32_t value = 0;
    for (unsigned shift = 0; at < end && shift < 35; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 28 && byte > 0x0F) return NULL;
        value |= (uint32_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out_value = value;
            return at;
        }
    }
    return NULL;
}

// memcpy for mostly short copies: copies up to 16 bytes inline, with overlapping loads. In WebAssembly memcpy is a
// call.
static inline void tk_copy(void *to, const void *from, size_t len) {
    uint8_t *out = to;
    const uint8_t *in = from;
    if (len > 16) {
        memcpy(out, in, len);
    } else if (len >= 8) {
        uint64_t first, last;
        memcpy(&first, in, 8), memcpy(&last, in + len - 8, 8);
        memcpy(out, &first, 8), memcpy(out + len - 8, &last, 8);
    } else if (len >= 4) {
        uint32_t first, last;
        memcpy(&first, in, 4), memcpy(&last, in + len - 4, 4);
        memcpy(out, &first, 4), memcpy(out + len - 4, &last, 4);
    } else {
        for (size_t i = 0; i < len; i++) out[i] = in[i];
    }
}

// Bytes after the start of a number that must be readable for tk_varint_read_ahead.
enum { TK_VARINT_SLACK = 8 };

// Reads a number of up to eight bytes without checking for the end of the input: the caller compares the returned
// position. Eight bytes from `at` on must be readable. Returns NULL if the number is longer.
static inline const uint8_t *tk_varint_read_ahead(const uint8_t *at, uint64_t *out_value) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    memcpy(&word, at, 8);
    uint64_t stop = ~word & 0x8080808080808080u;
    if (!stop) return NULL;
    uint64_t first = stop & (0 - stop);
    word &= first ^ (first - 1); // keep the bytes up to the end of the number
    word = (word & 0x007F007F007F007Fu) | (word & 0x7F007F007F007F00u) >> 1; // join the groups of seven bits in three
                                                                             // steps
    word = (word & 0x00003FFF00003FFFu) | (word & 0x3FFF00003FFF0000u) >> 2;
    *out_value = (word & 0x000000000FFFFFFFu) | (word & 0x0FFFFFFF00000000u) >> 4;
    return at + (unsigned)__builtin_ctzll(first) / 8 + 1;
#else
    return tk_varint64_read(at, at + 8, out_value);
#endif
}

// Returns the index of the first zero byte, or len. Reads eight bytes per step; for short frames a call of memchr would
// cost more.
static inline size_t tk_find_zero(const uint8_t *bytes, size_t len) {
    size_t at = 0;
    for (; at + 8 <= len; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        uint64_t zeros = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
        if (zeros) return at + (size_t)__builtin_ctzll(zeros) / 8;
#else
        if (memchr(bytes + at, 0, 8)) break;
#endif
    }
    for (; at < len && bytes[at]; at++) {}
    return at;
}

// Returns the index of the first zero byte in 16 readable bytes, or 16. No loop.
static inline size_t tk_find_zero_16(const uint8_t *bytes) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t low, high;
    memcpy(&low, bytes, 8);
    memcpy(&high, bytes + 8, 8);
    uint64_t low_zeros = (low - ones) & ~low & tops, high_zeros = (high - ones) & ~high & tops;
    uint64_t in_high = 0 - (uint64_t)(low_zeros == 0), zeros = low_zeros | (high_zeros & in_high); // without a branch:
                                                                                                   // about half of the
                                                                                                   // frames end in each
                                                                                                   // word
    return zeros ? (size_t)__builtin_ctzll(zeros) / 8 + (8 & in_high) : 16;
#else
    return tk_find_zero(bytes, 16);
#endif
}

// Returns true if all bytes are 0: the first one is, and each other one equals the one before it. memcmp compares many
// bytes at once.
static inline bool tk_is_zero(const uint8_t *bytes, size_t len) {
    return !len || (!bytes[0] && !memcmp(bytes, bytes + 1, len - 1));
}

// Load little-endian numbers; one load on little-endian processors.
static inline uint32_t tk_load32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static inline uint64_t tk_load64(const uint8_t *at) { return tk_load32(at) | (uint64_t)tk_load32(at + 4) << 32; }

static inline uint64_t tk_hash_step(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u; // the multiplication spreads bits to the left
    return hash ^ hash >> 32;
}

// Hashes eight bytes per step, the last ones with overlapping loads. The final step spreads differences in the last
// byte.
static inline uint64_t tk_hash_bytes(const uint8_t *bytes, size_t len) {
    uint64_t hash = tk_hash_step(0, len), last = 0;
    for (; len > 8; bytes += 8, len -= 8) hash = tk_hash_step(hash, tk_load64(bytes));
    if (len >= 4) last = tk_load32(bytes) | (uint64_t)tk_load32(bytes + len - 4) << 32;
    else if (len) last = bytes[0] | (uint64_t)bytes[len / 2] << 8 | (uint64_t)bytes[len - 1] << 16;
    return tk_hash_step(tk_hash_step(hash, last), 0);
}

#endif
