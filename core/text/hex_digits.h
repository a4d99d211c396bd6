// SPDX-License-Identifier: MIT
//
// Hex digits with anything harmless between them: blanks, commas, 0x, quotes. Two digits make a byte.
#ifndef TK_TEXT_HEX_DIGITS_H
#define TK_TEXT_HEX_DIGITS_H

#include "chars.h"
#include "text_output.h"

// Where a digit without partner is given up, so that one lost digit does not shift all the rest.
enum tk_pair_policy {
    TK_PAIRS_ACROSS_LINES, // pairs may be cut by blanks and line ends
    TK_PAIRS_WITHIN_LINE,  // every line holds whole bytes
    TK_PAIRS_WITHIN_GROUP  // so does every group of digits
};

struct tk_hex_digits_style {
    uint8_t close; // enum tk_pair_policy
    bool unpadded; // a group of one digit is a byte: "3 2 1 0 49"
    uint8_t bar;   // an ASCII column begins with '|' or '>' after a blank, in every line with data; or after a
                   // gap of three blanks: ' '; or there is none: 0
};

struct tk_hex_digits {
    struct tk_hex_digits_style style;
    bool pending, dangling;       // a first digit waits; ... and its group or line has ended
    bool after_digit, after_zero; // the character before; ... was a 0 that began a group
    uint8_t digit;
    uint64_t digit_line, digit_column;
};

void tk_hex_digits_init(struct tk_hex_digits *plain, const struct tk_hex_digits_style *style);

// Characters that are no digits are counted as ignored or bad; a bad letter is taken as the digit 0, which keeps
// the bytes after it in place. Any cut; len <= TK_PIECE_LEN. first_column: of text[0], from 1.
void tk_hex_digits_feed(struct tk_hex_digits *plain, struct tk_text_output *decoded, const uint8_t *text, size_t len,
                        uint64_t first_column);
// A line or its piece: as above, and a whole line that is prose, a comment or a heading is left out.
void tk_hex_digits_line(struct tk_hex_digits *plain, struct tk_text_output *decoded, struct tk_span line,
                        uint64_t first_column, bool first, bool last);
// No more digits for this block.
void tk_hex_digits_end(struct tk_hex_digits *plain, struct tk_text_output *decoded);

// Next run of digits and letters in a line, without a 0x in front. False: none left.
bool tk_hex_digits_next_group(struct tk_span *rest, struct tk_span *out_group);
// Hex digits, or digits that noise has hit.
bool tk_hex_digits_is_hex(struct tk_span group);
// Without the ASCII column.
struct tk_span tk_hex_digits_cut_ascii(struct tk_span line, uint8_t bar);

#endif
