// SPDX-License-Identifier: MIT
// For tests: builds Tonbandgeraet streams in memory, independently of the decoder.
#ifndef TK_TESTS_STREAM_H
#define TK_TESTS_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cobs_encode.h"

enum { STREAM_CAP = 256 * 1024 };

struct stream {
    uint8_t bytes[STREAM_CAP];
    size_t len;
    uint8_t payload[2048]; // start of the frame being built
    size_t payload_len;
};

// Bytes above the capacity are dropped.
static inline void stream_raw(struct stream *s, const void *bytes, size_t len) {
    if (len > STREAM_CAP - s->len) return;
    memcpy(s->bytes + s->len, bytes, len);
    s->len += len;
}

static inline void stream_byte(struct stream *s, uint8_t byte) { stream_raw(s, &byte, 1); }

static inline void stream_field(struct stream *s, uint64_t number) {
    for (; number >= 0x80; number >>= 7) s->payload[s->payload_len++] = (uint8_t)(number | 0x80);
    s->payload[s->payload_len++] = (uint8_t)number;
}

static inline void stream_begin(struct stream *s, uint8_t id) {
    s->payload_len = 0;
    s->payload[s->payload_len++] = id;
}

static inline void stream_string(struct stream *s, const char *text) {
    size_t len = strlen(text);
    memcpy(s->payload + s->payload_len, text, len);
    s->payload_len += len;
}

static inline void stream_end(struct stream *s) {
    uint8_t frame[COBS_ENCODED(sizeof s->payload)];
    stream_raw(s, frame, cobs_encode(s->payload, s->payload_len, frame));
    stream_byte(s, 0);
}

static inline void stream_event(struct stream *s, uint8_t id, uint64_t ticks, uint64_t number) {
    stream_begin(s, id);
    stream_field(s, ticks);
    stream_field(s, number);
    stream_end(s);
}

static inline void stream_event2(struct stream *s, uint8_t id, uint64_t ticks, uint64_t number, uint64_t more) {
    stream_begin(s, id);
    stream_field(s, ticks);
    stream_field(s, number);
    stream_field(s, more);
    stream_end(s);
}

static inline void stream_name(struct stream *s, uint8_t id, uint64_t number, const char *text) {
    stream_begin(s, id);
    stream_field(s, number);
    stream_string(s, text);
    stream_end(s);
}

static inline void stream_message(struct stream *s, uint8_t id, uint64_t ticks, uint64_t number, const char *text) {
    stream_begin(s, id);
    stream_field(s, ticks);
    stream_field(s, number);
    stream_string(s, text);
    stream_end(s);
}

static inline void stream_tick_length(struct stream *s, uint64_t ns) {
    stream_begin(s, 0x02);
    stream_field(s, ns);
    stream_end(s);
}

#endif
