// SPDX-License-Identifier: MIT
//
// Decodes dumps whose lines begin with an address: xxd, hexdump, od, gdb x/, OpenOCD, J-Link and similar tools.
#ifndef TK_TEXT_HEXDUMP_H
#define TK_TEXT_HEXDUMP_H

#include "chars.h"
#include "text_output.h"

enum { TK_HEXDUMP_ROW_MAX = 256 }; // bytes in a row

struct tk_hexdump_style {
    uint16_t row_bytes;   // bytes in a full row; 0: unknown
    uint16_t text_column; // distance of the ASCII column from the end of the address; 0: no column
    uint8_t unit;         // bytes in a group; 0: unknown
    uint8_t address_len;  // number of digits
    uint8_t radix;        // radix of the addresses; 0: they do not count bytes, so gaps are not visible
    uint8_t group_radix;  // radix of the data: 16, 10 (bytes, may have a sign), 8, 2 (bytes)
    bool swap;            // groups are little-endian numbers
};

struct tk_hexdump_row {
    struct tk_span address;     // digits only
    bool colon, zero_x, symbol; // a : or = follows the address; it begins with 0x; <name> follows it
    bool groups_zero_x, wide_gap, bar;
    uint8_t unit;         // bytes in the first group; 0: the line contains only an address
    uint16_t address_end; // position after the address in the line
    uint16_t text_column; // distance of the ASCII column from address_end; 0: nothing follows the groups
    uint32_t text_len;    // characters from there to the end of the line
    uint32_t len;
    uint32_t digits;                   // number of characters that became bytes
    uint32_t bad;                      // letters read as 0, or groups that are not a number
    uint16_t bad_at;                   // position of the first of them
    uint8_t bytes[TK_HEXDUMP_ROW_MAX]; // decoded bytes in the order of the text
};

// line: without blanks at its ends. With a style that contains only group_radix, tolerates no damage. Returns false if
// the line is not a row.
bool tk_hexdump_row_parse(struct tk_span line, const struct tk_hexdump_style *style, struct tk_hexdump_row *out_row);
uint64_t tk_hexdump_row_address(const struct tk_hexdump_row *row, uint8_t radix); // returns UINT64_MAX if the address
                                                                                  // is not a number in this radix
void tk_hexdump_row_swap(uint8_t *bytes, size_t len, uint8_t unit);               // the last group may be shorter

struct tk_hexdump {
    struct tk_hexdump_style style;
    // The last row is deferred: the next address shows how many of its bytes are valid and whether it is repeated.
    uint8_t deferred[TK_HEXDUMP_ROW_MAX];
    uint32_t deferred_len;
    uint64_t deferred_address, deferred_line;
    bool star; // a line "*" followed the row
    uint64_t star_line;
};

void tk_hexdump_init(struct tk_hexdump *rows, const struct tk_hexdump_style *style);
// line: whole, without blanks at its ends. first_column: column of its first character.
void tk_hexdump_line(struct tk_hexdump *rows, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column);
void tk_hexdump_end(struct tk_hexdump *rows, struct tk_text_output *decoded);

#endif
