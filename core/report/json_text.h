// SPDX-License-Identifier: MIT
//
// Navigates in validated JSON with a terminating zero. A value is a pointer to its first character.
#ifndef TK_REPORT_JSON_TEXT_H
#define TK_REPORT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Returns true for one value followed by blanks only, nested at most 64 levels. Escapes, numbers and UTF-8 as in RFC
// 8259; zero bytes and raw control characters in strings are invalid.
bool tk_json_is_valid(const char *json, size_t len);

// Returns a member of an object; NULL if there is none. Compares keys as written, without decoding escapes.
const char *tk_json_member(const char *object, const char *key);
// Return the first and the next element of an array, or key of an object; NULL after the last one, or if `value` is
// NULL or does not begin with `bracket`.
const char *tk_json_first(const char *value, char bracket);
const char *tk_json_next(const char *element);
// Returns the number of bytes for the decoded text of a string with a terminating zero.
size_t tk_json_string_room(const char *string);
// Writes the decoded text of a string as UTF-8, terminated. Returns its length. Zeros and unpaired surrogates become
// U+FFFD.
size_t tk_json_string(const char *string, char *out_text);

#endif
