// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/diag.h"

static struct tk_diag diag;

static int reset(void **state) {
    (void)state;
    tk_diag_init(&diag);
    return 0;
}

static const char *detail(enum tk_diag_id id) {
    static char text[TK_DIAG_DETAIL_LEN];
    size_t len = tk_diag_detail(&diag, id, text);
    assert_int_equal(len, strlen(text));
    return text;
}

static void every_problem_has_text_cause_and_remedy(void **state) {
    (void)state;
    for (int id = 0; id < TK_DIAG_COUNT; id++) {
        const struct tk_diag_info *info = tk_diag_info((enum tk_diag_id)id);
        assert_true(strlen(info->name) > 3);
        assert_true(strlen(info->title) > 10);
        assert_true(info->title[strlen(info->title) - 1] != '.');
        assert_true(strlen(info->cause) > 20);
        assert_int_equal(info->cause[strlen(info->cause) - 1], '.');
        assert_int_equal(info->remedy[strlen(info->remedy) - 1], '.');
        assert_int_equal(info->detail == TK_DETAIL_NONE, info->word[0] == 0);
        if (info->detail == TK_DETAIL_AMOUNT) assert_int_equal(info->word[strlen(info->word) - 1], 's');
        for (int other = 0; other < id; other++) {
            assert_string_not_equal(info->name, tk_diag_info((enum tk_diag_id)other)->name);
            assert_string_not_equal(info->title, tk_diag_info((enum tk_diag_id)other)->title);
        }
    }
}

static void ids_and_texts_are_in_one_order(void **state) {
    (void)state;
    assert_string_equal(tk_diag_info(TK_DIAG_FRAME_BROKEN)->name, "FRAME_BROKEN");
    assert_string_equal(tk_diag_info(TK_DIAG_TOO_DEEP)->name, "TOO_DEEP");
    assert_int_equal(tk_diag_info(TK_DIAG_DROPPED)->severity, TK_SEVERITY_LOSS);
    assert_string_equal(tk_severity_name(TK_SEVERITY_INFO), "info");
    assert_string_equal(tk_severity_name(TK_SEVERITY_NOTICE), "notice");
    assert_string_equal(tk_severity_name(TK_SEVERITY_DAMAGE), "damage");
    assert_string_equal(tk_severity_name(TK_SEVERITY_LOSS), "loss");
}

static void problems_that_did_not_occur_are_not_reported(void **state) {
    (void)state;
    for (int id = 0; id < TK_DIAG_COUNT; id++) {
        assert_int_equal(diag.entries[id].count, 0);
        assert_string_equal(detail((enum tk_diag_id)id), "");
    }
}

static void first_position_is_kept(void **state) {
    (void)state;
    const uint8_t bytes[] = { 0x5b, 0x7f, 0x02, 0x00 };
    tk_diag_count(&diag, TK_DIAG_EVENT_UNKNOWN,
                  &(struct tk_source_pos){ .input = 1,
                                           .has_offset = true,
                                           .offset = 12,
                                           .frame = 3,
                                           .has_ticks = true,
                                           .ticks = 77,
                                           .bytes = bytes,
                                           .len = sizeof bytes });
    tk_diag_count(&diag, TK_DIAG_EVENT_UNKNOWN,
                  &(struct tk_source_pos){ .input = 1, .has_offset = true, .offset = 90, .frame = 9 });
    const struct tk_diag_entry *entry = &diag.entries[TK_DIAG_EVENT_UNKNOWN];
    assert_int_equal(entry->count, 2);
    assert_int_equal(entry->locations[0].input, 1);
    assert_int_equal(entry->locations[0].offset, 12);
    assert_int_equal(entry->locations[0].frame, 3);
    assert_true(entry->locations[0].has_ticks);
    assert_int_equal(entry->locations[0].ticks, 77);
    assert_int_equal(entry->locations[0].context_len, 4);
    assert_memory_equal(entry->locations[0].context, bytes, 4);
}

