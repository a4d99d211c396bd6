// SPDX-License-Identifier: MIT
#include "data_url.h"

enum { MAX_HEAD = 256 };

enum tk_data_url tk_data_url_find(struct tk_span line, size_t *out_head) {
    struct tk_span head = { line.at, line.len < MAX_HEAD ? line.len : MAX_HEAD };
    const uint8_t *begin = tk_span_find(head, "data:");
    for (const uint8_t *at = head.at; at != begin; at++) {
        if (!begin || !(tk_is_space(*at) || memchr("\"'(<", *at, 4))) return TK_URL_NONE;
    }
    struct tk_span rest = { begin, begin ? (size_t)(head.at + head.len - begin) : 0 };
    const uint8_t *comma = rest.len ? memchr(rest.at, ',', rest.len) : NULL;
    if (!comma) return TK_URL_NONE;
    *out_head = (size_t)(comma + 1 - line.at);
    bool base64 = comma - begin >= 7 && !memcmp(comma - 7, ";base64", 7);
    return base64 ? TK_URL_BASE64 : TK_URL_PERCENT;
}
