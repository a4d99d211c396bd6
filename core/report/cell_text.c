// SPDX-License-Identifier: MIT
#include "cell_text.h"

#include "../base/decimal.h"
#include "../base/utf8.h"

void tk_cell_text_put(struct tk_cell_text_buf *words, const char *text, size_t len) {
    if (len > TK_CELL_TEXT_LEN - words->len) len = TK_CELL_TEXT_LEN - words->len;
    memcpy(words->text + words->len, text, len);
    words->len += len;
    words->text[words->len] = 0;
}

void tk_cell_text_add(struct tk_cell_text_buf *words, const char *text) { tk_cell_text_put(words, text, strlen(text)); }

void tk_cell_text_u64(struct tk_cell_text_buf *words, uint64_t value) {
    char digits[TK_DECIMAL_LEN];
    tk_cell_text_put(words, digits, tk_decimal(value, digits));
}

void tk_cell_text_count(struct tk_cell_text_buf *words, uint64_t count, const char *one, const char *many) {
    tk_cell_text_u64(words, count);
    tk_cell_text_add(words, " ");
    tk_cell_text_add(words, count == 1 ? one : many);
}

// value / 10^places
static void put_fixed(struct tk_cell_text_buf *words, uint64_t value, unsigned places) {
    uint64_t one = 1;
    for (unsigned i = 0; i < places; i++) one *= 10;
    char digits[TK_DECIMAL_LEN];
    tk_cell_text_u64(words, value / one);
    tk_cell_text_add(words, ".");
    tk_cell_text_put(words, digits, tk_digits(value % one, 10, places, digits));
}

// ---- Names ----

static bool is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

size_t tk_text_width(const char *text, size_t len) {
    size_t width = 0;
    for (size_t i = 0; i < len; i++) width += !is_continuation(text[i]);
    return width;
}

static bool is_control(const char *text, size_t len) {
    unsigned char first = (unsigned char)text[0];
    if (first < 0x20 || first == 0x7F) return true;
    if (len < 2) return false;
    unsigned char second = (unsigned char)text[1];
    if (first == 0xC2 && second < 0xA0) return true;
    // marks that turn the direction of writing
    return len == 3 && first == 0xE2 &&
           ((second == 0x80 && (unsigned char)text[2] >= 0xAA && (unsigned char)text[2] <= 0xAE) ||
            (second == 0x81 && (unsigned char)text[2] >= 0xA6 && (unsigned char)text[2] <= 0xA9));
}

void tk_cell_text_name(struct tk_cell_text_buf *words, const char *text, size_t len, size_t width) {
    bool clean = tk_utf8_is_clean((const uint8_t *)text, len);
    for (size_t at = 0, next; at < len; at = next) {
        const char *piece = &text[at];
        for (next = at + 1; clean && next < len && is_continuation(text[next]);) next++;
        if (next - at > TK_CELL_TEXT_LEN - words->len) return; // no half characters
        if (--width == 0 && next < len) {
            tk_cell_text_add(words, "~");
            return;
        }
        bool bad = is_control(piece, next - at) || (!clean && (unsigned char)*piece >= 0x80);
        tk_cell_text_put(words, bad ? "?" : piece, bad ? 1 : next - at);
    }
}

// ---- Values ----

// "1 tick", "2 ticks"
static void put_counts(struct tk_cell_text_buf *words, const char *counts, uint64_t value) {
    tk_cell_text_u64(words, value);
    tk_cell_text_add(words, " ");
    tk_cell_text_put(words, counts, strlen(counts) - (value == 1));
}

static uint64_t rounded(uint64_t value, uint64_t unit) { return value / unit + (value % unit >= unit / 2); }

static void put_duration(struct tk_cell_text_buf *words, const char *counts, uint64_t ns) {
    if (counts) put_counts(words, counts, ns);
    else if (ns >= 1000000000) put_fixed(words, rounded(ns, 1000000), 3), tk_cell_text_add(words, " s");
    else if (ns >= 1000000) put_fixed(words, rounded(ns, 1000), 3), tk_cell_text_add(words, " ms");
    else if (ns >= 1000) put_fixed(words, ns, 3), tk_cell_text_add(words, " us");
    else tk_cell_text_u64(words, ns), tk_cell_text_add(words, " ns");
}

// A point in time: seconds to the nanosecond, so that it can be searched for.
static void put_moment(struct tk_cell_text_buf *words, const char *counts, uint64_t ns) {
    if (counts) put_counts(words, counts, ns);
    else put_fixed(words, ns, 9), tk_cell_text_add(words, " s");
}

static void put_count(struct tk_cell_text_buf *words, const struct tk_column *column, uint64_t value) {
    tk_cell_text_u64(words, value);
    if (column->unit) tk_cell_text_add(words, " "), tk_cell_text_add(words, column->unit);
}

