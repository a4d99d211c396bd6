// SPDX-License-Identifier: MIT
// Doubles as text in both directions, compared with the C library, whose conversion is exact.
#include "support.h"

#include <float.h>
#include <math.h>

#include "base/decimal.h"

enum { RANDOM = 40000 };

static uint64_t random_state;

static uint64_t random_word(void) { // xorshift64*
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1Du;
}

static unsigned random_below(unsigned limit) { return (unsigned)((random_word() >> 32) % limit); }

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// ---- Reading -----------------------------------------------------------------------------------

// Reads from a copy that ends with the buffer, so that a sanitizer detects reads beyond it.
static double read_all(const char *text) {
    size_t len = strlen(text);
    char *copy = malloc(len);
    double value = 0;
    memcpy(copy, text, len);
    const char *end = tk_double_read(copy, copy + len, &value);
    if (end != copy + len) fail_msg("\"%s\" is not read to its end", text);
    free(copy);
    return value;
}

static void expect_read(const char *text) {
    double value = read_all(text), exact = strtod(text, NULL);
    if (bits_of(value) != bits_of(exact)) fail_msg("\"%s\" is read as %.17g, not as %.17g", text, value, exact);
}

static void numbers_are_read_as_the_nearest_double(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "+1",
        "1.",
        ".5",
        "-.5e1",
        "0.1",
        "1.005",
        "00012.500",
        "1e22",
        "1e23",
        "123456789012345678e-40",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000000000000001",
        "9007199254740991",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "10000000000000000000",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e308",
        "1e309",
        "1e400",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "4.9406564584124654e-324",
        "5e-324",
        "3e-324",
        "2.4703282292062328e-324",
        "2.4703282292062327e-324",
        "1e-323",
        "1e-324",
        "1e-400",
        "0e999999999999999999999999",
        "1e999999999999999999999999",
        "1e-999999999999999999999999",
        "0.000e5",
        "6250000000000000000000000000000000e-12",
        "8.98846567431158e307",
        "1.00000000000000011102230246251565404",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000011102230246251565404236316680908203124",
        "7.2057594037927933e16",
        "72057594037927937",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_read(texts[i]);
}

static void long_numbers_are_read_exactly(void **state) {
    enum { LEN = 2000 };
    static char text[LEN + 64];
    (void)state;
    // Halfway between two doubles, and slightly beside it at a distant digit.
    int len = snprintf(text, sizeof text, "%.1100f", 4.9406564584124654e-324 * 1.0);
    assert_true(len > 1000);
    expect_read(text);
    static const double values[] = { 5e-324, 1e-310, 2.2250738585072014e-308, 1.0, 0.1, 1e22, 1e300, 3e-300 };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        long double half = ((long double)values[i] + (long double)nextafter(values[i], INFINITY)) / 2;
        len = snprintf(text, sizeof text, "%.1200Le", half);
        char *exponent = strchr(text, 'e'), tail[32];
        expect_read(text);
        snprintf(tail, sizeof tail, "%s", exponent);
        snprintf(exponent, 64, "1%s", tail);
        expect_read(text);
        memmove(exponent, tail, strlen(tail) + 1);
        for (char *at = exponent - 1; at > text; at--) { // one less in the last place
            if (*at == '.') continue;
            if (*at != '0') {
                (*at)--;
                break;
            }
            *at = '9';
        }
        expect_read(text);
    }
    memset(text, '0', LEN); // leading zeros, with and without an exponent that compensates for them
    text[1] = '.';
    strcpy(text + LEN, "123e1999");
    expect_read(text);
    strcpy(text + LEN, "123");
    expect_read(text);
    memset(text, '9', LEN);
    strcpy(text + LEN, "e-2000");
    expect_read(text);
    strcpy(text + LEN, "e-2300");
    expect_read(text);
    strcpy(text + LEN, "");
    expect_read(text);
}

