// SPDX-License-Identifier: MIT
#include "base64.h"

#include "sentence.h"

void tk_base64_init(struct tk_base64 *base64, bool close_lines) { *base64 = (struct tk_base64){.close_lines = close_lines}; }

// ---- Reading -----------------------------------------------------------------------------------

static size_t decode_quads(struct tk_decoded *decoded, const uint8_t *text, size_t at, size_t len) {
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

// Two characters left are one byte, three are two, one is none.
static void flush_rest(struct tk_base64 *base64, struct tk_decoded *decoded) {
    uint32_t value = base64->value << 6 * (4 - base64->count);
    if (base64->count >= 2) tk_decoded_byte(decoded, (uint8_t)(value >> 16));
    if (base64->count == 3) tk_decoded_byte(decoded, (uint8_t)(value >> 8));
    base64->value = base64->count = 0;
}

static void take_value(struct tk_base64 *base64, struct tk_decoded *decoded, uint8_t value) {
    base64->value = base64->value << 6 | value;
    base64->line = decoded->line;
    if (++base64->count < 4) return;
    tk_decoded_byte(decoded, (uint8_t)(base64->value >> 16));
    tk_decoded_byte(decoded, (uint8_t)(base64->value >> 8));
    tk_decoded_byte(decoded, (uint8_t)base64->value);
    base64->value = base64->count = 0;
}

static void take(struct tk_base64 *base64, struct tk_decoded *decoded, uint8_t c, uint64_t column) {
    uint8_t kind = tk_base64_class[c];
    if (kind < TK_B64_SPACE) {
        take_value(base64, decoded, kind);
    } else if (kind == TK_B64_PAD) {
        if (base64->count >= 2) flush_rest(base64, decoded);
        decoded->result.ignored++;
    } else if (kind == TK_B64_BAD && c != '"' && c != '\'' && c != ',') {
        tk_decoded_bad(decoded, column, c, " is no base64 character");
        take_value(base64, decoded, 0);
    } else {
        decoded->result.ignored += kind == TK_B64_BAD;
    }
}

static void feed(struct tk_base64 *base64, struct tk_decoded *decoded, struct tk_span line, uint64_t first_column) {
    for (size_t at = 0; at < line.len; at++) {
        if (!base64->count) at = decode_quads(decoded, line.at, at, line.len);
        if (at < line.len) take(base64, decoded, line.at[at], first_column + at);
    }
}

// Words, and characters that base64 has not.
static bool is_prose(struct tk_span line) {
    size_t bad = 0, ink = 0, words = 0;
    struct tk_span word;
    while (tk_span_next_word(&line, &word)) {
        words++;
        ink += word.len;
        for (size_t i = 0; i < word.len; i++) bad += tk_base64_class[word.at[i]] == TK_B64_BAD;
    }
    return ink && (bad * 8 > ink || (words > 1 && ink / words < 16));
}

void tk_base64_line(struct tk_base64 *base64, struct tk_decoded *decoded, struct tk_span line, uint64_t first_column, bool first, bool last) {
    tk_decoded_make_room(decoded);
    tk_decoded_mark(decoded, tk_decoded_offset(decoded), decoded->line);
    if (first && last && is_prose(line)) {
        decoded->result.ignored += tk_count_ink(line.at, line.len);
        return;
    }
    feed(base64, decoded, line, first_column);
    if (!last || !base64->close_lines) return;
    struct tk_span ink = tk_span_trim(line);
    if (base64->count == 1 && ink.len) tk_decoded_bad(decoded, first_column + (uint64_t)(ink.at + ink.len - 1 - line.at), ink.at[ink.len - 1], " has no partner");
    flush_rest(base64, decoded);
}

void tk_base64_end(struct tk_base64 *base64, struct tk_decoded *decoded) {
    struct tk_sentence sentence;
    tk_decoded_make_room(decoded);
    if (base64->count == 1) {
        decoded->result.bad++;
        if (tk_decoded_note(decoded, base64->line, &sentence)) {
            tk_sentence_add(&sentence, "the last base64 character stands alone (line ");
            tk_sentence_number(&sentence, base64->line);
            tk_sentence_add(&sentence, ")");
        }
    }
    flush_rest(base64, decoded);
}

// ---- Recognising -------------------------------------------------------------------------------

struct stats {
    uint64_t good, prose; // characters of lines
    uint32_t lines, whole; // ... of them a multiple of four long
    uint32_t first_len;
    bool wrapped; // all lines but the last have one length
    bool last_shorter;
    uint32_t lower, upper, digits, rises, pads; // rises: an upper after a lower letter
};

static void count_line(struct stats *stats, struct tk_span line) {
    uint8_t before = 0;
    uint32_t len = (uint32_t)line.len;
    if (stats->lines && (len > stats->first_len || stats->last_shorter)) stats->wrapped = false;
    if (!stats->lines) stats->first_len = len;
    stats->last_shorter = len < stats->first_len;
    stats->lines++;
    stats->whole += len % 4 == 0;
    stats->good += len;
    for (size_t i = 0; i < line.len; i++) {
        uint8_t c = line.at[i], kind = tk_base64_class[c];
        stats->upper += kind < 26;
        stats->rises += kind < 26 && before >= 26 && before < 52;
        stats->lower += kind >= 26 && kind < 52;
        stats->digits += kind >= 52 && kind < 64;
        stats->pads += kind == TK_B64_PAD;
        before = kind;
    }
}

// One word of the alphabet, perhaps with padding at its end, perhaps damaged here and there.
static bool is_word(struct tk_span line) {
    size_t pads = 0, bad = 0;
    while (line.len && line.at[line.len - 1] == '=' && pads < 3) line.len--, pads++;
    for (size_t i = 0; i < line.len; i++) {
        if (tk_base64_class[line.at[i]] == TK_B64_SPACE) return false;
        bad += tk_base64_class[line.at[i]] > TK_B64_SPACE;
    }
    return line.len && pads < 3 && bad * 16 <= line.len;
}

static bool is_plausible(const struct stats *stats) {
    bool whole = stats->whole == stats->lines;
    bool mixed = stats->rises || (stats->digits && (stats->lower || stats->upper)) || stats->pads;
    if (stats->lines > 1 && !whole && !(stats->wrapped && stats->first_len >= 16)) return false;
    if (stats->good < 24) return stats->good >= 4 && whole && mixed && stats->good >= 8u * !stats->pads;
    if (stats->good % 4 == 1 && !stats->pads && stats->lines == 1) return stats->good >= 48 && mixed; // cut
    return mixed || whole;
}

bool tk_base64_learn(struct tk_span text, bool *out_close_lines) {
    struct stats stats = {.wrapped = true};
    struct tk_span line;
    uint32_t lines = 0;
    while (lines < 2000 && tk_span_next_line(&text, &line)) {
        line = tk_span_trim(line);
        if (!line.len) continue;
        lines++;
        if (is_word(line)) count_line(&stats, line);
        else stats.prose += tk_count_ink(line.at, line.len);
    }
    *out_close_lines = stats.lines > 1 && stats.whole + 1 >= stats.lines;
    return stats.good > 4 * stats.prose && is_plausible(&stats);
}
