// SPDX-License-Identifier: MIT
#include "infer.h"

struct stats {
    uint64_t digits, words, other;
    uint32_t lines, odd_lines;
    uint32_t groups, odd, ones, longest, as_long; // `as_long`: number of groups with the greatest length
    uint32_t wraps;          // number of line ends where an odd group meets an odd group of the next line
    bool odd_begin, odd_end; // the first and the last group of the last line have an odd length
    bool alpha, decimal;
};

// ---- The ASCII column --------------------------------------------------------------------------

static bool is_hex_only(struct tk_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if (!tk_is_hex_digit(text.at[i]) && !tk_is_space(text.at[i])) return false;
    }
    return true;
}

// Returns true for a line of bytes, a gap of blanks, and their characters.
static bool has_gap(struct tk_span line) {
    struct tk_span data = tk_hex_digits_cut_ascii(line, ' '), group;
    struct tk_span after_data = { data.at + data.len, line.len - data.len };
    uint32_t groups = 0;
    while (tk_hex_digits_next_group(&data, &group)) groups++;
    return groups >= 4 && !is_hex_only(after_data);
}

static uint8_t infer_ascii_column(struct tk_span text, const struct tk_layout *layout) {
    struct tk_span line;
    uint64_t other = 0;
    uint32_t lines = 0, pipes = 0, angles = 0, gaps = 0;
    while (lines < TK_INFER_LINES && tk_infer_next(layout, &text, &line, &other)) {
        lines++;
        pipes += tk_hex_digits_cut_ascii(line, '|').len < line.len;
        angles += line.at[line.len - 1] == '<' && tk_hex_digits_cut_ascii(line, '>').len < line.len;
        gaps += has_gap(line);
    }
    return pipes * 3 >= lines && pipes ? '|' : angles * 3 >= lines && angles ? '>' : gaps * 2 > lines ? ' ' : 0;
}

// ---- Counting ----------------------------------------------------------------------------------

static void count_group(struct stats *stats, struct tk_span group) {
    for (size_t i = 0; i < group.len && i < 64; i++) {
        uint8_t digit = tk_char_class[group.at[i]];
        stats->decimal |= digit < 10;
        stats->alpha |= digit >= 10 && digit < TK_CH_SPACE;
    }
    uint32_t len = (uint32_t)group.len;
    stats->digits += len;
    stats->groups++;
    stats->odd += len & 1;
    stats->ones += len == 1;
    if (len > stats->longest) stats->longest = len, stats->as_long = 0;
    stats->as_long += len == stats->longest;
}

static void add_up(struct stats *stats, const struct stats *line) {
    if (line->words > line->digits) { // prose: its hex-like words are not data
        stats->words += line->words + line->digits;
        return;
    }
    stats->words += line->words;
    stats->digits += line->digits;
    stats->lines++;
    stats->odd_lines += line->digits & 1;
    stats->wraps += line->odd_begin && stats->odd_end;
    stats->odd_end = line->odd_end;
    stats->groups += line->groups;
    stats->odd += line->odd;
    stats->ones += line->ones;
    stats->alpha |= line->alpha;
    stats->decimal |= line->decimal;
    if (line->longest > stats->longest) stats->longest = line->longest, stats->as_long = 0;
    if (line->longest == stats->longest) stats->as_long += line->as_long;
}

static void count_line(struct stats *stats, struct tk_span line) {
    struct stats sum = { 0 };
    struct tk_span group;
    while (tk_hex_digits_next_group(&line, &group)) {
        if (!tk_hex_digits_is_hex(group)) {
            sum.words += group.len;
            continue;
        }
        sum.odd_end = group.len & 1;
        if (!sum.groups) sum.odd_begin = sum.odd_end;
        count_group(&sum, group);
    }
    add_up(stats, &sum);
}

static void count_text(struct tk_span text, const struct tk_layout *layout, uint8_t bar, struct stats *stats) {
    struct tk_span line;
    for (uint32_t lines = 0; lines < TK_INFER_LINES && tk_infer_next(layout, &text, &line, &stats->other); lines++) {
        struct tk_span cut = tk_hex_digits_cut_ascii(line, bar);
        if (bar && bar != ' ' && cut.len == line.len) continue; // a heading
        line = cut;
        if (!tk_span_starts(line, "#") && !tk_span_starts(line, "//")) count_line(stats, line);
    }
}

// ---- Decisions ---------------------------------------------------------------------------------

// Returns true if line breaks cut bytes regularly, as a terminal does; damage cuts only some.
static bool is_wrapped(const struct stats *stats) { return stats->wraps && stats->wraps * 8 >= stats->lines; }

static uint32_t count_stray_digits(const struct stats *stats) {
    return is_wrapped(stats) && stats->odd >= 2 * stats->wraps ? stats->odd - 2 * stats->wraps : stats->odd;
}

static bool is_unpadded(const struct stats *stats) {
    return stats->longest == 2 && stats->ones < stats->groups && count_stray_digits(stats) * 8 > stats->groups &&
           (stats->alpha || stats->groups >= 32);
}

// Returns true if the groups are so long that byte boundaries do not matter: one per line, or all of one width.
static bool is_continuous(const struct stats *stats) {
    if (stats->digits < 6 || !stats->decimal) return false;
    if (stats->groups > stats->lines + stats->lines / 4 && stats->digits / stats->groups < 16) return false;
    return stats->groups < 3 || stats->as_long * 4 >= stats->groups * 3 || stats->digits / stats->groups >= 8;
}

static bool groups_make_bytes(const struct stats *stats) {
    bool cut = stats->odd_end && stats->groups > 2; // the recording ends in the middle of a byte
    if ((count_stray_digits(stats) - cut) * 8 <= stats->groups) return true;
    if (stats->ones == stats->groups && stats->groups >= 4) return true;
    return is_unpadded(stats) || is_continuous(stats);
}

static enum tk_pair_policy find_close(const struct stats *stats) {
    if (is_unpadded(stats)) return TK_PAIRS_WITHIN_GROUP;
    if (is_wrapped(stats)) return TK_PAIRS_ACROSS_LINES;
    if (count_stray_digits(stats) * 4 <= stats->groups) return TK_PAIRS_WITHIN_GROUP;
    return stats->lines > 1 && stats->odd_lines * 4 <= stats->lines ? TK_PAIRS_WITHIN_LINE : TK_PAIRS_ACROSS_LINES;
}

// Returns true for prose. Some prose around one long row of digits is data; prose with a few short numbers is not.
static bool is_prose(const struct stats *stats, bool marked) {
    if (stats->longest >= 32) return stats->digits * 2 < stats->words;
    return stats->digits < (marked ? 1 : 4) * stats->words;
}

bool tk_infer_hex_digits(struct tk_span text, struct tk_layout *layout) {
    struct stats stats = { 0 };
    uint8_t bar = infer_ascii_column(text, layout);
    count_text(text, layout, bar, &stats);
    if (stats.digits < 2 || is_prose(&stats, layout->marked) || !groups_make_bytes(&stats)) return false;
    if (!layout->marked && stats.digits * 5 < stats.other) return false;
    layout->body = TK_BODY_HEX_DIGITS;
    layout->plain = (struct tk_hex_digits_style){ find_close(&stats), is_unpadded(&stats), bar };
    return true;
}
