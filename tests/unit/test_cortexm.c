// SPDX-License-Identifier: MIT
#include "support.h"

#include "formats/cortexm/records.h"

struct taken {
    unsigned functions, logs, dumps, splits, skipped;
    struct cm_record last;
    enum cm_numbering numbering;
};

// The buffer ends with these bytes.
static struct taken take(const uint8_t *bytes, size_t len) {
    struct taken taken = { 0 };
    struct cm_window window = { bytes, len, true };
    struct cm_record out[2];
    for (size_t at = 0; at < len;) {
        enum cm_verdict verdict = cm_next(&window, at, &taken.numbering, out);
        assert_int_not_equal(verdict, CM_MORE);
        if (verdict == CM_SKIPPED) {
            taken.skipped++, at++;
            continue;
        }
        taken.splits += verdict == CM_SPLIT;
        taken.functions += out[0].kind == CM_FUNCTION;
        taken.logs += out[0].kind == CM_LOG;
        taken.dumps += out[0].kind == CM_DUMP;
        taken.last = out[verdict == CM_SPLIT];
        at += verdict == CM_SPLIT ? 20 : out[0].size;
    }
    return taken;
}

#define TAKE(...) take((const uint8_t[]){ __VA_ARGS__ }, sizeof(uint8_t[]){ __VA_ARGS__ })
#define MAIN 0xC0, 0x00, 0x08, 0x00, 0x02, 0x3A, 0x08, 0x00, 0x02, 0x37
#define IRQ 0xC0, 0x13, 0x08, 0x00, 0x04, 0xF2, 0xFF, 0xFF, 0xFF, 0xF9

static void function_records_are_read(void **state) {
    (void)state;
    struct taken taken = TAKE(MAIN, 0xC1, 0x2C, 0x08, 0x00, 0x01, 0xBC, 0xFF, 0xFF, 0xFF, 0xF9);
    assert_int_equal(taken.functions, 2);
    assert_int_equal(taken.last.vector, 300);
    assert_int_equal(taken.last.pc, 0x080001BC);
    assert_int_equal(taken.last.lr, 0xFFFFFFF9);
    assert_int_equal(taken.skipped, 0);
}

static void exceptions_that_no_target_has_are_skipped(void **state) {
    (void)state;
    for (uint32_t vector = 0; vector < 20; vector++) {
        bool is_reserved = vector == 1 || (vector >= 8 && vector <= 10) || vector == 13;
        struct taken taken = TAKE(MAIN, 0xC0, (uint8_t)vector, 0x08, 0, 0x02, 0x3A, 0x08, 0, 0x02, 0x37, MAIN);
        assert_int_equal(taken.functions, is_reserved ? 2 : 3);
        assert_int_equal(taken.skipped, is_reserved ? 10 : 0);
    }
}

static void a_handler_returns_to_code_or_by_a_valid_exception_return(void **state) {
    (void)state;
    static const uint8_t valid[] = { 0xF1, 0xF9, 0xFD, 0xE1, 0xE9, 0xED, 0xBC, 0xB8, 0xFF }, invalid[] = { 0xFB, 0x79 };
    for (size_t i = 0; i < sizeof valid; i++)
        assert_int_equal(TAKE(MAIN, 0xC0, 0x13, 0x08, 0, 0x04, 0xF2, 0xFF, 0xFF, 0xFF, valid[i], MAIN).functions, 3);
    for (size_t i = 0; i < sizeof invalid; i++)
        assert_int_equal(TAKE(MAIN, 0xC0, 0x13, 0x08, 0, 0x04, 0xF2, 0xFF, 0xFF, 0xFF, invalid[i], MAIN).functions, 2);
    assert_int_equal(TAKE(MAIN, 0xC0, 0x13, 0x08, 0, 0x04, 0xF2, 0xFF, 0x7F, 0xFF, 0xF9, MAIN).functions, 2);
    assert_int_equal(TAKE(MAIN, 0xC0, 0x00, 0x08, 0, 0x04, 0xF2, 0xFF, 0xFF, 0xFF, 0xFF, MAIN).functions, 3); // reset
}

static void the_first_flag_decides_the_numbering(void **state) {
    (void)state;
    struct taken taken = TAKE(MAIN, 0xC2, 0x08, 0x00, 0x02, 'o', 'k', MAIN);
    assert_int_equal(taken.numbering, CM_FLAGS_NEW);
    assert_int_equal(taken.logs, 1);
    taken = TAKE(MAIN, 0xC2, 0x02, 0x20, 0, 0, 0, 0, 1, 7, MAIN);
    assert_int_equal(taken.numbering, CM_FLAGS_OLD);
    assert_int_equal(taken.dumps, 1);
    taken = TAKE(MAIN, 0xC2, 0x04, 0x00, 0x02, 'o', 'k', MAIN, MAIN);
    assert_int_equal(taken.numbering, CM_FLAGS_OLD);
    assert_int_equal(taken.logs, 1);
    taken = TAKE(MAIN, 0xC2, 0x04, 0x20, 0, 0, 0, 0, 0, MAIN);
    assert_int_equal(taken.numbering, CM_FLAGS_NEW);
    assert_int_equal(taken.dumps, 1);
}

