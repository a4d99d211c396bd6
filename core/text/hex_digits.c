// SPDX-License-Identifier: MIT
#include "hex_digits.h"

#include "../base/text.h"

void tk_hex_digits_init(struct tk_hex_digits *plain, const struct tk_hex_digits_style *style) {
    *plain = (struct tk_hex_digits){ .style = *style };
}

// ---- Digits ------------------------------------------------------------------------------------

// Decodes pairs of digits with at most one blank after each: the fast path for nearly all text. Returns the position
// where it stopped.
static size_t decode_pairs(struct tk_text_output *decoded, const uint8_t *text, size_t at, size_t len) {
    uint8_t *to = decoded->bytes + decoded->len;
    while (at + 1 < len) {
        uint8_t high = tk_char_class[text[at]], low = tk_char_class[text[at + 1]];
        if ((high | low) >= TK_CH_SPACE) break;
        *to++ = (uint8_t)(high << 4 | low);
        at += 2;
        if (at < len && text[at] == ' ') at++;
    }
    decoded->len = (size_t)(to - decoded->bytes);
    return at;
}

// Ends a digit without a partner. In a style with one-digit groups it is a byte; otherwise the group has lost a digit.
static void end_single_digit(struct tk_hex_digits *plain, struct tk_text_output *decoded) {
    uint64_t line = decoded->line;
    decoded->line = plain->digit_line;
    tk_text_output_bad(decoded, plain->digit_column, "0123456789abcdef"[plain->digit], " has no partner");
    decoded->line = line;
    if (plain->style.close == TK_PAIRS_WITHIN_GROUP) tk_text_output_byte(decoded, plain->digit);
    plain->pending = plain->dangling = false;
}

static void take_digit(struct tk_hex_digits *plain, struct tk_text_output *decoded, uint8_t digit, uint64_t column) {
    if (plain->dangling) end_single_digit(plain, decoded);
    plain->after_zero = !plain->after_digit && digit == 0;
    plain->after_digit = true;
    if (plain->pending) tk_text_output_byte(decoded, (uint8_t)(plain->digit << 4 | digit));
    plain->pending = !plain->pending;
    plain->digit = digit;
    plain->digit_line = decoded->line;
    plain->digit_column = column;
}

static void end_group(struct tk_hex_digits *plain, struct tk_text_output *decoded) {
    plain->after_digit = plain->after_zero = false;
    if (!plain->pending || plain->style.close != TK_PAIRS_WITHIN_GROUP) return;
    if (plain->style.unpadded) {
        tk_text_output_byte(decoded, plain->digit);
        plain->pending = false;
    } else {
        plain->dangling = true; // tk_hex_digits_end reports a dangling digit at the end of the text with another
                                // sentence
    }
}

static void take_other(struct tk_hex_digits *plain, struct tk_text_output *decoded, uint8_t c, uint64_t column) {
    uint8_t kind = tk_char_class[c];
    if ((c == 'x' || c == 'X') && plain->after_zero && plain->pending) {
        plain->pending = plain->after_digit = plain->after_zero = false;
        decoded->result.ignored += 2;
    } else if (kind == TK_CH_LETTER) {
        tk_text_output_bad(decoded, column, c, " is no hex digit");
        take_digit(plain, decoded, 0, column);
        plain->after_zero = false;
    } else {
        end_group(plain, decoded);
        decoded->result.ignored += kind != TK_CH_SPACE;
    }
}

void tk_hex_digits_feed(struct tk_hex_digits *plain, struct tk_text_output *decoded, const uint8_t *text, size_t len,
                        uint64_t first_column) {
    tk_text_output_make_room(decoded);
    size_t at = 0;
    while (at < len) {
        if (!plain->pending) {
            size_t from = at;
            at = decode_pairs(decoded, text, at, len);
            if (at > from) {
                plain->after_digit = text[at - 1] != ' ';
                plain->after_zero = false;
            }
            if (at == len) break;
        }
        uint8_t kind = tk_char_class[text[at]];
        if (kind < TK_CH_SPACE) take_digit(plain, decoded, kind, first_column + at);
        else take_other(plain, decoded, text[at], first_column + at);
        at++;
    }
}

