// SPDX-License-Identifier: MIT
//
// Dumps whose lines begin with an address: xxd, hexdump, od, gdb x/, OpenOCD, J-Link and their like.
#ifndef TK_TEXT_HEXDUMP_H
#define TK_TEXT_HEXDUMP_H

#include "chars.h"
#include "text_output.h"

enum { TK_HEXDUMP_ROW_MAX = 256 }; // bytes in a row

struct tk_hexdump_style {
    uint16_t row_bytes;   // of a full row; 0: unknown
    uint16_t text_column; // where the ASCII column begins, from the end of the address; 0: none
    uint8_t unit;         // bytes in a group; 0: unknown
    uint8_t address_len;  // digits
    uint8_t radix;        // of the addresses; 0: they do not count bytes, so gaps cannot be seen
    uint8_t group_radix;  // of the data: 16, 10 (bytes, also with a sign), 8, 2 (bytes)
    bool swap;            // groups are little-endian numbers
};

struct tk_hexdump_row {
    struct tk_span address;     // digits only
    bool colon, zero_x, symbol; // address is followed by : or =; begins with 0x; is followed by <name>
    bool groups_zero_x, wide_gap, bar;
    uint8_t unit;         // bytes of the first group; 0: an address and nothing else
    uint16_t address_end; // where the address ends in the line
    uint16_t text_column; // from there; 0: nothing after the groups
    uint32_t text_len;    // characters from there to the end of the line
    uint32_t len;
    uint32_t digits;                   // characters that became bytes
    uint32_t bad;                      // letters taken as 0, or groups that are no number
    uint16_t bad_at;                   // the first of them
    uint8_t bytes[TK_HEXDUMP_ROW_MAX]; // in the order in which they are written
};

// line: without blanks at its ends. A style with nothing but group_radix: nothing is known and nothing forgiven.
// False: no row.
bool tk_hexdump_row_parse(struct tk_span line, const struct tk_hexdump_style *style, struct tk_hexdump_row *out_row);
uint64_t tk_hexdump_row_address(const struct tk_hexdump_row *row, uint8_t radix); // UINT64_MAX: no number in this radix
void tk_hexdump_row_swap(uint8_t *bytes, size_t len, uint8_t unit);               // a shorter last group too

struct tk_hexdump {
    struct tk_hexdump_style style;
    // The last row waits: the next address says how many of its bytes count, and whether it repeats.
    uint8_t deferred[TK_HEXDUMP_ROW_MAX];
    uint32_t deferred_len;
    uint64_t deferred_address, deferred_line;
    bool star; // a line "*" came after it
    uint64_t star_line;
};

void tk_hexdump_init(struct tk_hexdump *rows, const struct tk_hexdump_style *style);
// line: whole, without blanks at its ends. first_column: of its first character.
void tk_hexdump_line(struct tk_hexdump *rows, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column);
void tk_hexdump_end(struct tk_hexdump *rows, struct tk_text_output *decoded);

#endif
