// SPDX-License-Identifier: MIT
//
// Character classes of encoded text, and helpers for pieces of text.
#ifndef TK_TEXT_CHARS_H
#define TK_TEXT_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Class of a character: 0..15 is the value of a hex digit, the others have one bit each, so that (a | b) >= TK_CH_SPACE
// means that a or b is not a digit.
enum {
    TK_CH_SPACE = 0x10,  // blank, tab, line end
    TK_CH_LETTER = 0x20, // g..z, G..Z: a letter that is not a hex digit
    TK_CH_PUNCT = 0x40,
    TK_CH_OTHER = 0x80 // control characters and all bytes from 80 on
};
extern const uint8_t tk_char_class[256];

// Class of a character for base64: 0..63 is its value (both alphabets).
enum { TK_B64_SPACE = 0x40, TK_B64_PAD = 0x41, TK_B64_BAD = 0x80 };
extern const uint8_t tk_base64_class[256];

struct tk_span {
    const uint8_t *at;
    size_t len;
};

static inline bool tk_is_hex_digit(uint8_t c) { return tk_char_class[c] < TK_CH_SPACE; }
static inline bool tk_is_space(uint8_t c) { return tk_char_class[c] == TK_CH_SPACE; }

size_t tk_count_nonblank(const uint8_t *text, size_t len); // characters other than blanks
struct tk_span tk_span_trim(struct tk_span span);          // removes blanks at both ends
bool tk_span_next_line(struct tk_span *rest, struct tk_span *out_line);
bool tk_span_next_word(struct tk_span *rest, struct tk_span *out_word); // words are separated by blanks; returns false
                                                                        // after the last one
const uint8_t *tk_span_find(struct tk_span span, const char *needle);   // returns NULL if needle does not occur
bool tk_span_starts(struct tk_span span, const char *prefix);

#endif
