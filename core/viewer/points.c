// SPDX-License-Identifier: MIT
#include "points.h"

enum { HEAD = 3, WORD = 64, MOST = 57 }; // numbers of at most MOST bits that begin in any bit of a byte are in one word

// Orders signed numbers as unsigned ones.
static const uint64_t sign = (uint64_t)1 << 63;

static unsigned bytes_of(unsigned count, unsigned bits) { return (count * bits + 7) / 8; }

// Writes numbers with as many bits as the largest one needs; with 64 instead of more than MOST, so that each begins
// with a byte. Returns the end.
static uint8_t *write(uint8_t *to, const uint64_t *numbers, unsigned count, uint8_t *out_bits) {
    uint64_t all = 0, word = 0;
    unsigned bits = 0, waiting = 0;
    for (unsigned i = 0; i < count; i++) all |= numbers[i];
    while (bits < WORD && all >> bits) bits++;
    *out_bits = (uint8_t)(bits = bits > MOST ? WORD : bits);
    for (unsigned i = 0; i < count; i++) {
        word |= numbers[i] << waiting;
        for (waiting += bits; waiting >= 8; waiting -= 8, word >>= 8) *to++ = (uint8_t)word;
    }
    if (waiting) *to++ = (uint8_t)word;
    return to;
}

size_t tk_points_pack(const struct tk_point *points, unsigned count, uint8_t kind, uint8_t out[TK_PACKED_MAX]) {
    uint64_t numbers[TK_GROUP_POINTS] = { 0 }, smallest = UINT64_MAX;
    uint8_t *to = out + HEAD;
    if (kind >= TK_ROW_NUMBERS) {
        for (unsigned i = 0; i < count; i++)
            if ((points[i].value ^ sign) < smallest) smallest = points[i].value ^ sign;
        for (unsigned i = 0; i < 8; i++) *to++ = (uint8_t)(smallest >> 8 * i);
    }
    for (unsigned i = 0; i < count; i++) numbers[i] = i ? points[i].ticks - points[i - 1].ticks : 0;
    to = write(to, numbers, count, &out[1]);
    for (unsigned i = 0; i < count; i++)
        numbers[i] = kind >= TK_ROW_NUMBERS ? (points[i].value ^ sign) - smallest : points[i].value;
    to = write(to, numbers, count, &out[2]);
    out[0] = points[0].is_double;
    return (size_t)(to - out);
}

static uint64_t mask_of(unsigned bits) { return bits == WORD ? UINT64_MAX : ((uint64_t)1 << bits) - 1; }

struct tk_packed tk_points_packed(const uint8_t *bytes, unsigned count, uint8_t kind) {
    bool has_base = kind >= TK_ROW_NUMBERS;
    unsigned step_bits = bytes[1], value_bits = bytes[2];
    const uint8_t *steps = bytes + HEAD + (has_base ? 8 : 0);
    return (struct tk_packed){ .steps = steps,
                               .values = steps + bytes_of(count, step_bits),
                               .step_bits = step_bits,
                               .value_bits = value_bits,
                               .step_mask = mask_of(step_bits),
                               .value_mask = mask_of(value_bits),
                               .base = has_base ? tk_load64(bytes + HEAD) : 0,
                               .flip = has_base ? sign : 0,
                               .is_double = bytes[0] };
}
