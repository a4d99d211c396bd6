// SPDX-License-Identifier: MIT
#include "floor.h"

#include <stdbool.h>
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

struct event {
    uint8_t id;
    uint64_t time, number;
    const uint8_t *text;
    size_t text_len;
};

// A packet with time since the event before, sequence, kind, track, a number and an optional text.
static void append(const struct event *event, struct floor_output *out) {
    if (out->len > sizeof out->block - PACKET_ROOM) {
        out->total += out->len;
        out->len = 0;
    }
    uint8_t *packet = out->block + out->len, *to = packet + 2;
    *to++ = 0x40;
    to = put_varint(to, event->time - out->last_time);
    *to++ = 0x50, *to++ = 0x01;
    *to++ = 0x5A;
    uint8_t *event_len = to++;
    *to++ = 0x48, *to++ = 0x01;
    *to++ = 0x58, *to++ = event->id & 127;
    *to++ = 0x50;
    to = put_varint(to, event->number);
    if (event->text_len > 0) {
        *to++ = 0xBA, *to++ = 0x01;
        *to++ = (uint8_t)event->text_len;
        memcpy(to, event->text, event->text_len);
        to += event->text_len;
    }
    *event_len = (uint8_t)(to - event_len - 1);
    packet[0] = 0x0A;
    packet[1] = (uint8_t)(to - packet - 2);
    out->len = (size_t)(to - out->block);
    out->last_time = event->time;
    out->packets++;
}

static void append_varints(const uint8_t *plain, size_t len, struct floor_output *out) {
    if (len == 0) return;
    const uint8_t *end = plain + len;
    struct event event = { .id = plain[0] };
    const uint8_t *at = get_varint(plain + 1, end, &event.time);
    event.text = get_varint(at, end, &event.number);
    event.text_len = (size_t)(end - event.text);
    append(&event, out);
}

static uint32_t get_u32(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// Records of QS that do not begin with a time; every fifth or sixth tick record is one.
static const bool untimed[128] = {
    [0] = true,  [1] = true,  [2] = true,  [3] = true,  [9] = true,  [31] = true, [33] = true,
    [54] = true, [55] = true, [56] = true, [57] = true, [58] = true, [60] = true, [61] = true,
    [62] = true, [63] = true, [64] = true, [66] = true, [70] = true
};

// Sequence, id, optional time, fields, checksum: the first bytes of the fields as a number, the others unchanged.
static void append_fixed(const uint8_t *plain, size_t len, struct floor_output *out) {
    if (len < 7) return;
    const uint8_t *at = plain + 2, *end = plain + len - 1;
    struct event event = { .id = plain[1], .time = out->last_time };
    if (!untimed[event.id & 127]) {
        event.time = get_u32(at);
        at += 4;
    }
    size_t rest = (size_t)(end - at), step = rest < 4 ? rest : 4;
    event.number = get_u32(at) & (uint32_t)(((uint64_t)1 << 8 * step) - 1);
    event.text = at + step;
    event.text_len = rest - step;
    append(&event, out);
}

// Splits and decodes in one pass, the fastest of several variants that were measured (memchr first, words at a time).
void floor_cobs(const uint8_t *bytes, size_t len, struct floor_output *out) {
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
        append_varints(plain, plain_len, out);
    }
}

void floor_hdlc(const uint8_t *bytes, size_t len, struct floor_output *out) {
    uint8_t plain[LONGEST + 4] = { 0 };
    size_t plain_len = 0;
    for (size_t at = 0; at < len; at++) {
        uint8_t byte = bytes[at];
        if (byte == 0x7E || plain_len == LONGEST) {
            append_fixed(plain, plain_len, out);
            plain_len = 0;
            continue;
        }
        if (byte == 0x7D && at + 1 < len) byte = bytes[++at] ^ 0x20;
        plain[plain_len++] = byte;
    }
}

