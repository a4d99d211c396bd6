// SPDX-License-Identifier: MIT
//
// Short texts that are put together: cut when full, never terminated.
#ifndef TK_FORMATS_CORTEXM_TEXT_BUILDER_H
#define TK_FORMATS_CORTEXM_TEXT_BUILDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../base/decimal.h"

struct cm_words {
    char *text;
    size_t len, room;
};

static inline void cm_put_bytes(struct cm_words *words, const char *text, size_t len) {
    if (len > words->room - words->len) len = words->room - words->len;
    if (len) memcpy(words->text + words->len, text, len);
    words->len += len;
}

static inline void cm_put(struct cm_words *words, const char *text) { cm_put_bytes(words, text, strlen(text)); }

static inline void cm_put_number(struct cm_words *words, uint64_t number) {
    char digits[TK_DECIMAL_LEN];
    cm_put_bytes(words, digits, tk_decimal(number, digits));
}

static inline void cm_put_address(struct cm_words *words, uint32_t address) {
    char digits[TK_DECIMAL_LEN];
    cm_put(words, "0x");
    cm_put_bytes(words, digits, tk_digits(address, 16, 8, digits));
}

static inline void cm_put_hex(struct cm_words *words, const uint8_t *bytes, size_t len) {
    char digits[TK_DECIMAL_LEN];
    for (size_t i = 0; i < len; i++) cm_put_bytes(words, digits, tk_digits(bytes[i], 16, 2, digits));
}

#endif