static void an_invalid_character_ends_a_number(void **state) {
    static const struct {
        const char *text;
        int len; // -1: rejected
        double value;
    } cases[] = { { "", -1, 0 },       { "-", -1, 0 },        { ".", -1, 0 },   { "e5", -1, 0 },  { "x", -1, 0 },
                  { "nan", -1, 0 },    { "inf", -1, 0 },      { " 1", -1, 0 },  { "+-1", -1, 0 }, { "1,5", 1, 1 },
                  { "1.5.2", 3, 1.5 }, { "1e", 1, 1 },        { "1e+", 1, 1 },  { "2e-x", 1, 2 }, { "0x10", 1, 0 },
                  { "12 ms", 2, 12 },  { "1.5e3e", 5, 1500 }, { "-.e1", -1, 0 } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 0;
        const char *text = cases[i].text, *end = tk_double_read(text, text + strlen(text), &value);
        assert_int_equal(end ? (int)(end - text) : -1, cases[i].len);
        if (end) assert_true(value == cases[i].value);
    }
}

static void random_numbers_are_read_as_the_c_library_reads_them(void **state) {
    (void)state;
    random_state = 28;
    for (unsigned i = 0; i < RANDOM; i++) {
        char text[128], *at = text;
        unsigned digits = 1 + random_below(40), point = random_below(2 * digits);
        if (random_below(4) == 0) *at++ = '-';
        for (unsigned digit = 0; digit < digits; digit++) {
            if (digit == point) *at++ = '.';
            *at++ = (char)('0' + random_below(10));
        }
        switch (random_below(4)) { // the powers of ten with different algorithms
        case 0: *at = 0; break;
        case 1: sprintf(at, "e%d", (int)random_below(61) - 30); break;
        case 2: sprintf(at, "E%+d", (int)random_below(640) - 320); break;
        default: sprintf(at, "e%d", (int)random_below(60) - 345); break;
        }
        expect_read(text);
    }
}

// ---- Writing -----------------------------------------------------------------------------------