// `C2 04 00 04 C0 C0 00 00` can be an empty dump at 0004C0C0 or a log of four bytes.
static void later_records_decide_an_ambiguous_numbering(void **state) {
    (void)state;
    struct taken taken =
        TAKE(0xC2, 0x04, 0x00, 0x04, 0xC0, 0xC0, 0x00, 0x00, MAIN, 0xC2, 0x02, 0x20, 0, 0, 0, 0, 1, 7, MAIN);
    assert_int_equal(taken.numbering, CM_FLAGS_OLD);
    assert_int_equal(taken.dumps, 1);
    taken = TAKE(0xC2, 0x04, 0x00, 0x04, 0xC0, 0xC0, 0x00, 0x00, MAIN, 0xC2, 0x08, 0x00, 0x01, 'x', MAIN);
    assert_int_equal(taken.numbering, CM_FLAGS_NEW);
    assert_int_equal(taken.logs, 1);
}

static void more_flags_are_followed_up_to_a_bound(void **state) {
    (void)state;
    struct taken taken =
        TAKE(MAIN, 0xC2, 0x08, 0, 0, 0xC2, 0x06, 0x00, 0x20, 0x00, 0x00, 0x20, 0x00, 0x02, 0x01, 0x02, MAIN);
    assert_int_equal(taken.dumps, 1);
    assert_int_equal(taken.skipped, 0);
    taken = TAKE(MAIN, 0xC2, 0x08, 0, 0, 0xC3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, MAIN);
    assert_int_equal(taken.functions, 2);
    assert_int_equal(taken.skipped, 8);
}

static void undefined_flags_leave_a_function_record(void **state) {
    (void)state;
    struct taken taken = TAKE(MAIN, 0xC2, 0x11, 0x2C, 0x08, 0x00, 0x04, 0xBC, 0x08, 0x00, 0x05, 0x0B, MAIN);
    assert_int_equal(taken.functions, 3);
    assert_int_equal(taken.skipped, 0);
}

static void a_record_inside_another_one_is_taken_apart(void **state) {
    (void)state;
    struct taken taken = TAKE(0xC0, 0x00, 0x08, IRQ, 0x00, 0x02, 0x3A, 0x08, 0x00, 0x02, 0x37, MAIN);
    assert_int_equal(taken.splits, 1);
    assert_int_equal(taken.functions, 2);
    assert_int_equal(taken.skipped, 0);
}

static void impossible_records_are_skipped(void **state) {
    (void)state;
    struct taken taken = TAKE(MAIN, 'x', 0xC0, 0x00, 0x50, 0x00, 0x02, 0x3A, 0x08, 0x00, 0x02, 0x37, MAIN);
    assert_int_equal(taken.functions, 2);
    assert_int_equal(taken.skipped, 11);
    taken = TAKE(MAIN, 0xC0, 0x00, 0x08);
    assert_int_equal(taken.functions, 1);
    assert_int_equal(taken.skipped, 3);
}

// A PC that a compiler hook sent is odd; alone it does not confirm a recording.
static void an_odd_pc_needs_the_next_record(void **state) {
    (void)state;
    struct taken taken = TAKE(0xC0, 0x00, 0x08, 0x00, 0x02, 0x3B, 0x08, 0x00, 0x02, 0x37, 'x', MAIN);
    assert_int_equal(taken.functions, 1);
    taken = TAKE(0xC0, 0x00, 0x08, 0x00, 0x02, 0x3A, 0x08, 0x00, 0x02, 0x37, 'x', MAIN);
    assert_int_equal(taken.functions, 2);
}

static void a_record_waits_for_its_end(void **state) {
    static const uint8_t bytes[] = { MAIN, 0xC2, 0x08, 0x00, 0x02, 'o' };
    struct cm_window window = { bytes, sizeof bytes, false };
    enum cm_numbering numbering = CM_FLAGS_OPEN;
    struct cm_record out[2];
    (void)state;
    assert_int_equal(cm_next(&window, 0, &numbering, out), CM_ACCEPTED);
    assert_int_equal(cm_next(&window, 10, &numbering, out), CM_MORE);
    window.len = 10;
    assert_int_equal(cm_next(&window, 0, &numbering, out), CM_MORE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(function_records_are_read),
        cmocka_unit_test(exceptions_that_no_target_has_are_skipped),
        cmocka_unit_test(a_handler_returns_to_code_or_by_a_valid_exception_return),
        cmocka_unit_test(the_first_flag_decides_the_numbering),
        cmocka_unit_test(later_records_decide_an_ambiguous_numbering),
        cmocka_unit_test(more_flags_are_followed_up_to_a_bound),
        cmocka_unit_test(undefined_flags_leave_a_function_record),
        cmocka_unit_test(a_record_inside_another_one_is_taken_apart),
        cmocka_unit_test(impossible_records_are_skipped),
        cmocka_unit_test(an_odd_pc_needs_the_next_record),
        cmocka_unit_test(a_record_waits_for_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
