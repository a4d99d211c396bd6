// SPDX-License-Identifier: MIT
//
// The overwriting ring: after any number of rounds it contains the newest events, complete and in order, and is nearly
// full.
#include "target.h"

#include "../../tracer/src/tband_control.h"
#include "formats/tonbandgeraet/control.h"

enum { KEPT = 1024, ROUNDS = 20000 };

static struct sample history[KEPT]; // the newest events, by number modulo KEPT
static unsigned recorded;

static void record_random(void) {
    now += 1 + random_number(random64() % 20 ? 10 : 40) % (UINT64_C(1) << 40);
    struct sample *sample = &history[recorded++ % KEPT];
    do *sample = random_event();
    while (!sample->timed);
    record(sample);
}

static size_t recording(uint8_t *out, size_t *out_metadata_len) {
    size_t len = 0;
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t piece_len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &piece_len);
        memcpy(out + len, bytes, piece_len);
        len += piece_len;
        if (piece == 0) *out_metadata_len = piece_len;
    }
    return len;
}

static void assert_newest(void) {
    uint8_t bytes[2 * tband_configBACKEND_POST_MORTEM_BUF_SIZE];
    size_t metadata_len = 0, len = recording(bytes, &metadata_len), frames = 0;
    for (size_t at = metadata_len; at < len; at += frame_len(bytes + at, len - at)) frames++;
    assert_true(frames <= recorded);
    unsigned number = recorded - (unsigned)frames;
    for (size_t at = metadata_len; at < len; number++) {
        size_t frame = frame_len(bytes + at, len - at);
        assert_frame(bytes + at, frame, &history[number % KEPT]);
        at += frame;
    }
    if (frames < recorded)
        assert_true(len - metadata_len >= tband_configBACKEND_POST_MORTEM_BUF_SIZE - 2 * TBAND_LONGEST_FRAME);
}

static void contains_the_newest_events(void **state) {
    (void)state;
    assert_false(tband_post_mortem_found());
    tband_isr_name(3, "kept");
    assert_int_equal(tband_start_post_mortem(), 0);
    assert_int_equal(tband_start_post_mortem(), -1);
    size_t len;
    tband_get_post_mortem_piece(0, 2, &len);
    assert_int_equal(len, 0); // not while recording
    for (unsigned i = 0; i < ROUNDS; i++) {
        record_random();
        tband_disable(); // reads while recording is active
        assert_newest();
        tband_enable();
    }
    assert_int_equal(tband_stop_post_mortem(), 0);
    assert_int_equal(tband_stop_post_mortem(), -1);
    assert_int_equal(tband_get_dropped(), 0);
}

static void names_are_kept_after_any_number_of_rounds(void **state) {
    (void)state;
    uint8_t bytes[2 * tband_configBACKEND_POST_MORTEM_BUF_SIZE];
    size_t metadata_len = 0;
    recording(bytes, &metadata_len);
    struct sample name = { .event_id = 0x03, .fields = "IS", .id = 3, .text = "kept" };
    struct sample resolution = { .event_id = 0x02, .fields = "R", .value = 40 };
    size_t first = frame_len(bytes, metadata_len);
    assert_frame(bytes, first, &name);
    assert_frame(bytes + first, metadata_len - first, &resolution);
}

static void a_recording_is_found_after_a_reset(void **state) {
    (void)state;
    assert_true(tband_post_mortem_found());
    assert_newest();
    struct tband_control intact = tband_control;
    tband_control.header.magic[3] ^= 1;
    assert_false(tband_post_mortem_found());
    tband_control = intact;
    tband_control.header.ring_size++;
    assert_false(tband_post_mortem_found());
    tband_control = intact;
    tband_store(&tband_control.core[0].position, tband_configBACKEND_POST_MORTEM_BUF_SIZE);
    assert_false(tband_post_mortem_found());
    size_t len = 1;
    tband_get_post_mortem_piece(0, 1, &len); // does not read where nothing was written
    assert_int_equal(len, 0);
    tband_control = intact;
    assert_true(tband_post_mortem_found());
    assert_memory_equal(tband_control.header.magic, "Tonkopf Ring", 12);
}

static void assert_newest_in_a_dump(void) {
    struct tb_control control;
    struct tb_control_core core;
    size_t metadata_len;
    uint8_t bytes[2 * tband_configBACKEND_POST_MORTEM_BUF_SIZE];
    size_t len = recording(bytes, &metadata_len);
    const uint8_t *block = (const uint8_t *)&tband_control;
    assert_true(tb_control_read(block, &control));
    assert_int_equal(control.len, sizeof tband_control);
    assert_true(tb_control_core(&control, block, control.len, 0, &core));
    assert_int_equal(core.first_len + core.second_len, len - metadata_len);
    assert_memory_equal(block + core.ring + core.from, bytes + metadata_len, core.first_len);
    if (core.second_len) assert_memory_equal(block + core.ring, bytes + metadata_len + core.first_len, core.second_len);
}

// Stopped by a reset or a debugger at any byte of an event: some of its bytes are written, the position is that before
// it.
static void a_frame_that_is_not_finished_damages_no_other(void **state) {
    (void)state;
    assert_int_equal(tband_start_post_mortem(), 0);
    recorded = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct tband_control before = tband_control;
        record_random();
        struct tband_control after = tband_control;
        struct tband_core *core = &tband_control.core[0], *old = &before.core[0];
        bool has_carried = false;
        for (size_t at = 0; at < sizeof core->ring; at++) {
            uint8_t bytes[] = { old->ring[at], core->ring[at], 0, (uint8_t)random64() };
            if (old->ring[at] == core->ring[at]) continue;
            core->ring[at] = bytes[random64() % 4];
            has_carried = has_carried || at < TBAND_LONGEST_FRAME;
        }
        tband_store(&core->position, tband_load(&old->position));
        if (!has_carried && random64() % 2)
            tband_store(&core->rounds, tband_load(&old->rounds)); // the wrap count is incremented before the bytes are
                                                                  // copied
        tband_disable();
        recorded--;
        assert_newest();
        assert_newest_in_a_dump();
        recorded++;
        tband_control = after;
        tband_enable();
    }
    assert_int_equal(tband_stop_post_mortem(), 0);
}

static void a_new_recording_begins_empty(void **state) {
    (void)state;
    assert_int_equal(tband_start_post_mortem(), 0);
    recorded = 0;
    record_random();
    record_random();
    tband_stop_post_mortem();
    record(&history[0]); // recording has stopped
    assert_newest();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contains_the_newest_events),
        cmocka_unit_test(names_are_kept_after_any_number_of_rounds),
        cmocka_unit_test(a_recording_is_found_after_a_reset),
        cmocka_unit_test(a_frame_that_is_not_finished_damages_no_other),
        cmocka_unit_test(a_new_recording_begins_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
