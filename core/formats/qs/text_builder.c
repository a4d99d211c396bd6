// SPDX-License-Identifier: MIT
#include "text_builder.h"

#include "../../base/decimal.h"

#include <string.h>

size_t qs_put_words(char *text, size_t at, const char *words) {
    size_t len = strlen(words);
    memcpy(text + at, words, len + 1);
    return at + len;
}

static size_t put_digits(char *text, size_t at, uint64_t number, unsigned base, unsigned least) {
    char digits[TK_DECIMAL_LEN];
    tk_digits(number, base, least, digits);
    return qs_put_words(text, at, digits);
}

size_t qs_put_number(char *text, size_t at, uint64_t number) { return put_digits(text, at, number, 10, 1); }
size_t qs_put_padded(char *text, size_t at, uint64_t number, unsigned digits) {
    return put_digits(text, at, number, 10, digits);
}
size_t qs_put_hex(char *text, size_t at, uint64_t number, unsigned digits) {
    return put_digits(text, qs_put_words(text, at, "0x"), number, 16, digits);
}
