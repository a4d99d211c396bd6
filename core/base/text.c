// SPDX-License-Identifier: MIT
#include "text.h"

#include "attributes.h"
#include "bytes.h"
#include "decimal.h"

size_t tk_text_cut(const char *text, size_t len, size_t limit) {
    if (len <= limit) return len;
    size_t cut = limit;
    while (cut && limit - cut < 4 && ((uint8_t)text[cut] & 0xC0) == 0x80) cut--;
    return ((uint8_t)text[cut] & 0xC0) == 0x80 ? limit : cut;
}

static bool grow(struct tk_text *text, size_t len) {
    if (!text->alloc || text->is_cut || len >= UINT32_MAX - text->len) return false;
    if (!tk_alloc_grow(text->alloc, (void **)&text->text, &text->capacity, text->len + (uint32_t)len + 1, 1))
        return false;
    text->room = text->capacity - text->len - 1;
    return true;
}

TK_COLD static void put_or_cut(struct tk_text *text, const char *bytes, size_t len) {
    if (!len) return;
    if (grow(text, len)) {
        tk_text_put(text, bytes, len);
        return;
    }
    if (!text->is_cut && text->text) {
        tk_text_put(text, bytes, tk_text_cut(bytes, len, text->room));
        text->room = text->ellipsis ? (uint32_t)strlen(text->ellipsis) : 0;
        if (text->ellipsis) tk_text_put(text, text->ellipsis, text->room);
    }
    text->room = 0;
    text->is_cut = true;
}

void tk_text_put(struct tk_text *text, const char *bytes, size_t len) {
    if (len > text->room || !text->text) {
        put_or_cut(text, bytes, len);
        return;
    }
    tk_copy(text->text + text->len, bytes, len);
    text->len += (uint32_t)len;
    text->room -= (uint32_t)len;
    text->text[text->len] = 0;
}

void tk_text_add(struct tk_text *text, const char *words) { tk_text_put(text, words, strlen(words)); }

void tk_text_char(struct tk_text *text, char c) { tk_text_put(text, &c, 1); }

void tk_text_shorten(struct tk_text *text, uint32_t len) {
    if (len >= text->len) return;
    text->room += text->len - len;
    text->len = len;
    text->text[len] = 0;
}

void tk_text_fill(struct tk_text *text, char c, size_t count) {
    while (count-- && !text->is_cut) tk_text_put(text, &c, 1);
}

void tk_text_digits(struct tk_text *text, uint64_t value, unsigned base, unsigned least) {
    char digits[TK_DECIMAL_LEN];
    tk_text_put(text, digits, tk_digits(value, base, least, digits));
}

void tk_text_u64(struct tk_text *text, uint64_t value) { tk_text_digits(text, value, 10, 1); }

void tk_text_i64(struct tk_text *text, int64_t value) {
    if (value < 0) tk_text_put(text, "-", 1);
    tk_text_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void tk_text_hex(struct tk_text *text, uint64_t value, unsigned least) {
    tk_text_put(text, "0x", 2);
    tk_text_digits(text, value, 16, least);
}

void tk_text_hex_bytes(struct tk_text *text, const uint8_t *bytes, size_t len, const char *between) {
    for (size_t i = 0; i < len && !text->is_cut; i++) {
        if (i) tk_text_add(text, between);
        tk_text_digits(text, bytes[i], 16, 2);
    }
}

void tk_text_count(struct tk_text *text, uint64_t count, const char *word) {
    tk_text_u64(text, count);
    tk_text_put(text, " ", 1);
    tk_text_put(text, word, strlen(word) - (count == 1));
}

bool tk_text_write(void *text, const char *bytes, size_t len) {
    tk_text_put(text, bytes, len);
    return true;
}
