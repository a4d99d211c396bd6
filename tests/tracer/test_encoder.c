// SPDX-License-Identifier: MIT
//
// Every event with random and extreme fields, passed frame by frame: the product's decoder reads the recorded fields,
// and the frames have the minimal length.
#include "target.h"

#include "tband_clock.h"

enum { ROUNDS = 4000 };

static struct {
    uint8_t bytes[256];
    size_t len;
    bool is_metadata;
    unsigned count;
} taken;
static bool refuse;

bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
    assert_true(len <= TBAND_LONGEST_FRAME);
    assert_true(is_masked);
    memcpy(taken.bytes, buf, len);
    taken.len = len;
    taken.is_metadata = is_metadata;
    taken.count++;
    return refuse;
}

static void check_event(unsigned row) {
    now = random_number(64);
    struct sample sample = random_sample(row);
    taken.count = 0;
    record(&sample);
    assert_int_equal(taken.count, 1);
    assert_int_equal(taken.is_metadata, !sample.timed);
    assert_frame(taken.bytes, taken.len, &sample);
}

static void every_event_reads_as_recorded(void **state) {
    (void)state;
    tband_evtmarker(1, NULL); // after the first count
    for (unsigned row = FIRST_PUBLIC; row < EVENT_COUNT; row++)
        for (unsigned round = 0; round < ROUNDS; round++) check_event(row);
}

// Read outside of an event, and correct in the masked section.
static void the_current_time_is_returned(void **state) {
    (void)state;
    now = UINT64_C(1) << 40;
    taken.count = 0;
    assert_true(tband_now() == now);
    tband_clock_own(3, 4);
    tband_clock_sync(0, tband_now() + 5);
    assert_int_equal(taken.count, 2);
    assert_false(taken.is_metadata);
}

static void losses_are_counted(void **state) {
    (void)state;
    uint32_t before = tband_get_dropped();
    refuse = true;
    tband_isr_enter(1); // the frame itself is refused, then three counts
    for (unsigned i = 0; i < 3; i++) tband_isr_enter(1);
    refuse = false;
    assert_int_equal(tband_get_dropped(), before + 4);
    taken.count = 0;
    tband_isr_enter(7);
    assert_int_equal(taken.count, 2); // the count, the event
    taken.count = 0;
    tband_isr_enter(7);
    assert_int_equal(taken.count, 1);
    assert_int_equal(tband_get_dropped(), before + 4);
}

static void groups_are_off_at_run_time(void **state) {
    (void)state;
    tband_set_groups(TBAND_GROUPS_ALL & ~TBAND_GROUP_INTERRUPTS);
    taken.count = 0;
    tband_isr_enter(1);
    assert_int_equal(taken.count, 0);
    tband_isr_name(1, "kept");
    tband_evtmarker(1, "a");
    assert_int_equal(taken.count, 2);
    tband_set_groups(TBAND_GROUPS_ALL);
    tband_isr_enter(1);
    assert_int_equal(taken.count, 3);
}

static void marked_function(void) {
    tband_fn_begin(40);
    tband_fn_end();
}

static void a_function_is_named_once(void **state) {
    (void)state;
    taken.count = 0;
    marked_function();
    assert_int_equal(taken.count, 3);
    marked_function();
    assert_int_equal(taken.count, 5);
}

// Returns the bytes in the frame names_missing, which follows the names if some are missing; 0: there is none.
static uint32_t read_missing(void) {
    uint8_t bytes[tband_configMETADATA_BUF_SIZE + 300], scratch[512 + TB_SCRATCH_MORE], id = 0;
    size_t len = tband_get_metadata_buf_amnt(0), at = 0, last = 0;
    struct tk_event event = { 0 };
    assert_true(len <= tband_configMETADATA_BUF_SIZE + 13);
    for (size_t i = 0; i < len; i++) bytes[i] = tband_get_metadata_buf(0)[i];
    for (; at < len; at += frame_len(bytes + at, len - at)) last = at;
    assert_int_equal(at, len);
    if (!tband_get_metadata_lost(0)) return 0;
    assert_int_equal(tb_decode_piece(bytes + last, len - last - 1, 0, scratch, &event, &id), TB_OK);
    assert_int_equal(id, TB_NAMES_MISSING_ID);
    assert_int_equal(tk_event_id(&event), tband_get_metadata_lost(0));
    return (uint32_t)tk_event_number(&event, TK_SLOT_NUMBER);
}

static void names_without_room_are_counted(void **state) {
    (void)state;
    enum { FRAME_LEN = 9 }; // code, id, a number of two bytes, "name", delimiter
    for (unsigned i = 128; i < 400; i++) {
        uint32_t lost = tband_get_metadata_lost(0), bytes = read_missing();
        tband_isr_name(i, "name");
        bool is_lost = tband_get_metadata_lost(0) > lost;
        assert_int_equal(read_missing(), bytes + (is_lost ? FRAME_LEN : 0));
    }
    assert_true(tband_get_metadata_lost(0) > 0);
}

static void a_narrow_counter_is_widened(void **state) {
    (void)state;
    uint64_t time = 0;
    for (unsigned i = 0; i < 1000; i++) {
        tband_clock_update((uint32_t)time);
        assert_true(tband_clock_widen((uint32_t)time) == time);
        uint64_t later = time + random64() % (UINT64_C(1) << 31); // an event before the next update, maybe after a
                                                                  // wrap
        assert_true(tband_clock_widen((uint32_t)later) == later);
        time = later;
    }
    assert_true(time > UINT64_C(1) << 39); // many wraps
}

static void texts_end_between_characters(void **state) {
    (void)state;
    static const struct {
        const char *end; // after tband_configMAX_STR_LEN - 2 letters
        size_t kept;     // bytes of it
    } rows[] = {
        { "\xC3\xA4", 2 },          { "\xC3\xA4x", 2 },     { "x\xC3\xA4", 1 },
        { "\xE2\x82\xAC", 0 },      { "x\xE2\x82\xAC", 1 }, { "\xF0\x9F\x98\x80", 0 },
        { "x\xF0\x9F\x98\x80", 1 }, { "\x80\x80\x80", 2 },  { "\xC3\xA4\xC3\xA4", 2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sample sample = { .event_id = 0x06, .fields = "IS", .id = 1 };
        memset(sample.text, 'x', tband_configMAX_STR_LEN - 2);
        strcpy(sample.text + tband_configMAX_STR_LEN - 2, rows[i].end);
        assert_int_equal(text_len(&sample), tband_configMAX_STR_LEN - 2 + rows[i].kept);
        record(&sample);
        assert_frame(taken.bytes, taken.len, &sample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_reads_as_recorded),
        cmocka_unit_test(the_current_time_is_returned),
        cmocka_unit_test(losses_are_counted),
        cmocka_unit_test(groups_are_off_at_run_time),
        cmocka_unit_test(a_function_is_named_once),
        cmocka_unit_test(names_without_room_are_counted),
        cmocka_unit_test(a_narrow_counter_is_widened),
        cmocka_unit_test(texts_end_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
