// SPDX-License-Identifier: MIT
//
// Names that are sent again: from the idle task of each core, and when the host asks for them. Threads are not needed:
// the test changes the core.
#include "stream.h"

enum { NS_PER_TICK = 40, TICKS_OF_ALL = tband_configREPEAT_MS * 1000000u / NS_PER_TICK };

static uint8_t bytes[MOST_BYTES];

// A received frame.
struct received {
    struct tk_event event;
    char text[32];
};

// Receives all frames of a core. Returns their number.
static unsigned receive_frames(unsigned core, struct received *out_frames, unsigned room) {
    struct stream stream = { .bytes = bytes };
    unsigned count = 0;
    for (int half = 0; half < 2; half++) receive(&stream, core, SIZE_MAX);
    for (size_t at = 0, len; at < stream.len; at += len) {
        uint8_t scratch[512 + TB_SCRATCH_MORE], id;
        len = frame_len(bytes + at, stream.len - at);
        assert_true(count < room);
        struct received *frame = &out_frames[count++];
        *frame = (struct received){ .event = { 0 } };
        assert_int_equal(tb_decode_piece(bytes + at, len - 1, 0, scratch, &frame->event, &id), TB_OK);
        assert_true(frame->event.str_len < sizeof frame->text);
        memcpy(frame->text, frame->event.str ? frame->event.str : "", frame->event.str_len);
    }
    return count;
}

static unsigned drain(unsigned core) {
    static struct received frames[MOST_BYTES / 4];
    return receive_frames(core, frames, MOST_BYTES / 4);
}

static unsigned starts; // each names the marker again

static void start(void) {
    starts++;
    for (this_core = TEST_CORES; this_core-- > 0;) tband_evtmarker_name(this_core + 1, "marker");
    this_core = 0;
    assert_int_equal(tband_start_streaming(), 0);
    for (unsigned core = 0; core < TEST_CORES; core++) drain(core);
}

static void stop(void) {
    assert_int_equal(tband_stop_streaming(), 0);
    for (unsigned core = 0; core < TEST_CORES; core++) drain(core);
}

// Each name of this core comes once in the time, and at most one at a time.
static void all_names_come_within_the_time(void **state) {
    (void)state;
    struct received frames[8];
    unsigned names = 0, rates = 0;
    start();
    for (unsigned step = 0; step < 1000; step++) {
        now += TICKS_OF_ALL / 1000;
        tband_repeat_names();
        unsigned count = receive_frames(0, frames, 8);
        assert_true(count <= 2); // after the first start, a loss count too
        for (unsigned i = 0; i < count; i++) {
            if (frames[i].event.timed) continue;
            assert_true(frames[i].event.is_repeated);
            names += frames[i].event.kind == TK_EV_MARKER_NAME && !strcmp(frames[i].text, "marker");
            rates += frames[i].event.kind == TK_EV_TICK_LENGTH && frames[i].event.tick_length.ns == NS_PER_TICK;
        }
    }
    assert_true(names >= 1);
    assert_true(rates >= 1);
    size_t sent = tband_get_metadata_buf_amnt(0), room = tband_configMETADATA_BUF_SIZE;
    assert_true((names + rates) * sent <= 3 * room); // no faster than a full buffer in the time
    stop();
}

static void without_space_nothing_is_lost(void **state) {
    (void)state;
    start();
    while (!tband_get_dropped()) tband_evtmarker(1, "");
    uint32_t dropped = tband_get_dropped();
    for (unsigned step = 0; step < 1000; step++) {
        now += TICKS_OF_ALL / 100;
        tband_repeat_names();
    }
    assert_int_equal(tband_get_dropped(), dropped);
    drain(0);
    stop();
}

// The host asks once: each core sends its names, marked, one before each of its next events; after the start, a loss
// count comes first.
static void all_cores_send_their_names_again(void **state) {
    (void)state;
    struct received frames[16];
    start();
    assert_int_equal(tband_send_names(), 0);
    for (this_core = 0; this_core < TEST_CORES; this_core++) {
        unsigned names = 0;
        for (unsigned i = 0; i < 5; i++) tband_evtmarker(this_core + 1, "");
        unsigned count = receive_frames(this_core, frames, 16);
        for (unsigned i = 0; i < count; i++) {
            bool is_name = frames[i].event.kind == TK_EV_MARKER_NAME;
            if (is_name) assert_true(frames[i].event.is_repeated);
            names += is_name && frames[i].event.name.entity == this_core + 1;
        }
        assert_int_equal(names, starts);
    }
    this_core = 0;
    stop();
}

// A name that is recorded after the request is no repetition, although older names wait.
static void a_new_name_is_not_marked(void **state) {
    (void)state;
    struct received frames[16];
    start();
    assert_int_equal(tband_send_names(), 0);
    drain(0);
    tband_valmarker_name(9, "new");
    unsigned count = receive_frames(0, frames, 16);
    assert_true(count >= 1);
    assert_int_equal(frames[count - 1].event.kind, TK_EV_VALUE_NAME);
    assert_false(frames[count - 1].event.is_repeated);
    stop();
}

// A later name takes the place of names_missing, which has just been repeated.
static void a_name_after_names_missing_is_repeated_whole(void **state) {
    (void)state;
    enum { GUARD = 0xA5 };
    struct received frames[8];
    unsigned names = 0, rounds = 0;
    start();
    while (!tband_get_metadata_lost(0)) tband_isr_name(300, "twelve chars");
    drain(0);
    *last_byte(0) = GUARD;
    for (bool is_added = false; rounds < 20;) {
        now += TICKS_OF_ALL;
        tband_repeat_names();
        unsigned count = receive_frames(0, frames, 8);
        for (unsigned i = 0; i < count; i++) {
            const struct tk_event *event = &frames[i].event;
            if (event->timed) continue;
            assert_true(event->is_repeated);
            names += event->kind == TK_EV_ISR_NAME && event->name.entity == 9 && !frames[i].event.str_len;
            if (event->kind != TK_EV_NAMES_MISSING) continue;
            rounds++;
            if (is_added) continue;
            tband_isr_name(9, "");
            drain(0);
            is_added = true;
        }
        assert_int_equal(*last_byte(0), GUARD);
    }
    assert_int_equal(tband_get_metadata_lost(0), 1);
    assert_int_equal(names, rounds - 1);
    stop();
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_names_come_within_the_time),
                                        cmocka_unit_test(without_space_nothing_is_lost),
                                        cmocka_unit_test(all_cores_send_their_names_again),
                                        cmocka_unit_test(a_new_name_is_not_marked),
                                        cmocka_unit_test(a_name_after_names_missing_is_repeated_whole) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
