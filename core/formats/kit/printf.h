// SPDX-License-Identifier: MIT
//
// Messages that a target records as a format of printf and its arguments, each a word of the target.
#ifndef TK_FORMATS_KIT_PRINTF_H
#define TK_FORMATS_KIT_PRINTF_H

#include "../../base/text.h"

enum { TK_PRINTF_ARGUMENTS = 15 };

enum tk_printf_type { TK_PRINTF_UNUSED, TK_PRINTF_SIGNED, TK_PRINTF_UNSIGNED, TK_PRINTF_HEX, TK_PRINTF_STRING };

struct tk_printf_argument {
    uint64_t word;             // the argument as the target sent it
    uint8_t type;              // enum tk_printf_type: how the conversion shows the argument
    bool counts;               // the conversion is %d, %i or %u, so the model may plot the number as a counter
    int64_t number;            // value of the argument for TK_PRINTF_SIGNED and TK_PRINTF_UNSIGNED
    uint16_t label, label_len; // the text before the conversion in the format; label_len 0: none
};

struct tk_printf {
    const char *text; // the format, which may contain any bytes
    size_t len;
    uint8_t word;   // bytes of an address of the target
    unsigned count; // number of arguments
    struct tk_printf_argument arguments[TK_PRINTF_ARGUMENTS];
    // Returns the string at an address; NULL: unknown. The function may be NULL.
    const char *(*string)(void *ctx, uint64_t address, size_t *out_len);
    void *ctx;
};

// Appends the format with its arguments filled in, and sets the type, number and label of each argument. A conversion
// that is unknown, or has no argument, is appended as it is.
void tk_printf_put(struct tk_text *text, struct tk_printf *format);

#endif
