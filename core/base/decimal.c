// SPDX-License-Identifier: MIT
#include "decimal.h"

#include <string.h>

size_t tk_digits(uint64_t value, unsigned base, unsigned least, char out_text[TK_DECIMAL_LEN]) {
    char digits[TK_DECIMAL_LEN];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value || sizeof digits - at < least);
    size_t len = sizeof digits - at;
    memcpy(out_text, digits + at, len);
    out_text[len] = 0;
    return len;
}
