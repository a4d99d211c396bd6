// SPDX-License-Identifier: MIT
//
// Reads the JSON that the core itself writes: well formed, so nothing is checked. Values are pointers into the text.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// NULL when the object has no such member.
const char *json_member(const char *object, const char *key);
// First and next element of an array; NULL: no more.
const char *json_first(const char *array);
const char *json_next(const char *element);
size_t json_count(const char *array);
// A number, or a number in a string; 0 for null.
uint64_t json_number(const char *value);
bool json_is_null(const char *value);
bool json_equals(const char *value, const char *text); // of a string without escapes
// A string as UTF-8, cut to fit; returns out.
const char *json_text(const char *value, char *out, size_t out_size);

#endif
