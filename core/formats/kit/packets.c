// SPDX-License-Identifier: MIT
#include "packets.h"

// Decodes the rest of an earlier chunk together with the bytes that follow it. Returns how many of those bytes are
// used.
static size_t decode_carried(struct tk_packets *packets, void *decoder, const uint8_t *bytes, size_t len) {
    struct tk_carry *carry = &packets->carry;
    size_t before = tk_carry_len(carry), step = tk_carry_fill(carry, packets->alloc, packets->limit, bytes, len),
           used = packets->take(decoder, tk_carry_bytes(carry), tk_carry_len(carry), false);
    bool is_full = packets->is_full(decoder);
    if (is_full || used >= before) tk_carry_cut(carry, before); // the caller passes the bytes of this chunk again
    tk_carry_drop(carry, used < before ? used : before);
    return used >= before ? used - before : is_full ? 0 : step;
}

size_t tk_packets_decode(struct tk_packets *packets, void *decoder, const uint8_t *bytes, size_t len) {
    size_t used = 0;
    while (used < len && !packets->is_full(decoder)) {
        if (tk_packets_left(packets)) {
            used += decode_carried(packets, decoder, bytes + used, len - used);
            continue;
        }
        used += packets->take(decoder, bytes + used, len - used, true);
        if (packets->is_full(decoder)) continue;
        tk_carry_add(&packets->carry, packets->alloc, bytes + used, len - used);
        used = len;
    }
    return packets->alloc->failed ? len : used;
}
