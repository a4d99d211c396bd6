// SPDX-License-Identifier: MIT
#include "text.h"

#include <string.h>

#include "../../base/bytes.h"
#include "../../base/decimal.h"

size_t tk_text_cut(const char *text, size_t len, size_t limit) {
    if (len <= limit) return len;
    size_t cut = limit;
    while (cut && limit - cut < 4 && ((uint8_t)text[cut] & 0xC0) == 0x80) cut--;
    return ((uint8_t)text[cut] & 0xC0) == 0x80 ? limit : cut;
}

void tk_short_bytes(struct tk_short *text, const char *bytes, size_t len) {
    if (text->is_cut) return;
    size_t fits = tk_text_cut(bytes, len, TK_SHORT_LEN - text->len);
    tk_copy(text->text + text->len, bytes, fits);
    text->len += fits;
    if (fits == len) return;
    memcpy(text->text + text->len, TK_SHORT_MORE, sizeof TK_SHORT_MORE - 1);
    text->len += sizeof TK_SHORT_MORE - 1;
    text->is_cut = true;
}

void tk_short_word(struct tk_short *text, const char *word) { tk_short_bytes(text, word, strlen(word)); }

void tk_short_u64(struct tk_short *text, uint64_t value) {
    char digits[TK_DECIMAL_LEN];
    tk_short_bytes(text, digits, tk_decimal(value, digits));
}

void tk_short_i64(struct tk_short *text, int64_t value) {
    if (value < 0) tk_short_bytes(text, "-", 1);
    tk_short_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

// ---- Doubles: five digits, as %.5g has them ----------------------------------------------------

enum { DIGITS = 5 };

// Rounds "d.ddd...e" to five digits. True: it became 10.000.
static bool round_digits(const char *exact, char digits[DIGITS]) {
    digits[0] = exact[0];
    memcpy(digits + 1, exact + 2, DIGITS - 1);
    bool up = exact[DIGITS + 1] >= '5';
    for (int i = DIGITS - 1; up && i >= 0; i--) {
        up = digits[i] == '9';
        digits[i] = up ? '0' : (char)(digits[i] + 1);
    }
    if (up) digits[0] = '1';
    return up;
}

static int exponent_of(const char *exact) {
    const char *at = strchr(exact, 'e');
    int sign = 1, exponent = 0;
    if (!at) return 0;
    if (*++at == '-') sign = -1, at++;
    else if (*at == '+') at++;
    for (; *at; at++) exponent = exponent * 10 + (*at - '0');
    return sign * exponent;
}

static void put_scientific(struct tk_short *text, const char *digits, size_t used, int exponent) {
    tk_short_bytes(text, digits, 1);
    if (used > 1) tk_short_bytes(text, ".", 1), tk_short_bytes(text, digits + 1, used - 1);
    tk_short_bytes(text, "e", 1);
    tk_short_i64(text, exponent);
}

static void put_fixed(struct tk_short *text, const char *digits, size_t used, int exponent) {
    size_t whole = exponent < 0 ? 0 : (size_t)exponent + 1;
    tk_short_bytes(text, exponent < 0 ? "0" : digits, exponent < 0 ? 1 : whole);
    if (used <= whole) return;
    tk_short_bytes(text, ".0000", (size_t)(exponent < 0 ? -exponent : 1));
    tk_short_bytes(text, digits + whole, used - whole);
}

void tk_short_double(struct tk_short *text, double value) {
    char exact[TK_DOUBLE_LEN], digits[DIGITS];
    if (value != value || value - value != 0) {
        tk_short_word(text, value != value ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    if (value == 0) {
        tk_short_bytes(text, "0", 1);
        return;
    }
    tk_decimal_double(value < 0 ? -value : value, exact);
    int exponent = exponent_of(exact) + round_digits(exact, digits);
    size_t used = DIGITS;
    while (used > 1 && digits[used - 1] == '0') used--;
    if (value < 0) tk_short_bytes(text, "-", 1);
    if (exponent < -4 || exponent >= DIGITS) put_scientific(text, digits, used, exponent);
    else put_fixed(text, digits, used, exponent);
}

// ---- Integers in a radix -----------------------------------------------------------------------

void tk_short_hex_bytes(struct tk_short *text, const uint8_t *bytes, size_t len, const char *between) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        char pair[2] = { digits[bytes[i] >> 4], digits[bytes[i] & 15] };
        if (i) tk_short_word(text, between);
        tk_short_bytes(text, pair, 2);
    }
}

// tk_digits has room for base 8 and up; the 64 digits of base 2 have not.
static void put_binary(struct tk_short *text, uint64_t value) {
    char digits[64];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + (value & 1)), value >>= 1;
    while (value);
    tk_short_bytes(text, digits + at, sizeof digits - at);
}

static void put_hex(struct tk_short *text, uint64_t value) {
    static const char capitals[] = "0123456789ABCDEF";
    char digits[16];
    size_t at = sizeof digits;
    do digits[--at] = capitals[value & 15], value >>= 4;
    while (value);
    tk_short_bytes(text, digits + at, sizeof digits - at);
}

static void put_prefixed(struct tk_short *text, int64_t value, enum tk_radix radix) {
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char digits[TK_DECIMAL_LEN];
    if (value < 0) tk_short_bytes(text, "-", 1);
    tk_short_word(text, radix == TK_RADIX_HEX ? "0x" : radix == TK_RADIX_OCT ? "0o" : "0b");
    if (radix == TK_RADIX_HEX) put_hex(text, size);
    else if (radix == TK_RADIX_OCT) tk_short_bytes(text, digits, tk_digits(size, 8, 1, digits));
    else put_binary(text, size);
}

void tk_short_number(struct tk_short *text, int64_t value, enum tk_radix radix) {
    char quoted[] = { '\'', (char)value, '\'' };
    bool is_printable = value >= 32 && value <= 126, is_bool = value == 0 || value == 1;
    if (radix == TK_RADIX_BOOL && is_bool) tk_short_word(text, value ? "true" : "false");
    else if (radix == TK_RADIX_ASCII && is_printable) tk_short_bytes(text, quoted, sizeof quoted);
    else if (radix == TK_RADIX_HEX || radix == TK_RADIX_OCT || radix == TK_RADIX_BIN) put_prefixed(text, value, radix);
    else tk_short_i64(text, value);
}

// ---- Integers of any length --------------------------------------------------------------------

// The absolute value, least significant byte first. Returns its sign.
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

static bool is_zero(const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (bytes[i]) return false;
    return true;
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
    while (!is_zero(left, len));
    if (negative) out_text[--at] = '-';
    memmove(out_text, out_text + at, TK_BIG_TEXT - at);
    return TK_BIG_TEXT - at;
}

double tk_big_double(const uint8_t *bytes, size_t len) {
    uint8_t size[TK_BIG_BYTES];
    if (len > TK_BIG_BYTES) len = TK_BIG_BYTES;
    bool negative = magnitude(bytes, len, size);
    uint64_t first = 0; // eight bytes tell the nearest double, with a bit for what follows them
    while (len && !size[len - 1]) len--;
    size_t rest = len > sizeof first ? len - sizeof first : 0;
    for (size_t i = len; i-- > rest;) first = first << 8 | size[i];
    for (size_t i = 0; i < rest; i++) first |= size[i] != 0;
    double value = (double)first;
    for (size_t i = 0; i < rest; i++) value *= 256;
    return negative ? -value : value;
}

// ---- Words -------------------------------------------------------------------------------------

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
