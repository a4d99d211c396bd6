// SPDX-License-Identifier: MIT
#include "json.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blank(const char *at) {
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') at++;
    return at;
}

static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1]) at++;
    }
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        at++;
    } while (*at && (depth > 0 || !strchr(",}]", *at)));
    return at;
}

const char *json_member(const char *object, const char *key) {
    size_t len = strlen(key);
    const char *at = skip_blank(object + 1);
    while (*at == '"') {
        bool found = strncmp(at + 1, key, len) == 0 && at[len + 1] == '"';
        at = skip_blank(skip_blank(skip_string(at)) + 1);
        if (found) return at;
        at = skip_blank(skip_value(at));
        if (*at != ',') return NULL;
        at = skip_blank(at + 1);
    }
    return NULL;
}

const char *json_first(const char *array) {
    const char *at = skip_blank(array + 1);
    return *at == ']' || !*at ? NULL : at;
}

const char *json_next(const char *element) {
    const char *at = skip_blank(skip_value(element));
    return *at == ',' ? skip_blank(at + 1) : NULL;
}

size_t json_count(const char *array) {
    size_t count = 0;
    for (const char *at = json_first(array); at; at = json_next(at)) count++;
    return count;
}

uint64_t json_number(const char *value) { return strtoull(value + (*value == '"'), NULL, 10); }

bool json_is_null(const char *value) { return *value == 'n'; }

bool json_equals(const char *value, const char *text) {
    size_t len = strlen(text);
    return *value == '"' && strncmp(value + 1, text, len) == 0 && value[len + 1] == '"';
}

static size_t put_utf8(unsigned long code, char out[4]) {
    if (code < 0x80) return out[0] = (char)code, 1;
    if (code < 0x800) return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 63)), 2;
    return out[0] = (char)(0xe0 | code >> 12), out[1] = (char)(0x80 | (code >> 6 & 63)),
           out[2] = (char)(0x80 | (code & 63)), 3;
}

// One character or escape; \u is used for control characters only.
static const char *take_char(const char *at, char out[4], size_t *out_len) {
    *out_len = 1;
    out[0] = *at;
    if (*at != '\\') return at + 1;
    static const char letters[] = "nrtbf", values[] = "\n\r\t\b\f";
    const char *letter = strchr(letters, at[1]);
    if (at[1] == 'u') {
        char digits[5] = { 0 };
        strncpy(digits, at + 2, 4);
        *out_len = put_utf8(strtoul(digits, NULL, 16), out);
        return at + 2 + strlen(digits);
    }
    out[0] = letter && at[1] ? values[letter - letters] : at[1];
    return at + 2;
}

const char *json_text(const char *value, char *out, size_t out_size) {
    size_t len = 0;
    out[0] = 0;
    if (*value != '"') return out;
    for (const char *at = value + 1; *at && *at != '"';) {
        char piece[4];
        size_t piece_len;
        at = take_char(at, piece, &piece_len);
        if (len + piece_len >= out_size) break;
        memcpy(out + len, piece, piece_len);
        len += piece_len;
    }
    out[len] = 0;
    return out;
}
