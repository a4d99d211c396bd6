// SPDX-License-Identifier: MIT
#include "text.h"

#include <string.h>

#include "../../base/bytes.h"
#include "../../base/decimal.h"

void tk_short_double(struct tk_text *text, double value) {
    enum { DIGITS = 5, LEAST_PLAIN = -4 };
    char digits[TK_DOUBLE_LEN];
    tk_text_put(text, digits, tk_double_rounded(value, DIGITS, LEAST_PLAIN, DIGITS - 1, digits));
}

// ---- Integers in a radix -----------------------------------------------------------------------

// tk_digits has room for base 8 and higher; base 2 needs 64 digits.
static void put_binary(struct tk_text *text, uint64_t value) {
    char digits[64];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + (value & 1)), value >>= 1;
    while (value);
    tk_text_put(text, digits + at, sizeof digits - at);
}

static void put_prefixed(struct tk_text *text, int64_t value, enum tk_radix radix) {
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char digits[TK_DECIMAL_LEN];
    if (value < 0) tk_text_put(text, "-", 1);
    tk_text_add(text, radix == TK_RADIX_HEX ? "0x" : radix == TK_RADIX_OCT ? "0o" : "0b");
    if (radix == TK_RADIX_HEX) tk_text_put(text, digits, tk_capital_hex(size, 1, digits));
    else if (radix == TK_RADIX_OCT) tk_text_put(text, digits, tk_digits(size, 8, 1, digits));
    else put_binary(text, size);
}

void tk_short_number(struct tk_text *text, int64_t value, enum tk_radix radix) {
    char quoted[] = { '\'', (char)value, '\'' };
    bool is_printable = value >= 32 && value <= 126, is_bool = value == 0 || value == 1;
    if (radix == TK_RADIX_BOOL && is_bool) tk_text_add(text, value ? "true" : "false");
    else if (radix == TK_RADIX_ASCII && is_printable) tk_text_put(text, quoted, sizeof quoted);
    else if (radix == TK_RADIX_HEX || radix == TK_RADIX_OCT || radix == TK_RADIX_BIN) put_prefixed(text, value, radix);
    else tk_text_i64(text, value);
}

// ---- Integers of any length --------------------------------------------------------------------

// Writes the absolute value, least significant byte first. Returns true if it is negative.
static bool magnitude(const uint8_t *bytes, size_t len, uint8_t out[TK_BIG_BYTES]) {
    bool negative = len && bytes[len - 1] & 0x80;
    unsigned carry = 1;
    for (size_t i = 0; i < len; i++) {
        unsigned sum = negative ? (uint8_t)~bytes[i] + carry : bytes[i];
        out[i] = (uint8_t)sum;
        carry = sum >> 8;
    }
    return negative;
}

static unsigned divide_by_ten(uint8_t *bytes, size_t len) {
    unsigned rest = 0;
    for (size_t i = len; i-- > 0;) {
        rest = rest << 8 | bytes[i];
        bytes[i] = (uint8_t)(rest / 10);
        rest %= 10;
    }
    return rest;
}

size_t tk_big_decimal(const uint8_t *bytes, size_t len, char out_text[TK_BIG_TEXT]) {
    uint8_t left[TK_BIG_BYTES];
    if (len > TK_BIG_BYTES) len = TK_BIG_BYTES;
    bool negative = magnitude(bytes, len, left);
    size_t at = TK_BIG_TEXT;
    do out_text[--at] = (char)('0' + divide_by_ten(left, len));
    while (!tk_is_zero(left, len));
    if (negative) out_text[--at] = '-';
    memmove(out_text, out_text + at, TK_BIG_TEXT - at);
    return TK_BIG_TEXT - at;
}

double tk_big_double(const uint8_t *bytes, size_t len) {
    uint8_t size[TK_BIG_BYTES];
    if (len > TK_BIG_BYTES) len = TK_BIG_BYTES;
    bool negative = magnitude(bytes, len, size);
    uint64_t first = 0; // eight bytes determine the nearest double, with one bit for the rest
    while (len && !size[len - 1]) len--;
    size_t rest = len > sizeof first ? len - sizeof first : 0;
    for (size_t i = len; i-- > rest;) first = first << 8 | size[i];
    for (size_t i = 0; i < rest; i++) first |= size[i] != 0;
    double value = (double)first;
    for (size_t i = 0; i < rest; i++) value *= 256;
    return negative ? -value : value;
}

// ---- Radixes -----------------------------------------------------------------------------------

static const char *const radix_names[] = { "", "dec", "hex", "oct", "bin", "bool", "ascii", "label" };

enum tk_radix tk_radix_named(const char *word, size_t len) {
    for (int radix = TK_RADIX_DEC; radix <= TK_RADIX_LABEL; radix++) {
        const char *name = radix_names[radix];
        size_t same = 0;
        while (same < len && name[same] && (word[same] | 0x20) == name[same]) same++;
        if (same == len && !name[same]) return (enum tk_radix)radix;
    }
    return TK_RADIX_NONE;
}

const char *tk_radix_name(enum tk_radix radix) { return radix_names[radix]; }
