// SPDX-License-Identifier: MIT
//
// Strings with escapes: "\x03\x02" in C, b'\x03\x02ISR0\x00' in Python, %03%02ISR0 in URLs.
#ifndef TK_TEXT_ESCAPED_H
#define TK_TEXT_ESCAPED_H

#include "chars.h"
#include "text_output.h"

struct tk_escape_style {
    bool quoted;  // what stands in quotes counts, every character of it
    bool literal; // no quotes: characters between the escapes are bytes too
    bool percent; // %03 as in URLs; what precedes the comma of a data: URL does not count
};

enum tk_escape_state { TK_ESC_TEXT, TK_ESC_BACKSLASH, TK_ESC_HEX, TK_ESC_OCTAL };

struct tk_escaped {
    struct tk_escape_style style;
    enum tk_escape_state state;
    uint8_t quote; // the character that ends the string, 0: outside
    uint8_t digits, value;
};

void tk_escaped_init(struct tk_escaped *escaped, const struct tk_escape_style *style);
// A line or a piece of it; any cut. len <= TK_PIECE_LEN.
void tk_escaped_line(struct tk_escaped *escaped, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column, bool first, bool last);

#endif
