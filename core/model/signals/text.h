// SPDX-License-Identifier: MIT
//
// How values of signals are written: short names of slices and exact texts of details.
#ifndef TK_SIGNALS_TEXT_H
#define TK_SIGNALS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
enum { TK_BIG_BYTES = 64, TK_BIG_TEXT = 160 }; // of an integer beyond 64 bits

#define TK_SHORT_MORE "\xE2\x80\xA6"

// A text that grows up to a limit; where it is cut it ends in "…", at the border of a character.
struct tk_short {
    char text[TK_SHORT_ROOM];
    size_t len;
    bool is_cut;
};

// Its room is left as it is: most texts need little of it.
static inline struct tk_short tk_short_empty(void) {
    struct tk_short text;
    text.len = 0;
    text.is_cut = false;
    return text;
}

void tk_short_bytes(struct tk_short *text, const char *bytes, size_t len);
void tk_short_word(struct tk_short *text, const char *word); // terminated
void tk_short_u64(struct tk_short *text, uint64_t value);
void tk_short_i64(struct tk_short *text, int64_t value);
void tk_short_double(struct tk_short *text, double value); // five significant digits
void tk_short_hex_bytes(struct tk_short *text, const uint8_t *bytes, size_t len, const char *between);
// An integer in a radix: 0x1F, -0x1F, 0o17, 0b101, true, 'A'; others decimal.
void tk_short_number(struct tk_short *text, int64_t value, enum tk_radix radix);

// An integer as little-endian two's complement of any length up to TK_BIG_BYTES: decimal digits, and the nearest double
// or so.
size_t tk_big_decimal(const uint8_t *bytes, size_t len, char out_text[TK_BIG_TEXT]);
double tk_big_double(const uint8_t *bytes, size_t len);

// "hex", "dec" ... compared without case; TK_RADIX_NONE: another word.
enum tk_radix tk_radix_named(const char *word, size_t len);
const char *tk_radix_name(enum tk_radix radix);

// The longest beginning of at most `limit` bytes that ends at the border of a character.
size_t tk_text_cut(const char *text, size_t len, size_t limit);

#endif
