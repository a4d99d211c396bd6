// SPDX-License-Identifier: MIT
#include "points.h"

#include <string.h>

enum { HEAD = 3, WORD = 64, MOST = 57 }; // numbers of at most MOST bits that begin in any bit of a byte are in one word

// Orders signed numbers as unsigned ones.
static const uint64_t sign = (uint64_t)1 << 63;

// Returns 64 instead of more than MOST: such numbers begin with a byte.
static unsigned bits_of(uint64_t number) {
    unsigned bits = 0;
    while (bits < WORD && number >> bits) bits++;
    return bits > MOST ? WORD : bits;
}

static unsigned bytes_of(unsigned count, unsigned bits) { return (count * bits + 7) / 8; }

static void put(uint8_t *to, unsigned bit, uint64_t number) {
    uint64_t word = tk_load64(to + bit / 8) | number << bit % 8;
    for (unsigned i = 0; i < 8; i++) to[bit / 8 + i] = (uint8_t)(word >> 8 * i);
}

size_t tk_points_pack(const struct tk_point *points, unsigned count, uint8_t kind,
                      uint8_t out[TK_PACKED_MAX + TK_PACKED_AHEAD]) {
    uint64_t longest = 0, smallest = UINT64_MAX, largest = 0, flip = kind >= TK_ROW_NUMBERS ? sign : 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t step = i ? points[i].ticks - points[i - 1].ticks : 0, value = points[i].value ^ flip;
        if (step > longest) longest = step;
        if (value < smallest) smallest = value;
        if (value > largest) largest = value;
    }
    if (!flip) smallest = 0;
    unsigned step_bits = bits_of(longest), value_bits = bits_of(largest - smallest);
    uint8_t *steps = out + HEAD + (flip ? 8 : 0), *values = steps + bytes_of(count, step_bits);
    memset(out, 0, TK_PACKED_MAX + TK_PACKED_AHEAD);
    out[0] = points[0].is_double;
    out[1] = (uint8_t)step_bits;
    out[2] = (uint8_t)value_bits;
    if (flip) put(out + HEAD, 0, smallest);
    for (unsigned i = 0; i < count; i++) {
        put(steps, i * step_bits, i ? points[i].ticks - points[i - 1].ticks : 0);
        put(values, i * value_bits, (points[i].value ^ flip) - smallest);
    }
    return (size_t)(values - out) + bytes_of(count, value_bits);
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
