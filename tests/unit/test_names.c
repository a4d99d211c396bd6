// SPDX-License-Identifier: MIT
#include "support.h"

#include "base/idmap.h"
#include "base/utf8.h"
#include "model/timeline/names.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct recorder recorder;
static struct tk_names names;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    recorder_init(&recorder, false);
    tk_names_init(&names, &alloc, &recorder.sink);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static bool set(uint32_t entity, const char *text) { return tk_names_set(&names, entity, text, strlen(text)); }

static void expect_display(uint32_t entity, const char *expected) {
    char text[TK_DISPLAY_LEN];
    size_t len = tk_names_display(&names, entity, text);
    assert_int_equal(len, strlen(expected));
    assert_memory_equal(text, expected, len);
}

static void without_a_name_the_number_serves(void **state) {
    (void)state;
    static const char *const expected[TK_ENTITY_TYPES] = { "task #7",    "queue #7",  "ISR #7",
                                                           "marker #7",  "value #7",  "symbol #7",
                                                           "context #7", "object #7", "track #7" };
    for (int type = 0; type < TK_ENTITY_TYPES; type++)
        expect_display(tk_names_add(&names, (enum tk_entity_type)type, 7), expected[type]);
    expect_display(tk_names_add(&names, TK_ENTITY_QUEUE, UINT32_MAX), "queue #4294967295");
}

static void a_label_is_defined_when_the_name_arrives(void **state) {
    (void)state;
    uint32_t task = tk_names_add(&names, TK_ENTITY_TASK, 1);
    assert_int_equal(tk_names_label(&names, task, TK_LABEL_HELD_BY), 1);
    expect_lines(&recorder.lines, "");
    assert_false(set(task, "logger"));
    expect_lines(&recorder.lines, "define 0 1 'held by logger'\n");
    assert_int_equal(tk_names_label(&names, task, TK_LABEL_HELD_BY), 1);
    assert_int_equal(tk_names_label(&names, task, TK_LABEL_SUSPENDED_BY), 2);
    expect_lines(&recorder.lines, "define 0 2 'suspended by logger'\n");
    assert_int_equal(tk_names_label(&names, task, TK_LABEL_SEND_BY), 1); // another list
    expect_lines(&recorder.lines, "define 1 1 'send by logger'\n");
}

static void entities_without_a_name_are_defined_once_at_the_end(void **state) {
    (void)state;
    uint32_t queue = tk_names_add(&names, TK_ENTITY_QUEUE, 12);
    tk_names_label(&names, queue, TK_LABEL_WAIT_TO_LOCK);
    tk_names_label(&names, queue, TK_LABEL_TOOK);
    tk_labels_finish(&names);
    expect_lines(&recorder.lines, "define 0 1 'lock queue #12'\ndefine 0 2 'took queue #12'\n");
    tk_labels_finish(&names);
    expect_lines(&recorder.lines, "");
}

static void a_changed_name_gives_new_labels(void **state) {
    (void)state;
    uint32_t isr = tk_names_add(&names, TK_ENTITY_ISR, 3);
    set(isr, "UART");
    assert_int_equal(tk_names_label(&names, isr, TK_LABEL_NAME), 1);
    assert_false(set(isr, "UART"));
    assert_true(set(isr, "DMA"));
    assert_int_equal(tk_names_label(&names, isr, TK_LABEL_NAME), 2);
    expect_lines(&recorder.lines, "define 0 1 'UART'\ndefine 0 2 'DMA'\n");
    expect_display(isr, "DMA");
}

// The format string, its id and the result of the call form a separate label.
static void labels_have_numbers_and_results(void **state) {
    (void)state;
    char room[TK_LABEL_LEN];
    uint32_t group = tk_names_add(&names, TK_ENTITY_KERNEL_OBJECT, 1);
    struct tk_label_parts set = { .label = TK_LABEL_CALL_SET_BITS, .entity = group, .number = 0x4 };
    struct tk_label_parts wait = {
        .label = TK_LABEL_CALL_WAIT_FOR_BITS, .entity = group, .number = 0x4, .result = TK_RESULT_TIMED_OUT
    };
    assert_int_equal(tk_label_of(&names, &set, room).id, 1);
    assert_int_equal(tk_label_of(&names, &wait, room).id, 2);
    assert_int_equal(tk_label_of(&names, &set, room).id, 1);
    uint32_t index = tk_label_index(&names, &set);
    expect_lines(&recorder.lines, "");
    set.entity = TK_NONE; // no name to wait for
    assert_int_equal(tk_label_of(&names, &set, room).id, 3);
    expect_lines(&recorder.lines, "define 0 3 'set 0x4'\n");
    assert_false(tk_names_set(&names, group, "Flags", 5));
    expect_lines(&recorder.lines, "define 0 2 'wait for 0x4 in Flags: timed out'\ndefine 0 1 'set 0x4 in Flags'\n");
    assert_true(tk_names_set(&names, group, "Bits", 4));
    assert_int_equal(tk_label_id_at(&names, index), 4); // the index stays, the id is another one
    expect_lines(&recorder.lines, "define 0 4 'set 0x4 in Bits'\n");
}

