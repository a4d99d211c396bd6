// SPDX-License-Identifier: MIT
#ifndef TK_FUZZ_JSON_CHECK_H
#define TK_FUZZ_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One value of RFC 8259 and white space around it; strings are valid UTF-8, keys of an object are unique.
bool json_is_valid(const uint8_t *text, size_t len);

#endif