// The diagnostics keep the first occurrences of each kind and a sample of the others, for any order of the calls. The
// same position counts once, and its time may be set later.
static void kept_positions_cover_the_recording(void **state) {
    (void)state;
    const struct tk_diag_entry *entry = &diag.entries[TK_DIAG_FRAME_BROKEN],
                               *in_order = &diag.entries[TK_DIAG_EVENT_UNKNOWN];
    for (uint64_t i = 0; i < 1000; i++) {
        struct tk_source_pos place = { .has_offset = true, .offset = i * 37 % 1000, .frame = i * 37 % 1000 },
                             rising = { .has_offset = true, .offset = i, .frame = i };
        tk_diag_count(&diag, TK_DIAG_FRAME_BROKEN, &place);
        tk_diag_count(&diag, TK_DIAG_FRAME_BROKEN, &place);
        tk_diag_count(&diag, TK_DIAG_EVENT_UNKNOWN, &rising);
    }
    assert_int_equal(entry->count, 2000);
    assert_int_equal(entry->location_count, TK_DIAG_LOCATIONS);
    for (unsigned i = 0; i < TK_DIAG_LOCATIONS; i++) {
        assert_int_equal(entry->locations[i].offset, in_order->locations[i].offset);
        if (i < TK_DIAG_FIRST_LOCATIONS) assert_int_equal(entry->locations[i].offset, i);
        else assert_true(entry->locations[i].offset > entry->locations[i - 1].offset);
    }
    for (unsigned quarter = 0; quarter < 4; quarter++) {
        unsigned kept = 0;
        for (unsigned i = 0; i < TK_DIAG_LOCATIONS; i++) kept += entry->locations[i].offset / 250 == quarter;
        assert_true(kept >= 2);
    }
    tk_diag_set_time(&diag, TK_DIAG_FRAME_BROKEN,
                     &(struct tk_source_pos){ .has_offset = true, .offset = 3, .has_ticks = true, .ticks = 90 });
    tk_diag_set_time(&diag, TK_DIAG_FRAME_BROKEN,
                     &(struct tk_source_pos){ .has_offset = true, .offset = 3, .has_ticks = true, .ticks = 91 });
    assert_true(entry->locations[3].has_ticks);
    assert_int_equal(entry->locations[3].ticks, 90);
    assert_false(entry->locations[2].has_ticks);
}

static void context_is_cut_at_16_bytes(void **state) {
    (void)state;
    uint8_t bytes[40];
    memset(bytes, 0xEE, sizeof bytes);
    tk_diag_count(&diag, TK_DIAG_FRAME_BROKEN,
                  &(struct tk_source_pos){ .has_offset = true, .bytes = bytes, .len = sizeof bytes });
    assert_int_equal(diag.entries[TK_DIAG_FRAME_BROKEN].locations[0].context_len, TK_DIAG_CONTEXT);
    assert_int_equal(diag.entries[TK_DIAG_FRAME_BROKEN].locations[0].context[15], 0xEE);
}

// Two inputs, read alternately: the report does not depend on the order.
static void order_of_calls_does_not_matter(void **state) {
    (void)state;
    const struct tk_source_pos places[] = { { .input = 0, .has_offset = true, .offset = 500, .frame = 50 },
                                            { .input = 1, .has_offset = true, .offset = 3, .frame = 1 },
                                            { .input = 0, .has_offset = true, .offset = 900, .frame = 90 },
                                            { .has_ticks = true, .ticks = 1 } };
    const uint64_t ids[] = { 0x99, 0x34, 0x99, 0x35 };
    static const unsigned orders[][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 1, 0, 3, 2 }, { 2, 3, 0, 1 } };
    struct tk_diag first;
    for (unsigned i = 0; i < 4; i++) {
        tk_diag_init(&diag);
        for (unsigned k = 0; k < 4; k++)
            tk_diag_note(&diag, TK_DIAG_EVENT_UNKNOWN, &places[orders[i][k]], ids[orders[i][k]]);
        if (i == 0) first = diag;
        assert_memory_equal(&first, &diag, sizeof diag);
    }
    assert_int_equal(diag.entries[TK_DIAG_EVENT_UNKNOWN].locations[0].offset, 500);
    assert_string_equal(detail(TK_DIAG_EVENT_UNKNOWN), "id 0x34, 0x35, 0x99");
}

