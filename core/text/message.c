// SPDX-License-Identifier: MIT
#include "message.h"

struct tk_message tk_message_begin(char *text, size_t size) {
    text[0] = 0;
    return (struct tk_message){ text, size, 0 };
}

static void add_char(struct tk_message *sentence, char c) {
    if (sentence->len + 1 >= sentence->size) return;
    sentence->text[sentence->len++] = c;
    sentence->text[sentence->len] = 0;
}

void tk_message_add(struct tk_message *sentence, const char *text) {
    while (*text) add_char(sentence, *text++);
}

static void add_in_base(struct tk_message *sentence, uint64_t value, unsigned base) {
    char digits[24];
    size_t count = 0;
    do digits[count++] = "0123456789abcdef"[value % base];
    while (value /= base);
    while (count) add_char(sentence, digits[--count]);
}

void tk_message_add_number(struct tk_message *sentence, uint64_t value) { add_in_base(sentence, value, 10); }

void tk_message_add_hex(struct tk_message *sentence, uint64_t value) {
    tk_message_add(sentence, "0x");
    add_in_base(sentence, value, 16);
}

void tk_message_add_char(struct tk_message *sentence, uint8_t c) {
    if (c <= ' ' || c >= 0x7F) {
        tk_message_add(sentence, "byte ");
        tk_message_add_hex(sentence, c);
        return;
    }
    add_char(sentence, '\'');
    add_char(sentence, (char)c);
    add_char(sentence, '\'');
}
