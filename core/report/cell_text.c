// SPDX-License-Identifier: MIT
#include "cell_text.h"

#include "../base/decimal.h"
#include "../base/duration.h"
#include "../base/utf8.h"
#include "time_basis.h"

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
    // characters that change the direction of text
    return len == 3 && first == 0xE2 &&
           ((second == 0x80 && (unsigned char)text[2] >= 0xAA && (unsigned char)text[2] <= 0xAE) ||
            (second == 0x81 && (unsigned char)text[2] >= 0xA6 && (unsigned char)text[2] <= 0xA9));
}

void tk_cell_text_name(struct tk_text *words, const char *text, size_t len, size_t width) {
    bool clean = tk_utf8_is_clean((const uint8_t *)text, len);
    for (size_t at = 0, next; at < len; at = next) {
        const char *piece = &text[at];
        for (next = at + 1; clean && next < len && is_continuation(text[next]);) next++;
        if (words->is_cut) return;
        if (--width == 0 && next < len) {
            tk_text_add(words, "~");
            return;
        }
        bool bad = is_control(piece, next - at) || (!clean && (unsigned char)*piece >= 0x80);
        tk_text_put(words, bad ? "?" : piece, bad ? 1 : next - at);
    }
}

// ---- Values ----

static void put_duration(struct tk_text *words, const char *unit, uint64_t value) {
    uint64_t per_ns = tk_time_units_per_ns(unit);
    if (per_ns) tk_text_duration(words, value, per_ns);
    else tk_text_count(words, value, unit);
}

// Writes a time in seconds with all digits, so that users can search for it.
static void put_moment(struct tk_text *words, const char *unit, uint64_t value) {
    uint64_t per_ns = tk_time_units_per_ns(unit);
    if (!per_ns) tk_text_count(words, value, unit);
    else tk_time_put_seconds(words, value, per_ns), tk_text_add(words, " s");
}

static void put_count(struct tk_text *words, const struct tk_column *column, uint64_t value) {
    tk_text_u64(words, value);
    if (column->unit) tk_text_add(words, " "), tk_text_add(words, column->unit);
}

// Writes six digits, or all digits of a whole part; without an exponent if the number is readable without one: "17.5".
static void put_short_double(struct tk_text *words, double value) {
    enum { DIGITS = 6, LEAST_PLAIN = -5, MOST_PLAIN = 14 };
    char text[TK_DOUBLE_LEN];
    int exponent = tk_double_digits(value, TK_DOUBLE_DIGITS).exponent;
    unsigned digits = exponent >= DIGITS && exponent <= MOST_PLAIN ? (unsigned)exponent + 1 : DIGITS;
    tk_text_put(words, text, tk_double_rounded(value, digits, LEAST_PLAIN, MOST_PLAIN, text));
}

static void put_double(struct tk_text *words, const struct tk_column *column, double value) {
    put_short_double(words, value);
    if (column->unit) tk_text_add(words, " "), tk_text_add(words, column->unit);
}

enum { LEAST_SHARE = 1000 }; // millionths

// Writes a share in percent. A small share is "< 0.1 %", not "0.0 %".
static void put_share(struct tk_text *words, uint64_t millionths) {
    if (millionths && millionths < LEAST_SHARE) tk_text_add(words, "< 0.1");
    else tk_text_fixed(words, (millionths + LEAST_SHARE / 2) / LEAST_SHARE, 1);
    tk_text_add(words, " %");
}

static void put_magnitude(struct tk_text *words, const char *unit, const struct tk_column *column, uint64_t value) {
    switch (column->kind) {
    case TK_COLUMN_FLAG: tk_text_add(words, value ? "yes" : ""); break;
    case TK_COLUMN_DURATION: put_duration(words, unit, value); break;
    case TK_COLUMN_TIME: put_moment(words, unit, value); break;
    case TK_COLUMN_SHARE: put_share(words, value); break;
    default: put_count(words, column, value); break;
    }
}

// Writes the sign of a value; "< 0.1 %" has none.
static void put_sign(struct tk_text *words, const struct tk_column *column, uint64_t magnitude, bool negative) {
    if (!magnitude || (column->kind == TK_COLUMN_SHARE && magnitude < LEAST_SHARE)) return;
    if (negative) tk_text_add(words, "-");
    else if (column->role == TK_ROLE_CHANGE) tk_text_add(words, "+");
}

void tk_cell_text_cell(struct tk_text *words, const char *unit, const struct tk_column *column,
                       const struct tk_cell *cell) {
    bool negative = cell->type == TK_CELL_INT && cell->i < 0;
    uint64_t magnitude = negative ? 0 - cell->u : cell->u;
    switch (cell->type) {
    case TK_CELL_NONE:
        if (column->role == TK_ROLE_VALUE && column->kind > TK_COLUMN_FLAG) tk_text_add(words, "-");
        break;
    case TK_CELL_TEXT:
        tk_cell_text_name(words, cell->text, cell->len, column->kind == TK_COLUMN_NAME ? TK_NAME_WIDTH : TK_TEXT_WIDTH);
        break;
    case TK_CELL_DOUBLE: put_double(words, column, cell->d); break;
    default: put_sign(words, column, magnitude, negative); put_magnitude(words, unit, column, magnitude);
    }
}

void tk_cell_text_put_long(struct tk_out *out, const struct tk_cell *cell) {
    enum { PIECE = 64 };
    char room[4 * PIECE + 4];
    for (size_t at = 0, next; cell->type == TK_CELL_TEXT && at < cell->len; at = next) {
        struct tk_text words = tk_text_in(room, sizeof room);
        next = at + tk_text_cut(cell->text + at, cell->len - at, PIECE);
        if (next == at) next = cell->len; // no character ends here: the text is no UTF-8
        tk_cell_text_name(&words, cell->text + at, next - at, PIECE + 1);
        tk_out_bytes(out, words.text, words.len);
    }
}
