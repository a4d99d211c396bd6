// SPDX-License-Identifier: MIT
#include "layout.h"

#include "infer.h"
#include "log_prefix.h"

enum tk_marker tk_layout_marker(struct tk_span line) {
    const uint8_t *hit = tk_span_find(line, "TONBANDGERAET BUFFER");
    if (!hit) return TK_MARKER_NONE;
    size_t before = (size_t)(hit - line.at);
    if (before >= 9 && !memcmp(hit - 9, "START OF ", 9)) return TK_MARKER_START;
    if (before >= 7 && !memcmp(hit - 7, "END OF ", 7)) return TK_MARKER_END;
    return TK_MARKER_NONE;
}

struct tk_span tk_layout_region(struct tk_span text, bool *out_marked) {
    struct tk_span rest = text, line;
    const uint8_t *from = NULL;
    *out_marked = false;
    if (!tk_span_find(text, "TONBANDGERAET BUFFER")) return text;
    while (tk_span_next_line(&rest, &line)) {
        enum tk_marker marker = tk_layout_marker(line);
        if (marker == TK_MARKER_START) {
            *out_marked = true;
            from = rest.at;
        } else if (marker == TK_MARKER_END && from) {
            return (struct tk_span){ from, (size_t)(line.at - from) };
        } else if (marker == TK_MARKER_END) {
            return (struct tk_span){ text.at, (size_t)(line.at - text.at) };
        }
    }
    return from ? (struct tk_span){ from, (size_t)(text.at + text.len - from) } : text;
}

bool tk_infer_next(const struct tk_layout *layout, struct tk_span *rest, struct tk_span *out_body, uint64_t *io_other) {
    struct tk_span line;
    while (tk_span_next_line(rest, &line)) {
        line = tk_span_trim(line);
        if (!line.len) continue;
        if (!layout->tag_len) return *out_body = line, true;
        if (tk_layout_after_prefix(layout, line, out_body)) {
            if (out_body->len) return true;
        } else {
            *io_other += tk_count_nonblank(line.at, line.len);
        }
    }
    return false;
}

static bool infer_tagged(struct tk_span text, struct tk_layout *layout) {
    if (!tk_log_prefix_infer(text, layout->tag, &layout->tag_len)) return false;
    if (tk_infer_hexdump(text, layout) || tk_infer_hex_digits(text, layout)) return true;
    layout->tag_len = 0;
    return false;
}

void tk_layout_infer(struct tk_span text, struct tk_layout *out_layout) {
    memset(out_layout, 0, sizeof *out_layout);
    struct tk_span region = tk_layout_region(text, &out_layout->marked);
    (void)(tk_infer_url(region, out_layout) || tk_infer_escaped(region, out_layout) ||
           tk_infer_hex_records(region, out_layout) || tk_infer_hexdump(region, out_layout) ||
           tk_infer_numbers(region, out_layout) || tk_infer_list(region, out_layout) ||
           infer_tagged(region, out_layout) || tk_infer_hex_digits(region, out_layout));
}
