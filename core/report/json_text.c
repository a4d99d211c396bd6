// SPDX-License-Identifier: MIT
#include "json_text.h"

#include "../base/utf8.h"

#include <string.h>

// ---- Validation: one pass; the kinds of the open brackets are bits ----

enum { MAX_DEPTH = 64 };

struct check {
    const char *at, *end;
    uint64_t is_object; // one bit per open bracket; the innermost one is the lowest
    unsigned depth;
};

static void skip_blanks(struct check *check) {
    while (check->at < check->end && *check->at && strchr(" \t\r\n", *check->at)) check->at++;
}

static bool accept(struct check *check, char c) {
    if (check->at == check->end || *check->at != c) return false;
    check->at++;
    return true;
}

static bool accept_escape(struct check *check) {
    if (check->at == check->end) return false;
    char letter = *check->at++;
    if (letter != 'u') return letter && strchr("\"\\/bfnrt", letter);
    for (unsigned i = 0; i < 4; i++, check->at++)
        if (check->at == check->end || !*check->at || !strchr("0123456789abcdefABCDEF", *check->at)) return false;
    return true;
}

static bool accept_string(struct check *check) {
    if (!accept(check, '"')) return false;
    while (check->at < check->end) {
        unsigned char c = (unsigned char)*check->at++;
        if (c == '"') return true;
        if (c < 0x20 || (c == '\\' && !accept_escape(check))) return false;
    }
    return false;
}

static bool accept_digits(struct check *check) {
    const char *from = check->at;
    while (check->at < check->end && *check->at >= '0' && *check->at <= '9') check->at++;
    return check->at > from;
}

static bool accept_number(struct check *check) {
    accept(check, '-');
    if (!accept(check, '0') && !accept_digits(check)) return false;
    if (accept(check, '.') && !accept_digits(check)) return false;
    if (!accept(check, 'e') && !accept(check, 'E')) return true;
    if (!accept(check, '+')) accept(check, '-');
    return accept_digits(check);
}

static bool accept_word(struct check *check) {
    static const char *const words[] = { "true", "false", "null" };
    for (unsigned i = 0; i < 3; i++) {
        size_t len = strlen(words[i]);
        if ((size_t)(check->end - check->at) < len || memcmp(check->at, words[i], len)) continue;
        check->at += len;
        return true;
    }
    return false;
}

static bool accept_key(struct check *check) {
    skip_blanks(check);
    if (!accept_string(check)) return false;
    skip_blanks(check);
    if (!accept(check, ':')) return false;
    skip_blanks(check);
    return true;
}

// Accepts an opening bracket and, in an object, the first key. *out_empty: the closing bracket followed at once.
static bool open_bracket(struct check *check, bool *out_empty) {
    bool is_object = *check->at++ == '{';
    *out_empty = false;
    skip_blanks(check);
    if (accept(check, is_object ? '}' : ']')) return *out_empty = true;
    if (check->depth++ == MAX_DEPTH) return false;
    check->is_object = check->is_object << 1 | is_object;
    return !is_object || accept_key(check);
}

// Accepts what follows a value: closing brackets, then a comma and, in an object, the next key. *out_done: the text
// ends.
static bool accept_behind(struct check *check, bool *out_done) {
    for (skip_blanks(check); check->depth; skip_blanks(check)) {
        bool is_object = check->is_object & 1;
        if (accept(check, ',')) return is_object ? accept_key(check) : (skip_blanks(check), true);
        if (!accept(check, is_object ? '}' : ']')) return false;
        check->is_object >>= 1;
        check->depth--;
    }
    *out_done = true;
    return check->at == check->end;
}

static bool accept_simple(struct check *check) {
    if (*check->at == '"') return accept_string(check);
    return *check->at == '-' || (*check->at >= '0' && *check->at <= '9') ? accept_number(check) : accept_word(check);
}

bool tk_json_is_valid(const char *json, size_t len) {
    struct check check = { .at = json, .end = json + len };
    if (!tk_utf8_is_clean((const uint8_t *)json, len)) return false;
    skip_blanks(&check);
    for (bool done = false; !done;) {
        bool empty = true;
        if (check.at == check.end) return false;
        bool opens = *check.at == '{' || *check.at == '[';
        if (!(opens ? open_bracket(&check, &empty) : accept_simple(&check))) return false;
        if (opens && !empty) continue;
        if (!accept_behind(&check, &done)) return false;
    }
    return true;
}

// ---- Navigation ----

static const char *past_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

static const char *past_string(const char *at) {
    for (at++; *at != '"'; at++) at += *at == '\\';
    return at + 1;
}

static const char *past_value(const char *at) {
    unsigned depth = 0;
    do {
        if (*at == '"') {
            at = past_string(at);
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        at++;
    } while (depth || (*at && !strchr(",}] \t\r\n", *at)));
    return at;
}

const char *tk_json_first(const char *value, char bracket) {
    if (!value || *value != bracket) return NULL;
    const char *at = past_blanks(value + 1);
    return *at == ']' || *at == '}' ? NULL : at;
}

const char *tk_json_next(const char *element) {
    const char *at = past_blanks(past_value(element));
    return *at == ',' ? past_blanks(at + 1) : NULL;
}

const char *tk_json_member(const char *object, const char *key) {
    size_t len = strlen(key);
    for (const char *at = tk_json_first(object, '{'); at;) {
        const char *value = past_blanks(past_blanks(past_string(at)) + 1);
        if (!strncmp(at + 1, key, len) && at[len + 1] == '"') return value;
        at = tk_json_next(value);
    }
    return NULL;
}

// ---- Strings ----

size_t tk_json_string_room(const char *string) { return (size_t)(past_string(string) - string); }

static uint32_t read_hex(const char *digits) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        char c = digits[i];
        value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

static size_t put_utf8(char *out, uint32_t code) {
    static const uint8_t marks[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = len; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(marks[len == 1 ? 0 : len] | code);
    return len;
}

// Returns the character of \uXXXX and advances *at, which points to the u. A surrogate pair is one character.
static uint32_t read_code(const char **at) {
    uint32_t code = read_hex(*at + 1);
    *at += 5;
    if (code < 0xD800 || code > 0xDFFF) return code ? code : 0xFFFD;
    if (code > 0xDBFF || (*at)[0] != '\\' || (*at)[1] != 'u') return 0xFFFD;
    uint32_t low = read_hex(*at + 2);
    if (low < 0xDC00 || low > 0xDFFF) return 0xFFFD;
    *at += 6;
    return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

size_t tk_json_string(const char *string, char *out_text) {
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    size_t len = 0;
    for (const char *at = string + 1; *at != '"';) {
        if (*at != '\\') {
            out_text[len++] = *at++;
            continue;
        }
        const char *letter = strchr(letters, *++at);
        if (*at == 'u') len += put_utf8(out_text + len, read_code(&at));
        else out_text[len++] = letter ? values[letter - letters] : *at, at++;
    }
    out_text[len] = 0;
    return len;
}
