// SPDX-License-Identifier: MIT
//
// Numbers as text: the one place where digits are made.
#ifndef TK_BASE_DECIMAL_H
#define TK_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { TK_DECIMAL_LEN = 24, TK_DOUBLE_LEN = 32 };

// Digits with leading zeros up to `least` places, terminated. base: 2 .. 16, but what it gives has to fit. Returns
// their number.
size_t tk_digits(uint64_t value, unsigned base, unsigned least, char out_text[TK_DECIMAL_LEN]);
static inline size_t tk_decimal(uint64_t value, char out_text[TK_DECIMAL_LEN]) {
    return tk_digits(value, 10, 1, out_text);
}
// Seventeen digits, which tell a finite double from its neighbours: "-1.2500000000000000e-3". Terminated.
size_t tk_decimal_double(double value, char out_text[TK_DOUBLE_LEN]);

#endif
