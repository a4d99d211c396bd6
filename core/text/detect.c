// SPDX-License-Identifier: MIT
#include "detect.h"

#include "binary.h"
#include "json.h"
#include "../base/text.h"
#include "utf16.h"

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
    out->kind = TK_ENCODING_BINARY;
    head = tk_skip_byte_order_mark(head);
    struct tk_span text = tk_span_trim(head);
    if (!text.len) return;
    if (is_demo_json(text)) {
        out->kind = TK_ENCODING_JSON;
        return;
    }
    tk_layout_infer(head, &out->layout);
    bool marked;
    if (out->layout.body != TK_BODY_NONE) out->kind = TK_ENCODING_HEX;
    else if (tk_infer_base64(tk_layout_region(head, &marked), &out->base64)) out->kind = TK_ENCODING_BASE64;
}

// ---- Reason for users --------------------------------------------------------------------------

static void describe_rows(const struct tk_layout *layout, struct tk_text *reason) {
    uint8_t radix = layout->rows.group_radix;
    tk_text_add(reason, radix == 2    ? "a binary dump"
                        : radix == 8  ? "an octal dump"
                        : radix == 10 ? "a decimal dump"
                                      : "a hex dump");
    tk_text_add(reason, " with addresses");
    if (layout->rows.row_bytes) {
        tk_text_add(reason, ", ");
        tk_text_u64(reason, layout->rows.row_bytes);
        tk_text_add(reason, " bytes in a line");
    }
    if (!layout->rows.swap) return;
    tk_text_add(reason, ", as little-endian numbers of ");
    tk_text_u64(reason, layout->rows.unit);
    tk_text_add(reason, " bytes");
}

static void describe_tag(const struct tk_layout *layout, struct tk_text *reason) {
    char tag[TK_LOG_PREFIX_LEN + 1];
    memcpy(tag, layout->tag, layout->tag_len);
    tag[layout->tag_len] = 0;
    tk_text_add(reason, " after the log prefix ");
    tk_text_add(reason, tag);
}

static void describe_hex(const struct tk_layout *layout, struct tk_text *reason) {
    static const char *const bodies[] = {
        "", "hex digits", "", "numbers with 0x", "a string with \\x escapes", "Intel HEX or S-records"
    };
    if (layout->body == TK_BODY_HEXDUMP) describe_rows(layout, reason);
    else if (layout->body == TK_BODY_NUMBERS && layout->numbers.braced)
        tk_text_add(reason, "numbers in braces, like an array in C");
    else if (layout->body == TK_BODY_NUMBERS && layout->numbers.list_radix)
        tk_text_add(reason, layout->numbers.list_radix == 8 ? "octal numbers" : "decimal numbers");
    else if (layout->body == TK_BODY_ESCAPED && layout->escaped.percent) tk_text_add(reason, "a data: URL");
    else tk_text_add(reason, bodies[layout->body]);
    if (layout->tag_len) describe_tag(layout, reason);
    if (layout->marked) tk_text_add(reason, " between START and END lines");
}

static void describe(const struct tk_recognised *recognised, struct tk_text *reason) {
    switch (recognised->kind) {
    case TK_ENCODING_HEX: describe_hex(&recognised->layout, reason); break;
    case TK_ENCODING_BASE64:
        tk_text_add(reason, recognised->base64.base32 ? "base32" : "base64");
        if (recognised->layout.marked) tk_text_add(reason, " between START and END lines");
        break;
    case TK_ENCODING_JSON: tk_text_add(reason, "the JSON of a converter demo"); break;
    default: tk_text_add(reason, "text without bytes in a known notation");
    }
}

// ---- Preparing the head ------------------------------------------------------------------------

enum { PLAIN_LEN = 8192 };

// Converts the start of a UTF-16 text to at most `room` bytes of UTF-8.
static size_t copy_narrow(struct tk_span head, enum tk_utf16 order, uint8_t *out, size_t room) {
    size_t len = 0;
    for (size_t at = 0; at + 1 < head.len && len + TK_UTF16_MAX_LEN <= room; at += 2)
        len += tk_utf16_to_utf8(order, head.at + at, out + len);
    return len;
}

// Copies text without terminal escape sequences, as tk_encoding_feed removes them. `out` may be the memory of head.
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

static struct tk_span without_colours(struct tk_span head, uint8_t room[PLAIN_LEN]) {
    bool coloured = head.len && memchr(head.at, 0x1B, head.len) && !memchr(head.at, 0, head.len);
    return coloured ? (struct tk_span){ room, copy_without_colours(head, room, PLAIN_LEN) } : head;
}

void tk_encoding_probe(const uint8_t *bytes, size_t len, struct tk_encoding_probe *out_probe) {
    uint8_t room[PLAIN_LEN];
    uint64_t odd_at;
    struct tk_recognised recognised;
    struct tk_span head = { bytes, len > TK_PROBE_LEN ? TK_PROBE_LEN : len };
    if (tk_is_binary(bytes, len, out_probe)) return;
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    enum tk_utf16 order = tk_utf16_find(head);
    if (order) head = (struct tk_span){ room, copy_narrow(head, order, room, PLAIN_LEN) };
    if (order && tk_count_non_text_bytes(head, &odd_at)) {
        tk_count_non_text_bytes((struct tk_span){ bytes, len }, &odd_at);
        tk_describe_binary(&reason, odd_at);
        return;
    }
    tk_recognise(without_colours(head, room), &recognised);
    out_probe->kind = recognised.kind;
    describe(&recognised, &reason);
    if (order) tk_text_add(&reason, ", in UTF-16");
}
