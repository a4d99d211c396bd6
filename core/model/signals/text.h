// SPDX-License-Identifier: MIT
//
// Texts of signal values: short names of slices and exact texts of details.
#ifndef TK_SIGNALS_TEXT_H
#define TK_SIGNALS_TEXT_H

#include "../../base/text.h"

enum tk_radix {
    TK_RADIX_NONE,
    TK_RADIX_DEC,
    TK_RADIX_HEX,
    TK_RADIX_OCT,
    TK_RADIX_BIN,
    TK_RADIX_BOOL,
    TK_RADIX_ASCII,
    TK_RADIX_LABEL
};

enum { TK_SHORT_LEN = 80, TK_SHORT_ROOM = TK_SHORT_LEN + 4 };
enum { TK_BIG_BYTES = 64, TK_BIG_TEXT = 160 }; // sizes of an integer beyond 64 bits and of its text

#define TK_SHORT_MORE "\xE2\x80\xA6"

// Returns an empty text of up to TK_SHORT_LEN bytes, which ends in "…" when it is cut.
static inline struct tk_text tk_short_in(char room[TK_SHORT_ROOM]) {
    struct tk_text text = tk_text_in(room, TK_SHORT_LEN + 1);
    text.ellipsis = TK_SHORT_MORE;
    return text;
}

void tk_short_double(struct tk_text *text, double value); // five significant digits
// Appends an integer in a radix: 0x1F, -0x1F, 0o17, 0b101, true, 'A'; otherwise decimal.
void tk_short_number(struct tk_text *text, int64_t value, enum tk_radix radix);

// Convert an integer of up to TK_BIG_BYTES bytes (little-endian two's complement) to decimal digits, or approximately
// to the nearest double.
size_t tk_big_decimal(const uint8_t *bytes, size_t len, char out_text[TK_BIG_TEXT]);
double tk_big_double(const uint8_t *bytes, size_t len);

// Returns the radix of "hex", "dec" ... in any case; TK_RADIX_NONE for other words.
enum tk_radix tk_radix_named(const char *word, size_t len);
const char *tk_radix_name(enum tk_radix radix);

#endif
