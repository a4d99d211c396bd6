// SPDX-License-Identifier: MIT
#include "dress.h"

#include "learn.h"
#include "tag.h"

enum tk_marker tk_dress_marker(struct tk_span line) {
    const uint8_t *hit = tk_span_find(line, "TONBANDGERAET BUFFER");
    if (!hit) return TK_MARKER_NONE;
    size_t before = (size_t)(hit - line.at);
    if (before >= 9 && !memcmp(hit - 9, "START OF ", 9)) return TK_MARKER_START;
    if (before >= 7 && !memcmp(hit - 7, "END OF ", 7)) return TK_MARKER_END;
    return TK_MARKER_NONE;
}

struct tk_span tk_dress_region(struct tk_span text, bool *out_marked) {
    struct tk_span rest = text, line;
    const uint8_t *from = NULL;
    *out_marked = false;
    if (!tk_span_find(text, "TONBANDGERAET BUFFER")) return text;
    while (tk_span_next_line(&rest, &line)) {
        enum tk_marker marker = tk_dress_marker(line);
        if (marker == TK_MARKER_START) {
            *out_marked = true;
            from = rest.at;
        } else if (marker == TK_MARKER_END && from) {
            return (struct tk_span){from, (size_t)(line.at - from)};
        } else if (marker == TK_MARKER_END) {
            return (struct tk_span){text.at, (size_t)(line.at - text.at)};
        }
    }
    return from ? (struct tk_span){from, (size_t)(text.at + text.len - from)} : text;
}

bool tk_learn_next(const struct tk_dress *dress, struct tk_span *rest, struct tk_span *out_body, uint64_t *io_other) {
    struct tk_span line;
    while (tk_span_next_line(rest, &line)) {
        line = tk_span_trim(line);
        if (!line.len) continue;
        if (!dress->tag_len) return *out_body = line, true;
        if (tk_dress_after_tag(dress, line, out_body)) {
            if (out_body->len) return true;
        } else {
            *io_other += tk_count_ink(line.at, line.len);
        }
    }
    return false;
}

static bool learn_tagged(struct tk_span text, struct tk_dress *dress) {
    if (!tk_tag_learn(text, dress->tag, &dress->tag_len)) return false;
    if (tk_learn_rows(text, dress) || tk_learn_plain(text, dress)) return true;
    dress->tag_len = 0;
    return false;
}

void tk_dress_learn(struct tk_span text, struct tk_dress *out_dress) {
    memset(out_dress, 0, sizeof *out_dress);
    struct tk_span region = tk_dress_region(text, &out_dress->marked);
    (void)(tk_learn_url(region, out_dress) || tk_learn_escaped(region, out_dress) || tk_learn_records(region, out_dress) || tk_learn_rows(region, out_dress) ||
           tk_learn_numbers(region, out_dress) || tk_learn_list(region, out_dress) || learn_tagged(region, out_dress) || tk_learn_plain(region, out_dress));
}
