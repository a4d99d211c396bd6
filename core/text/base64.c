// SPDX-License-Identifier: MIT
#include "base64.h"

#include "data_url.h"
#include "../base/text.h"

void tk_base64_init(struct tk_base64 *base64, const struct tk_base64_style *style) {
    *base64 = (struct tk_base64){ .style = *style };
}

// Converts the value of a character in the base64 alphabet to its value in base32; TK_B64_SPACE or more: not in the
// alphabet.
static uint8_t base32_value(uint8_t value) {
    if (value < 26 || value >= TK_B64_SPACE) return value;
    return value >= 54 && value < 60 ? value - 28 : TK_B64_BAD; // 2..7
}

// ---- Reading -----------------------------------------------------------------------------------

static size_t decode_quads(struct tk_text_output *decoded, const uint8_t *text, size_t at, size_t len) {
    uint8_t *to = decoded->bytes + decoded->len;
    for (; at + 4 <= len; at += 4) {
        uint8_t a = tk_base64_class[text[at]], b = tk_base64_class[text[at + 1]];
        uint8_t c = tk_base64_class[text[at + 2]], d = tk_base64_class[text[at + 3]];
        if ((a | b | c | d) >= TK_B64_SPACE) break;
        *to++ = (uint8_t)(a << 2 | b >> 4);
        *to++ = (uint8_t)(b << 4 | c >> 2);
        *to++ = (uint8_t)(c << 6 | d);
    }
    decoded->len = (size_t)(to - decoded->bytes);
    return at;
}

static uint8_t bits_of(const struct tk_base64 *base64) { return base64->style.base32 ? 5 : 6; }

// Returns true if the pending bits include a whole character: then a character is missing, because each byte ends
// within one.
static bool stands_alone(const struct tk_base64 *base64) { return base64->bits >= bits_of(base64); }

static void take_value(struct tk_base64 *base64, struct tk_text_output *decoded, uint8_t value) {
    base64->value = base64->value << bits_of(base64) | value;
    base64->bits = (uint8_t)(base64->bits + bits_of(base64));
    base64->line = decoded->line;
    if (base64->bits < 8) return;
    base64->bits = (uint8_t)(base64->bits - 8);
    tk_text_output_byte(decoded, (uint8_t)(base64->value >> base64->bits));
}

static void take(struct tk_base64 *base64, struct tk_text_output *decoded, uint8_t c, uint64_t column) {
    uint8_t kind = tk_base64_class[c];
    if (base64->style.base32) kind = base32_value(kind);
    if (kind < TK_B64_SPACE) {
        take_value(base64, decoded, kind);
    } else if (kind == TK_B64_PAD) {
        if (!stands_alone(base64)) base64->bits = 0;
        decoded->result.ignored++;
    } else if (kind == TK_B64_BAD && !memchr("\"',<>()", c, 7)) {
        tk_text_output_bad(decoded, column, c,
                           base64->style.base32 ? " is no base32 character" : " is no base64 character");
        take_value(base64, decoded, 0);
    } else {
        decoded->result.ignored += kind == TK_B64_BAD;
    }
}

static void feed(struct tk_base64 *base64, struct tk_text_output *decoded, struct tk_span line, uint64_t first_column) {
    for (size_t at = 0; at < line.len; at++) {
        if (!base64->bits && !base64->style.base32) at = decode_quads(decoded, line.at, at, line.len);
        if (at < line.len) take(base64, decoded, line.at[at], first_column + at);
    }
}

// Returns true if the line contains several words and characters outside the base64 alphabet.
static bool is_prose(struct tk_span line) {
    size_t bad = 0, nonblank = 0, words = 0;
    struct tk_span word;
    while (tk_span_next_word(&line, &word)) {
        words++;
        nonblank += word.len;
        for (size_t i = 0; i < word.len; i++) bad += tk_base64_class[word.at[i]] == TK_B64_BAD;
    }
    return nonblank && (bad * 8 > nonblank || (words > 1 && nonblank / words < 16));
}

// Starts a new block at a data: URL. Returns the length of the text before the data.
static size_t skip_url(struct tk_base64 *base64, struct tk_text_output *decoded, struct tk_span line) {
    size_t head = 0;
    if (tk_data_url_find(line, &head) != TK_URL_BASE64) return 0;
    tk_base64_end(base64, decoded);
    tk_text_output_end(decoded);
    tk_text_output_mark(decoded, 0, decoded->line);
    decoded->result.ignored += tk_count_nonblank(line.at, head);
    return head;
}

void tk_base64_line(struct tk_base64 *base64, struct tk_text_output *decoded, struct tk_span line,
                    uint64_t first_column, bool first, bool last) {
    tk_text_output_make_room(decoded);
    tk_text_output_mark(decoded, tk_text_output_offset(decoded), decoded->line);
    size_t head = first ? skip_url(base64, decoded, line) : 0;
    if (first && last && !head && is_prose(line)) {
        decoded->result.ignored += tk_count_nonblank(line.at, line.len);
        return;
    }
    feed(base64, decoded, (struct tk_span){ line.at + head, line.len - head }, first_column + head);
    if (!last || !base64->style.close_lines) return;
    struct tk_span nonblank = tk_span_trim(line);
    if (stands_alone(base64) && nonblank.len)
        tk_text_output_bad(decoded, first_column + (uint64_t)(nonblank.at + nonblank.len - 1 - line.at),
                           nonblank.at[nonblank.len - 1], " has no partner");
    base64->bits = 0;
}

