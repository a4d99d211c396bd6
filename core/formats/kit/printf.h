// SPDX-License-Identifier: MIT
//
// Messages that a target records as a format of printf and its arguments, each a word of the target.
#ifndef TK_FORMATS_KIT_PRINTF_H
#define TK_FORMATS_KIT_PRINTF_H

#include "../../base/text.h"

enum { TK_PRINTF_ARGUMENTS = 15 };

enum tk_printf_type { TK_PRINTF_UNUSED, TK_PRINTF_SIGNED, TK_PRINTF_UNSIGNED, TK_PRINTF_HEX, TK_PRINTF_STRING };

struct tk_printf_argument {
    uint64_t word;             // as the target sent it
    uint8_t type;              // enum tk_printf_type: how the format shows it
    bool counts;               // %d, %i, %u: a number that may be followed over time
    int64_t number;            // TK_PRINTF_SIGNED, TK_PRINTF_UNSIGNED: its value
    uint16_t label, label_len; // the words before it in the format; 0 long: none
};

struct tk_printf {
    const char *text; // the format: any bytes
    size_t len;
    uint8_t word;   // bytes of an address
    unsigned count; // arguments
    struct tk_printf_argument arguments[TK_PRINTF_ARGUMENTS];
    // The string at an address, NULL: not known.
    const char *(*string)(void *ctx, uint64_t address, size_t *out_len);
    void *ctx;
};

// Appends the format with its arguments filled in, and sets the type, number and label of each argument. A conversion
// that is unknown, or has no argument, is appended as it is.
void tk_printf_put(struct tk_text *text, struct tk_printf *format);

#endif