// The digits of "-1.2500000000000000e-3" up to `keep`, rounded, without zeros at the end. Returns how many; one more in
// *exponent where they overflow.
static unsigned round_digits(char digits[17], unsigned keep, int *exponent) {
    bool up = keep < 17 && digits[keep] >= '5';
    for (unsigned i = keep; up && i--;) {
        up = digits[i] == '9';
        digits[i] = up ? '0' : (char)(digits[i] + 1);
    }
    if (up) digits[0] = '1', ++*exponent;
    while (keep > 1 && digits[keep - 1] == '0') keep--;
    return keep;
}

// Six digits, all of a whole part, and no power of ten where it can be read without: "17.5".
static void put_short_double(struct tk_cell_text_buf *words, double value) {
    enum { DIGITS = 6, LEAST = -5, MOST = 15 };
    char text[TK_DOUBLE_LEN], digits[17];
    size_t len = tk_decimal_double(value < 0 ? -value : value, text);
    int exponent = 0;
    digits[0] = text[0];
    memcpy(digits + 1, text + 2, 16);
    for (size_t i = text[19] == '-' ? 20 : 19; i < len; i++) exponent = exponent * 10 + (text[i] - '0');
    if (text[19] == '-') exponent = -exponent;
    unsigned count =
        round_digits(digits, exponent >= DIGITS && exponent < MOST ? (unsigned)exponent + 1 : DIGITS, &exponent);
    bool plain = exponent >= LEAST && exponent < MOST;
    if (value < 0) tk_cell_text_add(words, "-");
    if (plain && exponent < 0) tk_cell_text_put(words, "0.0000", (size_t)(1 - exponent));
    unsigned whole = plain ? exponent < 0 ? 0 : (unsigned)exponent + 1 : 1;
    for (unsigned i = 0; i < count || i < whole; i++) {
        if (i == whole && whole) tk_cell_text_add(words, ".");
        tk_cell_text_put(words, i < count ? &digits[i] : "0", 1);
    }
    if (plain) return;
    tk_cell_text_add(words, exponent < 0 ? "e-" : "e");
    tk_cell_text_u64(words, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

static void put_double(struct tk_cell_text_buf *words, const struct tk_column *column, double value) {
    put_short_double(words, value);
    if (column->unit) tk_cell_text_add(words, " "), tk_cell_text_add(words, column->unit);
}

enum { LEAST_SHARE = 1000 }; // millionths

// A little is not nothing.
static void put_share(struct tk_cell_text_buf *words, uint64_t millionths) {
    if (millionths && millionths < LEAST_SHARE) tk_cell_text_add(words, "< 0.1");
    else put_fixed(words, (millionths + LEAST_SHARE / 2) / LEAST_SHARE, 1);
    tk_cell_text_add(words, " %");
}

static void put_magnitude(struct tk_cell_text_buf *words, const char *counts, const struct tk_column *column,
                          uint64_t value) {
    switch (column->kind) {
    case TK_COLUMN_FLAG: tk_cell_text_add(words, value ? "yes" : ""); break;
    case TK_COLUMN_DURATION: put_duration(words, counts, value); break;
    case TK_COLUMN_TIME: put_moment(words, counts, value); break;
    case TK_COLUMN_SHARE: put_share(words, value); break;
    default: put_count(words, column, value); break;
    }
}

// "< 0.1 %" bears none.
static void put_sign(struct tk_cell_text_buf *words, const struct tk_column *column, uint64_t magnitude,
                     bool negative) {
    if (!magnitude || (column->kind == TK_COLUMN_SHARE && magnitude < LEAST_SHARE)) return;
    if (negative) tk_cell_text_add(words, "-");
    else if (column->role == TK_ROLE_CHANGE) tk_cell_text_add(words, "+");
}

void tk_cell_text_cell(struct tk_cell_text_buf *words, const char *counts, const struct tk_column *column,
                       const struct tk_cell *cell) {
    bool negative = cell->type == TK_CELL_INT && cell->i < 0;
    uint64_t magnitude = negative ? 0 - cell->u : cell->u;
    switch (cell->type) {
    case TK_CELL_NONE:
        if (column->role == TK_ROLE_VALUE && column->kind > TK_COLUMN_FLAG) tk_cell_text_add(words, "-");
        break;
    case TK_CELL_TEXT:
        tk_cell_text_name(words, cell->text, cell->len, column->kind == TK_COLUMN_NAME ? TK_NAME_WIDTH : TK_TEXT_WIDTH);
        break;
    case TK_CELL_DOUBLE: put_double(words, column, cell->d); break;
    default: put_sign(words, column, magnitude, negative); put_magnitude(words, counts, column, magnitude);
    }
}
