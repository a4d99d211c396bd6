// SPDX-License-Identifier: MIT
//
// Packs the points of a group, as the store keeps them. The steps of time have as many bits as the longest one needs,
// the values as many as the difference between the smallest and the largest one. So a reader finds each number without
// reading the ones before, and most groups are smaller than with numbers of variable length.
// Bytes: whether the values are doubles; bits of a step; bits of a value. Rows of numbers: then eight bytes with the
// smallest value (of doubles: of their bits) and its sign bit inverted. Then the steps, then the values, each list
// filled up to a whole byte.
#ifndef TK_VIEWER_POINTS_H
#define TK_VIEWER_POINTS_H

#include "../base/attributes.h"
#include "../base/bytes.h"
#include "block.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    TK_PACKED_MAX = 16 + 2 * 8 * TK_GROUP_POINTS, // most bytes of a group
    TK_PACKED_AHEAD = 8                           // bytes after a group that must be readable
};

struct tk_point {
    uint64_t ticks, value; // value: as in block.h; numbers: the whole number or the bits of the double
    bool is_double;
    bool is_unmeasured; // TK_ROW_SLICES, value 0: the length of the slice before is unknown
    uint8_t woken;      // TK_ROW_TASK: what made the task ready, TK_WOKEN_*; not part of the value
};

// Points as they are packed.
struct tk_packed {
    const uint8_t *steps, *values;
    unsigned step_bits, value_bits;
    uint64_t step_mask, value_mask, base, flip;
    bool is_double;
};

// Returns the number of bytes. points: ascending; their value is that of struct tk_point, of tasks with what made
// them ready. Of is_double only that of the first one counts. kind: enum tk_row_kind.
size_t tk_points_pack(const struct tk_point *points, unsigned count, uint8_t kind, uint8_t out[TK_PACKED_MAX]);
struct tk_packed tk_points_packed(const uint8_t *bytes, unsigned count, uint8_t kind);

TK_INLINE static uint64_t tk_packed_at(const uint8_t *numbers, unsigned bit, uint64_t mask) {
    uint64_t word;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, numbers + bit / 8, sizeof word); // compilers for small code load the bytes one by one in tk_load64
#else
    word = tk_load64(numbers + bit / 8);
#endif
    return word >> bit % 8 & mask;
}
// Returns the time from the point before.
TK_INLINE static uint64_t tk_packed_step(const struct tk_packed *packed, unsigned i) {
    return tk_packed_at(packed->steps, i * packed->step_bits, packed->step_mask);
}
// Returns the value of struct tk_point, of tasks with what made them ready.
TK_INLINE static uint64_t tk_packed_value(const struct tk_packed *packed, unsigned i) {
    return (tk_packed_at(packed->values, i * packed->value_bits, packed->value_mask) + packed->base) ^ packed->flip;
}
// Returns the value of a point without what made a task ready.
TK_INLINE static uint64_t tk_point_value(uint8_t kind, uint64_t value) {
    if (kind == TK_ROW_TASK) return value & ((1u << TK_STATE_BITS) - 1);
    return kind == TK_ROW_SLICES && value == TK_SLICE_UNMEASURED ? 0 : value;
}

#endif
