// SPDX-License-Identifier: MIT
//
// Decodes hex digits with separators: blanks, commas, 0x, quotes. Two digits make a byte.
#ifndef TK_TEXT_HEX_DIGITS_H
#define TK_TEXT_HEX_DIGITS_H

#include "chars.h"
#include "text_output.h"

// How far a digit waits for its partner. A limit prevents one lost digit from shifting all following bytes.
enum tk_pair_policy {
    TK_PAIRS_ACROSS_LINES, // blanks and line ends may separate the two digits
    TK_PAIRS_WITHIN_LINE,  // every line contains whole bytes
    TK_PAIRS_WITHIN_GROUP  // every group of digits contains whole bytes
};

struct tk_hex_digits_style {
    uint8_t close; // enum tk_pair_policy
    bool unpadded; // a group of one digit is a byte: "3 2 1 0 49"
    uint8_t bar;   // the ASCII column of every line with data begins with '|' or '>' after a blank, or with ' ' after a
                   // gap of three blanks; 0: no ASCII column
};

struct tk_hex_digits {
    struct tk_hex_digits_style style;
    bool pending, dangling;       // a first digit is pending; its group or line has ended
    bool after_digit, after_zero; // the previous character was a digit; it was a 0 that began a group
    uint8_t digit;
    uint64_t digit_line, digit_column;
};

void tk_hex_digits_init(struct tk_hex_digits *plain, const struct tk_hex_digits_style *style);

// Decodes characters. Counts characters that are not digits as ignored or bad; a bad letter counts as the digit 0, so
// that the following bytes stay in place. Chunks may be cut anywhere; len <= TK_PIECE_LEN. first_column: column of
// text[0], from 1.
void tk_hex_digits_feed(struct tk_hex_digits *plain, struct tk_text_output *decoded, const uint8_t *text, size_t len,
                        uint64_t first_column);
// Decodes a line or a piece of it like tk_hex_digits_feed, but skips whole lines of prose, comments and headings.
void tk_hex_digits_line(struct tk_hex_digits *plain, struct tk_text_output *decoded, struct tk_span line,
                        uint64_t first_column, bool first, bool last);
// Ends the block: reports a digit without a partner.
void tk_hex_digits_end(struct tk_hex_digits *plain, struct tk_text_output *decoded);

// Returns the next run of digits and letters in a line, without a leading 0x. Returns false after the last one.
bool tk_hex_digits_next_group(struct tk_span *rest, struct tk_span *out_group);
// Returns true for a group of hex digits, some of which may be damaged.
bool tk_hex_digits_is_hex(struct tk_span group);
// Returns the line without its ASCII column.
struct tk_span tk_hex_digits_cut_ascii(struct tk_span line, uint8_t bar);

#endif
