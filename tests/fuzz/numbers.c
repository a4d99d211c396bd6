// SPDX-License-Identifier: MIT
//
// Numbers of variable length, the search for zero bytes and the repair of text, each compared with the simplest
// implementation.
#include <string.h>

#include "base/bytes.h"
#include "base/utf8.h"
#include "common/check.h"

// Length of the number, 0 if it does not end or does not fit into `bits`.
static size_t plain_number(const uint8_t *at, size_t len, unsigned bits, uint64_t *out_value) {
    uint64_t value = 0;
    for (size_t i = 0; i < len && 7 * i < bits; i++) {
        uint64_t part = at[i] & 0x7F;
        if (7 * i + 7 > bits && part >> (bits - 7 * i)) return 0;
        value |= part << 7 * i;
        *out_value = value;
        if (at[i] < 0x80) return i + 1;
    }
    return 0;
}

static void check_numbers(const uint8_t *at, const uint8_t *end) {
    uint64_t expected = 0, value = 0;
    uint32_t narrow = 0;
    size_t len = plain_number(at, (size_t)(end - at), 64, &expected);
    const uint8_t *next = tk_varint64_read(at, end, &value);
    check(next == (len ? at + len : NULL));
    check(!len || value == expected);
    if (end - at >= TK_VARINT_SLACK) {
        next = tk_varint_read_ahead(at, &value);
        check(next == (len && len <= 8 ? at + len : NULL));
        check(!next || value == expected);
    }
    len = plain_number(at, (size_t)(end - at), 32, &expected);
    next = tk_varint32_read(at, end, &narrow);
    check(next == (len ? at + len : NULL));
    check(!len || narrow == expected);
}

// Length of the character at `at`, 0 if invalid: Unicode's table of well-formed sequences.
static size_t plain_character(const uint8_t *at, size_t len) {
    static const struct {
        uint8_t first, last, second_first, second_last, len;
    } table[] = { { 0x01, 0x7F, 0, 0, 1 },       { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
                  { 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 },
                  { 0xF0, 0xF0, 0x90, 0xBF, 4 }, { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (at[0] < table[i].first || at[0] > table[i].last || table[i].len > len) continue;
        bool good = table[i].len == 1 || (at[1] >= table[i].second_first && at[1] <= table[i].second_last);
        for (size_t j = 2; j < table[i].len; j++) good &= (at[j] & 0xC0) == 0x80;
        if (good) return table[i].len;
    }
    return 0;
}

static bool plain_is_clean(const uint8_t *at, size_t len) {
    for (size_t step; len; at += step, len -= step)
        if (!(step = plain_character(at, len))) return false;
    return true;
}

static void check_text(const uint8_t *text, size_t len) {
    uint8_t out[3 * 64];
    size_t bad = 0;
    bool clean = tk_utf8_is_clean(text, len);
    check(clean == plain_is_clean(text, len));
    size_t out_len = tk_utf8_clean(text, len, out, &bad);
    check(out_len <= len * TK_UTF8_GROWTH);
    check(plain_is_clean(out, out_len));
    check(bad <= len && (!clean || (!bad && out_len == len && !memcmp(out, text, len))));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len > 64) len = 64;
    for (size_t i = 0; i < len && i < 12; i++) check_numbers(data + i, data + len);
    const uint8_t *zero = len ? memchr(data, 0, len) : NULL;
    check(tk_find_zero(data, len) == (zero ? (size_t)(zero - data) : len));
    check_text(data, len);
    return 0;
}
