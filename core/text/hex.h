// SPDX-License-Identifier: MIT
//
// Decodes hex in any notation: passes the lines to the reader that the layout selects.
#ifndef TK_TEXT_HEX_H
#define TK_TEXT_HEX_H

#include "layout.h"
#include "hex_records.h"

struct tk_hex {
    struct tk_layout layout;
    bool skipping; // the rest of the current line is skipped because its start was
    struct tk_hex_digits plain;
    struct tk_hexdump rows;
    struct tk_numbers numbers;
    struct tk_escaped escaped;
    struct tk_hex_records records;
};

void tk_hex_init(struct tk_hex *hex, const struct tk_layout *layout);
// Decodes a line, or a piece of a line longer than TK_PIECE_LEN.
void tk_hex_line(struct tk_hex *hex, struct tk_text_output *decoded, struct tk_span line, uint64_t first_column,
                 bool first, bool last);
// Ends the block or the text; the next line starts without state.
void tk_hex_end(struct tk_hex *hex, struct tk_text_output *decoded);

#endif
