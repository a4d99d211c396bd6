// SPDX-License-Identifier: MIT
//
// A part of a text that is not terminated.
#ifndef TK_RULES_SPAN_H
#define TK_RULES_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct tk_span {
    const char *text;
    size_t len;
};

static inline bool tk_span_is(struct tk_span span, const char *word) {
    return span.len == strlen(word) && !memcmp(span.text, word, span.len);
}

static inline struct tk_span tk_span_trimmed(const char *from, const char *to) {
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    return (struct tk_span){ from, (size_t)(to - from) };
}

// Returns the length of a key of a table or column at the start of a text.
static inline size_t tk_span_key_len(const char *from, const char *to) {
    const char *at = from;
    while (at < to && ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '_')) at++;
    return (size_t)(at - from);
}

#endif
