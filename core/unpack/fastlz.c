// SPDX-License-Identifier: MIT
//
// Unpacks FastLZ, levels 1 and 2. The published decoders read beyond damaged input.
#include "unpack_internal.h"

enum { FIRST, CONTROL, LITERALS, LENGTH, DISTANCE, FAR_HIGH, FAR_LOW, MATCH };
enum { SHORTEST_MATCH = 3, LONG = 6, NEAR = 8191 };

static uint8_t after_control(struct tk_unpack *unpack, uint8_t control) {
    unpack->low = control & 31;
    if (control < 32) {
        unpack->left = control + 1u;
        return LITERALS;
    }
    unpack->left = (control >> 5) - 1u;
    return unpack->left == LONG ? LENGTH : DISTANCE;
}

// Starts a match whose length and distance are known.
static bool begin_match(struct tk_unpack *unpack, const struct tk_unpack_io *io) {
    unpack->left += SHORTEST_MATCH;
    unpack->distance++;
    unpack->state = MATCH;
    return tk_unpack_distance_is_valid(unpack, io);
}

static bool take_distance(struct tk_unpack *unpack, const struct tk_unpack_io *io, uint8_t byte) {
    unpack->distance = (uint32_t)unpack->low << 8 | byte;
    if (unpack->level == 1 || byte != 255 || unpack->low != 31) return begin_match(unpack, io);
    unpack->state = FAR_HIGH;
    return true;
}

// Takes one byte that is not a literal. Returns false if the data is damaged.
static bool take(struct tk_unpack *unpack, const struct tk_unpack_io *io, uint8_t byte) {
    switch (unpack->state) {
    case FIRST:
        unpack->level = (uint8_t)((byte >> 5) + 1);
        unpack->state = after_control(unpack, byte & 31);
        return unpack->level <= 2;
    case CONTROL: unpack->state = after_control(unpack, byte); return true;
    case LENGTH:
        if (unpack->level == 1 || byte != 255) unpack->state = DISTANCE;
        return tk_unpack_long_length(unpack, byte);
    case DISTANCE: return take_distance(unpack, io, byte);
    case FAR_HIGH:
        unpack->distance = (uint32_t)byte << 8;
        unpack->state = FAR_LOW;
        return true;
    default: unpack->distance += byte + (uint32_t)NEAR; return begin_match(unpack, io);
    }
}

bool tk_fastlz_run(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    for (;;) {
        if (unpack->state == MATCH) {
            if (!tk_unpack_match(unpack, io)) return true;
            unpack->state = CONTROL;
        } else if (!io->in_len) {
            return true;
        } else if (unpack->state == LITERALS) {
            if (tk_unpack_literals(unpack, io)) unpack->state = CONTROL;
            else if (io->at == io->end) return true;
        } else if (!take(unpack, io, tk_unpack_byte(io))) {
            return false;
        }
    }
}

bool tk_fastlz_is_complete(const struct tk_unpack *unpack) { return unpack->state == CONTROL; }
