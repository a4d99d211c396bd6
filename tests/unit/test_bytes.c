// SPDX-License-Identifier: MIT
#include "support.h"

#include "base/bytes.h"

// Reads from a copy that ends with the buffer, so that a sanitizer detects reads beyond it. Returns the length read,
// -1: rejected.
static int read64(const char *bytes, size_t len, uint64_t *out_value) {
    uint8_t *copy = malloc(len ? len : 1);
    memcpy(copy, bytes, len);
    const uint8_t *end = tk_varint64_read(copy, copy + len, out_value);
    int used = end ? (int)(end - copy) : -1;
    free(copy);
    return used;
}

static int read32(const char *bytes, size_t len, uint32_t *out_value) {
    uint8_t *copy = malloc(len ? len : 1);
    memcpy(copy, bytes, len);
    const uint8_t *end = tk_varint32_read(copy, copy + len, out_value);
    int used = end ? (int)(end - copy) : -1;
    free(copy);
    return used;
}

#define EXPECT64(bytes, used, expected)                                  \
    do {                                                                 \
        uint64_t value = 0;                                              \
        assert_int_equal(read64(bytes, sizeof bytes - 1, &value), used); \
        assert_true(value == (expected));                                \
    } while (0)
#define REFUSE64(bytes)                                                \
    do {                                                               \
        uint64_t value;                                                \
        assert_int_equal(read64(bytes, sizeof bytes - 1, &value), -1); \
    } while (0)
#define EXPECT32(bytes, used, expected)                                  \
    do {                                                                 \
        uint32_t value = 0;                                              \
        assert_int_equal(read32(bytes, sizeof bytes - 1, &value), used); \
        assert_true(value == (expected));                                \
    } while (0)
#define REFUSE32(bytes)                                                \
    do {                                                               \
        uint32_t value;                                                \
        assert_int_equal(read32(bytes, sizeof bytes - 1, &value), -1); \
    } while (0)

static void numbers_are_read_up_to_their_last_byte(void **state) {
    (void)state;
    EXPECT64("\x00", 1, 0);
    EXPECT64("\x7F\xFF", 1, 127);
    EXPECT64("\x80\x01", 2, 128);
    EXPECT64("\xE5\x8E\x26\x01", 3, 624485);
    EXPECT64("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10, UINT64_MAX);
    EXPECT32("\xFF\xFF\xFF\xFF\x0F", 5, UINT32_MAX);
    EXPECT32("\x07\x80", 1, 7);
}

static void overlong_forms_are_accepted(void **state) {
    (void)state;
    EXPECT64("\x85\x80\x80\x00", 4, 5);
    EXPECT64("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00", 10, 1);
    EXPECT32("\x85\x80\x80\x00", 4, 5);
    EXPECT32("\x85\x80\x80\x80\x00", 5, 5);
}

static void numbers_out_of_range_are_refused(void **state) {
    (void)state;
    REFUSE64("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02");
    REFUSE64("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
    REFUSE64("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00");
    REFUSE32("\xFF\xFF\xFF\xFF\x1F");
    REFUSE32("\x81\x80\x80\x80\x80\x01");
}

static void numbers_that_do_not_end_are_refused(void **state) {
    (void)state;
    REFUSE64("");
    REFUSE64("\x80");
    REFUSE64("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
    REFUSE32("");
    REFUSE32("\x81\x80");
}

// The fast reader returns the same as the checking one for every length, and does not touch numbers longer than eight
// bytes.
static void reading_ahead_agrees_with_reading(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 64; bits++) {
        for (int more = -1; more <= 1; more++) {
            uint64_t number = ((uint64_t)1 << bits) + (uint64_t)more, value = 0;
            uint8_t bytes[24];
            memset(bytes, 0xFF, sizeof bytes); // the byte after it must not matter
            size_t len = 0;
            for (uint64_t rest = number;; rest >>= 7) {
                bytes[len++] = (uint8_t)(rest < 0x80 ? rest : rest | 0x80);
                if (rest < 0x80) break;
            }
            const uint8_t *end = tk_varint_read_ahead(bytes, &value);
            if (len > 8) {
                assert_null(end);
                continue;
            }
            assert_ptr_equal(end, bytes + len);
            assert_true(value == number);
        }
    }
}

static void reading_ahead_takes_overlong_forms(void **state) {
    (void)state;
    const uint8_t bytes[] = { 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00 };
    uint64_t value = 0;
    assert_ptr_equal(tk_varint_read_ahead(bytes, &value), bytes + 8);
    assert_true(value == 5);
}

static void the_first_zero_is_found_at_every_position(void **state) {
    (void)state;
    for (size_t len = 0; len < 40; len++) {
        uint8_t *bytes = malloc(len + 1);
        for (size_t zero = 0; zero <= len; zero++) {
            for (unsigned fill = 0; fill < 3; fill++) {
                memset(bytes, (const uint8_t[]){ 0x01, 0x80, 0xFF }[fill], len + 1);
                if (zero < len) bytes[zero] = 0;
                if (zero + 1 < len) bytes[zero + 1] = 0;
                assert_int_equal(tk_find_zero(bytes, len), zero);
            }
        }
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_up_to_their_last_byte),
        cmocka_unit_test(overlong_forms_are_accepted),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(numbers_that_do_not_end_are_refused),
        cmocka_unit_test(reading_ahead_agrees_with_reading),
        cmocka_unit_test(reading_ahead_takes_overlong_forms),
        cmocka_unit_test(the_first_zero_is_found_at_every_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
