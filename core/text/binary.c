// SPDX-License-Identifier: MIT
#include "binary.h"

#include "sentence.h"
#include "tonkopf.h"
#include "utf16.h"

static bool is_control(uint8_t c) { return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1B; }

// Length of the UTF-8 sequence at `at`; 0: none. A sequence that the end of the head cuts counts.
static size_t sequence_len(struct tk_span head, size_t at) {
    uint8_t lead = head.at[at];
    size_t len = lead >= 0xF5 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    for (size_t i = 1; i < len && at + i < head.len; i++) {
        if ((head.at[at + i] & 0xC0) != 0x80) return 0;
    }
    return len;
}

// Bytes that do not belong in a text.
static uint64_t count_odd_bytes(struct tk_span head, uint64_t *out_first) {
    uint64_t odd = 0;
    for (size_t at = 0; at < head.len;) {
        uint8_t c = head.at[at];
        size_t len = c < 0x80 ? !is_control(c) && c != 0x7F : sequence_len(head, at);
        if (!len && !odd++) *out_first = at;
        at += len ? len : 1;
    }
    return odd;
}

// A serial line adds a bad byte now and then, and a string copied from memory ends with a zero: hex all the same,
// if there is nothing but hex besides.
static bool is_noise(struct tk_span head, uint64_t odd) {
    uint64_t digits = 0, ink = 0;
    if (odd > 1 + head.len / 1024) return false;
    for (size_t i = 0; i < head.len; i++) {
        digits += tk_is_hex_digit(head.at[i]);
        ink += !tk_is_space(head.at[i]);
    }
    return ink >= 16 && digits * 10 >= ink * 9;
}

// As much of UTF-16 as becomes at most `room` bytes.
static size_t copy_narrow(struct tk_span head, enum tk_utf16 order, uint8_t *out, size_t room) {
    size_t len = 0;
    for (size_t at = 0; at + 1 < head.len && len + TK_UTF16_MAX_LEN <= room; at += 2) len += tk_utf16_to_utf8(order, head.at + at, out + len);
    return len;
}

// Terminal colours out, as tk_armor_feed takes them out. `out` may be where head is.
static size_t copy_without_colours(struct tk_span head, uint8_t *out, size_t room) {
    size_t len = 0;
    for (size_t at = 0; at < head.len && len < room; at++) {
        if (head.at[at] != 0x1B) {
            out[len++] = head.at[at];
            continue;
        }
        if (at + 1 < head.len && head.at[at + 1] == '[') at++;
        while (++at < head.len && (head.at[at] < 0x40 || head.at[at] > 0x7E)) {}
    }
    return len;
}

struct tk_span tk_without_mark(struct tk_span head) {
    bool mark = head.len >= 3 && !memcmp(head.at, "\xEF\xBB\xBF", 3);
    return mark ? (struct tk_span){head.at + 3, head.len - 3} : head;
}

struct tk_span tk_plain_head(const uint8_t *bytes, size_t len, uint8_t room[TK_PLAIN_LEN]) {
    struct tk_span head = {bytes, len > TK_PROBE_LEN ? TK_PROBE_LEN : len};
    enum tk_utf16 order = tk_utf16_find(head);
    uint64_t odd_at;
    if (order) {
        struct tk_span narrow = {room, copy_narrow(head, order, room, TK_PLAIN_LEN)};
        if (!count_odd_bytes(narrow, &odd_at)) head = narrow;
    }
    bool coloured = head.len && memchr(head.at, 0x1B, head.len) && !memchr(head.at, 0, head.len);
    return coloured ? (struct tk_span){room, copy_without_colours(head, room, TK_PLAIN_LEN)} : head;
}

bool tk_armor_is_binary(const uint8_t *bytes, size_t len, struct tk_armor_probe *out_probe) {
    uint8_t room[TK_PLAIN_LEN];
    uint64_t odd_at = 0;
    struct tk_span whole = tk_plain_head(bytes, len, room), head = tk_without_mark(whole);
    uint64_t odd = count_odd_bytes(head, &odd_at);
    bool binary = odd && !is_noise(head, odd);
    struct tk_sentence reason = tk_sentence_begin(out_probe->reason, sizeof out_probe->reason);
    out_probe->kind = TK_ARMOR_BINARY;
    if (!whole.len) tk_sentence_add(&reason, "empty");
    if (!binary) return !whole.len;
    tk_sentence_add(&reason, "binary: bytes that no text has, the first at offset ");
    tk_sentence_number(&reason, odd_at);
    return true;
}
