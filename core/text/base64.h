// SPDX-License-Identifier: MIT
//
// Decodes base64 (both alphabets) and base32, with or without line breaks, padding and data: URLs. After padding in the
// middle a new piece begins.
#ifndef TK_TEXT_BASE64_H
#define TK_TEXT_BASE64_H

#include "chars.h"
#include "text_output.h"

struct tk_base64_style {
    bool base32;
    bool close_lines; // each line contains whole bytes: a lost character does not shift the next line
};

struct tk_base64 {
    struct tk_base64_style style;
    uint32_t value;
    uint8_t bits;  // number of bits in `value` that are not decoded yet
    uint64_t line; // line of the last character
};

// Returns true if the text is base64 or base32, and sets the style for the reader.
bool tk_infer_base64(struct tk_span text, struct tk_base64_style *out_style);

void tk_base64_init(struct tk_base64 *base64, const struct tk_base64_style *style);
// Decodes a line or a piece of it; skips prose.
void tk_base64_line(struct tk_base64 *base64, struct tk_text_output *decoded, struct tk_span line,
                    uint64_t first_column, bool first, bool last);
void tk_base64_end(struct tk_base64 *base64, struct tk_text_output *decoded);

#endif
