// SPDX-License-Identifier: MIT
//
// Infers the layout of decimal and octal bytes without brackets or addresses: "3, 2, 1, 0, 73", "003 002 001 000 111".
#include "infer.h"

struct list {
    uint32_t words, decimals, octals; // words that are a byte in this radix
    uint32_t wide, padded, certain;   // words with three digits; with a leading zero; that cannot be hex
    uint64_t other;                   // punctuation that does not occur in lists
};

static bool is_byte(struct tk_span digits, uint8_t radix) {
    unsigned value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (tk_char_class[digits.at[i]] >= radix) return false;
        value = value * radix + tk_char_class[digits.at[i]];
    }
    return digits.len && digits.len <= 3 && value <= 255;
}

static void count_word(struct list *list, struct tk_span word) {
    bool negative = word.at[0] == '-';
    if (negative) word.at++, word.len--;
    bool decimal = is_byte(word, 10);
    list->words++;
    list->decimals += decimal;
    list->octals += word.len == 3 && is_byte(word, 8);
    list->wide += word.len == 3;
    list->padded += word.len > 1 && word.at[0] == '0';
    list->certain += decimal && (word.len == 3 || negative);
}

static bool is_separator(uint8_t c) { return tk_is_space(c) || c == ',' || c == ';'; }

static void count_line(struct list *list, struct tk_span line) {
    for (size_t at = 0; at < line.len;) {
        size_t from = at;
        if (line.at[at] == '-') at++;
        while (at < line.len && tk_char_class[line.at[at]] <= TK_CH_LETTER && !tk_is_space(line.at[at])) at++;
        if (at > from) {
            count_word(list, (struct tk_span){ line.at + from, at - from });
            continue;
        }
        list->other += !is_separator(line.at[at]);
        at++;
    }
}

static bool is_decimal(const struct list *list) {
    if (!list->certain || list->decimals * 16 < list->words * 15) return false;
    return !list->padded || list->wide * 16 >= list->words * 15;
}

bool tk_infer_list(struct tk_span text, struct tk_layout *layout) {
    static const struct tk_layout no_tag = { .tag_len = 0 };
    struct list list = { 0 };
    struct tk_span line;
    uint64_t other = 0;
    for (uint32_t lines = 0; lines < TK_INFER_LINES && tk_infer_next(&no_tag, &text, &line, &other); lines++) {
        if (!tk_span_starts(line, "#") && !tk_span_starts(line, "//")) count_line(&list, line);
    }
    if (list.words < 4 || list.other * 16 > list.words) return false;
    bool octal = list.padded && list.octals * 16 >= list.words * 15;
    if (!octal && !is_decimal(&list)) return false;
    layout->body = TK_BODY_NUMBERS;
    layout->numbers = (struct tk_number_style){ .unit = 1, .list_radix = octal ? 8 : 10 };
    return true;
}
