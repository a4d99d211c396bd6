// SPDX-License-Identifier: MIT
//
// What a character of encoded text can be, and small helpers for pieces of text.
#ifndef TK_TEXT_CHARS_H
#define TK_TEXT_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// 0..15: the value of a hex digit; else one of these, each its own bit, so that (a | b) >= TK_CH_SPACE
// says "not both are digits".
enum {
    TK_CH_SPACE = 0x10,  // blank, tab, line end
    TK_CH_LETTER = 0x20, // g..z, G..Z: no hex digit, but looks as if it should be one
    TK_CH_PUNCT = 0x40,
    TK_CH_OTHER = 0x80 // control characters and everything above ASCII
};
extern const uint8_t tk_char_class[256];

// 0..63: the value of a base64 character, of both alphabets.
enum { TK_B64_SPACE = 0x40, TK_B64_PAD = 0x41, TK_B64_BAD = 0x80 };
extern const uint8_t tk_base64_class[256];

struct tk_span {
    const uint8_t *at;
    size_t len;
};

static inline bool tk_is_hex_digit(uint8_t c) { return tk_char_class[c] < TK_CH_SPACE; }
static inline bool tk_is_space(uint8_t c) { return tk_char_class[c] == TK_CH_SPACE; }

size_t tk_count_nonblank(const uint8_t *text, size_t len); // characters that are not blank
struct tk_span tk_span_trim(struct tk_span span);          // without blanks at both ends
bool tk_span_next_line(struct tk_span *rest, struct tk_span *out_line);
bool tk_span_next_word(struct tk_span *rest, struct tk_span *out_word); // separated by blanks; false: none left
const uint8_t *tk_span_find(struct tk_span span, const char *needle);   // NULL: not in there
bool tk_span_starts(struct tk_span span, const char *prefix);

#endif
