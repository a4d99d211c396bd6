// SPDX-License-Identifier: MIT
#include "binary.h"

#include "../base/text.h"
#include "tonkopf.h"
#include "utf16.h"

static bool is_control(uint8_t c) {
    return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1B;
}

// Returns the length of the UTF-8 sequence at `at`; 0 if there is none. Accepts a sequence that the end of the head
// cuts.
static size_t sequence_len(struct tk_span head, size_t at) {
    uint8_t lead = head.at[at];
    size_t len = lead >= 0xF5 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    for (size_t i = 1; i < len && at + i < head.len; i++) {
        if ((head.at[at + i] & 0xC0) != 0x80) return 0;
    }
    return len;
}

uint64_t tk_count_non_text_bytes(struct tk_span head, uint64_t *out_first) {
    uint64_t odd = 0;
    for (size_t at = 0; at < head.len;) {
        uint8_t c = head.at[at];
        size_t len = c < 0x80 ? !is_control(c) && c != 0x7F : sequence_len(head, at);
        if (!len && !odd++) *out_first = at;
        at += len ? len : 1;
    }
    return odd;
}

// Returns true for hex text with a few invalid bytes: a serial line inserts some, and a string copied from memory ends
// with a zero.
static bool is_noise(struct tk_span head, uint64_t odd) {
    uint64_t digits = 0, nonblank = 0;
    if (odd > 1 + head.len / 1024) return false;
    for (size_t i = 0; i < head.len; i++) {
        digits += tk_is_hex_digit(head.at[i]);
        nonblank += !tk_is_space(head.at[i]);
    }
    return nonblank >= 16 && digits * 10 >= nonblank * 9;
}

struct tk_span tk_skip_byte_order_mark(struct tk_span head) {
    bool mark = head.len >= 3 && !memcmp(head.at, "\xEF\xBB\xBF", 3);
    return mark ? (struct tk_span){ head.at + 3, head.len - 3 } : head;
}

void tk_describe_binary(struct tk_text *reason, uint64_t odd_at) {
    tk_text_add(reason, "binary: bytes that do not occur in text, the first at offset ");
    tk_text_u64(reason, odd_at);
}

bool tk_is_binary(const uint8_t *bytes, size_t len, struct tk_encoding_probe *out_probe) {
    uint64_t odd_at = 0;
    struct tk_span head = { bytes, len > TK_PROBE_LEN ? TK_PROBE_LEN : len };
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    out_probe->kind = TK_ENCODING_BINARY;
    if (!len) tk_text_add(&reason, "empty");
    uint64_t odd = tk_utf16_find(head) ? 0 : tk_count_non_text_bytes(tk_skip_byte_order_mark(head), &odd_at);
    if (!odd || is_noise(head, odd)) return !len;
    tk_describe_binary(&reason, odd_at);
    return true;
}