static void end_line(struct tk_hex_digits *plain, struct tk_text_output *decoded) {
    end_group(plain, decoded);
    if (plain->pending && plain->style.close == TK_PAIRS_WITHIN_LINE) plain->dangling = true;
}

void tk_hex_digits_end(struct tk_hex_digits *plain, struct tk_text_output *decoded) {
    end_group(plain, decoded);
    if (plain->pending) {
        struct tk_text sentence;
        decoded->result.bad++;
        if (tk_text_output_note(decoded, plain->digit_line, &sentence)) {
            decoded->result.bad_column = plain->digit_column;
            tk_text_add(&sentence, "the last digit has no partner (line ");
            tk_text_u64(&sentence, plain->digit_line);
            tk_text_add(&sentence, ")");
        }
    }
    tk_hex_digits_init(plain, &plain->style);
}

// ---- Lines -------------------------------------------------------------------------------------

static bool is_word_char(uint8_t c) { return tk_char_class[c] < TK_CH_SPACE || tk_char_class[c] == TK_CH_LETTER; }

bool tk_hex_digits_next_group(struct tk_span *rest, struct tk_span *out_group) {
    while (rest->len && !is_word_char(*rest->at)) rest->at++, rest->len--;
    size_t len = 0;
    while (len < rest->len && is_word_char(rest->at[len])) len++;
    *out_group = (struct tk_span){ rest->at, len };
    rest->at += len;
    rest->len -= len;
    if (len > 2 && out_group->at[0] == '0' && (out_group->at[1] | 0x20) == 'x') out_group->at += 2, out_group->len -= 2;
    return len > 0;
}

// Returns true for hex digits with some damaged letters. 'A' does not count as hex, because base64 of mostly zeros is
// full of it.
bool tk_hex_digits_is_hex(struct tk_span group) {
    size_t letters = 0, zeros = 0;
    for (size_t i = 0; i < group.len; i++) {
        letters += tk_char_class[group.at[i]] == TK_CH_LETTER;
        zeros += group.at[i] == 'A';
    }
    return !letters || (group.len >= 8 && letters * 8 + zeros <= group.len) || (group.len == 2 && letters == 1);
}

static size_t find_gap(struct tk_span line) {
    size_t at = 0;
    while (at < line.len && tk_is_space(line.at[at])) at++;
    for (; at + 2 < line.len; at++) {
        if (tk_is_space(line.at[at]) && tk_is_space(line.at[at + 1]) && tk_is_space(line.at[at + 2])) return at;
    }
    return line.len;
}

struct tk_span tk_hex_digits_cut_ascii(struct tk_span line, uint8_t bar) {
    if (bar == ' ') line.len = find_gap(line);
    for (size_t i = 1; bar && bar != ' ' && i < line.len; i++) {
        if (line.at[i] == bar && tk_is_space(line.at[i - 1])) line.len = i;
    }
    return line;
}

static void ignore(struct tk_text_output *decoded, struct tk_span span) {
    decoded->result.ignored += tk_count_nonblank(span.at, span.len);
}

static bool is_comment(struct tk_span line) {
    line = tk_span_trim(line);
    return tk_span_starts(line, "#") || tk_span_starts(line, "//");
}

// Returns true if the line contains more hex than other words.
static bool is_data(struct tk_span line) {
    size_t digits = 0, words = 0;
    struct tk_span group;
    while (tk_hex_digits_next_group(&line, &group)) {
        if (tk_hex_digits_is_hex(group)) digits += group.len;
        else words += group.len;
    }
    return digits && digits >= words;
}