static void further_labels_with_numbers_are_written_out(void **state) {
    (void)state;
    char room[TK_LABEL_LEN];
    uint32_t group = tk_names_add(&names, TK_ENTITY_KERNEL_OBJECT, 1); // without a name no text is defined yet
    struct tk_label_parts set = { .label = TK_LABEL_CALL_SET_BITS, .entity = group };
    for (set.number = 1; set.number <= TK_MAX_NUMBERED_LABELS; set.number++)
        assert_int_equal(tk_label_of(&names, &set, room).id, set.number);
    struct tk_label_text text = tk_label_of(&names, &set, room);
    assert_int_equal(text.id, 0);
    assert_int_equal(text.len, strlen("set 0x4001 in object #1"));
    assert_memory_equal(text.text, "set 0x4001 in object #1", text.len);
    assert_int_equal(tk_label_index(&names, &set), TK_NONE);
    assert_int_equal(tk_label_text_at(&names, TK_NONE, room), 0);
    set.number = 1;
    assert_int_equal(tk_label_of(&names, &set, room).id, 1);
}

static void an_empty_name_is_ignored(void **state) {
    (void)state;
    uint32_t task = tk_names_add(&names, TK_ENTITY_TASK, 1);
    assert_false(set(task, ""));
    expect_display(task, "task #1");
    set(task, "a");
    assert_false(set(task, ""));
    expect_display(task, "a");
}

static void a_borrowed_name_is_replaced_by_a_separate_one(void **state) {
    (void)state;
    uint32_t task = tk_names_add(&names, TK_ENTITY_TASK, 1), other = tk_names_add(&names, TK_ENTITY_TASK, 2);
    set(other, "own");
    names.borrowing = true;
    set(task, "old");
    set(other, "borrowed");
    names.borrowing = false;
    expect_display(task, "old");
    expect_display(other, "own");
    assert_true(names.entities[task].borrowed);
    assert_false(set(task, "new")); // a change that the callback need not report
    expect_display(task, "new");
    assert_false(names.entities[task].borrowed);
}

static void long_names_are_cut_at_a_character(void **state) {
    (void)state;
    uint32_t task = tk_names_add(&names, TK_ENTITY_TASK, 1);
    char text[TK_DISPLAY_LEN * 2], out[TK_DISPLAY_LEN], label[TK_LABEL_LEN];
    text[0] = 'x';
    for (size_t i = 1; i + 1 < sizeof text; i += 2) memcpy(text + i, "\xC3\xA4", 2);
    assert_false(tk_names_set(&names, task, text, sizeof text - 1));
    size_t len = tk_names_display(&names, task, out);
    assert_int_equal(len, TK_DISPLAY_LEN - 1);
    assert_true(tk_utf8_is_clean((const uint8_t *)out, len));
    len = tk_names_label_text(&names, task, TK_LABEL_OVERWRITE_BY, label);
    assert_true(len <= sizeof label && !memcmp(label, "overwrite by x", 14));
}

static void fixed_texts_are_defined_once(void **state) {
    (void)state;
    uint32_t first = tk_names_fixed(&names, TK_FIXED_NOT_TRACED);
    assert_int_equal(tk_names_fixed(&names, TK_FIXED_NOT_TRACED), first);
    assert_int_equal(tk_names_fixed_text(&names, TK_TEXT_FOREVER), 1);
    assert_int_equal(tk_names_arg(&names, TK_ARGN_TIMEOUT), 1);
    expect_lines(&recorder.lines,
                 "define 0 1 'waiting (not traced)'\ndefine 1 1 'forever'\ndefine 2 1 'timeout (ticks)'\n");
    for (int i = 0; i < TK_FIXED_NAMES; i++) assert_true(tk_names_fixed(&names, (enum tk_fixed_name)i));
    for (int i = 0; i < TK_FIXED_TEXTS; i++) assert_true(tk_names_fixed_text(&names, (enum tk_fixed_text)i));
    for (int i = 0; i < TK_ARG_NAMES; i++) assert_true(tk_names_arg(&names, (enum tk_arg_name)i));
}

// The first time a message is written in place, from the second time on as a number.
static void repeated_messages_are_interned(void **state) {
    (void)state;
    assert_int_equal(tk_names_message(&names, "ready", 5), 0);
    uint32_t id = tk_names_message(&names, "ready", 5);
    assert_int_equal(id, 1);
    assert_int_equal(tk_names_message(&names, "ready", 5), id);
    expect_lines(&recorder.lines, "define 0 1 'ready'\n");
    char text[600];
    memset(text, 'm', sizeof text);
    assert_int_equal(tk_names_message(&names, text, sizeof text), 0);
    assert_int_equal(tk_names_message(&names, text, sizeof text), 0); // too long for a number to pay off
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    for (size_t fail = 1; fail < 8; fail++) {
        heap.fail_from = fail;
        for (uint32_t i = 0; i < 40; i++) {
            uint32_t entity = tk_names_add(&names, TK_ENTITY_MARKER, i);
            if (entity == TK_NONE) break;
            set(entity, i & 1 ? "one" : "two");
            tk_names_label(&names, entity, TK_LABEL_NAME);
            tk_names_message(&names, "message", 7);
        }
        tk_labels_finish(&names);
        assert_true(alloc.failed);
        done(NULL);
        reset(NULL);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(without_a_name_the_number_serves),
        CASE(a_label_is_defined_when_the_name_arrives),
        CASE(entities_without_a_name_are_defined_once_at_the_end),
        CASE(a_changed_name_gives_new_labels),
        CASE(labels_have_numbers_and_results),
        CASE(further_labels_with_numbers_are_written_out),
        CASE(an_empty_name_is_ignored),
        CASE(a_borrowed_name_is_replaced_by_a_separate_one),
        CASE(long_names_are_cut_at_a_character),
        CASE(fixed_texts_are_defined_once),
        CASE(repeated_messages_are_interned),
        CASE(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
