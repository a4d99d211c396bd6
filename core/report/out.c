// SPDX-License-Identifier: MIT
#include "out.h"

#include <string.h>

void tk_out_init(struct tk_out *out, tk_report_write_fn write, void *ctx) {
    out->write = write;
    out->ctx = ctx;
    out->refused = false;
    out->len = 0;
}

bool tk_out_flush(struct tk_out *out) {
    if (!out->refused && out->len && !out->write(out->ctx, out->buffer, out->len)) out->refused = true;
    out->len = 0;
    return !out->refused;
}

void tk_out_bytes(struct tk_out *out, const char *text, size_t len) {
    while (len) {
        size_t part = TK_OUT_BUFFER - out->len;
        if (part > len) part = len;
        memcpy(out->buffer + out->len, text, part);
        out->len += part;
        text += part;
        len -= part;
        if (out->len == TK_OUT_BUFFER) tk_out_flush(out);
    }
}

void tk_out_text(struct tk_out *out, const char *text) { tk_out_bytes(out, text, strlen(text)); }

void tk_out_char(struct tk_out *out, char c) { tk_out_bytes(out, &c, 1); }

size_t tk_format_u64(uint64_t value, char out_text[TK_NUMBER_LEN]) {
    char digits[TK_NUMBER_LEN];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    size_t len = sizeof digits - at;
    memcpy(out_text, digits + at, len);
    out_text[len] = 0;
    return len;
}
