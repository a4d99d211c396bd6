// SPDX-License-Identifier: MIT
//
// The streams of several cores over one link that takes any number of bytes at a time: each frame arrives whole, in the
// chunk of its core, in its order.
#include "stream.h"

#include "tband_link.h"

enum { EVENTS = 3000 };

static struct sample events[TEST_CORES][EVENTS];
static unsigned recorded[TEST_CORES], received[TEST_CORES];
static uint8_t bytes[MOST_BYTES];
static size_t bytes_len;

static void send_some(struct tband_link *link, size_t most) {
    const uint8_t *from;
    size_t len = tband_link_peek(link, &from);
    if (len > most) len = most;
    memcpy(bytes + bytes_len, from, len);
    bytes_len += len;
    tband_link_consume(link, len);
}

static bool decode(const uint8_t *frame, size_t len, struct tk_event *out_event, uint8_t *out_id) {
    static uint8_t scratch[512 + TB_SCRATCH_MORE];
    *out_event = (struct tk_event){ 0 };
    return tb_decode_piece(frame, len - 1, 0, scratch, out_event, out_id) == TB_OK;
}

// Returns the chunks.
static unsigned assert_chunks(void) {
    struct tk_event event;
    unsigned core = TEST_CORES, chunks = 0;
    uint8_t id = 0;
    for (size_t at = 0, len; at < bytes_len; at += len) {
        len = frame_len(bytes + at, bytes_len - at);
        assert_true(decode(bytes + at, len, &event, &id));
        if (id == TB_CHUNK_ID) {
            core = event.chunk.core;
            assert_int_equal(event.chunk.cores, TEST_CORES);
            chunks++;
            continue;
        }
        assert_true(core < TEST_CORES);
        if (id == 0x00) assert_int_equal(event.core_tag.core, core);
        if (id <= 0x02) continue; // the recorder's own
        assert_frame(bytes + at, len, &events[core][received[core]++]);
    }
    return chunks;
}

/* `some`: bytes that the link takes at a time, up to 39; else all that there are. */
static void assert_each_frame_comes_in_a_chunk_of_its_core(bool some) {
    struct tband_link link = { 0 };
    bytes_len = 0;
    memset(recorded, 0, sizeof recorded);
    memset(received, 0, sizeof received);
    assert_int_equal(tband_start_streaming(), 0);
    while (recorded[0] < EVENTS && recorded[1] < EVENTS && recorded[2] < EVENTS && bytes_len < MOST_BYTES - 4096) {
        this_core = (unsigned)(random64() % TEST_CORES);
        struct sample *sample = &events[this_core][recorded[this_core]++];
        now += random_step();
        *sample = random_sample(4 + (unsigned)(random64() % 2)); // interrupts: no names, which would wait for room
        record(sample);
        for (int i = random64() % 8 ? 0 : 6 * 8; i > 0; i--) send_some(&link, some ? random64() % 40 : SIZE_MAX);
    }
    assert_int_equal(tband_stop_streaming(), 0);
    for (int i = 0; i < 100; i++) send_some(&link, SIZE_MAX);
    assert_true(tband_tracing_finished());
    assert_int_equal(tband_get_dropped(), 0);
    assert_true(assert_chunks() > 100);
    for (unsigned core = 0; core < TEST_CORES; core++) assert_int_equal(received[core], recorded[core]);
}

static void a_link_that_takes_some_bytes(void **state) {
    (void)state;
    assert_each_frame_comes_in_a_chunk_of_its_core(true);
}

static void a_link_that_takes_all_bytes(void **state) {
    (void)state;
    assert_each_frame_comes_in_a_chunk_of_its_core(false);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_link_that_takes_some_bytes),
                                        cmocka_unit_test(a_link_that_takes_all_bytes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