static void without_offset_the_earliest_time_is_kept(void **state) {
    (void)state;
    tk_diag_count(&diag, TK_DIAG_DROPPED, NULL);
    tk_diag_count(&diag, TK_DIAG_DROPPED, &(struct tk_source_pos){ .has_ticks = true, .ticks = 90 });
    tk_diag_count(&diag, TK_DIAG_DROPPED, &(struct tk_source_pos){ .has_ticks = true, .ticks = 40 });
    assert_int_equal(diag.entries[TK_DIAG_DROPPED].count, 3);
    assert_true(diag.entries[TK_DIAG_DROPPED].locations[0].has_ticks);
    assert_false(diag.entries[TK_DIAG_DROPPED].locations[0].has_offset);
    assert_int_equal(diag.entries[TK_DIAG_DROPPED].locations[0].ticks, 40);
}

static void amounts_add_up_and_saturate(void **state) {
    (void)state;
    tk_diag_note(&diag, TK_DIAG_TEXT_SKIPPED, NULL, 1);
    assert_string_equal(detail(TK_DIAG_TEXT_SKIPPED), "1 byte");
    tk_diag_note(&diag, TK_DIAG_TEXT_SKIPPED, NULL, 211);
    assert_string_equal(detail(TK_DIAG_TEXT_SKIPPED), "212 bytes");
    tk_diag_note(&diag, TK_DIAG_TEXT_SKIPPED, NULL, UINT64_MAX - 5);
    assert_string_equal(detail(TK_DIAG_TEXT_SKIPPED), "18446744073709551615 bytes");
    assert_int_equal(diag.entries[TK_DIAG_TEXT_SKIPPED].count, 3);
}

static void four_smallest_values_are_kept(void **state) {
    (void)state;
    const uint64_t cores[] = { 40, 35, 40, UINT64_MAX, 99, 33, 34, 36 };
    for (unsigned i = 0; i < 8; i++) tk_diag_note(&diag, TK_DIAG_CORE_OUT_OF_RANGE, NULL, cores[i]);
    assert_string_equal(detail(TK_DIAG_CORE_OUT_OF_RANGE), "core 33, 34, 35, 36 and others");
    assert_int_equal(diag.entries[TK_DIAG_CORE_OUT_OF_RANGE].count, 8);
    tk_diag_note(&diag, TK_DIAG_TICK_CHANGED, NULL, 1000);
    tk_diag_note(&diag, TK_DIAG_TICK_CHANGED, NULL, 500);
    assert_string_equal(detail(TK_DIAG_TICK_CHANGED), "500, 1000 ns");
}

static void longest_detail_fits(void **state) {
    (void)state;
    for (int id = 0; id < TK_DIAG_COUNT; id++) {
        for (unsigned i = 0; i < 6; i++) tk_diag_note(&diag, (enum tk_diag_id)id, NULL, UINT64_MAX - i);
        const char *text = detail((enum tk_diag_id)id);
        assert_true(strlen(text) < TK_DIAG_DETAIL_LEN);
        if (tk_diag_info((enum tk_diag_id)id)->detail >= TK_DETAIL_VALUE) assert_non_null(strstr(text, " and others"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_problem_has_text_cause_and_remedy, reset),
        cmocka_unit_test_setup(ids_and_texts_are_in_one_order, reset),
        cmocka_unit_test_setup(problems_that_did_not_occur_are_not_reported, reset),
        cmocka_unit_test_setup(first_position_is_kept, reset),
        cmocka_unit_test_setup(kept_positions_cover_the_recording, reset),
        cmocka_unit_test_setup(context_is_cut_at_16_bytes, reset),
        cmocka_unit_test_setup(order_of_calls_does_not_matter, reset),
        cmocka_unit_test_setup(without_offset_the_earliest_time_is_kept, reset),
        cmocka_unit_test_setup(amounts_add_up_and_saturate, reset),
        cmocka_unit_test_setup(four_smallest_values_are_kept, reset),
        cmocka_unit_test_setup(longest_detail_fits, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
