// SPDX-License-Identifier: MIT
//
// Short texts, built piece by piece: each call writes at `at`, ends the text and returns where it ends. Room is the
// caller's care.
#ifndef TK_FORMATS_QS_TEXT_BUILDER_H
#define TK_FORMATS_QS_TEXT_BUILDER_H

#include <stddef.h>
#include <stdint.h>

size_t qs_put_words(char *text, size_t at, const char *words);
size_t qs_put_number(char *text, size_t at, uint64_t number);
size_t qs_put_padded(char *text, size_t at, uint64_t number, unsigned digits); // with leading zeros
size_t qs_put_hex(char *text, size_t at, uint64_t number, unsigned digits);    // with 0x before it

#endif
