// SPDX-License-Identifier: MIT
#include "emit.h"

static void put_bytes(struct tk_text *text, const struct tk_field *field) {
    enum { SHOWN = 16 };
    tk_text_add(text, "0x");
    tk_text_hex_bytes(text, field->bytes, field->len < SHOWN ? field->len : SHOWN, "");
    if (field->len > SHOWN) tk_text_add(text, "\xE2\x80\xA6");
}

static void put_states(struct tk_text *text, const struct tk_field *field) {
    for (uint32_t i = 0; i < field->len && !text->is_cut; i++) tk_text_put(text, &tk_logic_letters[field->bytes[i]], 1);
}

void tk_short_field(struct tk_text *text, const struct tk_field *field, enum tk_radix radix) {
    char digits[TK_BIG_TEXT];
    switch (field->type) {
    case TK_FIELD_INTEGER:
    case TK_FIELD_LABEL: tk_short_number(text, field->i, radix); break;
    case TK_FIELD_BIG: tk_text_put(text, digits, tk_big_decimal(field->bytes, field->len, digits)); break;
    case TK_FIELD_DOUBLE: tk_short_double(text, field->d); break;
    case TK_FIELD_TEXT:
        tk_text_add(text, "\"");
        tk_text_put(text, (const char *)field->bytes, field->len);
        tk_text_add(text, "\"");
        break;
    case TK_FIELD_BYTES: put_bytes(text, field); break;
    case TK_FIELD_LOGIC: put_states(text, field); break;
    default: tk_text_add(text, "none"); break;
    }
}
