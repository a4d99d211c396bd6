// SPDX-License-Identifier: MIT
//
// Appends Protobuf's wire format. For the encoders of this folder only.
#ifndef TK_PERFETTO_WIRE_H
#define TK_PERFETTO_WIRE_H

#include <stdint.h>

static inline uint8_t *tk_put_varint(uint8_t *at, uint64_t value) {
    while (value >= 0x80) {
        *at++ = (uint8_t)value | 0x80;
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

// Writes a length below 16384 in two bytes, whatever its value: the content is already there.
static inline void tk_put_length(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value & 0x7F) | 0x80;
    at[1] = (uint8_t)(value >> 7);
}

#endif