void tk_base64_end(struct tk_base64 *base64, struct tk_text_output *decoded) {
    struct tk_text sentence;
    tk_text_output_make_room(decoded);
    if (stands_alone(base64)) {
        decoded->result.bad++;
        if (tk_text_output_note(decoded, base64->line, &sentence)) {
            tk_text_add(&sentence, base64->style.base32 ? "the last base32 character stands alone (line "
                                                        : "the last base64 character stands alone (line ");
            tk_text_u64(&sentence, base64->line);
            tk_text_add(&sentence, ")");
        }
    }
    base64->bits = 0;
}

// ---- Recognition -------------------------------------------------------------------------------

struct stats {
    uint64_t good, prose;  // number of characters in lines of data and of prose
    uint32_t lines, whole; // lines of data; lines whose length is a multiple of four
    uint32_t first_len;
    bool wrapped; // all lines but the last have the same length
    bool last_shorter;
    uint32_t urls;
    uint32_t lower, upper, digits, rises, pads; // `rises`: capital letters after a small letter
    uint32_t not_base32, whole_base32;          // characters outside base32; lines whose length is a multiple of eight
    uint32_t seen;                              // bit n: a character with the base32 value n occurs
};

static void count_line(struct stats *stats, struct tk_span line) {
    uint8_t before = 0;
    uint32_t len = (uint32_t)line.len;
    if (stats->lines && (len > stats->first_len || stats->last_shorter)) stats->wrapped = false;
    if (!stats->lines) stats->first_len = len;
    stats->last_shorter = len < stats->first_len;
    stats->lines++;
    stats->whole += len % 4 == 0;
    stats->whole_base32 += len % 8 == 0;
    stats->good += len;
    for (size_t i = 0; i < line.len; i++) {
        uint8_t c = line.at[i], kind = tk_base64_class[c];
        stats->upper += kind < 26;
        stats->rises += kind < 26 && before >= 26 && before < 52;
        stats->lower += kind >= 26 && kind < 52;
        stats->digits += kind >= 52 && kind < 64;
        stats->pads += kind == TK_B64_PAD;
        stats->not_base32 += base32_value(kind) == TK_B64_BAD;
        if (base32_value(kind) < 32) stats->seen |= (uint32_t)1 << base32_value(kind);
        before = kind;
    }
}

// Returns true for one word of the base64 alphabet, with or without padding; tolerates a few damaged characters.
static bool is_word(struct tk_span line) {
    size_t pads = 0, bad = 0;
    while (line.len && line.at[line.len - 1] == '=' && pads < 7) line.len--, pads++;
    for (size_t i = 0; i < line.len; i++) {
        if (tk_base64_class[line.at[i]] == TK_B64_SPACE) return false;
        bad += tk_base64_class[line.at[i]] > TK_B64_SPACE;
    }
    return line.len && pads < 7 && bad * 16 <= line.len;
}

static bool is_plausible(const struct stats *stats) {
    bool whole = stats->whole == stats->lines;
    bool mixed = stats->rises || (stats->digits && (stats->lower || stats->upper)) || stats->pads;
    if (stats->lines > 1 && !whole && !(stats->wrapped && stats->first_len >= 16)) return false;
    if (stats->good < 24) return stats->good >= 4 && whole && mixed && stats->good >= 8u * !stats->pads;
    if (stats->good % 4 == 1 && !stats->pads && stats->lines == 1) return stats->good >= 48 && mixed; // a cut text
    return mixed || whole;
}

// Returns true for base32. Base64 of more than a few bytes also contains small letters, unless nearly all bytes are
// equal.
static bool is_base32(const struct stats *stats) {
    uint32_t kinds = 0;
    for (uint32_t seen = stats->seen; seen; seen &= seen - 1) kinds++;
    if (stats->not_base32 * 32 > stats->good || stats->good < 16 || kinds < 8 || !(stats->digits || stats->pads))
        return false;
    return stats->lines == 1 || stats->whole_base32 + 1 >= stats->lines || (stats->wrapped && stats->first_len >= 16);
}

static void count_text(struct tk_span text, struct stats *stats) {
    struct tk_span line;
    uint32_t lines = 0;
    while (lines < 2000 && tk_span_next_line(&text, &line)) {
        size_t head = 0;
        line = tk_span_trim(line);
        if (tk_data_url_find(line, &head) == TK_URL_BASE64) line = (struct tk_span){ line.at + head, line.len - head };
        if (!line.len) continue;
        lines++;
        if (is_word(line) || head) count_line(stats, line);
        else stats->prose += tk_count_nonblank(line.at, line.len);
        stats->urls += head > 0;
    }
}

bool tk_infer_base64(struct tk_span text, struct tk_base64_style *out_style) {
    struct stats stats = { .wrapped = true };
    count_text(text, &stats);
    out_style->base32 = !stats.urls && is_base32(&stats);
    bool whole = out_style->base32 ? stats.first_len % 8 == 0 && stats.whole_base32 + 1 >= stats.lines
                                   : stats.whole + 1 >= stats.lines;
    out_style->close_lines = stats.lines > 1 && whole;
    if (stats.urls) return true;
    return stats.good > 4 * stats.prose && (out_style->base32 || is_plausible(&stats));
}
