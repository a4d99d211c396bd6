// SPDX-License-Identifier: MIT
//
// Threads as cores: each writes its own ring without a lock while another one reads all of them.
#include "stream.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { EVENTS = 6000, STOPS = 400000 };

static struct stream streams[TEST_CORES];
static atomic_uint running;

static void *run_core(void *argument) {
    struct stream *stream = argument;
    this_core = (unsigned)(stream - streams);
    seed = this_core + 11;
    for (unsigned i = 0; i < EVENTS; i++) stream_event(stream);
    atomic_fetch_sub(&running, 1);
    return NULL;
}

static void *read_cores(void *argument) {
    (void)argument;
    seed = 5;
    while (atomic_load(&running)) {
        for (unsigned core = 0; core < TEST_CORES; core++) receive(&streams[core], core, random64() % 200);
        sched_yield();
    }
    return NULL;
}

static size_t assert_begins_with_number(const struct stream *stream, uint32_t core) {
    uint32_t number;
    size_t len = frame_len(stream->bytes, stream->len);
    assert_true(number_of(stream->bytes, len, 0x00, &number));
    assert_int_equal(number, core);
    return len;
}

static bool is_timed(const uint8_t *frame, size_t len) {
    uint8_t scratch[512 + TB_SCRATCH_MORE], id;
    struct tk_event event = { 0 };
    assert_int_equal(tb_decode_piece(frame, len - 1, 0, scratch, &event, &id), TB_OK);
    return event.timed;
}

// Checks whole frames, each an event of this core, in their order; names that found no space come later, in their own
// order. Returns their number.
static unsigned assert_events(const struct stream *stream, size_t at) {
    unsigned received = 0, nexts[2] = { 0, 0 }; // of names, of events
    uint32_t count, last = 0;
    for (size_t len; at < stream->len; at += len) {
        len = frame_len(stream->bytes + at, stream->len - at);
        if (number_of(stream->bytes + at, len, 0x01, &count)) {
            assert_true(count >= last);
            last = count;
            continue;
        }
        bool timed = is_timed(stream->bytes + at, len);
        unsigned *next = &nexts[timed];
        while (*next < stream->event_count &&
               (stream->events[*next].timed != timed || !is_frame_of(stream->bytes + at, len, &stream->events[*next])))
            ++*next;
        assert_true((*next)++ < stream->event_count);
        received++;
    }
    return received;
}

static void run_all(void) {
    pthread_t cores[TEST_CORES], reader;
    atomic_store(&running, TEST_CORES);
    pthread_create(&reader, NULL, read_cores, NULL);
    for (unsigned i = 0; i < TEST_CORES; i++) pthread_create(&cores[i], NULL, run_core, &streams[i]);
    for (unsigned i = 0; i < TEST_CORES; i++) pthread_join(cores[i], NULL);
    pthread_join(reader, NULL);
}

static void each_core_has_its_ring(void **state) {
    (void)state;
    for (unsigned i = 0; i < TEST_CORES; i++)
        streams[i] = (struct stream){ calloc(EVENTS, sizeof(struct sample)), 0, malloc(MOST_BYTES), 0 };
    tband_isr_name(1, "on core 0");
    assert_int_equal(tband_start_streaming(), 0);
    size_t names = tband_get_metadata_buf_amnt(0); // no other core has recorded names yet
    run_all();
    assert_int_equal(tband_stop_streaming(), 0);
    uint32_t received = 0, waiting = 0; // names that were recorded while the ring was full
    for (unsigned i = 0; i < TEST_CORES; i++) {
        for (int half = 0; half < 2; half++) receive(&streams[i], i, SIZE_MAX);
        received += assert_events(&streams[i], assert_begins_with_number(&streams[i], i) + (i ? 0 : names));
        waiting += (uint32_t)tband_get_metadata_buf_amnt(i) / 5; // at most: the shortest frames have five bytes
        free(streams[i].events);
        free(streams[i].bytes);
    }
    assert_true(tband_tracing_finished());
    assert_in_range(received + tband_get_dropped(), TEST_CORES * EVENTS - waiting, TEST_CORES * EVENTS);
    assert_true(tband_get_dropped() > 0);
}

static void *change_groups(void *argument) {
    (void)argument;
    this_core = 1;
    for (unsigned i = 0; atomic_load(&running); i++) tband_set_groups(i % 2 ? TBAND_GROUPS_ALL : TBAND_GROUP_MARKERS);
    return NULL;
}

// Another core changes the recorded groups while this one starts and stops.
static void a_stop_takes_effect_while_other_cores_record(void **state) {
    (void)state;
    pthread_t other;
    atomic_store(&running, 1);
    pthread_create(&other, NULL, change_groups, NULL);
    for (unsigned i = 0; i < STOPS; i++) {
        const uint8_t *bytes;
        assert_int_equal(tband_restart_streaming(), 0);
        assert_int_equal(tband_stop_streaming(), 0);
        for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len)) {}
        for (unsigned look = 0; look < 20; look++) assert_false(tband_tracing_enabled());
    }
    atomic_store(&running, 0);
    pthread_join(other, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_core_has_its_ring),
                                        cmocka_unit_test(a_stop_takes_effect_while_other_cores_record) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
