// SPDX-License-Identifier: MIT
//
// Reads numbers with 0x among other words: C, Rust and Python arrays, gdb's "p/x", columns of a logic analyzer's CSV.
// Skips comments. Decimal numbers count within braces, and everywhere in a list.
#ifndef TK_TEXT_NUMBERS_H
#define TK_TEXT_NUMBERS_H

#include "chars.h"
#include "text_output.h"

struct tk_number_style {
    uint8_t unit; // bytes of a number, least significant first; 0: a number is a row of bytes in the order of the text
    uint8_t list_radix; // radix of a list of bytes without brackets: 10 or 8; 0: not a list
    bool braced;        // only numbers between `open` and `close` are data; each outermost pair is a block
    uint8_t open, close;
};

enum tk_number_state {
    TK_NUM_IDLE,
    TK_NUM_ZERO, // a 0 that may begin 0x
    TK_NUM_DECIMAL,
    TK_NUM_HEX,
    TK_NUM_WORD,
    TK_NUM_SLASH,
    TK_NUM_LINE_COMMENT,
    TK_NUM_BLOCK_COMMENT,
    TK_NUM_BLOCK_STAR,
    TK_NUM_ANGLE, // within "<repeats 12 times>"
    TK_NUM_DOT,   // after a point that may begin "..."
    TK_NUM_CUT    // after "...": skips until the bracket closes
};

struct tk_numbers {
    struct tk_number_style style;
    enum tk_number_state state;
    uint32_t depth;
    uint32_t digits;
    uint64_t value;
    uint64_t column;      // column of the current character
    uint64_t word_column; // column of the current number or of its first letter
    uint8_t word_char;
    bool negative;               // a minus sign precedes the number
    bool is_bad_word, any_digit; // for lists: the word contains letters; it contains digits
    uint8_t digit;               // first digit of a pair if unit is 0
    uint8_t last[8];             // bytes of the last number
    uint8_t last_len;
    char name[TK_TITLE_LEN]; // last word before a brace: the name of the array
    uint8_t name_len;
};

void tk_numbers_init(struct tk_numbers *numbers, const struct tk_number_style *style);
// Reads a line or a piece of it, cut anywhere. len <= TK_PIECE_LEN.
void tk_numbers_line(struct tk_numbers *numbers, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column, bool last);
void tk_numbers_end(struct tk_numbers *numbers, struct tk_text_output *decoded);

#endif
