// SPDX-License-Identifier: MIT
#include "json_check.h"

#include <string.h>

#include "base/utf8.h"

enum { MAX_DEPTH = 32, MAX_KEYS = 512 };

struct parser {
    const uint8_t *at, *end;
    unsigned depth;
};

static bool value(struct parser *p);

static void skip_space(struct parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t')) p->at++;
}

static bool accept(struct parser *p, uint8_t byte) {
    skip_space(p);
    if (p->at == p->end || *p->at != byte) return false;
    p->at++;
    return true;
}

static bool word(struct parser *p, const char *text) {
    size_t len = strlen(text);
    if ((size_t)(p->end - p->at) < len || memcmp(p->at, text, len)) return false;
    p->at += len;
    return true;
}

static bool escape(struct parser *p) {
    if (p->at == p->end) return false;
    uint8_t letter = *p->at++;
    if (letter != 'u') return strchr("\"\\/bfnrt", letter) && letter;
    for (int i = 0; i < 4; i++, p->at++)
        if (p->at == p->end || !*p->at || !strchr("0123456789abcdefABCDEF", *p->at)) return false;
    return true;
}

static bool string(struct parser *p) {
    if (!accept(p, '"')) return false;
    const uint8_t *start = p->at;
    while (p->at < p->end && *p->at != '"') {
        if (*p->at < 0x20) return false;
        if (*p->at++ == '\\' && !escape(p)) return false;
    }
    if (p->at == p->end) return false;
    return tk_utf8_is_clean(start, (size_t)(p->at++ - start));
}

static bool digits(struct parser *p) {
    const uint8_t *start = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') p->at++;
    return p->at > start;
}

static bool number(struct parser *p) {
    if (*p->at == '-') p->at++;
    const uint8_t *start = p->at;
    if (!digits(p) || (*start == '0' && p->at - start > 1)) return false;
    if (p->at < p->end && *p->at == '.' && (p->at++, !digits(p))) return false;
    if (p->at == p->end || (*p->at | 32) != 'e') return true;
    p->at++;
    if (p->at < p->end && (*p->at == '+' || *p->at == '-')) p->at++;
    return digits(p);
}

static bool list(struct parser *p) {
    if (accept(p, ']')) return true;
    do {
        if (!value(p)) return false;
    } while (accept(p, ','));
    return accept(p, ']');
}

static bool object(struct parser *p) {
    struct {
        const uint8_t *at;
        size_t len;
    } keys[MAX_KEYS];
    unsigned count = 0;
    if (accept(p, '}')) return true;
    do {
        skip_space(p);
        const uint8_t *key = p->at;
        if (!string(p)) return false;
        size_t len = (size_t)(p->at - key);
        for (unsigned i = 0; i < count; i++)
            if (keys[i].len == len && !memcmp(keys[i].at, key, len)) return false;
        if (count < MAX_KEYS) keys[count].at = key, keys[count++].len = len;
        if (!accept(p, ':') || !value(p)) return false;
    } while (accept(p, ','));
    return accept(p, '}');
}

static bool value(struct parser *p) {
    skip_space(p);
    if (p->at == p->end || p->depth == MAX_DEPTH) return false;
    p->depth++;
    bool good;
    switch (*p->at) {
    case '{': p->at++, good = object(p); break;
    case '[': p->at++, good = list(p); break;
    case '"': good = string(p); break;
    case 't': good = word(p, "true"); break;
    case 'f': good = word(p, "false"); break;
    case 'n': good = word(p, "null"); break;
    default: good = number(p);
    }
    p->depth--;
    return good;
}

bool json_is_valid(const uint8_t *text, size_t len) {
    struct parser p = { text, text + len, 0 };
    if (!value(&p)) return false;
    skip_space(&p);
    return p.at == p.end;
}
