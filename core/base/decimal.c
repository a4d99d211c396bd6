// SPDX-License-Identifier: MIT
#include "decimal.h"

#include "bytes.h"

static inline size_t digits_of(uint64_t value, unsigned base, unsigned least, char out_text[TK_DECIMAL_LEN]) {
    char digits[TK_DECIMAL_LEN];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value || sizeof digits - at < least);
    size_t len = sizeof digits - at;
    tk_copy(out_text, digits + at, len);
    out_text[len] = 0;
    return len;
}

// Bases 10 and 16 are passed as constants, because a division by a constant takes a fraction of the time.
size_t tk_digits(uint64_t value, unsigned base, unsigned least, char out_text[TK_DECIMAL_LEN]) {
    if (base == 16) return digits_of(value, 16, least, out_text);
    return base == 10 ? digits_of(value, 10, least, out_text) : digits_of(value, base, least, out_text);
}

size_t tk_capital_hex(uint64_t value, unsigned least, char out_text[TK_DECIMAL_LEN]) {
    size_t len = tk_digits(value, 16, least, out_text);
    for (size_t i = 0; i < len; i++)
        if (out_text[i] >= 'a') out_text[i] = (char)(out_text[i] - 'a' + 'A');
    return len;
}
