// SPDX-License-Identifier: MIT
#include "out.h"

#include "decimal.h"
#include "utf8.h"

#include <string.h>

void tk_out_init(struct tk_out *out, tk_out_write_fn write, void *ctx) {
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
        size_t step = TK_OUT_BUFFER - out->len;
        if (step > len) step = len;
        memcpy(out->buffer + out->len, text, step);
        out->len += step;
        text += step;
        len -= step;
        if (out->len == TK_OUT_BUFFER) tk_out_flush(out);
    }
}

void tk_out_text(struct tk_out *out, const char *text) { tk_out_bytes(out, text, strlen(text)); }

void tk_out_char(struct tk_out *out, char c) { tk_out_bytes(out, &c, 1); }

void tk_out_digits(struct tk_out *out, uint64_t value, unsigned base, unsigned least) {
    char digits[TK_DECIMAL_LEN];
    tk_out_bytes(out, digits, tk_digits(value, base, least, digits));
}

void tk_out_u64(struct tk_out *out, uint64_t value) { tk_out_digits(out, value, 10, 1); }

void tk_out_i64(struct tk_out *out, int64_t value) {
    if (value < 0) tk_out_char(out, '-');
    tk_out_u64(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void put_control(struct tk_out *out, unsigned char c) {
    static const char hex[] = "0123456789abcdef";
    char code[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
    tk_out_bytes(out, code, 6);
}

// Writes the next character and returns its length in bytes. Escapes U+0080 to U+009F because terminals interpret them
// as control characters.
static size_t put_escaped(struct tk_out *out, const unsigned char *text, size_t len, bool clean) {
    unsigned char c = *text;
    if (c == '"' || c == '\\') tk_out_char(out, '\\');
    if (c < 0x20 || c == 0x7F) {
        put_control(out, c);
    } else if (c >= 0x80 && !clean) {
        tk_out_text(out, "\xEF\xBF\xBD");
    } else if (c == 0xC2 && len > 1 && text[1] <= 0x9F) {
        put_control(out, text[1]);
        return 2;
    } else {
        tk_out_char(out, (char)c);
    }
    return 1;
}

void tk_out_quoted(struct tk_out *out, const char *text, size_t len) {
    const unsigned char *bytes = (const unsigned char *)text;
    bool clean = tk_utf8_is_clean(bytes, len);
    tk_out_char(out, '"');
    for (size_t i = 0; i < len;) i += put_escaped(out, bytes + i, len - i, clean);
    tk_out_char(out, '"');
}

void tk_out_doubled(struct tk_out *out, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"') tk_out_char(out, '"');
        tk_out_char(out, text[i]);
    }
}

static bool needs_quotes(const char *text, size_t len) {
    if (len && (text[0] == ' ' || text[len - 1] == ' ')) return true;
    for (size_t i = 0; i < len; i++)
        if (text[i] && strchr(",\"\r\n", text[i])) return true;
    return false;
}

void tk_out_csv(struct tk_out *out, const char *text, size_t len) {
    if (!needs_quotes(text, len)) {
        tk_out_bytes(out, text, len);
        return;
    }
    tk_out_char(out, '"');
    tk_out_doubled(out, text, len);
    tk_out_char(out, '"');
}

// ---- JSON ----

static void separate(struct tk_json_out *json) {
    if (json->comma) tk_out_char(&json->out, ',');
    json->comma = true;
}

void tk_put_begin(struct tk_json_out *json, char bracket) {
    separate(json);
    tk_out_char(&json->out, bracket);
    json->comma = false;
}

void tk_put_end(struct tk_json_out *json, char bracket) {
    tk_out_char(&json->out, bracket);
    json->comma = true;
}

void tk_put_literal(struct tk_json_out *json, const char *text, size_t len) {
    separate(json);
    tk_out_bytes(&json->out, text, len);
}

void tk_put_text(struct tk_json_out *json, const char *text, size_t len) {
    separate(json);
    tk_out_quoted(&json->out, text, len);
}

void tk_put_string(struct tk_json_out *json, const char *text) {
    if (text) tk_put_text(json, text, strlen(text));
    else tk_put_literal(json, "null", 4);
}

void tk_put_key(struct tk_json_out *json, const char *key) {
    tk_put_string(json, key);
    tk_out_char(&json->out, ':');
    json->comma = false;
}

void tk_put_u64(struct tk_json_out *json, uint64_t value) {
    separate(json);
    bool exact = value < (uint64_t)1 << 53;
    if (!exact) tk_out_char(&json->out, '"');
    tk_out_u64(&json->out, value);
    if (!exact) tk_out_char(&json->out, '"');
}

void tk_put_i64(struct tk_json_out *json, int64_t value) {
    if (value >= 0) {
        tk_put_u64(json, (uint64_t)value);
        return;
    }
    separate(json);
    bool exact = value > -((int64_t)1 << 53);
    if (!exact) tk_out_char(&json->out, '"');
    tk_out_i64(&json->out, value);
    if (!exact) tk_out_char(&json->out, '"');
}

void tk_put_digits(struct tk_json_out *json, uint64_t value) {
    char digits[TK_DECIMAL_LEN];
    tk_put_text(json, digits, tk_decimal(value, digits));
}

void tk_put_bool(struct tk_json_out *json, bool value) {
    tk_put_literal(json, value ? "true" : "false", value ? 4 : 5);
}
