// SPDX-License-Identifier: MIT
//
// Compares the recorded events of a target with its stream: each event occurs once and in order, or is counted as lost
// at its position.
#ifndef TK_TESTS_STREAM_H
#define TK_TESTS_STREAM_H

#include "target.h"

#include "../../tracer/src/tband_control.h"

enum { MOST_EVENTS = 20000, MOST_BYTES = 1 << 20 };

struct stream {
    struct sample *events; // recorded while streaming
    unsigned event_count;
    uint8_t *bytes; // received
    size_t len;
};

static inline uint64_t random_step(void) { return 1 + random64() % 300; }

static inline void stream_event(struct stream *stream) {
    struct sample *sample = &stream->events[stream->event_count++];
    now += random_step();
    *sample = random_event();
    record(sample);
}

// The last byte of the reserve after the ring of a core. No frame reaches it.
static inline uint8_t *last_byte(unsigned core) {
    struct tband_core *of = &tband_control.core[core];
    return &of->ring[sizeof of->ring - 1];
}

// Receives up to `most` bytes.
static inline void receive(struct stream *stream, unsigned core, size_t most) {
    const uint8_t *bytes;
    size_t len = tband_stream_peek(core, &bytes);
    if (len > most) len = most;
    memcpy(stream->bytes + stream->len, bytes, len);
    stream->len += len;
    tband_stream_consume(core, len);
}

// Reads the number in a frame of id 00 or 01; returns false for other frames.
static inline bool number_of(const uint8_t *frame, size_t len, uint8_t id, uint32_t *out_number) {
    uint8_t scratch[512 + TB_SCRATCH_MORE], event_id = 0xFF;
    struct tk_event event = { 0 };
    assert_int_equal(tb_decode_piece(frame, len - 1, 0, scratch, &event, &event_id), TB_OK);
    *out_number = tk_event_id(&event);
    return event_id == id;
}

// Checks that every event is at its position, or counted there as lost. Returns the losses that the stream contains.
static inline uint32_t assert_stream(const struct stream *stream) {
    uint32_t first = 0, last = 0, count = 0;
    unsigned next = 0;
    bool is_count = false;
    assert_true(number_of(stream->bytes, frame_len(stream->bytes, stream->len), 0x01, &first));
    last = first;
    for (size_t at = 0, len; at < stream->len; at += len) {
        len = frame_len(stream->bytes + at, stream->len - at);
        is_count = number_of(stream->bytes + at, len, 0x01, &count);
        if (is_count) {
            next += count - last;
            last = count;
        } else {
            assert_true(next < stream->event_count);
            assert_frame(stream->bytes + at, len, &stream->events[next++]);
        }
    }
    assert_int_equal(next, stream->event_count);
    assert_true(is_count);
    return last - first;
}

#endif
