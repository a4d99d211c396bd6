// SPDX-License-Identifier: MIT
//
// Base64 in both alphabets and base32, in lines or not, with or without padding, as a data: URL. Padding in the middle
// ends one piece.
#ifndef TK_TEXT_BASE64_H
#define TK_TEXT_BASE64_H

#include "chars.h"
#include "text_output.h"

struct tk_base64_style {
    bool base32;
    bool close_lines; // every line is whole: a lost character does not shift the next line
};

struct tk_base64 {
    struct tk_base64_style style;
    uint32_t value;
    uint8_t bits;  // of value that are no byte yet
    uint64_t line; // of the last character
};

// Is this text base64 or base32? Fills in what the reader needs to know.
bool tk_infer_base64(struct tk_span text, struct tk_base64_style *out_style);

void tk_base64_init(struct tk_base64 *base64, const struct tk_base64_style *style);
// A line or a piece of it; prose is left out.
void tk_base64_line(struct tk_base64 *base64, struct tk_text_output *decoded, struct tk_span line,
                    uint64_t first_column, bool first, bool last);
void tk_base64_end(struct tk_base64 *base64, struct tk_text_output *decoded);

#endif
