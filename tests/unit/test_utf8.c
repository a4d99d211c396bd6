// SPDX-License-Identifier: MIT
#include "support.h"

#include "base/utf8.h"

#define BAD "\xEF\xBF\xBD"

// Cleans a copy that ends with the buffer.
static void expect(const char *bytes, size_t len, const char *expected, size_t expected_bad) {
    uint8_t *copy = malloc(len ? len : 1), *out = malloc(len * TK_UTF8_GROWTH + 1);
    size_t bad = 99;
    memcpy(copy, bytes, len);
    size_t out_len = tk_utf8_clean(copy, len, out, &bad);
    assert_true(out_len <= len * TK_UTF8_GROWTH);
    out[out_len] = 0;
    assert_string_equal((char *)out, expected);
    assert_int_equal(bad, expected_bad);
    assert_true(tk_utf8_is_clean(out, out_len));
    assert_int_equal(tk_utf8_is_clean(copy, len), out_len == len && !memcmp(copy, out, len));
    free(copy);
    free(out);
}

#define EXPECT(bytes, expected, bad) expect(bytes, sizeof bytes - 1, expected, bad)

static void valid_text_stays(void **state) {
    (void)state;
    EXPECT("", "", 0);
    EXPECT("sensor \x7F\t", "sensor \x7F\t", 0);
    EXPECT("\xC2\x80 \xDF\xBF", "\xC2\x80 \xDF\xBF", 0);
    EXPECT("\xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF", "\xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF",
           0);
    EXPECT("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF", 0);
}

static void zero_bytes_become_visible_and_are_not_bad(void **state) {
    (void)state;
    EXPECT("a\0b",
           "a\xE2\x90\x80"
           "b",
           0);
}

static void invalid_first_bytes_are_replaced_one_by_one(void **state) {
    (void)state;
    EXPECT("a\xFF\xFE"
           "b",
           "a" BAD BAD "b", 2);
    EXPECT("\x80\xBF", BAD BAD, 2);
    EXPECT("\xC0\xAF", BAD BAD, 2);
    EXPECT("\xF5\x80", BAD BAD, 2);
}

// The longest prefix of a valid character counts as one error.
static void cut_sequences_are_replaced_as_one(void **state) {
    (void)state;
    EXPECT("ab\xE2\x82", "ab" BAD, 1);
    EXPECT("\xF0\x9F\x98", BAD, 1);
    EXPECT("\xE2\x82"
           "x",
           BAD "x", 1);
    EXPECT("\xC3", BAD, 1);
    EXPECT("\xE2\xE2\x82\xAC", BAD "\xE2\x82\xAC", 1);
}

static void overlong_forms_surrogates_and_too_large_ones_are_replaced(void **state) {
    (void)state;
    EXPECT("\xE0\x80\xAF", BAD BAD BAD, 3);
    EXPECT("\xF0\x80\x80\xAF", BAD BAD BAD BAD, 4);
    EXPECT("\xED\xA0\x80", BAD BAD BAD, 3);
    EXPECT("\xF4\x90\x80\x80", BAD BAD BAD BAD, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_text_stays),
        cmocka_unit_test(zero_bytes_become_visible_and_are_not_bad),
        cmocka_unit_test(invalid_first_bytes_are_replaced_one_by_one),
        cmocka_unit_test(cut_sequences_are_replaced_as_one),
        cmocka_unit_test(overlong_forms_surrogates_and_too_large_ones_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
