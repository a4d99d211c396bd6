// SPDX-License-Identifier: MIT
//
// Decodes strings with escapes: "\x03\x02" in C, b'\x03\x02ISR0\x00' in Python, %03%02ISR0 in URLs.
#ifndef TK_TEXT_ESCAPED_H
#define TK_TEXT_ESCAPED_H

#include "chars.h"
#include "text_output.h"

struct tk_escape_style {
    bool quoted;  // the data is in quotes; every character between them is data
    bool literal; // without quotes: characters between the escapes are bytes too
    bool percent; // %03 as in URLs; the text up to the comma of a data: URL is skipped
};

enum tk_escape_state { TK_ESC_TEXT, TK_ESC_BACKSLASH, TK_ESC_HEX, TK_ESC_OCTAL };

struct tk_escaped {
    struct tk_escape_style style;
    enum tk_escape_state state;
    uint8_t quote; // character that ends the string; 0: outside of a string
    uint8_t digits, value;
};

void tk_escaped_init(struct tk_escaped *escaped, const struct tk_escape_style *style);
// Decodes a line or a piece of it, cut anywhere. len <= TK_PIECE_LEN.
void tk_escaped_line(struct tk_escaped *escaped, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column, bool first, bool last);

#endif
