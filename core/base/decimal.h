// SPDX-License-Identifier: MIT
//
// Numbers as decimal text, both ways: the only place where digits are made, and where doubles are read. No locale.
#ifndef TK_BASE_DECIMAL_H
#define TK_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { TK_DECIMAL_LEN = 24, TK_DOUBLE_LEN = 32, TK_DOUBLE_DIGITS = 17 };

// Digits with leading zeros up to `least` places, terminated. base: 2 .. 16, but what it gives has to fit. Returns
// their number.
size_t tk_digits(uint64_t value, unsigned base, unsigned least, char out_text[TK_DECIMAL_LEN]);
static inline size_t tk_decimal(uint64_t value, char out_text[TK_DECIMAL_LEN]) {
    return tk_digits(value, 10, 1, out_text);
}
// Hexadecimal digits in capital letters.
size_t tk_capital_hex(uint64_t value, unsigned least, char out_text[TK_DECIMAL_LEN]);

// ---- Doubles (decimal_double.c) ----

// Writes the shortest digits that read back as `value` (the nearest of them) in the form of JavaScript: "0.1", "-12",
// "1e+21", "5e-324", "NaN", "Infinity"; "0" also for the negative zero. Terminated. Returns the length.
size_t tk_double_text(double value, char out_text[TK_DOUBLE_LEN]);

// Rounds to at most `most` digits (1 .. TK_DOUBLE_DIGITS), and writes a power of ten where the first digit is of a
// lower one than 10^least_plain or of a higher one than 10^most_plain; else the same.
size_t tk_double_rounded(double value, unsigned most, int least_plain, int most_plain, char out_text[TK_DOUBLE_LEN]);

// d.ddd * 10^exponent, of `count` digits without zeros at the end; of 0: "0".
struct tk_double_digits {
    char digits[TK_DOUBLE_DIGITS]; // '0' .. '9'
    unsigned count;                // from 1
    int exponent;
};
// Returns the digits of the magnitude of a finite `value`. most: 1 .. TK_DOUBLE_DIGITS to round to so many, halves away
// from zero; 0 for the shortest digits that read back.
struct tk_double_digits tk_double_digits(double value, unsigned most);

// Reads an optional sign, digits with an optional point, and an optional power of ten ("1e-3"), no more than up to
// `end`. Sets the nearest double (of two as near the even one), an infinity beyond the largest. Returns the position
// behind it; NULL without a digit.
const char *tk_double_read(const char *at, const char *end, double *out_value);

#endif