static void numbers_are_written_with_the_fewest_digits(void **state) {
    static const struct {
        double value;
        const char *text;
    } cases[] = { { 0, "0" },
                  { -0.0, "0" },
                  { 1, "1" },
                  { -1, "-1" },
                  { 0.1, "0.1" },
                  { 1.005, "1.005" },
                  { 17.5, "17.5" },
                  { 100, "100" },
                  { 1.0 / 3, "0.3333333333333333" },
                  { 2.0 / 3, "0.6666666666666666" },
                  { 0.1 + 0.2, "0.30000000000000004" },
                  { 123456789012345680.0, "123456789012345680" },
                  { 9007199254740991.0, "9007199254740991" },
                  { 9007199254740993.0, "9007199254740992" },
                  { 1e20, "100000000000000000000" },
                  { 123456789e12, "123456789000000000000" },
                  { 1e21, "1e+21" },
                  { 1.5e300, "1.5e+300" },
                  { 0.000001, "0.000001" },
                  { -0.00000123, "-0.00000123" },
                  { 1e-7, "1e-7" },
                  { 1.25e-7, "1.25e-7" },
                  { 5e-324, "5e-324" },
                  { -2.2250738585072014e-308, "-2.2250738585072014e-308" },
                  { DBL_MAX, "1.7976931348623157e+308" },
                  { 9.5367431640625e-7, "9.5367431640625e-7" },
                  { 5.684341886080802e-14, "5.684341886080802e-14" },
                  { 9007199254740992.0 * 1024, "9223372036854776000" },
                  { INFINITY, "Infinity" },
                  { -INFINITY, "-Infinity" },
                  { NAN, "NaN" } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_DOUBLE_LEN];
        assert_int_equal(tk_double_text(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

// "d.ddde-3" of the C library as digits without trailing zeros, and an exponent.
static struct tk_double_digits digits_of(const char *text) {
    struct tk_double_digits out = { .count = 0 };
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9') out.digits[out.count++] = *text;
    out.exponent = atoi(text + 1);
    while (out.count > 1 && out.digits[out.count - 1] == '0') out.count--;
    return out;
}

static bool is_same(const struct tk_double_digits *a, const struct tk_double_digits *b) {
    return a->count == b->count && a->exponent == b->exponent && !memcmp(a->digits, b->digits, a->count);
}

static void expect_shortest(double value) {
    char text[TK_DOUBLE_LEN], other[64];
    size_t len = tk_double_text(value, text);
    assert_int_equal(len, strlen(text));
    assert_true(len < TK_DOUBLE_LEN);
    double read = 0;
    if (strtod(text, NULL) != value) fail_msg("%.17g is written as %s", value, text);
    if (tk_double_read(text, text + len, &read) != text + len || read != value)
        fail_msg("%s is read as %.17g", text, read);
    struct tk_double_digits digits = tk_double_digits(value, 0);
    assert_true(digits.count >= 1 && digits.count <= TK_DOUBLE_DIGITS);
    if (digits.count > 1) {
        snprintf(other, sizeof other, "%.*e", (int)digits.count - 2, value);
        if (strtod(other, NULL) == value) fail_msg("%s can be written as %s", text, other);
    }
    // Among the numbers with as few digits, the result is the nearest one.
    snprintf(other, sizeof other, "%.*e", (int)digits.count - 1, fabs(value));
    if (strtod(other, NULL) != fabs(value)) return;
    struct tk_double_digits nearest = digits_of(other);
    if (!is_same(&digits, &nearest)) fail_msg("%s is farther away than %s", text, other);
}

static void expect_rounded(double value, unsigned most) {
    char text[64], exact[1200];
    struct tk_double_digits digits = tk_double_digits(value, most), other;
    snprintf(text, sizeof text, "%.*e", (int)most - 1, fabs(value));
    other = digits_of(text);
    if (is_same(&digits, &other)) return;
    // The C library rounds halves to even.
    int len = snprintf(exact, sizeof exact, "%.*e", 1100, fabs(value));
    char *tail = exact + most + (most > 1), *exponent = strchr(exact, 'e');
    if (tail[0] == '.') tail++;
    assert_true(len > 1100 && tail < exponent);
    bool is_half = *tail == '5' && strspn(tail + 1, "0") == (size_t)(exponent - tail - 1);
    char up[64];
    uint64_t number = 0;
    for (const char *at = exact; at < tail; at++)
        if (*at != '.') number = number * 10 + (unsigned)(*at - '0');
    snprintf(up, sizeof up, "%llue%d", (unsigned long long)number + 1,
             atoi(exponent + 1) + (number + 1 == pow(10, most)));
    other = digits_of(up);
    if (!is_half || !is_same(&digits, &other)) fail_msg("%.17g is not rounded to %u digits as %s", value, most, text);
}

static void random_numbers_are_written_so_that_they_read_back(void **state) {
    (void)state;
    random_state = 29;
    for (unsigned i = 0; i < RANDOM; i++) {
        uint64_t bits = random_word();
        if (i % 8 == 0) bits &= 0x800FFFFFFFFFFFFFu >> random_below(52);   // subnormal numbers
        if (i % 8 == 1) bits &= 0xFFFFFFFFFFFFFFFFu << (random_below(53)); // few bits, also powers of two
        double value = double_of(bits);
        if (i % 8 >= 4)
            value = (double)(int64_t)(random_word() >> random_below(64)) / pow(10, random_below(20)); // numbers that
                                                                                                      // humans write
        if (!isfinite(value)) continue;
        expect_shortest(value);
        expect_rounded(value, 1 + random_below(TK_DOUBLE_DIGITS));
    }
}

static void doubles_around_powers_are_written_so_that_they_read_back(void **state) {
    (void)state;
    for (int power = -1074; power <= 1023; power++) {
        double value = ldexp(1, power);
        expect_shortest(value);
        expect_shortest(nextafter(value, 0));
        expect_shortest(nextafter(value, INFINITY));
        for (unsigned most = 1; most <= TK_DOUBLE_DIGITS; most++) expect_rounded(value, most);
    }
    for (int power = -323; power <= 308; power++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", power);
        double value = strtod(text, NULL), below = nextafter(value, 0), above = nextafter(value, INFINITY);
        expect_shortest(value);
        expect_shortest(below);
        expect_shortest(above);
        for (unsigned most = 1; most <= TK_DOUBLE_DIGITS; most++) {
            expect_rounded(below, most);
            expect_rounded(above, most);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_as_the_nearest_double),
        cmocka_unit_test(long_numbers_are_read_exactly),
        cmocka_unit_test(an_invalid_character_ends_a_number),
        cmocka_unit_test(random_numbers_are_read_as_the_c_library_reads_them),
        cmocka_unit_test(numbers_are_written_with_the_fewest_digits),
        cmocka_unit_test(random_numbers_are_written_so_that_they_read_back),
        cmocka_unit_test(doubles_around_powers_are_written_so_that_they_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
