// SPDX-License-Identifier: MIT
//
// Names are sent whole: whatever space there is, whatever interrupts do between two masked sections of a call, and when
// names of deleted objects are overwritten.
#include "stream.h"

enum { GUARD = 0xA5, RING = tband_configBACKEND_STREAMING_BUF_SIZE };

static uint8_t bytes[MOST_BYTES];
static struct stream stream = { NULL, 0, bytes, 0 };
static struct tband_core *const core = &tband_control.core[0];

static void receive_all(void) {
    for (int half = 0; half < 2; half++) receive(&stream, 0, SIZE_MAX);
}

// The next recording begins without names.
static void forget_names(void) {
    tband_isr_name(1, ""); // the first call clears the block
    core->metadata_len = core->metadata_lost = 0;
    receive_all();
    stream.len = 0;
    *last_byte(0) = GUARD;
}

// Returns how often the received bytes, of which each frame decodes, contain the name of an interrupt.
static unsigned times_received(uint32_t isr, const char *name) {
    unsigned count = 0;
    for (size_t at = 0, len; at < stream.len; at += len) {
        uint8_t scratch[512 + TB_SCRATCH_MORE], id;
        struct tk_event event = { 0 };
        len = frame_len(bytes + at, stream.len - at);
        if (len == 1) continue; // left over
        assert_int_equal(tb_decode_piece(bytes + at, len - 1, 0, scratch, &event, &id), TB_OK);
        count += event.kind == TK_EV_ISR_NAME && event.name.entity == isr && event.str_len == strlen(name) &&
                 !memcmp(event.str, name, event.str_len);
    }
    assert_int_equal(*last_byte(0), GUARD);
    return count;
}

// Records events, and receives them, until all names are sent.
static void finish(void) {
    for (unsigned i = 0; i < 60; i++) {
        tband_isr_enter(2);
        receive_all();
    }
    assert_int_equal(core->metadata_sent, core->metadata_len);
    assert_int_equal(tband_stop_streaming(), 0);
    receive_all();
}

static void fill_ring(void) {
    const uint32_t before = tband_get_dropped();
    while (tband_get_dropped() == before) tband_isr_enter(2);
}

static unsigned sections; // masked sections until an interrupt adds names

enum { ADDED = 3 };
static unsigned added;

static void add_name(void) {
    if (sections != 0) sections--;
    else if (added < ADDED) tband_isr_name(100 + added++, "added name");
}

// Returns true if the stream started before all names were sent.
static bool start_while_names_are_added(unsigned space, unsigned first) {
    static const char *const names[] = { "a", "name two", "the third name", "another name 4" };
    forget_names();
    for (uint32_t i = 0; i < 4; i++) tband_isr_name(10 + i, names[i]);
    assert_int_equal(tband_restart_streaming(), 0);
    fill_ring();
    assert_int_equal(tband_stop_streaming(), 0);
    receive(&stream, 0, space);
    receive(&stream, 0, space - stream.len);
    const uint32_t sent = core->metadata_sent;
    sections = first;
    added = 0;
    interrupt = add_name;
    const int result = tband_start_streaming();
    interrupt = NULL;
    if (result != 0) {
        assert_int_equal(result, -2);
        assert_int_equal(core->metadata_sent, sent); // of the last start: this one wrote nothing
        return false;
    }
    const bool is_left = core->metadata_sent != core->metadata_len;
    finish();
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(times_received(10 + i, names[i]), 1);
    for (uint32_t i = 0; i < added; i++) assert_int_equal(times_received(100 + i, "added name"), 1);
    return is_left;
}

static void a_start_with_little_space_sends_whole_names(void **state) {
    (void)state;
    unsigned left = 0;
    for (unsigned space = 0; space < RING; space++) {
        for (unsigned first = 0; first < 10; first++) left += start_while_names_are_added(space, first);
    }
    assert_true(left > 0);
}

static uint32_t len_with_name; // 0 when the stream has started

// Starts as soon as the name is in the buffer, where names_missing was.
static void start_after_name(void) {
    if (core->metadata_len != len_with_name) return;
    len_with_name = 0;
    assert_int_equal(tband_start_streaming(), 0);
}