static uint32_t get_big_endian(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// A call is a packet that begins a slice, with its name and two details, and a packet that ends it.
void floor_calls(const uint8_t *bytes, size_t len, struct floor_output *out) {
    for (size_t at = 0; at + 10 <= len;) {
        if ((bytes[at] & 0xFE) != 0xC0) {
            at++;
            continue;
        }
        struct event begin = { .id = 1,
                               .time = out->last_time + 1,
                               .number = get_big_endian(bytes + at + 2) & 0x3FFF,
                               .text = bytes + at,
                               .text_len = 10 };
        begin.number ^= get_big_endian(bytes + at + 6) & 127;
        struct event end = { .id = 2, .time = begin.time, .number = bytes[at + 1] };
        append(&end, out);
        append(&begin, out);
        at += 10;
    }
}

// Header, clock, and a table of entries of 48 bytes.
static size_t header_len(const uint8_t *bytes, size_t len) {
    return len < 72 ? len : 72 + (size_t)get_u32(bytes + 60) * (20 + get_u32(bytes + 64));
}

void floor_words(const uint8_t *bytes, size_t len, struct floor_output *out) {
    size_t at = out->begun ? out->skip : header_len(bytes, len);
    out->begun = true;
    for (; at + 8 <= len;) {
        size_t words = bytes[at + 1] >> 4, size = 8 + 4 * words;
        if (at + size <= len) {
            struct event event = { .id = bytes[at], .time = get_u32(bytes + at + 4) };
            event.number = words ? get_u32(bytes + at + 8) : 0;
            event.text = bytes + at + 12;
            event.text_len = words > 1 ? 4 * (words - 1) : 0;
            append(&event, out);
        }
        at += size;
    }
    out->skip = at > len ? at - len : 0;
}

// ---- flux: samples; definitions between them are skipped ----

static const uint8_t *skip_value(const uint8_t *at, const uint8_t *end) {
    uint64_t size;
    at = get_varint(at, end, &size);
    return size < (size_t)(end - at) ? at + size : end;
}

// Fields of a definition: b a byte, n a number, v a value after its length.
static const uint8_t *skip_definition(const uint8_t *at, const uint8_t *end) {
    static const char *const fields[256] = {
        [0x01] = "bbbbbnvvbnn", [0x10] = "nnvv", [0x11] = "nnvvbv", [0x20] = "nvvv", [0x30] = "nnvn", [0x31] = "nnnvbv"
    };
    uint64_t number;
    if (end - at < 2) return end;
    const char *next = fields[at[1]];
    for (at += 2; next && *next && at < end; next++)
        at = *next == 'v' ? skip_value(at, end) : *next == 'n' ? get_varint(at, end, &number) : at + 1;
    return at;
}

// Number of the item with flags, optional tag, time since the sample before, and the bytes of the value.
static const uint8_t *take_sample(const uint8_t *at, const uint8_t *end, struct floor_output *out) {
    uint64_t item, step = 0, size;
    at = get_varint(at, end, &item);
    if (item & 4 && at < end) at++;
    if (item & 2) at = get_varint(at, end, &step);
    at = get_varint(at, end, &size);
    size >>= 4;
    if (size > (size_t)(end - at)) size = (size_t)(end - at);
    struct event event = { .id = (uint8_t)(item >> 3), .time = out->last_time + step };
    size_t first = size < 8 ? size : 8;
    for (size_t i = 0; i < first; i++) event.number |= (uint64_t)at[i] << 8 * i;
    event.text = at + first;
    event.text_len = size - first < LONGEST ? size - first : 0;
    append(&event, out);
    return at + size;
}

// Reads the entries that begin before `stop`. Returns the position after them.
static const uint8_t *take_entries(const uint8_t *at, const uint8_t *stop, const uint8_t *end,
                                   struct floor_output *out) {
    while (at < stop) at = *at ? take_sample(at, end, out) : skip_definition(at, end);
    return at;
}

void floor_flux(const uint8_t *bytes, size_t len, struct floor_output *out) {
    enum { HALF = sizeof out->rest / 2 };
    const uint8_t *at = bytes;
    if (len < sizeof out->rest) return;
    if (out->rest_len) {
        const uint8_t *stop = out->rest + out->rest_len;
        memcpy(out->rest + out->rest_len, bytes, HALF);
        at += take_entries(out->rest, stop, stop + HALF, out) - stop;
    }
    at = take_entries(at, bytes + len - HALF, bytes + len, out);
    out->rest_len = (size_t)(bytes + len - at);
    memcpy(out->rest, at, out->rest_len);
}

// ---- Value change dumps ----

// Digits of a base, with x and z as 0.
static const uint8_t *get_digits(const uint8_t *at, const uint8_t *end, unsigned base, uint64_t *out_value) {
    uint64_t value = 0;
    for (; at < end && *at > ' '; at++) value = value * base + (*at & 15) % base;
    *out_value = value;
    return at;
}

// "0!", "b101 #", "r1.5 &", "sidle '": the value as a number or as text, and the identifier code.
static void take_change(const uint8_t *at, const uint8_t *end, struct floor_output *out) {
    struct event event = { .time = out->last_time, .number = *at & 1 };
    const uint8_t *name = at + 1;
    if (*at == 'b') {
        name = get_digits(at + 1, end, 2, &event.number) + 1;
    } else if (*at == 'r' || *at == 's') {
        while (name < end && *name > ' ') name++;
        event.text = at + 1;
        event.text_len = (size_t)(name - at - 1);
        name++;
    }
    for (; name < end; name++) event.id = (uint8_t)(event.id * 94 + *name);
    append(&event, out);
}

void floor_vcd(const uint8_t *bytes, size_t len, struct floor_output *out) {
    for (const uint8_t *at = bytes, *end = bytes + len, *stop; at < end; at = stop + 1) {
        stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        if (stop - at < 2 || stop - at > LONGEST || *at == '$') continue;
        uint64_t time = 0;
        if (*at != '#') take_change(at, stop, out);
        else if (get_digits(at + 1, stop, 10, &time), time > out->last_time) out->last_time = time;
    }
}
