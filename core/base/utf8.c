// SPDX-License-Identifier: MIT
#include "utf8.h"

#include <string.h>

// Returns the length of the valid sequence at `at`, or 0 for a bad one. *out_sequence_len: length of the maximal bad
// part.
static size_t sequence(const uint8_t *at, const uint8_t *end, size_t *out_sequence_len) {
    uint8_t lead = at[0], low = 0x80, high = 0xBF;
    size_t len;
    *out_sequence_len = 1;
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) len = 2;
    else if (lead >= 0xE0 && lead <= 0xEF) len = 3;
    else if (lead >= 0xF0 && lead <= 0xF4) len = 4;
    else return 0;
    if (lead == 0xE0) low = 0xA0;  // overlong
    if (lead == 0xED) high = 0x9F; // surrogates
    if (lead == 0xF0) low = 0x90;  // overlong
    if (lead == 0xF4) high = 0x8F; // beyond U+10FFFF
    for (size_t i = 1; i < len; i++, low = 0x80, high = 0xBF) {
        if (at + i >= end || at[i] < low || at[i] > high) return 0;
        *out_sequence_len = i + 1;
    }
    return len;
}

// Returns true if all eight bytes are ASCII and not zero.
static bool are_plain(const uint8_t *at) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t word;
    memcpy(&word, at, 8);
    return !((word | (word - ones)) & tops);
}

bool tk_utf8_is_clean(const uint8_t *bytes, size_t len) {
    if (!len) return true; // bytes may be NULL then
    const uint8_t *at = bytes, *end = bytes + len;
    while (end - at >= 8 && are_plain(at)) at += 8;
    if (len >= 8 && end - at < 8 && are_plain(end - 8)) return true; // the rest, and some bytes again
    while (at < end) {
        if (*at > 0 && *at < 0x80) {
            at++;
            continue;
        }
        size_t sequence_len, step = sequence(at, end, &sequence_len);
        if (step < 2) return false;
        at += step;
    }
    return true;
}

size_t tk_utf8_clean(const uint8_t *bytes, size_t len, uint8_t *out, size_t *out_bad) {
    static const uint8_t bad_mark[3] = { 0xEF, 0xBF, 0xBD }, zero_mark[3] = { 0xE2, 0x90, 0x80 };
    const uint8_t *at = bytes, *end = bytes + len;
    uint8_t *to = out;
    *out_bad = 0;
    while (at < end) {
        while (end - at >= 8 && are_plain(at)) {
            memcpy(to, at, 8);
            to += 8;
            at += 8;
        }
        if (at == end) break;
        if (*at > 0 && *at < 0x80) {
            *to++ = *at++;
            continue;
        }
        size_t sequence_len, step = sequence(at, end, &sequence_len);
        if (step && *at) {
            memcpy(to, at, step);
            to += step;
            at += step;
            continue;
        }
        memcpy(to, step ? zero_mark : bad_mark, 3);
        to += 3;
        at += sequence_len;
        *out_bad += !step;
    }
    return (size_t)(to - out);
}