static void a_start_finds_whole_frames_after_a_loss(void **state) {
    (void)state;
    enum { NAME_LEN = 6 }; // code, id, number, two characters, delimiter
    forget_names();
    while (!tband_get_metadata_lost(0)) tband_isr_name(1000, "nineteen characters");
    len_with_name = core->metadata_len + NAME_LEN;
    interrupt = start_after_name;
    tband_isr_name(9, "ab");
    interrupt = NULL;
    assert_int_equal(len_with_name, 0);
    finish();
    assert_int_equal(times_received(9, "ab"), 1);
}

static void fill_names(void) {
    while (!tband_get_metadata_lost(0)) tband_isr_name(10, "filler");
}

// Sends names again while there is space for some of them only, then a new name finds no space but that of two deleted
// queues. Returns true if the first of these two is sent and the second one is not.
static bool reuse_while_names_are_sent(unsigned space) {
    const uint32_t queue = 200 + 2 * space;
    forget_names();
    tband_isr_name(3, "first name");
    tband_event_queue_name(queue, "one");
    const uint32_t between = core->metadata_len;
    tband_event_queue_name(queue + 1, "two");
    tband_isr_name(5, "last name");
    fill_names();
    assert_int_equal(tband_start_streaming(), 0);
    receive_all();
    fill_ring();
    assert_int_equal(tband_send_names(), 0);
    const size_t before = stream.len;
    receive(&stream, 0, space);
    receive(&stream, 0, space - (stream.len - before));
    tband_note_queue_deleted(queue);
    tband_note_queue_deleted(queue + 1);
    tband_isr_name(4, "twelve chars"); // as long as both names
    const bool is_between = core->metadata_sent == between;
    if (is_between) assert_int_equal(tband_get_metadata_lost(0), 2);
    for (unsigned i = 0; i < 60; i++) {
        tband_isr_enter(2);
        receive_all();
    }
    assert_int_equal(times_received(3, "first name"), 2);
    assert_int_equal(times_received(5, "last name"), 2);
    if (is_between) {
        assert_int_equal(times_received(4, "twelve chars"), 0);
        tband_isr_name(4, "twelve chars");
        assert_int_equal(tband_get_metadata_lost(0), 2);
    }
    stream.len = 0;
    assert_int_equal(tband_send_names(), 0);
    finish();
    assert_int_equal(times_received(3, "first name"), 1);
    assert_true(times_received(4, "twelve chars") >= 1);
    assert_int_equal(times_received(5, "last name"), 1);
    return is_between;
}

static void names_of_deleted_objects_stay_while_they_are_sent(void **state) {
    (void)state;
    unsigned between = 0;
    for (unsigned space = 0; space < RING; space++) between += reuse_while_names_are_sent(space);
    assert_true(between > 0);
}

// A name must not take the place of one that the start has sent already: it would be stored, but never sent.
static void a_name_added_during_a_start_is_sent_or_counted(void **state) {
    (void)state;
    for (unsigned first = 0; first < 10; first++) {
        const uint32_t queue = 1000 + first;
        forget_names();
        tband_event_queue_name(queue, "name of a queue");
        fill_names();
        tband_note_queue_deleted(queue);
        const uint32_t lost = tband_get_metadata_lost(0);
        unsigned received = 0;
        sections = first;
        added = 0;
        interrupt = add_name;
        assert_int_equal(tband_start_streaming(), 0);
        interrupt = NULL;
        finish();
        for (uint32_t i = 0; i < added; i++) received += times_received(100 + i, "added name");
        assert_true(received + tband_get_metadata_lost(0) - lost >= added);
    }
}

static void the_number_0_deletes_no_name(void **state) {
    (void)state;
    uint8_t names[tband_configMETADATA_BUF_SIZE];
    forget_names();
    tband_isr_name(3, "first name");
    tband_event_task_name(UINT32_C(1) << 31, "t");
    fill_names();
    const uint32_t len = core->metadata_len;
    memcpy(names, core->metadata, len);
    tband_note_task_deleted(0);
    tband_note_queue_deleted(0);
    tband_isr_name(10, "filler");
    assert_memory_equal(names, core->metadata, len);
    assert_int_equal(tband_get_metadata_lost(0), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_start_with_little_space_sends_whole_names),
                                        cmocka_unit_test(a_start_finds_whole_frames_after_a_loss),
                                        cmocka_unit_test(names_of_deleted_objects_stay_while_they_are_sent),
                                        cmocka_unit_test(a_name_added_during_a_start_is_sent_or_counted),
                                        cmocka_unit_test(the_number_0_deletes_no_name) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
