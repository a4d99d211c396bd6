// SPDX-License-Identifier: MIT
//
// Converts numbers to decimal text and back, without a locale. All other modules use these functions for digits and
// doubles.
#ifndef TK_BASE_DECIMAL_H
#define TK_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { TK_DECIMAL_LEN = 24, TK_DOUBLE_LEN = 32, TK_DOUBLE_DIGITS = 17 };

// Writes the digits of `value`, padded with zeros to at least `least` digits, and a terminating zero. base: 2 .. 16;
// the text must fit into TK_DECIMAL_LEN. Returns the number of digits.
size_t tk_digits(uint64_t value, unsigned base, unsigned least, char out_text[TK_DECIMAL_LEN]);
static inline size_t tk_decimal(uint64_t value, char out_text[TK_DECIMAL_LEN]) {
    return tk_digits(value, 10, 1, out_text);
}
// Writes hexadecimal digits in capital letters, padded with zeros to at least `least` digits.
size_t tk_capital_hex(uint64_t value, unsigned least, char out_text[TK_DECIMAL_LEN]);

// ---- Doubles (decimal_double.c) ----

// Writes the shortest digits that are read back as `value` (the nearest of them) in JavaScript's notation: "0.1",
// "-12", "1e+21", "5e-324", "NaN", "Infinity". A negative zero becomes "0". Writes a terminating zero. Returns the
// length.
size_t tk_double_text(double value, char out_text[TK_DOUBLE_LEN]);

// Writes `value` rounded to at most `most` digits (1 .. TK_DOUBLE_DIGITS; 0: shortest as tk_double_text). Uses an
// exponent if the value is below 10^least_plain or not below 10^(most_plain + 1). Returns the length.
size_t tk_double_rounded(double value, unsigned most, int least_plain, int most_plain, char out_text[TK_DOUBLE_LEN]);

// Decimal digits of a number d.ddd * 10^exponent. Has `count` digits without trailing zeros; zero is "0".
struct tk_double_digits {
    char digits[TK_DOUBLE_DIGITS]; // '0' .. '9'
    unsigned count;                // number of digits, 1 or more
    int exponent;
};
// Returns the digits of the magnitude of a finite `value`. most: number of digits to round to (1 .. TK_DOUBLE_DIGITS;
// halves away from zero), or 0 for the shortest digits that are read back as `value`.
struct tk_double_digits tk_double_digits(double value, unsigned most);

// Reads an optional sign, digits with an optional point and an optional power of ten ("1e-3"), up to `end`. Sets the
// nearest double (in a tie the even one), or an infinity above the largest double. Returns the position after the
// number; NULL if there is no digit.
const char *tk_double_read(const char *at, const char *end, double *out_value);

#endif
