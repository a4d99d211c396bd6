// SPDX-License-Identifier: MIT
//
// Base64 in both alphabets, in lines or not, with or without padding. Padding in the middle ends one piece.
#ifndef TK_TEXT_BASE64_H
#define TK_TEXT_BASE64_H

#include "chars.h"
#include "decoded.h"

struct tk_base64 {
    bool close_lines; // every line is whole: a lost character does not shift the next line
    uint32_t value;
    uint8_t count;    // characters in value, 0..3
    uint64_t line;    // of the last character
};

// Is this text base64? Fills in what the reader needs to know.
bool tk_base64_learn(struct tk_span text, bool *out_close_lines);

void tk_base64_init(struct tk_base64 *base64, bool close_lines);
// A line or a piece of it; prose is left out.
void tk_base64_line(struct tk_base64 *base64, struct tk_decoded *decoded, struct tk_span line, uint64_t first_column, bool first, bool last);
void tk_base64_end(struct tk_base64 *base64, struct tk_decoded *decoded);

#endif
