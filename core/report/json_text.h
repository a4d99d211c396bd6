// SPDX-License-Identifier: MIT
//
// Walks JSON that was checked as a whole and ends with a zero. A value is a pointer to its first character.
#ifndef TK_REPORT_JSON_TEXT_H
#define TK_REPORT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// One value with nothing after it but blanks, nested no deeper than 64, its strings without raw control characters.
// Escapes, numbers and UTF-8 are as in RFC 8259; a zero byte is not valid.
bool tk_json_is_valid(const char *json, size_t len);

// Of an object; NULL: there is none. Keys are compared as they are written.
const char *tk_json_member(const char *object, const char *key);
// The first and the next element of an array, or key of an object; NULL: no more, or `value` is NULL or does not begin
// with `bracket`.
const char *tk_json_first(const char *value, char bracket);
const char *tk_json_next(const char *element);
// Bytes that the text of a string needs, with its zero.
size_t tk_json_string_room(const char *string);
// Writes the text of a string as UTF-8, terminated; returns its length. Zeros and halves of surrogate pairs become
// U+FFFD.
size_t tk_json_string(const char *string, char *out_text);

#endif
