// SPDX-License-Identifier: MIT
//
// Sentences for users in buffers of fixed size; what does not fit is cut.
#ifndef TK_TEXT_MESSAGE_H
#define TK_TEXT_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

struct tk_message {
    char *text; // always terminated
    size_t size, len;
};

struct tk_message tk_message_begin(char *text, size_t size);
void tk_message_add(struct tk_message *sentence, const char *text);
void tk_message_add_number(struct tk_message *sentence, uint64_t value);
void tk_message_add_hex(struct tk_message *sentence, uint64_t value); // with 0x
// 'g', or: byte 0x1f
void tk_message_add_char(struct tk_message *sentence, uint8_t c);

#endif
