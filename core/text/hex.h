// SPDX-License-Identifier: MIT
//
// Hex in any notation: hands the lines to the reader of the body that the layout names.
#ifndef TK_TEXT_HEX_H
#define TK_TEXT_HEX_H

#include "layout.h"
#include "hex_records.h"

struct tk_hex {
    struct tk_layout layout;
    bool skipping; // the rest of a line that was left out from its beginning
    struct tk_hex_digits plain;
    struct tk_hexdump rows;
    struct tk_numbers numbers;
    struct tk_escaped escaped;
    struct tk_hex_records records;
};

void tk_hex_init(struct tk_hex *hex, const struct tk_layout *layout);
// A line, or a piece of a line longer than TK_PIECE_LEN.
void tk_hex_line(struct tk_hex *hex, struct tk_text_output *decoded, struct tk_span line, uint64_t first_column,
                 bool first, bool last);
// The block or the text ends; the next line begins afresh.
void tk_hex_end(struct tk_hex *hex, struct tk_text_output *decoded);

#endif
