// SPDX-License-Identifier: MIT
#include "floor.h"

#include <string.h>

enum { LONGEST = 256, PACKET_ROOM = LONGEST + 64 };

static const uint8_t *get_varint(const uint8_t *at, const uint8_t *end, uint64_t *out_value) {
    uint64_t value = 0;
    for (unsigned shift = 0; at < end; shift = (shift + 7) & 63) {
        value |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128) break;
    }
    *out_value = value;
    return at;
}

static uint8_t *put_varint(uint8_t *to, uint64_t value) {
    for (; value > 127; value >>= 7) *to++ = (uint8_t)(value | 128);
    *to++ = (uint8_t)value;
    return to;
}

// What follows the time: a number, then perhaps a text.
static uint8_t *put_fields(uint8_t *to, const uint8_t *at, const uint8_t *end) {
    uint64_t number;
    at = get_varint(at, end, &number);
    *to++ = 0x50; // name
    to = put_varint(to, number);
    size_t text_len = (size_t)(end - at);
    if (text_len == 0) return to;
    *to++ = 0xBA, *to++ = 0x01;
    *to++ = (uint8_t)text_len;
    memcpy(to, at, text_len);
    return to + text_len;
}

// A packet with time since the event before, sequence, kind, track and what the event says.
static void append(const uint8_t *plain, size_t len, struct floor_output *out) {
    if (out->len > sizeof out->block - PACKET_ROOM) {
        out->total += out->len;
        out->len = 0;
    }
    if (len == 0) return;
    const uint8_t *end = plain + len;
    uint64_t time;
    const uint8_t *at = get_varint(plain + 1, end, &time);
    uint8_t *packet = out->block + out->len, *to = packet + 2;
    *to++ = 0x40;
    to = put_varint(to, time - out->last_time);
    *to++ = 0x50, *to++ = 0x01;
    *to++ = 0x5A;
    uint8_t *event_len = to++;
    *to++ = 0x48, *to++ = 0x01;
    *to++ = 0x58, *to++ = plain[0] & 127;
    if (at < end) to = put_fields(to, at, end);
    *event_len = (uint8_t)(to - event_len - 1);
    packet[0] = 0x0A;
    packet[1] = (uint8_t)(to - packet - 2);
    out->len = (size_t)(to - out->block);
    out->last_time = time;
    out->packets++;
}

// Splits and decodes in one pass: of several ways that were tried (memchr first, words at a time) this was the fastest.
void floor_slice(const uint8_t *bytes, size_t len, struct floor_output *out) {
    uint8_t plain[LONGEST];
    for (size_t at = 0; at < len; at++) {
        uint8_t code = bytes[at], left = code, byte;
        size_t plain_len = 0;
        if (code == 0) continue;
        for (at++; at < len && (byte = bytes[at]) != 0 && plain_len < LONGEST; at++) {
            if (--left > 0) {
                plain[plain_len++] = byte;
                continue;
            }
            if (code < 255) plain[plain_len++] = 0;
            left = code = byte;
        }
        append(plain, plain_len, out);
    }
}
