// SPDX-License-Identifier: MIT
#include "recognise.h"

#include "json.h"
#include "sentence.h"

// ---- Text or not -------------------------------------------------------------------------------

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

// ---- Kinds -------------------------------------------------------------------------------------

static bool is_demo_json(struct tk_span head) {
    struct tk_json json;
    if (head.at[0] != '{') return false;
    tk_json_init(&json);
    tk_json_feed(&json, NULL, head.at, head.len);
    return json.seen_hex || json.seen_mode || (json.seen_title && json.depth);
}

void tk_recognise(struct tk_span head, struct tk_recognised *out) {
    memset(out, 0, sizeof *out);
    out->kind = TK_ARMOR_BINARY;
    if (head.len >= 3 && !memcmp(head.at, "\xEF\xBB\xBF", 3)) head.at += 3, head.len -= 3; // byte order mark
    uint64_t odd = count_odd_bytes(head, &out->odd_at);
    out->binary = odd && !is_noise(head, odd);
    struct tk_span text = tk_span_trim(head);
    if (out->binary || !text.len) return;
    if (is_demo_json(text)) {
        out->kind = TK_ARMOR_JSON;
        return;
    }
    tk_dress_learn(head, &out->dress);
    bool marked;
    if (out->dress.body != TK_BODY_NONE) out->kind = TK_ARMOR_HEX;
    else if (tk_base64_learn(tk_dress_region(head, &marked), &out->base64_close_lines)) out->kind = TK_ARMOR_BASE64;
}

// ---- In words ----------------------------------------------------------------------------------

static void describe_rows(const struct tk_dress *dress, struct tk_sentence *reason) {
    tk_sentence_add(reason, "a hex dump with addresses");
    if (dress->rows.row_bytes) {
        tk_sentence_add(reason, ", ");
        tk_sentence_number(reason, dress->rows.row_bytes);
        tk_sentence_add(reason, " bytes in a line");
    }
    if (!dress->rows.swap) return;
    tk_sentence_add(reason, ", as little-endian numbers of ");
    tk_sentence_number(reason, dress->rows.unit);
    tk_sentence_add(reason, " bytes");
}

static void describe_tag(const struct tk_dress *dress, struct tk_sentence *reason) {
    char tag[TK_TAG_LEN + 1];
    memcpy(tag, dress->tag, dress->tag_len);
    tag[dress->tag_len] = 0;
    tk_sentence_add(reason, " after the log prefix ");
    tk_sentence_add(reason, tag);
}

static void describe_hex(const struct tk_dress *dress, struct tk_sentence *reason) {
    static const char *const bodies[] = {"", "hex digits", "", "numbers with 0x", "a string with \\x escapes", "Intel HEX or S-records"};
    if (dress->body == TK_BODY_ROWS) describe_rows(dress, reason);
    else if (dress->body == TK_BODY_NUMBERS && dress->numbers.braced) tk_sentence_add(reason, "numbers in braces, like an array in C");
    else tk_sentence_add(reason, bodies[dress->body]);
    if (dress->tag_len) describe_tag(dress, reason);
    if (dress->marked) tk_sentence_add(reason, " between START and END lines");
}

static void describe_binary(const struct tk_recognised *recognised, size_t len, struct tk_sentence *reason) {
    if (!len) {
        tk_sentence_add(reason, "empty");
    } else if (recognised->binary) {
        tk_sentence_add(reason, "binary: bytes that no text has, the first at offset ");
        tk_sentence_number(reason, recognised->odd_at);
    } else {
        tk_sentence_add(reason, "text, but not hex, base64 or a demo JSON");
    }
}

static void describe(const struct tk_recognised *recognised, size_t len, struct tk_sentence *reason) {
    switch (recognised->kind) {
    case TK_ARMOR_HEX: describe_hex(&recognised->dress, reason); break;
    case TK_ARMOR_BASE64:
        tk_sentence_add(reason, "base64");
        if (recognised->dress.marked) tk_sentence_add(reason, " between START and END lines");
        break;
    case TK_ARMOR_JSON: tk_sentence_add(reason, "the JSON of a converter demo"); break;
    default: describe_binary(recognised, len, reason);
    }
}

// Terminal colours out, as tk_armor_feed takes them out.
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

void tk_armor_probe(const uint8_t *bytes, size_t len, struct tk_armor_probe *out_probe) {
    uint8_t plain[8192];
    struct tk_recognised recognised;
    struct tk_span head = {bytes, len > TK_PROBE_LEN ? TK_PROBE_LEN : len};
    if (head.len && memchr(head.at, 0x1B, head.len) && !memchr(head.at, 0, head.len)) head = (struct tk_span){plain, copy_without_colours(head, plain, sizeof plain)};
    tk_recognise(head, &recognised);
    struct tk_sentence reason = tk_sentence_begin(out_probe->reason, sizeof out_probe->reason);
    out_probe->kind = recognised.kind;
    describe(&recognised, head.len, &reason);
}
