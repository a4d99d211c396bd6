// SPDX-License-Identifier: MIT
//
// Sentences for people in buffers of fixed size; what does not fit is cut.
#ifndef TK_TEXT_SENTENCE_H
#define TK_TEXT_SENTENCE_H

#include <stddef.h>
#include <stdint.h>

struct tk_sentence {
    char *text; // always terminated
    size_t size, len;
};

struct tk_sentence tk_sentence_begin(char *text, size_t size);
void tk_sentence_add(struct tk_sentence *sentence, const char *text);
void tk_sentence_number(struct tk_sentence *sentence, uint64_t value);
void tk_sentence_hex(struct tk_sentence *sentence, uint64_t value); // with 0x
// 'g', or: byte 0x1f
void tk_sentence_char(struct tk_sentence *sentence, uint8_t c);

#endif
