// SPDX-License-Identifier: MIT
#include "support.h"

#include "lookup/times.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_times times;

static int setup(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    memset(&times, 0, sizeof times);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void read_text(const char *text, size_t piece) {
    for (size_t len = strlen(text), at = 0; at < len; at += piece)
        tk_times_read(&times, &alloc, (const uint8_t *)text + at, len - at < piece ? len - at : piece);
    tk_times_end(&times, &alloc);
}

static void a_text_is_read_however_it_is_cut(void **state) {
    (void)state;
    for (size_t piece = 1; piece < 20; piece++) {
        tk_alloc_free_all(&alloc);
        memset(&times, 0, sizeof times);
        read_text("# cortexm-times 1\r\n0 0\n10 1000\n\n# more\n 30\t2000 \r\n40 2001", piece);
        assert_int_equal(times.count, 4);
        assert_int_equal(times.refused, 0);
        assert_int_equal(tk_times_of(&times, 0), 0);
        assert_int_equal(tk_times_of(&times, 5), 500);
        assert_int_equal(tk_times_of(&times, 10), 1000);
        assert_int_equal(tk_times_of(&times, 20), 1500);
        assert_int_equal(tk_times_of(&times, 39), 2000);
        assert_int_equal(tk_times_of(&times, 1000), 2001);
    }
}

// Records that were received together, then none for more than 2^31 ns.
static void long_pauses_are_shared_out_evenly(void **state) {
    (void)state;
    read_text("0 0\n11 10000000000\n22 10000000011\n12884901910 9223372036854775807\n", 64);
    for (uint64_t i = 0; i < 11; i++) assert_int_equal(tk_times_of(&times, i), 10000000000 * i / 11);
    assert_int_equal(tk_times_of(&times, 16), 10000000005);
    uint64_t half = tk_times_of(&times, 22 + ((uint64_t)12884901888 >> 1)),
             exact = 10000000011 + (INT64_MAX - 10000000011) / 2;
    assert_true(half + 8 > exact && half < exact + 8);
    assert_int_equal(tk_times_of(&times, 12884901909) >> 32, INT64_MAX >> 32);
}

static void invalid_times_are_counted(void **state) {
    (void)state;
    read_text("5 10\n5 20\n4 30\n9 5\nx 1\n7\n8 9 10\n99999999999999999999 1\n# a comment that is longer than any line "
              "that is kept, which does not matter at all here\n20 40\n",
              7);
    assert_int_equal(times.count, 2);
    assert_int_equal(times.refused, 7);
    assert_int_equal(tk_times_of(&times, 0), 10); // before the first record
    assert_int_equal(tk_times_of(&times, 20), 40);
}

static void times_are_recognised(void **state) {
    static const char *const yes[] = { "# cortexm-times 1\n", "0 0\n10 2000\n20 4000\n30 4000\n",
                                       "0 0\n10 2000\n20 4000\n3" };
    static const char *const no[] = {
        "", "0 0\n10 2000\n", "1 2\n2 1\n3 4\n", "0 0 0\n1 1 1\n2 2 2\n", "10 1\n20 2\n30 3\n40 4\n", "-v740\n-T4\n"
    };
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(tk_times_is_text((const uint8_t *)yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(tk_times_is_text((const uint8_t *)no[i], strlen(no[i])));
}

static void times_above_the_limit_are_thinned_out(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 5 * (uint64_t)TK_TIMES_MAX; i++) tk_times_add(&times, &alloc, i * 10, i * 1000);
    assert_true(times.count <= TK_TIMES_MAX);
    for (uint64_t i = 0; i < 5 * (uint64_t)TK_TIMES_MAX - 16; i += 999)
        assert_int_equal(tk_times_of(&times, i * 10), i * 1000);
}

static void past_times_are_discarded_first(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 5 * (uint64_t)TK_TIMES_MAX; i++) {
        tk_times_add(&times, &alloc, i * 10, i * 1000 + i % 7);
        assert_int_equal(tk_times_of(&times, i * 10), i * 1000 + i % 7);
    }
    assert_true(times.count <= TK_TIMES_MAX);
}

static void huge_numbers_stay_in_order(void **state) {
    (void)state;
    tk_times_add(&times, &alloc, 0, 0);
    tk_times_add(&times, &alloc, UINT64_MAX / 2, UINT64_MAX / 2);
    uint64_t last = 0;
    for (uint64_t offset = 1; offset < UINT64_MAX / 4; offset *= 3) {
        uint64_t ns = tk_times_of(&times, offset);
        assert_true(ns >= last && ns <= UINT64_MAX / 2);
        last = ns;
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_text_is_read_however_it_is_cut),
        CASE(invalid_times_are_counted),
        CASE(times_are_recognised),
        CASE(long_pauses_are_shared_out_evenly),
        CASE(times_above_the_limit_are_thinned_out),
        CASE(past_times_are_discarded_first),
        CASE(huge_numbers_stay_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
