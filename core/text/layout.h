// SPDX-License-Identifier: MIT
//
// The layout of encoded text: inferred once from the head, then applied line by line.
#ifndef TK_TEXT_LAYOUT_H
#define TK_TEXT_LAYOUT_H

#include "chars.h"
#include "escaped.h"
#include "numbers.h"
#include "hex_digits.h"
#include "hexdump.h"

enum tk_layout_body {
    TK_BODY_NONE, // the text is not hex
    TK_BODY_HEX_DIGITS,
    TK_BODY_HEXDUMP,
    TK_BODY_NUMBERS,
    TK_BODY_ESCAPED,
    TK_BODY_HEX_RECORDS
};

enum { TK_LOG_PREFIX_LEN = 32 };

struct tk_layout {
    enum tk_layout_body body;
    bool marked; // the text has START lines; text outside of START and END is skipped
    // Log prefix: the word before the data, with each number replaced by '0': "trace:" or "[0:0:0.0]". tag_len 0: no
    // prefix.
    char tag[TK_LOG_PREFIX_LEN];
    uint8_t tag_len;
    // Styles of the readers; only that of `body` is valid.
    struct tk_hex_digits_style plain;
    struct tk_hexdump_style rows;
    struct tk_number_style numbers;
    struct tk_escape_style escaped;
};

enum tk_marker { TK_MARKER_NONE, TK_MARKER_START, TK_MARKER_END };
enum tk_marker tk_layout_marker(struct tk_span line);
// Returns the part of `text` within its first START..END, or all of it. *out_marked: there is a START.
struct tk_span tk_layout_region(struct tk_span text, bool *out_marked);

// text: the head of the text; it may end anywhere.
void tk_layout_infer(struct tk_span text, struct tk_layout *out_layout);
// Returns the text after the tag, without blanks at its ends. Returns false if the line has no tag.
bool tk_layout_after_prefix(const struct tk_layout *layout, struct tk_span line, struct tk_span *out_body);

#endif