static void report_bad_word(struct tk_text_output *decoded, struct tk_span word, uint64_t column) {
    for (size_t i = 0; i < word.len; i++) {
        if (tk_char_class[word.at[i]] == TK_CH_LETTER)
            tk_text_output_bad(decoded, column + i, word.at[i], " is no hex digit");
    }
}

// Reads a line with letters that are not digits, word by word. A word of two letters in place of a byte counts as a
// damaged byte.
static void read_tolerant(struct tk_hex_digits *plain, struct tk_text_output *decoded, struct tk_span line,
                          uint64_t first_column) {
    struct tk_span rest = line, group;
    if (!is_data(line)) {
        ignore(decoded, line);
        return;
    }
    while (tk_hex_digits_next_group(&rest, &group)) {
        uint64_t column = first_column + (uint64_t)(group.at - line.at);
        bool label = rest.len && (*rest.at == ':' || *rest.at == '=');
        bool lone_pair =
            group.len == 2 && plain->style.close == TK_PAIRS_WITHIN_GROUP && (!rest.len || tk_is_space(*rest.at));
        if (tk_hex_digits_is_hex(group) || (lone_pair && !label))
            tk_hex_digits_feed(plain, decoded, group.at, group.len, column);
        else if (label) decoded->result.ignored += group.len;
        else report_bad_word(decoded, group, column);
        end_group(plain, decoded);
    }
}

// Reports a line "*". With addresses the reader of dumps knows the number of repeated bytes; here it is unknown.
static void report_unsized_repeat(struct tk_text_output *decoded) {
    struct tk_text sentence;
    if (!tk_text_output_note(decoded, decoded->line, &sentence)) return;
    tk_text_add(&sentence, "line ");
    tk_text_u64(&sentence, decoded->line);
    tk_text_add(&sentence, ": '*' stands for repeated bytes, but without addresses their number is unknown");
}

// Cuts off "... 33 more bytes", which Node prints, and reports it.
static struct tk_span cut_more(struct tk_text_output *decoded, struct tk_span line) {
    const uint8_t *more = tk_span_find(line, " ... ");
    struct tk_span rest = { more, more ? (size_t)(line.at + line.len - more) : 0 };
    if (!more || !tk_span_find(rest, " more byte")) return line;
    struct tk_text sentence;
    ignore(decoded, rest);
    if (tk_text_output_note(decoded, decoded->line, &sentence)) {
        tk_text_add(&sentence, "line ");
        tk_text_u64(&sentence, decoded->line);
        tk_text_add(&sentence, ": '...' stands for bytes that were not printed");
    }
    return (struct tk_span){ line.at, (size_t)(more - line.at) };
}

void tk_hex_digits_line(struct tk_hex_digits *plain, struct tk_text_output *decoded, struct tk_span line,
                        uint64_t first_column, bool first, bool last) {
    if (plain->style.bar && first && last) {
        struct tk_span cut = tk_hex_digits_cut_ascii(line, plain->style.bar);
        bool heading = cut.len == line.len && plain->style.bar != ' ';
        ignore(decoded, heading ? line : (struct tk_span){ cut.at + cut.len, line.len - cut.len });
        if (heading) return;
        line = cut;
    }
    if (first && is_comment(line)) {
        ignore(decoded, line);
        return;
    }
    if (first && last) line = cut_more(decoded, line);
    struct tk_span nonblank = line.len < 8 ? tk_span_trim(line) : line;
    if (nonblank.len == 1 && nonblank.at[0] == '*') report_unsized_repeat(decoded);
    tk_text_output_make_room(decoded);
    struct tk_hex_digits before = *plain;
    struct tk_encoding_result result_before = decoded->result;
    size_t len_before = decoded->len;
    tk_hex_digits_feed(plain, decoded, line.at, line.len, first_column);
    if (decoded->result.bad > result_before.bad && first && last) {
        *plain = before;
        decoded->result = result_before;
        decoded->len = len_before;
        read_tolerant(plain, decoded, line, first_column);
    }
    if (last) end_line(plain, decoded);
}
