// SPDX-License-Identifier: MIT
#include "escaped.h"

#include "data_url.h"

void tk_escaped_init(struct tk_escaped *escaped, const struct tk_escape_style *style) {
    *escaped = (struct tk_escaped){ .style = *style };
}

static bool counts(const struct tk_escaped *escaped) { return escaped->quote || !escaped->style.quoted; }

static void emit(struct tk_escaped *escaped, struct tk_text_output *decoded, uint8_t byte) {
    escaped->state = TK_ESC_TEXT;
    if (counts(escaped)) tk_text_output_byte(decoded, byte);
}

static void begin_hex(struct tk_escaped *escaped) {
    escaped->state = TK_ESC_HEX;
    escaped->digits = escaped->value = 0;
}

static void take_text(struct tk_escaped *escaped, struct tk_text_output *decoded, uint8_t c) {
    bool bound = escaped->style.quoted && (escaped->quote ? c == escaped->quote : c == '"' || c == '\'');
    if (c == '%' && escaped->style.percent) begin_hex(escaped);
    else if (c == '\\' && !escaped->style.percent) escaped->state = TK_ESC_BACKSLASH;
    else if (bound) escaped->quote = escaped->quote ? 0 : c;
    else if (escaped->quote || (escaped->style.literal && !tk_is_space(c))) tk_text_output_byte(decoded, c);
    else decoded->result.ignored += !tk_is_space(c);
}

static void take_backslash(struct tk_escaped *escaped, struct tk_text_output *decoded, uint8_t c) {
    static const char names[] = "abtnvfr", values[] = "\a\b\t\n\v\f\r";
    const char *name = c ? strchr(names, c) : NULL;
    if (c == 'x') {
        begin_hex(escaped);
    } else if (c >= '0' && c <= '7') {
        escaped->state = TK_ESC_OCTAL;
        escaped->digits = 1;
        escaped->value = (uint8_t)(c - '0');
    } else {
        emit(escaped, decoded, name ? (uint8_t)values[name - names] : c);
    }
}

static void take_hex(struct tk_escaped *escaped, struct tk_text_output *decoded, uint8_t c, uint64_t column) {
    uint8_t digit = tk_char_class[c];
    if (digit >= TK_CH_SPACE) {
        if (digit == TK_CH_LETTER) tk_text_output_bad(decoded, column, c, " is no hex digit");
        if (escaped->digits || digit == TK_CH_LETTER) emit(escaped, decoded, escaped->value);
        escaped->state = TK_ESC_TEXT;
        if (digit != TK_CH_LETTER) take_text(escaped, decoded, c);
        return;
    }
    escaped->value = (uint8_t)(escaped->value << 4 | digit);
    if (++escaped->digits == 2) emit(escaped, decoded, escaped->value);
}

static void take_octal(struct tk_escaped *escaped, struct tk_text_output *decoded, uint8_t c) {
    if (c < '0' || c > '7') {
        emit(escaped, decoded, escaped->value);
        take_text(escaped, decoded, c);
        return;
    }
    escaped->value = (uint8_t)(escaped->value << 3 | (c - '0'));
    if (++escaped->digits == 3) emit(escaped, decoded, escaped->value);
}

static void end_line(struct tk_escaped *escaped, struct tk_text_output *decoded) {
    if (escaped->state == TK_ESC_OCTAL || (escaped->state == TK_ESC_HEX && escaped->digits))
        emit(escaped, decoded, escaped->value);
    escaped->state = TK_ESC_TEXT;
}

void tk_escaped_line(struct tk_escaped *escaped, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column, bool first, bool last) {
    size_t head = 0;
    tk_text_output_make_room(decoded);
    if (line.len && line.at[line.len - 1] == '\r') line.len--;
    if (first && escaped->style.percent) (void)tk_data_url_find(line, &head);
    decoded->result.ignored += tk_count_nonblank(line.at, head);
    for (size_t i = head; i < line.len; i++) {
        uint8_t c = line.at[i];
        switch (escaped->state) {
        case TK_ESC_TEXT: take_text(escaped, decoded, c); break;
        case TK_ESC_BACKSLASH: take_backslash(escaped, decoded, c); break;
        case TK_ESC_HEX: take_hex(escaped, decoded, c, first_column + i); break;
        case TK_ESC_OCTAL: take_octal(escaped, decoded, c); break;
        }
    }
    if (last) end_line(escaped, decoded);
}
