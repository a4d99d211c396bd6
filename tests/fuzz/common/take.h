// SPDX-License-Identifier: MIT
// Reads the fuzzer's bytes: bytes, and numbers whose first byte gives the number of following bytes. At the end
// everything is 0.
#ifndef TK_FUZZ_TAKE_H
#define TK_FUZZ_TAKE_H

#include <stddef.h>
#include <stdint.h>

struct take {
    const uint8_t *at, *end;
};

static inline unsigned take_byte(struct take *from) { return from->at < from->end ? *from->at++ : 0; }

static inline size_t take_left(const struct take *from) { return (size_t)(from->end - from->at); }

// Returns up to `max` bytes; *out_len: their number.
static inline const uint8_t *take_bytes(struct take *from, size_t max, size_t *out_len) {
    const uint8_t *bytes = from->at;
    *out_len = max < take_left(from) ? max : take_left(from);
    from->at += *out_len;
    return bytes;
}

// Small numbers take one byte; then little-endian numbers; then limits at which counters wrap.
static inline uint64_t take_number(struct take *from) {
    static const uint64_t telling[] = { UINT8_MAX,      UINT16_MAX, UINT16_MAX + 1u,   INT32_MAX,
                                        INT32_MAX + 1u, UINT32_MAX, UINT32_MAX + 1ull, INT64_MAX / 2,
                                        INT64_MAX - 1,  INT64_MAX,  INT64_MAX + 1ull,  UINT64_MAX - 1,
                                        UINT64_MAX,     1ull << 40, 1ull << 24,        1000000000 };
    unsigned first = take_byte(from);
    if (first < 0xE0) return first;
    if (first >= 0xF0) return telling[first - 0xF0];
    uint64_t value = 0;
    for (unsigned i = 0; i < first % 8 + 1; i++) value |= (uint64_t)take_byte(from) << 8 * i;
    return value;
}

#endif
