// SPDX-License-Identifier: MIT
// Counts as nanoseconds, compared with a division of 128 bits.
#include "support.h"

#include "base/duration.h"
#include "formats/kit/rate.h"

__extension__ typedef unsigned __int128 wide;

static uint64_t expected_ns(uint64_t counts, uint64_t hz, int rounding) {
    uint64_t second = counts / hz, rest = counts % hz, half = rounding == TK_RATE_ROUNDS_TO_NEAREST ? hz / 2 : 0;
    wide ns = (wide)second * 1000000000u + ((wide)rest * 1000000000u + half) / hz;
    return ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
}

static void counts_are_converted_exactly(void **state) {
    (void)state;
    static const uint64_t rates[] = { 1,          2,          3,          7,          1000,
                                      32768,      999983,     1000003,    16000000,   48000000,
                                      72000000,   84000000,   168000000,  240000000,  480000000,
                                      999999937,  1000000000, 1000000007, 3000000019, UINT32_MAX - 4,
                                      UINT32_MAX, 1ull << 32, 17179869184 };
    for (int rounding = TK_RATE_ROUNDS_DOWN; rounding <= TK_RATE_ROUNDS_TO_NEAREST; rounding++)
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            uint64_t hz = rates[i], step = 0x9E3779B97F4A7C15u;
            struct tk_rate rate = tk_rate_of(hz, rounding);
            for (uint64_t second = 0; second < 4; second++)
                for (uint64_t near = 0; near < 40; near++) {
                    uint64_t rest = near < 10 ? near : near < 20 ? hz - 1 - (near - 10) : (step *= 5) % hz;
                    uint64_t counts = second * hz + rest % hz;
                    assert_true(tk_rate_ns(&rate, counts) == expected_ns(counts, hz, rounding));
                }
        }
}

static void times_that_do_not_fit_are_at_the_limit(void **state) {
    (void)state;
    struct tk_rate rate = tk_rate_of(3, TK_RATE_ROUNDS_DOWN), unknown = tk_rate_of(0, TK_RATE_ROUNDS_DOWN);
    assert_true(tk_rate_ns(&rate, UINT64_MAX) == INT64_MAX);
    assert_true(tk_rate_ns(&unknown, 17) == 17);
}

static void ticks_are_converted_if_their_length_is_known_and_they_fit(void **state) {
    (void)state;
    uint64_t ns;
    assert_false(tk_ticks_to_ns(5, 0, &ns));
    assert_true(tk_ticks_to_ns(0, 10, &ns) && ns == 0);
    assert_true(tk_ticks_to_ns(UINT32_MAX, UINT32_MAX, &ns) && ns == (uint64_t)UINT32_MAX * UINT32_MAX);
    assert_true(tk_ticks_to_ns(UINT64_MAX, 1, &ns) && ns == UINT64_MAX);
    assert_true(tk_ticks_to_ns(1ull << 32, UINT32_MAX, &ns) && ns == (uint64_t)UINT32_MAX << 32);
    assert_false(tk_ticks_to_ns(1ull << 33, 1ull << 31, &ns));
    assert_false(tk_ticks_to_ns(UINT64_MAX, 2, &ns));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_converted_exactly),
        cmocka_unit_test(times_that_do_not_fit_are_at_the_limit),
        cmocka_unit_test(ticks_are_converted_if_their_length_is_known_and_they_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
