// SPDX-License-Identifier: MIT
//
// Unpacks LZ4 blocks: tokens with two lengths, literals, a distance of two bytes. The published decoder needs a whole
// block in memory.
#include "unpack_internal.h"

enum { TOKEN, LITERAL_LENGTH, LITERALS, DISTANCE_LOW, DISTANCE_HIGH, MATCH_LENGTH, MATCH };
enum { LONG = 15, SHORTEST_MATCH = 4 };

static uint8_t after_distance(struct tk_unpack *unpack) {
    unpack->left = unpack->low + SHORTEST_MATCH;
    return unpack->low == LONG ? MATCH_LENGTH : MATCH;
}

static uint8_t after_token(struct tk_unpack *unpack, uint8_t token) {
    unpack->left = token >> 4;
    unpack->low = token & 15;
    return unpack->left == LONG ? LITERAL_LENGTH : unpack->left ? LITERALS : DISTANCE_LOW;
}

// Takes one byte that is not a literal. Returns false if the data is damaged.
static bool take(struct tk_unpack *unpack, const struct tk_unpack_io *io, uint8_t byte) {
    switch (unpack->state) {
    case TOKEN: unpack->state = after_token(unpack, byte); return true;
    case LITERAL_LENGTH:
    case MATCH_LENGTH:
        if (byte != 255) unpack->state++;
        return tk_unpack_long_length(unpack, byte);
    case DISTANCE_LOW:
        unpack->distance = byte;
        unpack->state = DISTANCE_HIGH;
        return true;
    default:
        unpack->distance |= (uint32_t)byte << 8;
        unpack->state = after_distance(unpack);
        return tk_unpack_distance_is_valid(unpack, io);
    }
}

bool tk_lz4_run(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    for (;;) {
        if (unpack->state == MATCH) {
            if (!tk_unpack_match(unpack, io)) return true;
            unpack->state = TOKEN;
        } else if (!io->in_len) {
            return true;
        } else if (unpack->state == LITERALS) {
            if (tk_unpack_literals(unpack, io)) unpack->state = DISTANCE_LOW;
            else if (io->at == io->end) return true;
        } else if (!take(unpack, io, tk_unpack_byte(io))) {
            return false;
        }
    }
}

// A block ends after literals.
bool tk_lz4_is_complete(const struct tk_unpack *unpack) { return unpack->state == DISTANCE_LOW; }
