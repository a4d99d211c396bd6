// SPDX-License-Identifier: MIT
//
// The recorder, streaming into a small ring: events with any fields, at any pace of the reader. The product's decoder
// reads the recorded events from the stream; lost events are counted at their position.
#define TRACER_FUZZ
#include "common/check.h"

#include "../tracer/stream.h"

struct script {
    const uint8_t *at, *end;
};

static uint8_t next_byte(struct script *script) { return script->at < script->end ? *script->at++ : 0; }

// A length, then that many bytes.
static uint64_t next_number(struct script *script) {
    uint64_t number = 0;
    for (unsigned left = next_byte(script) % 9; left; left--) number = number << 8 | next_byte(script);
    return number;
}

static struct sample next_sample(struct script *script, unsigned row) {
    struct sample sample = { .event_id = event_table[row].id, .fields = event_table[row].fields, .time = now };
    sample.timed = has(&sample, 'T');
    if (has(&sample, 'I')) sample.id = (uint32_t)next_number(script);
    if (has(&sample, 'A')) sample.arg = (uint32_t)next_number(script);
    if (has(&sample, 'B')) sample.arg = next_byte(script);
    if (has(&sample, 'V')) sample.value = (int64_t)next_number(script);
    if (has(&sample, 'R')) sample.value = (int64_t)(next_number(script) >> 1);
    if (has(&sample, 'N')) sample.value = now > INT64_MAX ? INT64_MAX : (int64_t)now;
    if (has(&sample, 'Q')) sample.value = (uint32_t)next_number(script);
    if (has(&sample, 'P')) sample.address = (uint32_t)next_number(script);
    unsigned len = has(&sample, 'S') ? next_byte(script) % 32 : 0;
    for (unsigned i = 0; i < len; i++) sample.text[i] = (char)next_byte(script);
    return sample;
}

// A byte: which event, or how much the reader consumes.
static void step(struct script *script, struct stream *stream) {
    unsigned what = next_byte(script);
    if (what >= 2 * EVENT_COUNT) {
        receive(stream, 0, what);
        return;
    }
    now += next_number(script) >> 8;
    struct sample *sample = &stream->events[stream->event_count++];
    *sample = next_sample(script, FIRST_PUBLIC + what % (EVENT_COUNT - FIRST_PUBLIC));
    record(sample);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct sample events[MOST_EVENTS];
    static uint8_t bytes[MOST_BYTES];
    struct stream stream = { events, 0, bytes, 0 };
    struct script script = { data, data + len };
    uint32_t before = tband_get_dropped();
    now = 1;
    check(tband_restart_streaming() == 0);
    while (script.at < script.end && stream.event_count < MOST_EVENTS) step(&script, &stream);
    check(tband_stop_streaming() == 0);
    for (int half = 0; half < 2; half++) receive(&stream, 0, SIZE_MAX);
    check(assert_stream(&stream) == tband_get_dropped() - before);
    return 0;
}
