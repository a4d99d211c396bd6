// SPDX-License-Identifier: MIT
#include "words.h"

#include <string.h>

size_t qs_put_words(char *text, size_t at, const char *words) {
    size_t len = strlen(words);
    memcpy(text + at, words, len + 1);
    return at + len;
}

static size_t put_digits(char *text, size_t at, uint64_t number, unsigned base, unsigned digits) {
    char reversed[20];
    unsigned count = 0;
    do reversed[count++] = "0123456789abcdef"[number % base]; while ((number /= base) || count < digits);
    while (count) text[at++] = reversed[--count];
    text[at] = 0;
    return at;
}

size_t qs_put_number(char *text, size_t at, uint64_t number) { return put_digits(text, at, number, 10, 1); }
size_t qs_put_padded(char *text, size_t at, uint64_t number, unsigned digits) { return put_digits(text, at, number, 10, digits); }
size_t qs_put_hex(char *text, size_t at, uint64_t number, unsigned digits) { return put_digits(text, qs_put_words(text, at, "0x"), number, 16, digits); }
